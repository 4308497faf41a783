"""Plain data made immutable: tuples, `FrozenMap` and plain scalars.

`freeze` accepts whatever Python calls a mapping, a list, a number or a string; `copied` makes dicts
and lists of it. Both stop at the limits and at cycles.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn, Self, TypeVar

from polar_config._plain import (
    INT_MAX,
    INT_MIN,
    MAX_DEPTH,
    MAX_VALUES,
    bad_character,
    is_list,
    is_mapping,
    non_string_key,
    too_deep,
    too_many_values,
)
from polar_config.errors._problem import Finding, Refused
from polar_config.errors._secrets import mask, mask_userinfo, secret_under
from polar_config.errors._words import KeyPath, expected

V = TypeVar("V", covariant=True)  # noqa: PLC0105  (the name that collections.abc has for it)


class FrozenMap(Mapping[str, V]):
    """An immutable mapping that keeps its order, hashes, pickles and nests.

    It is equal to any mapping of the same keys and values: the order does not count, the types of
    values do (1, 1.0 and True differ). Its `repr` masks credentials in URLs and the values of every
    ``env``; the items themselves are the true values.

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
        held._hold(items)  # noqa: SLF001  (a class of the same kind)
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
        except TypeError:  # the other contains something that is not plain data
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
    """A `FrozenMap` of strings whose `repr` shows the keys only.

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
    """Plain data as it may be shown: secrets masked, character by character."""
    if is_mapping(value):
        return {
            key: displayed(item, secret=secret_under(key, secret)) for key, item in value.items()
        }
    if is_list(value):
        return [displayed(item, secret=secret) for item in value]
    if secret:
        return mask(value)
    return mask_userinfo(value) if isinstance(value, str) else value


# --- a walk through foreign data ------------------------------------------------------------------


def freeze(value: object) -> Any:
    """`value` as immutable plain data; raises `Refused` with everything that is not plain data."""
    walk = _Freezing()
    frozen = walk.value(value, (), secret=False)
    if walk.findings:
        raise Refused(*walk.findings)
    return frozen


def copied(value: object) -> tuple[Any, list[Finding]]:
    """`value` as dicts and lists within the limits, and what had to be left out of it.

    Scalars stay as they came: the rules of their keys check them.
    """
    walk = _Copying()
    return walk.value(value, (), secret=False), walk.findings


class _Copying:
    """One walk through foreign data: collects what is wrong, stops at the limits."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._values = 0
        self._open: set[int] = set()  # ids of the collections that hold the current value

    def value(self, value: object, path: KeyPath, *, secret: bool) -> object:
        self._values += 1
        if self._values > MAX_VALUES:
            if self._values == MAX_VALUES + 1:
                self.findings.append(too_many_values(path))
            return None
        if is_mapping(value) or is_list(value):
            return self._collection(value, path, secret=secret)
        return self._scalar(value, path, secret=secret)

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
                return self._made_mapping(self._items(value, path, secret=secret))
            items = [
                self.value(item, (*path, index), secret=secret) for index, item in enumerate(value)
            ]
            return self._made_list(items)
        finally:
            self._open.discard(id(value))

    def _items(self, value: Mapping[Any, Any], path: KeyPath, *, secret: bool) -> dict[str, object]:
        items: dict[str, object] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                self.findings.append(non_string_key(path, key))
            elif found := bad_character(key):
                self._refuse((*path, key), "bad-character", f"the key contains {found}")
            else:
                plain = str.__str__(key)
                items[plain] = self.value(item, (*path, key), secret=secret_under(key, secret))
        return items

    def _made_mapping(self, items: dict[str, object]) -> object:
        return items

    def _made_list(self, items: list[object]) -> object:
        return items

    def _scalar(self, value: object, path: KeyPath, *, secret: bool) -> object:
        return value

    def _refuse(self, path: KeyPath, code: str, message: str) -> None:
        self.findings.append(Finding(path, code, message))


class _Freezing(_Copying):
    """The same walk, which makes immutable data and checks every scalar."""

    def _made_mapping(self, items: dict[str, object]) -> object:
        return FrozenMap[object].holding(items)

    def _made_list(self, items: list[object]) -> object:
        return tuple(items)

    def _scalar(self, value: object, path: KeyPath, *, secret: bool) -> object:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            if found := bad_character(value):
                self._refuse(path, "bad-character", f"must not contain {found}")
            return str.__str__(value)
        if isinstance(value, int):
            if not INT_MIN <= value <= INT_MAX:
                message = expected("an integer of at most 64 bits", value, secret=secret)
                self._refuse(path, "out-of-range", message)
            return int.__int__(value)
        if isinstance(value, float):
            if not math.isfinite(value):
                message = expected("a finite number", value, secret=secret)
                self._refuse(path, "wrong-type", message)
            return float.__float__(value)
        self._refuse(path, "wrong-type", expected(_PLAIN_DATA, value))
        return None


_PLAIN_DATA = "a string, a number, a boolean, null, a list or a mapping"
