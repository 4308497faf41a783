"""What a mapping or list may be, and null."""

from collections.abc import Mapping
from typing import Any

from polar_config._plain import (
    FrozenMap,
    SecretMap,
    bad_character,
    freeze,
    is_mapping,
    key_not_text,
)
from polar_config.errors._problem import Finding, Refused
from polar_config.errors._words import shown
from polar_config.rules._base import Rule, refuse, refuse_placeholder
from polar_config.rules._strings import String


class Nullable:
    """None, or what `rule` takes."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.what = f"{rule.what}, or nothing"

    def __call__(self, value: Any) -> Any:
        return None if value is None else self.rule(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "null"}, self.rule.schema()]}


class Derivable:
    """What `rule` takes; a blank (None, an empty text, spaces) is None and means that the value is derived."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.what = f"{rule.what}, or nothing"

    def __call__(self, value: Any) -> Any:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        return self.rule(value)

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [{"type": "null"}, {"type": "string", "pattern": r"^\s*$"}, self.rule.schema()]
        }


class PlainMapping:
    """A map of texts to any plain data, kept as it is."""

    what = "a block of any content"

    def __call__(self, value: Any) -> FrozenMap[Any]:
        _refuse_unless_mapping(value, secret=False)
        frozen: FrozenMap[Any] = freeze(value)
        return frozen

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


class StringMap:
    """A map of texts to texts, whose values are secrets until proven otherwise."""

    what = "a block of texts"
    _text = String(blank=True, strip=False, template=True, secret=True)

    def __call__(self, value: Any) -> SecretMap:
        _refuse_unless_mapping(value, secret=True)
        findings: list[Finding] = []
        items: dict[str, str] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                findings.append(key_not_text((), key))
                continue
            if found := bad_character(key):
                findings.append(Finding((key,), "bad-character", f"the key holds {found}"))
                continue
            try:
                items[str.__str__(key)] = self._text(item)
            except Refused as refused:
                findings += [each.under((key,)) for each in refused.findings]
        if findings:
            raise Refused(*findings)
        return SecretMap.holding(items)

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self._text.schema()}


def _refuse_unless_mapping(value: object, *, secret: bool) -> None:
    if not isinstance(value, Mapping):
        refuse(
            "wrong-type",
            f"expected a block, found {shown(value, secret=secret)}",
            "write {} for none" if value is None else None,
        )


class Section:
    """An object of one of the schema's classes."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.what = "a block"

    def __call__(self, value: Any) -> Any:
        if isinstance(value, self.cls):
            return value
        refuse(
            "wrong-type",
            f"expected a finished block, found {shown(value).replace('a block', 'a plain one')}",
        )

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/definitions/{self.cls.__name__}"}


class SectionList:
    """A list of objects of one of the schema's classes; kept as a tuple."""

    def __init__(self, cls: type, at_least: int = 0) -> None:
        self.cls = cls
        self.at_least = at_least
        self.what = "a list" if not at_least else f"a list of at least {at_least}"
        self._entry = Section(cls)

    def __call__(self, value: Any) -> tuple[Any, ...]:
        entries = self.listed(value)
        findings: list[Finding] = []
        for index, entry in enumerate(entries):
            try:
                self._entry(entry)
            except Refused as refused:
                findings += [each.under((index,)) for each in refused.findings]
        if findings:
            raise Refused(*findings)
        return entries

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self._entry.schema(), "minItems": self.at_least}

    def listed(self, value: Any) -> tuple[Any, ...]:
        """`value` if it is a list of enough entries."""
        if isinstance(value, str):
            refuse_placeholder(value)
        if isinstance(value, str | bytes) or is_mapping(value) or not hasattr(value, "__iter__"):
            hint = "begin each entry with a dash" if is_mapping(value) else None
            refuse("wrong-type", f"expected a list, found {shown(value)}", hint)
        entries: tuple[Any, ...] = tuple(value)
        if len(entries) < self.at_least:
            refuse(
                "empty-list",
                f"expected at least {self.at_least}, found none",
                "begin each entry with a dash",
            )
        return entries
