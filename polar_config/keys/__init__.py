"""A class's annotated lines become keys: each with its name, rule, default and meaning.

Hides how attrs is told: `ruled` is the field transformer of every class in the schema, which makes
the constructor enforce the rules; `keys` lists what it found. A key's meaning is the docstring
below its line, which editors show as well; it is read from the source, when first asked for.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Protocol, Union, get_args, get_origin

import attrs

from polar_config.errors import refusal
from polar_config.errors._problem import Finding, Refused
from polar_config.errors._secrets import mask_userinfo
from polar_config.errors._words import KeyPath
from polar_config.rules import (
    Boolean,
    Choice,
    Derivable,
    Host,
    Nullable,
    PlainMapping,
    Rule,
    Section,
    SectionList,
    String,
    StringMap,
    Url,
)

__all__ = ["ConfigSection", "Key", "key_at", "keys", "ruled"]

_RULE = "polar_config.rule"


class Key(NamedTuple):
    """One key of a section.

    >>> from polar_config import GatewayNodeConfig
    >>> port = next(key for key in keys(GatewayNodeConfig) if key.name == "port")
    >>> port.rule.what, port.default, port.meaning
    ('an integer from 1 to 65535', 8081, 'The port that the node binds.')
    """

    name: str
    """The key in a file, and the constructor's argument."""
    attribute: str
    """The attribute that holds the explicit value; the effective one is in attribute `name`."""
    rule: Rule
    """What the value may be."""
    default: object
    """A value, an `attrs.Factory`, or `attrs.NOTHING` where the key is required."""
    owner: type
    """The class whose key it is."""

    @property
    def meaning(self) -> str:
        """What the key means, in a sentence; empty where the source of its class is not there."""
        return _meaning(self.owner, self.attribute)

    @property
    def required(self) -> bool:
        """Whether a section without this key is refused."""
        return self.default is attrs.NOTHING

    @property
    def section(self) -> type | None:
        """The class of the section that the key holds, alone or in a list."""
        rule = self.bare_rule
        if isinstance(rule, Section | SectionList):
            return rule.cls
        return None

    @property
    def derived(self) -> bool:
        """Whether an omitted value is derived from others."""
        return isinstance(self.rule, Derivable)

    @property
    def lists_sections(self) -> bool:
        """Whether it holds a list of sections."""
        return isinstance(self.bare_rule, SectionList)

    @property
    def nullable(self) -> bool:
        """Whether null is one of its values."""
        return isinstance(self.rule, Nullable)

    @property
    def bare_rule(self) -> Rule:
        """The rule for a value that is not null."""
        if isinstance(self.rule, Nullable | Derivable):
            return self.rule.rule
        return self.rule

    @property
    def holds_strings(self) -> bool:
        """Whether it holds a mapping of strings."""
        return isinstance(self.bare_rule, StringMap)

    @property
    def holds_string(self) -> bool:
        """Whether it holds a string."""
        return isinstance(self.bare_rule, String | Choice | Host | Url)


def _meaning(cls: type, attribute: str) -> str:
    from polar_config.keys._meanings import meanings  # few processes ask

    return meanings(cls).get(attribute, "")


_known: dict[type, tuple[Key, ...]] = {}


def keys(cls: type) -> tuple[Key, ...]:
    """The keys of one of the schema's classes, in the order of its lines."""
    if cls not in _known:
        _known[cls] = _keys_of(cls)
    return _known[cls]


def _keys_of(cls: type) -> tuple[Key, ...]:
    return tuple(
        Key(each.alias or each.name, each.name, each.metadata[_RULE], each.default, cls)
        for each in _attributes(cls)
        if _RULE in each.metadata
    )


def _attributes(cls: type) -> "tuple[attrs.Attribute[Any], ...]":
    return attrs.fields(cls) if attrs.has(cls) else ()


def key_at(cls: type, path: KeyPath) -> tuple[Key, KeyPath] | None:
    """The key that a key path leads to from the section `cls`, and the rest of the path.

    There is a rest where the path leads on into a value that is not a section.
    """
    found: Key | None = None
    section: type | None = cls
    steps = iter(enumerate(path))
    for depth, part in steps:
        if section is None:
            return found and (found, path[depth:])
        found = next((key for key in keys(section) if key.name == part), None)
        if found is None:
            return None
        section = found.section
        if found.lists_sections:
            next(steps, None)  # the index or id of an item
    return found and (found, ())


# --- enforcing the rules --------------------------------------------------------------------------


def ruled(cls: type, fields: list[Any]) -> list[Any]:  # noqa: ARG001  (attrs passes it)
    """Put the rule of every key into the constructor: an attrs field transformer.

    A key is every argument of the constructor without a converter of its own.
    """
    return [_ruled_field(each) for each in fields]


def _ruled_field(given: Any) -> Any:
    if given.converter or not given.init:
        return given
    rule = _rule_of(given.type)
    convert = _enforced(rule, given.alias or given.name)
    # attrs gives the constructor's argument the type of the converter's: `port: int`, not `Any`
    convert.__annotations__ = {"value": _plain_type(given.type)}
    return given.evolve(converter=convert, metadata={**given.metadata, _RULE: rule})


def _enforced(rule: Rule, name: str) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        try:
            return rule(value)
        except Refused as refused:
            findings = refused.findings
        # outside of the handler, so that the error has no context that holds the value
        raise refusal([each.under((name,)) for each in findings])

    return convert


def _rule_of(annotation: object) -> Rule:
    """The rule for an annotation: the one inside `Annotated`, or the one that the type implies."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        rules = (each for each in arguments if hasattr(each, "what"))
        return next(rules, None) or _rule_of(arguments[0])
    if origin in {Union, UnionType}:
        (inner,) = (each for each in arguments if each is not NoneType)
        return Nullable(_rule_of(inner))
    rule = _implied_rule(annotation, origin, arguments)
    if rule is None:
        raise TypeError(f"{annotation!r} has no rule")
    return rule


def _implied_rule(annotation: object, origin: object, arguments: tuple[Any, ...]) -> Rule | None:
    if origin is Literal:
        return Choice(*arguments)
    if origin is Sequence:
        return SectionList(arguments[0])
    if origin is Mapping:
        return StringMap() if arguments == (str, str) else PlainMapping()
    if annotation is bool:
        return Boolean()
    if isinstance(annotation, type) and attrs.has(annotation):
        return Section(annotation)
    return None


def _plain_type(annotation: Any) -> Any:
    """An annotation without rules, as people expect it: ``int | None``."""
    if get_origin(annotation) is Annotated:
        return _plain_type(get_args(annotation)[0])
    if get_origin(annotation) in {Union, UnionType}:
        first, *others = map(_plain_type, get_args(annotation))
        for each in others:
            first |= each
        return first
    return annotation


# --- what all classes of the schema share ---------------------------------------------------------


class ConfigSection:
    """A section of the file: its `repr` masks secrets, and `help()` shows what its keys mean."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # attrs makes each class twice, and the second one has the slots
        if "__slots__" in cls.__dict__:
            type.__setattr__(cls, "__slots__", _Slots(cls))

    def __repr__(self) -> str:
        # one for all classes, because generating one for each would slow down the import
        shown = [
            f"{each.name}={_masked(getattr(self, each.name))}"
            for each in _attributes(type(self))
            if each.repr
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _masked(value: object) -> str:
    if isinstance(value, str):
        return repr(mask_userinfo(value))
    return repr(value)


class _Slots(dict[str, str]):
    """The slots of a class with their meanings, which `help()` looks for here."""

    def __init__(self, cls: type) -> None:
        super().__init__(dict.fromkeys(cls.__dict__["__slots__"], ""))
        self._cls = cls

    def __getitem__(self, name: str) -> str:
        return _meaning(self._cls, name)


# --- rules across keys ----------------------------------------------------------------------------


class CrossRuled(Protocol):
    """A class with a rule across its keys."""

    @staticmethod
    def cross_rule(section: Mapping[str, Any]) -> Iterable[Finding]:
        """What is wrong with the values as a whole.

        `section` holds any of the keys, with values that may be wrong by themselves.
        """
        ...


def check_across(instance: CrossRuled) -> None:
    """Raise what the cross rule of `instance` finds."""
    explicit = {key.name: getattr(instance, key.attribute) for key in keys(type(instance))}
    findings = list(instance.cross_rule(explicit))
    if findings:
        raise refusal(findings)


def cross_findings(cls: type, section: Mapping[str, Any]) -> list[Finding]:
    """The same for plain data that is to become a `cls`."""
    rule: Callable[[Mapping[str, Any]], Iterable[Finding]] | None = getattr(cls, "cross_rule", None)
    if rule is None:
        return []
    return list(rule(section))
