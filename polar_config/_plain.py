"""Plain data: what YAML can say (null, bool, int, float, text, list, mapping), made immutable and back; limits and odd spellings.

`freeze` takes whatever Python calls a mapping, a list, a number or a text and gives tuples, `FrozenMap` and plain scalars.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn, Self, TypeGuard, TypeVar

from polar_config.errors._problem import Finding, Refused
from polar_config.errors._secrets import hidden, is_env
from polar_config.errors._words import KeyPath, shown

V = TypeVar("V", covariant=True)  # noqa: PLC0105  (the name that collections.abc has for it)

MAX_DEPTH = 64  # levels of nesting
MAX_VALUES = 1_000_000  # values, once aliases and merges are expanded
INT_MIN, INT_MAX = -(2**63), 2**63 - 1


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether `value` can be a block."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether `value` can be a list."""
    return isinstance(value, list | tuple)


# --- numbers that remember how they were spelled ----------------------------------------------------------------------


class SpelledInt(int):
    """An int that remembers its text; `ambiguous` where YAML 1.1 and 1.2 would read that text differently."""

    spelled: str
    ambiguous: bool
    secret = False


class SpelledFloat(float):
    """The same for a float."""

    spelled: str
    ambiguous: bool
    secret = False


class SecretText(str):
    """A text of an ``env``, wherever it may turn up by way of an alias."""

    __slots__ = ()
    secret = True


def as_secret(value: object) -> object:
    """A scalar that no report may show."""
    if isinstance(value, str):
        return SecretText(value)
    if isinstance(value, SpelledInt | SpelledFloat):
        value.secret = True
    return value


def is_secret(value: object) -> bool:
    """Whether a scalar is one of those."""
    return bool(getattr(value, "secret", False))


def spelled(value: float, text: str, *, ambiguous: bool) -> SpelledInt | SpelledFloat:
    """`value` with the text it was read from."""
    marked = SpelledInt(value) if isinstance(value, int) else SpelledFloat(value)
    marked.spelled = text
    marked.ambiguous = ambiguous
    return marked


# --- immutable maps ---------------------------------------------------------------------------------------------------


class FrozenMap(Mapping[str, V]):
    """An immutable mapping that keeps its order, hashes, pickles and nests.

    Equal to any mapping of the same keys and values; the order does not count, the types do (1, 1.0 and True differ).
    Its `repr` stars out credentials in URLs and the values of every ``env``; the items themselves are the true values.

    >>> FrozenMap({"user": "root", "env": {"TOKEN": "abc"}})
    FrozenMap({'user': 'root', 'env': {'TOKEN': '***'}})
    """

    __slots__ = ("_hash", "_items")
    _items: Mapping[str, V]
    _hash: int | None
    _secret = False

    def __init__(self, items: Mapping[str, V] = MappingProxyType({})) -> None:
        self._hold(dict(freeze(items).items()))

    @classmethod
    def holding(cls, items: dict[str, V]) -> Self:
        """A map of `items`, which are immutable plain data already and are not copied."""
        held = cls.__new__(cls)
        held._hold(items)  # noqa: SLF001  (our own)
        return held

    def _hold(self, items: dict[str, V]) -> None:
        object.__setattr__(self, "_items", items)
        object.__setattr__(self, "_hash", None)

    def __getitem__(self, key: str) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not is_mapping(other):
            return NotImplemented
        try:
            return hash(self) == hash(_typed(other)) and _typed(self) == _typed(other)
        except TypeError:  # the other holds what no plain data holds
            return False

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(_typed(self)))
        return self._hash or 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({displayed(self, secret=self._secret)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).holding, (dict(self._items),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class SecretMap(FrozenMap[str]):
    """A `FrozenMap` of texts whose `repr` shows the keys only.

    >>> SecretMap({"TOKEN": "abc"})
    SecretMap({'TOKEN': '***'})
    """

    __slots__ = ()
    _secret = True


def _typed(value: object) -> object:
    """A hashable stand-in that is equal for equal data of equal types."""
    if is_mapping(value):
        return "map", frozenset((key, _typed(item)) for key, item in value.items())
    if is_list(value):
        return "list", tuple(_typed(item) for item in value)
    return type(value).__name__, value


def displayed(value: object, *, secret: bool = False) -> Any:
    """Plain data as it may be shown: secrets starred out, character by character."""
    if is_mapping(value):
        return {key: displayed(item, secret=secret or is_env(key)) for key, item in value.items()}
    if is_list(value):
        return [displayed(item, secret=secret) for item in value]
    if secret:
        return "*" * len(str(value))
    return hidden(value) if isinstance(value, str) else value


# --- to immutable and back --------------------------------------------------------------------------------------------


def freeze(value: object) -> Any:
    """`value` as immutable plain data, or `Refused` with everything in it that is not plain data."""
    walk = _Walk(frozen=True)
    frozen = walk.value(value, (), secret=False)
    if walk.findings:
        raise Refused(*walk.findings)
    return frozen


def thaw(value: object) -> Any:
    """Immutable plain data as fresh dicts and lists."""
    if is_mapping(value):
        return {key: thaw(item) for key, item in value.items()}
    if is_list(value):
        return [thaw(item) for item in value]
    return value


def copied(value: object) -> tuple[Any, list[Finding]]:
    """`value` as dicts and lists within the limits, its scalars as they came, and what had to be left out of it."""
    walk = _Walk(frozen=False)
    return walk.value(value, (), secret=False), walk.findings


class _Walk:
    """One walk through foreign data: collects what is wrong, stops at the limits.

    Frozen, it gives immutable data and checks every scalar; otherwise dicts and lists, with scalars left to the rules of their keys.
    """

    def __init__(self, *, frozen: bool) -> None:
        self.findings: list[Finding] = []
        self._frozen = frozen
        self._values = 0
        self._open: set[int] = set()

    def value(self, value: object, path: KeyPath, *, secret: bool) -> object:
        self._values += 1
        if self._values > MAX_VALUES:
            if self._values == MAX_VALUES + 1:
                self.findings.append(too_many_values(path))
            return None
        if is_mapping(value) or is_list(value):
            return self._collection(value, path, secret=secret)
        if self._frozen:
            return self._scalar(value, path, secret=secret)
        return value

    def _collection(
        self, value: Mapping[Any, Any] | Sequence[Any], path: KeyPath, *, secret: bool
    ) -> object:
        if id(value) in self._open:
            self._refuse(path, "recursive", "contains itself")
            return None
        if len(self._open) >= MAX_DEPTH:
            self.findings.append(too_deep(path))
            return None
        self._open.add(id(value))
        try:
            if is_mapping(value):
                return self._mapping(value, path, secret=secret)
            items = [
                self.value(item, (*path, index), secret=secret) for index, item in enumerate(value)
            ]
            return tuple(items) if self._frozen else items
        finally:
            self._open.discard(id(value))

    def _mapping(self, value: Mapping[Any, Any], path: KeyPath, *, secret: bool) -> object:
        items: dict[str, object] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                self.findings.append(key_not_text(path, key))
            elif found := bad_character(key):
                self._refuse((*path, key), "bad-character", f"the key holds {found}")
            else:
                items[str.__str__(key)] = self.value(
                    item, (*path, key), secret=secret or is_env(key)
                )
        return FrozenMap[object].holding(items) if self._frozen else items

    def _scalar(self, value: object, path: KeyPath, *, secret: bool) -> object:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            if found := bad_character(value):
                self._refuse(path, "bad-character", f"the text holds {found}")
            return str.__str__(value)
        if isinstance(value, int):
            if not INT_MIN <= value <= INT_MAX:
                self._refuse(
                    path,
                    "out-of-range",
                    f"expected at most 64 bits, found {shown(value, secret=secret)}",
                )
            return int.__int__(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                self._refuse(
                    path,
                    "wrong-type",
                    f"expected a finite number, found {shown(value, secret=secret)}",
                )
            return float.__float__(value)
        self._refuse(
            path,
            "wrong-type",
            "expected text, a number, true, false, nothing, a list or a block, found something else",
        )
        return None

    def _refuse(self, path: KeyPath, code: str, message: str) -> None:
        self.findings.append(Finding(path, code, message))


# --- findings that several readers share ------------------------------------------------------------------------------

_UNFIT = "[\0\ud800-\udfff]"


def bad_character(text: str) -> str | None:
    """What `text` holds that no text of a topology may hold."""
    if text.isprintable():
        return None
    found = re.search(_UNFIT, text)
    if found is None:
        return None
    return "a NUL character" if found[0] == "\0" else "half of a surrogate pair"


def too_many_values(path: KeyPath) -> Finding:
    """A document that is too large once expanded."""
    return Finding(
        path,
        "too-many-values",
        f"more than {MAX_VALUES:,} values once aliases and merges are expanded",
        "share less, or split it",
    )


def too_deep(path: KeyPath) -> Finding:
    """A document that is nested too deeply."""
    return Finding(path, "too-deep", f"nested more than {MAX_DEPTH} levels deep")


def key_not_text(path: KeyPath, key: object) -> Finding:
    """A key that is no text."""
    hint = None
    if isinstance(key, int | float | bool):
        word = shown(key).removeprefix("the number ")
        hint = f'put it in quotes: "{word}"'
    return Finding(path, "non-string-key", f"expected a key, found {shown(key)}", hint, at="block")


PLACEHOLDER = r"\$\{([^{}]*)\}|@([A-Z][A-Z0-9_]*)@|<([A-Za-z_][A-Za-z0-9_ .-]*)>"


def placeholders(text: str) -> list[str]:
    """The unrendered placeholders in `text`, each once: ``${NAME}``, ``@NAME@`` or ``<name>``, as they stand there."""
    if "${" not in text and "@" not in text and "<" not in text:
        return []
    return list(dict.fromkeys(match[0] for match in re.finditer(PLACEHOLDER, text)))
