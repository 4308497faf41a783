"""Findings to problems: where each stands in the text, which of them are one, in what order, and what is shown of the text."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from polar_config._plain import is_list, is_mapping, is_secret
from polar_config._yaml.data import Data
from polar_config._yaml.layout import Layout
from polar_config._yaml.lookup import Lookup
from polar_config._yaml.secrets import SafeLines
from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, ScalarEntry, real
from polar_config._yaml.unreadable import Place, Spot, spot
from polar_config.errors import TopologyError
from polar_config.errors._problem import MAX_PROBLEMS, MAX_SHOWN, Finding, Mark, Problem, View
from polar_config.errors._words import KeyPath, path_text

_PROPERTIES = re.compile(r"(?:[&!][^\s]*[ \t]+)+")


# --- without a text ---------------------------------------------------------------------------------------------------


def unplaced_error(data: object, findings: Sequence[Finding]) -> TopologyError:
    """The error for plain data: in the order of its mappings."""
    order = _Order(data)
    ordered = sorted(findings, key=lambda each: order.of(each.path))
    problems = [
        Problem(code=each.code, key_path=path_text(each.path), message=each.message, hint=each.hint)
        for each in ordered
    ]
    return TopologyError(
        problems,
        views=[View(path_text(each.path, _ids(data, each.path))) for each in ordered[:MAX_SHOWN]],
    )


class _Order:
    """Where a key path comes in the order of the data's mappings; a missing key comes last in its block."""

    def __init__(self, data: object) -> None:
        self._data = data
        self._indexes: dict[int, dict[str, int]] = {}

    def of(self, path: KeyPath) -> tuple[int, ...]:
        """A sort key."""
        value: Any = self._data
        steps: list[int] = []
        for part in path:
            if is_mapping(value) and isinstance(part, str):
                index = self._index(value)
                steps.append(index.get(part, len(index)))
                value = value.get(part)
            else:
                steps.append(part if isinstance(part, int) else 0)
                value = (
                    value[part]
                    if is_list(value) and isinstance(part, int) and part < len(value)
                    else None
                )
        return tuple(steps)

    def _index(self, block: Mapping[str, Any]) -> dict[str, int]:
        if id(block) not in self._indexes:
            self._indexes[id(block)] = {key: place for place, key in enumerate(block)}
        return self._indexes[id(block)]


def _ids(data: object, path: KeyPath) -> dict[KeyPath, str]:
    """The ids of the list entries on the way along `path`."""
    ids: dict[KeyPath, str] = {}
    value: Any = data
    for depth, part in enumerate(path, 1):
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            break
        if isinstance(part, int) and is_mapping(value):
            name = value.get("id")
            if isinstance(name, str) and name.strip() and not is_secret(name):
                ids[path[:depth]] = name.strip()
    return ids


# --- a text that could not be read ------------------------------------------------------------------------------------


# --- a text that was read ---------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """What stands at the end of a key path."""

    key: Entry | None  # None for a list entry and for the root
    value: Entry
    within: ListEntry | None  # the list of a list entry
    number: int
    through: Entry | None  # the first alias on the way


class _Placed(NamedTuple):
    start: Place
    end: Place
    finding: Finding
    shared: int
    first: tuple[Place, Place] | None


def located_error(
    text: str, name: str, root: Entry | None, data: Data, findings: Sequence[Finding]
) -> TopologyError:
    """The error for a text: everything in its order, with the lines it is about."""
    locator = _Locator(text, root)
    placed = [
        *locator.direct(data),
        *locator.grouped(each for each in findings if each.path not in data.reported),
    ]
    placed.sort(key=lambda each: (each.start.line, each.start.column))
    kept = placed[:MAX_PROBLEMS]
    lines = SafeLines(
        text,
        root,
        (place.line for each in kept[:MAX_SHOWN] for place in (each.start, *(each.first or ()))),
    )
    return TopologyError(
        [_problem(each) for each in kept],
        name,
        views=[_view(each, data.value, lines) for each in kept[:MAX_SHOWN]],
        omitted=len(placed) - len(kept),
    )


def _problem(placed: _Placed) -> Problem:
    finding = placed.finding
    message = finding.message
    if placed.first and "line" not in message:
        message += f" (line {placed.first[0].line + 1})"
    if placed.shared > 1:
        message += f" (shared by {placed.shared} places)"
    return Problem(
        code=finding.code,
        key_path=path_text(finding.path),
        message=message,
        hint=finding.hint,
        line=placed.start.line + 1,
        column=placed.start.column + 1,
    )


def _view(placed: _Placed, data: object, lines: SafeLines) -> View:
    marks = [_mark(placed.start, placed.end, lines, None)]
    if placed.first and placed.first[0].line != placed.start.line:
        marks.insert(0, _mark(*placed.first, lines, "first here"))
    return View(path_text(placed.finding.path, _ids(data, placed.finding.path)), tuple(marks))


def _mark(start: Place, end: Place, lines: SafeLines, note: str | None) -> Mark:
    line = lines.line(start.line)
    width = (
        end.column - start.column if end.line == start.line else len(line.rstrip()) - start.column
    )
    return Mark(start.line + 1, line, start.column, max(1, width), note)


class _Locator:
    def __init__(self, text: str, root: Entry | None) -> None:
        self._text = text
        self._root = root
        self._lookup = Lookup()
        self._layout = Layout(text, root)
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def direct(self, data: Data) -> Iterator[_Placed]:
        """What was found while the data was made of the tree: it came with its entry."""
        for finding, entry, first in data.findings:
            start, end = self._tag_span(entry) if finding.code == "bad-tag" else self._span(entry)
            yield _Placed(start, end, finding, 1, self._span(first) if first else None)

    def grouped(self, findings: "Iterator[Finding]") -> Iterator[_Placed]:
        """What was found in the data: one problem for each piece of text, however many keys share it."""
        groups: dict[object, list[tuple[Finding, _Step]]] = {}
        for finding in findings:
            step = self._walk(finding.path[:-1] if finding.at == "block" else finding.path)
            groups.setdefault(_identity(finding, step), []).append((finding, step))
        for group in groups.values():
            finding, step = next((each for each in group if each[1].through is None), group[0])
            first = self._place(self._walk(finding.first), "value") if finding.first else None
            yield _Placed(*self._place(step, finding.at), finding, len(group), first)

    # where a key path leads

    def _walk(self, path: KeyPath) -> _Step:
        """The entry at `path`, or as far along it as there is one."""
        step = _Step(None, cast("Entry", self._root), None, 0, None)
        for part in path:
            value = real(step.value)
            through = step.through or (step.value if isinstance(step.value, AliasEntry) else None)
            if (
                isinstance(value, MappingEntry)
                and isinstance(part, str)
                and part in self._lookup.keys(value)
            ):
                key, entry, merge, *_ = self._lookup.keys(value)[part]
                step = _Step(key, entry, None, 0, through or merge)
            elif isinstance(value, ListEntry) and isinstance(part, int):
                step = _Step(None, value.items[part], value, part, through)
            else:
                break
        return step

    # what to point at

    def _place(self, step: _Step, at: str) -> tuple[Place, Place]:
        if step.through is not None:
            return self._span(step.through)
        if at == "value" and not (isinstance(step.value, ScalarEntry) and step.value.empty):
            return self._span(step.value)
        if step.key is not None:
            return self._span(step.key)
        if step.within is not None:
            return self._dash(step.within, step.number)
        return Spot(0, 0, 0), Spot(1, 0, 1)

    def _span(self, entry: Entry) -> tuple[Place, Place]:
        start, end = entry.start, entry.end
        if isinstance(entry, ScalarEntry) and (entry.anchor or entry.tag):
            skipped = _PROPERTIES.match(self._text, start.index)
            if skipped and skipped.end() < end.index:
                start = Spot(skipped.end(), start.line, start.column + skipped.end() - start.index)
        elif isinstance(entry, MappingEntry) and not entry.flow and not entry.anchor:
            end = entry.items[0][0].end
        elif isinstance(entry, MappingEntry | ListEntry) and (entry.anchor or not entry.flow):
            token = re.compile(r"[&!]?[^\s]+").match(self._text, start.index)
            width = token.end() - start.index if token else 1
            end = Spot(start.index + width, start.line, start.column + width)
        return start, end

    def _tag_span(self, entry: Entry) -> tuple[Place, Place]:
        """The tag of an entry: behind its anchor, or before it, where the parser leaves it out of the entry."""
        behind = re.compile(r"(?:&\S*\s+)?(!\S*)").match(self._text, entry.start.index)
        index = behind.start(1) if behind else self._text.rindex("!", 0, entry.start.index)
        width = len(self._text[index:].split(maxsplit=1)[0])
        start = spot(self._text, index)
        return start, Spot(index + width, start.line, start.column + width)

    def _dash(self, entries: ListEntry, index: int) -> tuple[Place, Place]:
        if entries.flow:
            return self._span(entries.items[index])
        place = self._layout.children(entries)[index].start
        line = bisect_right(self._starts, place) - 1
        column = place - self._starts[line]
        return Spot(place, line, column), Spot(place + 1, line, column + 1)


def _identity(finding: Finding, step: _Step) -> object:
    """Equal for findings that are about the same piece of text."""
    if finding.first:
        return finding.path
    what = step.key if finding.at == "key" else real(step.value)
    last = finding.path[-1] if finding.at == "block" and finding.path else None
    return finding.code, finding.message, id(what), last
