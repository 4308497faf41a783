"""What a mapping or list may be, and null."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from polar_config._plain import bad_character, is_mapping, non_string_key
from polar_config._plain.frozen import FrozenMap, SecretMap, freeze
from polar_config.errors._problem import Finding, Refused
from polar_config.errors._words import expected, shown_in_code, with_article
from polar_config.rules._base import Rule, refuse, refuse_placeholder
from polar_config.rules._strings import String


class Nullable:
    """None, or what `rule` accepts."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.what = f"{rule.what} or null"

    def __call__(self, value: Any) -> Any:
        return None if value is None else self.rule(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "null"}, self.rule.schema()]}


class Derivable:
    """What `rule` accepts; None, ``""`` and spaces become None: the value is derived."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.what = f"{rule.what} or null"

    def __call__(self, value: Any) -> Any:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        return self.rule(value)

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [{"type": "null"}, {"type": "string", "pattern": r"^\s*$"}, self.rule.schema()]
        }


class PlainMapping:
    """A mapping of strings to any plain data, kept as it is."""

    what = "a mapping"

    def __call__(self, value: Any) -> FrozenMap[Any]:
        _refuse_unless_mapping(value, secret=False)
        frozen: FrozenMap[Any] = freeze(value)
        return frozen

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


class StringMap:
    """A mapping of strings to strings, whose values are treated as secrets."""

    what = "a mapping of strings to strings"
    _text = String(empty=True, strip=False, template=True, secret=True)

    def __call__(self, value: Any) -> SecretMap:
        _refuse_unless_mapping(value, secret=True)
        findings: list[Finding] = []
        items: dict[str, str] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                findings.append(non_string_key((), key))
                continue
            if found := bad_character(key):
                findings.append(Finding((key,), "bad-character", f"the key contains {found}"))
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
        hint = "use {} for an empty mapping" if value is None else None
        refuse("wrong-type", expected("a mapping", value, secret=secret), hint)


class Section:
    """An object of one of the schema's classes.

    Only Python code calls this rule: the reading of files makes an object of a mapping first.
    """

    what = "a mapping"

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __call__(self, value: Any) -> Any:
        if isinstance(value, self.cls):
            return value
        hint = None
        if is_mapping(value):
            hint = "use TopologyConfig.from_dict for plain dicts"
        name = with_article(self.cls.__name__)
        refuse("wrong-type", f"expected {name}, found {shown_in_code(value)}", hint)

    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/definitions/{self.cls.__name__}"}


class SectionList:
    """A list of objects of one of the schema's classes; kept as a tuple."""

    def __init__(self, cls: type, at_least: int = 0) -> None:
        self.cls = cls
        self.at_least = at_least
        self.what = "a list"
        if at_least:
            self.what = f"a list of at least {at_least}"
        self._item = Section(cls)

    def __call__(self, value: Any) -> tuple[Any, ...]:
        items = self._objects(value)
        findings: list[Finding] = []
        for index, item in enumerate(items):
            try:
                self._item(item)
            except Refused as refused:
                findings += [each.under((index,)) for each in refused.findings]
        if findings:
            raise Refused(*findings)
        return items

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self._item.schema(), "minItems": self.at_least}

    def _objects(self, value: object) -> tuple[Any, ...]:
        """What Python code passed as the list; any iterable will do."""
        name = self.cls.__name__
        if isinstance(value, str):
            refuse_placeholder(value)
        if not _is_list_like(value):
            hint = "put it in a list" if isinstance(value, self.cls) else None
            refuse("wrong-type", f"expected a list of {name}, found {shown_in_code(value)}", hint)
        items = tuple(value)
        if len(items) < self.at_least:
            message = f"expected at least {self.at_least} {name}, found none"
            refuse("empty-list", message, f"pass at least one {name}")
        return items

    def listed(self, value: object) -> tuple[Any, ...]:
        """The items of plain data, if it is a list of enough."""
        if isinstance(value, str):
            refuse_placeholder(value)
        if not _is_list_like(value):
            hint = "make it a list" if is_mapping(value) else None
            refuse("wrong-type", expected("a list", value), hint)
        items = tuple(value)
        if len(items) < self.at_least:
            message = f"expected at least {self.at_least} item, found an empty list"
            refuse("empty-list", message, "add an item")
        return items


def _is_list_like(value: object) -> TypeGuard[Iterable[Any]]:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
