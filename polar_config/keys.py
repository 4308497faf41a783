"""A class's annotated lines become keys: each with its name, rule, default and meaning, enforced by the constructor.

Hides how attrs is told: `ruled` is the field transformer of every class in the schema, `keys` lists what it found.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Protocol, Union, cast, get_args, get_origin

import attrs

from polar_config.errors import refusal
from polar_config.errors._problem import Finding, Refused
from polar_config.errors._secrets import hidden
from polar_config.errors._words import KeyPath
from polar_config.rules import (
    Choice,
    Derivable,
    Host,
    Nullable,
    Rule,
    Section,
    SectionList,
    String,
    StringMap,
    Url,
)

__all__ = ["Key", "Shown", "key_at", "keys", "ruled"]

_KEY = "polar_config.key"


class Key(NamedTuple):
    """One key of a block."""

    name: str
    """As it stands in a file, and as the constructor's argument."""
    attribute: str
    """The attribute that holds what was written; what holds in the end is under `name`."""
    rule: Rule
    meaning: str
    default: object
    """A value, an `attrs.Factory`, or `attrs.NOTHING` where the key is required."""

    @property
    def required(self) -> bool:
        """Whether a block without this key is refused."""
        return self.default is attrs.NOTHING

    @property
    def block(self) -> type | None:
        """The class of the block that the key holds, alone or in a list."""
        rule = self.bare_rule
        return rule.cls if isinstance(rule, Section | SectionList) else None

    @property
    def derived(self) -> bool:
        """Whether another value stands in where this one is blank."""
        return isinstance(self.rule, Derivable)

    @property
    def lists_blocks(self) -> bool:
        """Whether it holds a list of blocks."""
        return isinstance(self.bare_rule, SectionList)

    @property
    def nullable(self) -> bool:
        """Whether null is one of its values."""
        return isinstance(self.rule, Nullable)

    @property
    def bare_rule(self) -> Rule:
        """The rule for a value that is not null."""
        return self.rule.rule if isinstance(self.rule, Nullable) else self.rule

    @property
    def takes_texts(self) -> bool:
        """Whether it holds a map of texts."""
        return isinstance(self.bare_rule, StringMap)

    @property
    def takes_text(self) -> bool:
        """Whether every text can be one of its values as far as the type goes."""
        return isinstance(
            self.rule.rule if isinstance(self.rule, Derivable) else self.bare_rule,
            String | Choice | Host | Url,
        )


_known: dict[type, tuple[Key, ...]] = {}


def keys(cls: type) -> tuple[Key, ...]:
    """The keys of one of the schema's classes, in the order of its lines."""
    if cls not in _known:
        _known[cls] = tuple(_keys_of(cls))
    return _known[cls]


def _keys_of(cls: type) -> Iterator[Key]:
    for each in attrs.fields(cast("type[attrs.AttrsInstance]", cls)):
        if _KEY in each.metadata:
            rule, meaning = each.metadata[_KEY]
            yield Key(each.alias or each.name, each.name, rule, meaning, each.default)


def key_at(cls: type, path: KeyPath) -> tuple[Key, KeyPath] | None:
    """The key that a key path leads to, below the block `cls`, and what is left of the path where the key holds no block."""
    found: Key | None = None
    block: type | None = cls
    steps = iter(enumerate(path))
    for depth, part in steps:
        if block is None:
            return None if found is None else (found, path[depth:])
        found = next((key for key in keys(block) if key.name == part), None)
        if found is None:
            return None
        block = found.block
        if found.lists_blocks:
            next(steps, None)  # the index or id of an entry
    return None if found is None else (found, ())


# --- enforcing the rules ----------------------------------------------------------------------------------------------


def ruled(cls: type, fields: "list[attrs.Attribute[Any]]") -> "list[attrs.Attribute[Any]]":  # noqa: ARG001  (attrs passes it)
    """Put the rule of every key into the constructor: an attrs field transformer."""
    return [_ruled_field(each) for each in fields]


def _ruled_field(given: "attrs.Attribute[Any]") -> "attrs.Attribute[Any]":
    found = _rule_and_meaning(given.type)
    if found is None:
        return given
    return given.evolve(
        converter=_enforced(found[0], given.alias or given.name),
        metadata={**given.metadata, _KEY: found},
    )


class Shown:
    """A `repr` that keeps secrets; one for all classes, for to generate one for each takes time at every start."""

    __slots__ = ()

    def __repr__(self) -> str:
        fields = attrs.fields(cast("type[attrs.AttrsInstance]", type(self)))
        return f"{type(self).__name__}({', '.join(f'{each.name}={_display(getattr(self, each.name))}' for each in fields if each.repr)})"


def _display(value: object) -> str:
    return repr(hidden(value)) if isinstance(value, str) else repr(value)


def _rule_and_meaning(annotation: object) -> tuple[Rule, str] | None:
    """The rule in an annotation and the sentence beside it; without a sentence, the field is no key."""
    if get_origin(annotation) is not Annotated:
        return None
    inner, *extras = get_args(annotation)
    meanings = [each for each in extras if isinstance(each, str)]
    rules = [each for each in extras if hasattr(each, "what")]
    return (rules[0] if rules else _rule_of_block(inner), meanings[-1]) if meanings else None


def _rule_of_block(annotation: object) -> Rule:
    if get_origin(annotation) in {Union, UnionType}:
        (inner,) = (each for each in get_args(annotation) if each is not NoneType)
        return Nullable(_rule_of_block(inner))
    if not attrs.has(cast("type", annotation)):
        raise TypeError(f"{annotation!r} has no rule")
    return Section(cast("type", annotation))


def _enforced(rule: Rule, name: str) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        try:
            return rule(value)
        except Refused as refused:
            findings = refused.findings
        raise refusal(
            [each.under((name,)) for each in findings]
        )  # outside, so that no value hangs on to it

    return convert


# --- rules across keys ------------------------------------------------------------------------------------------------


class CrossRuled(Protocol):
    """A class with a rule across its keys."""

    @staticmethod
    def cross_rule(block: Mapping[str, Any]) -> Iterable[Finding]:
        """What is wrong with the values together; `block` holds any of the keys, checked or not."""
        ...


def check_together(instance: CrossRuled) -> None:
    """Raise what the cross rule of `instance` finds."""
    written = {key.name: getattr(instance, key.attribute) for key in keys(type(instance))}
    findings = list(instance.cross_rule(written))
    if findings:
        raise refusal(findings)


def cross_findings(cls: type, block: Mapping[str, Any]) -> list[Finding]:
    """The same for plain data that is to become a `cls`."""
    rule: Callable[[Mapping[str, Any]], Iterable[Finding]] | None = getattr(cls, "cross_rule", None)
    return list(rule(block)) if rule else []
