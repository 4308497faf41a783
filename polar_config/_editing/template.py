"""Placeholders in the scalars of a text, `${NAME}` and `${NAME:-default}`, filled from a mapping: a plan of changes.

A value is put in as the text of its scalar, so that none can change the structure of the document. `$${` is a literal `${`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from polar_config._editing.plan import Container, Plan
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
    slot: tuple[Container, int] | None


def rendered(template: Text, variables: Mapping[str, object], cls: type) -> Text:
    """A template with every placeholder filled; raises `TopologyError` with every one that cannot be. `cls` says what keys take."""
    if not is_mapping(variables):
        raise refused("invalid-argument", "expected a mapping of names to texts")
    template.refuse_several()
    plan = Plan()
    problems: list[Problem] = []
    for place in _places(template.root, (), None):
        found = list(_wrong(place, variables, template.layout.text))
        problems += found
        if not found:
            plan.of(place.container, place.slot).values[place.number] = _value(
                place, variables, cls
            )
    if problems:
        raise TopologyError(
            sorted(problems, key=lambda each: (each.line or 0, each.column or 0)), template.name
        )
    return template.proved(plan)


def _places(
    entry: Entry | None, path: KeyPath, slot: tuple[Container, int] | None
) -> Iterator[_Place]:
    if not isinstance(entry, MappingEntry | ListEntry):
        return
    items: list[tuple[str | int, Entry]]
    items = (
        [(key_name(key), value) for key, value in entry.items]
        if isinstance(entry, MappingEntry)
        else [*enumerate(entry.items)]
    )
    for number, (part, value) in enumerate(items):
        if isinstance(value, ScalarEntry):
            if "${" in value.text:
                yield _Place((*path, part), value, entry, number, slot)
        else:
            yield from _places(value, (*path, part), (entry, number))


def _wrong(place: _Place, variables: Mapping[str, object], text: str) -> Iterator[Problem]:
    """What is wrong with the placeholders of one scalar, each once."""
    seen: set[str] = set()
    for match in _PLACEHOLDER.finditer(place.entry.text):
        name = match["name"]
        if match[0] == "$${" or str(name) in seen:
            continue
        if name is None:
            code, message, hint = (
                "bad-placeholder",
                "this is no placeholder",
                "write $${ for a literal ${",
            )
        elif name in variables and not isinstance(variables[name], str):
            code, message, hint = "wrong-type", f"the value of {inline(name)} is no text", None
        elif name not in variables and match["default"] is None:
            code, message, hint = (
                "missing-variable",
                f"there is no value for ${{{inline(name)}}}",
                f"set {inline(name)}, or write ${{{name}:-default}}",
            )
        else:
            continue
        seen.add(str(name))
        at = text.find(match[0], place.entry.begin, place.entry.stop)
        where = place.entry.start if at < 0 else spot(text, at)
        yield Problem(
            code=code,
            key_path=path_text(place.path),
            message=message,
            hint=hint,
            line=where.line + 1,
            column=where.column + 1,
        )


def _value(place: _Place, variables: Mapping[str, object], cls: type) -> object:
    def put(match: re.Match[str]) -> str:
        name = match["name"]
        return "${" if name is None else str(variables.get(name, match["default"]))

    text = _PLACEHOLDER.sub(put, place.entry.text)
    if not place.entry.bare:
        return text
    return _typed(cls, place.path, text)


def _typed(cls: type, path: KeyPath, text: str) -> object:
    """What an unquoted scalar becomes: a number or a switch where the key takes one, a text where it takes that."""
    key, rest = key_at(cls, path) or (None, ())
    if key is None or (rest and not key.takes_texts):
        return resolve(text, remember=True) if _NUMBER.fullmatch(text) else text
    if not rest and isinstance(key.bare_rule, Boolean):
        return {"true": True, "false": False}.get(text, text)
    if not rest and isinstance(key.bare_rule, Integer | Number):
        value = resolve(text, remember=True)
        is_number = (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and not getattr(value, "ambiguous", False)
        )
        return value if is_number else text
    return text
