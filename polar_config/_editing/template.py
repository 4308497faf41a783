"""Placeholders in the scalars of a text, `${NAME}` and `${NAME:-default}`, filled from a mapping: a
plan of changes.

A value is put in as the text of its scalar, so that none can change the structure of the document.
`$${` is a literal `${`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, cast

from polar_config._editing.plan import Container, Plan, Replaced, Slot
from polar_config._editing.text import Text
from polar_config._plain import is_mapping
from polar_config._yaml.tree import Entry, ListEntry, MappingEntry, ScalarEntry, key_name
from polar_config._yaml.unreadable import spot
from polar_config._yaml.values import resolve
from polar_config.errors import TopologyError, refused
from polar_config.errors._problem import Problem
from polar_config.errors._words import KeyPath, inline, path_text
from polar_config.keys import key_at
from polar_config.rules import Boolean, Integer, Number

_PLACEHOLDER = re.compile(
    r"\$\$\{|\$\{(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>(?:[^}$]|\$(?!\{))*))?\})?"
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")


class _Place(NamedTuple):
    """A scalar with a placeholder, and where it is held."""

    path: KeyPath
    entry: ScalarEntry
    container: Container
    number: int
    slot: Slot | None


def rendered(template: Text, variables: Mapping[str, object], cls: type) -> Text:
    """A template with every placeholder filled; raises `TopologyError` with every one that cannot
    be.

    `cls` says what keys take.
    """
    if not is_mapping(variables):
        raise refused("invalid-argument", "expected a mapping of names to strings")
    template.refuse_several()
    plan = Plan()
    problems: list[Problem] = []
    for place in _places(template.root, (), None):
        found = list(_problems(place, variables, template.layout.text))
        problems += found
        if not found:
            changes = plan.of(place.container, place.slot)
            changes.slots[place.number] = Replaced(_value(place, variables, cls))
    if problems:
        problems.sort(key=lambda each: (each.line or 0, each.column or 0))
        raise TopologyError(problems, template.name)
    return template.verified(plan)


def _places(entry: Entry | None, path: KeyPath, slot: Slot | None) -> Iterator[_Place]:
    for number, (part, value) in enumerate(_items(entry)):
        container = cast("Container", entry)
        if not isinstance(value, ScalarEntry):
            yield from _places(value, (*path, part), (container, number))
        elif "${" in value.text:
            yield _Place((*path, part), value, container, number, slot)


def _items(entry: Entry | None) -> Iterable[tuple[str | int, Entry]]:
    if isinstance(entry, MappingEntry):
        return [(key_name(key), value) for key, value in entry.items]
    return enumerate(entry.items) if isinstance(entry, ListEntry) else ()


def _problems(place: _Place, variables: Mapping[str, object], text: str) -> Iterator[Problem]:
    """What is wrong with the placeholders of one scalar, each once."""
    seen: set[str] = set()
    for match in _PLACEHOLDER.finditer(place.entry.text):
        found = None if match[0] == "$${" else _fault(match, variables)
        name = str(match["name"])
        if found is None or name in seen:
            continue
        seen.add(name)
        code, message, hint = found
        at = text.find(match[0], place.entry.begin, place.entry.stop)
        position = place.entry.start if at < 0 else spot(text, at)
        yield Problem(
            code=code,
            key_path=path_text(place.path),
            message=message,
            hint=hint,
            line=position.line + 1,
            column=position.column + 1,
        )


def _fault(
    match: re.Match[str], variables: Mapping[str, object]
) -> tuple[str, str, str | None] | None:
    """Why a placeholder cannot be filled: a code, a message and a hint."""
    name = match["name"]
    if name is None:
        return "bad-placeholder", "invalid placeholder syntax", "write $${ for a literal ${"
    if name not in variables:
        if match["default"] is not None:
            return None
        hint = f"set {inline(name)}, or write ${{{name}:-default}}"
        return "missing-variable", f"undefined variable ${{{inline(name)}}}", hint
    if isinstance(variables[name], str):
        return None
    return "wrong-type", f"the value of {inline(name)} is not a string", None


def _value(place: _Place, variables: Mapping[str, object], cls: type) -> object:
    def put(match: re.Match[str]) -> str:
        name = match["name"]
        return "${" if name is None else str(variables.get(name, match["default"]))

    text = _PLACEHOLDER.sub(put, place.entry.text)
    if not place.entry.bare:
        return text
    return _typed(cls, place.path, text)


def _typed(cls: type, path: KeyPath, text: str) -> object:
    """What an unquoted scalar becomes: a number or a boolean where the key takes one, else a
    string.
    """
    key, rest = key_at(cls, path) or (None, ())
    if key is None or (rest and not key.holds_strings):
        return resolve(text, remember=True) if _NUMBER.fullmatch(text) else text
    if not rest and isinstance(key.bare_rule, Boolean):
        return {"true": True, "false": False}.get(text, text)
    if not rest and isinstance(key.bare_rule, Integer | Number):
        value = resolve(text, remember=True)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and not getattr(value, "ambiguous", False):
            return value
    return text
