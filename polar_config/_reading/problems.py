"""Findings to the error that reports them: merged, placed in the text, in order, masked.

What was found in plain data has no position, and comes in the order of its mappings.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from polar_config._plain import is_list, is_mapping
from polar_config._reading.findings import findings
from polar_config._reading.locate import Locator, Span, Step
from polar_config._yaml.data import Data
from polar_config._yaml.secrets import SafeLines
from polar_config._yaml.tree import Entry, real
from polar_config.errors import TopologyError
from polar_config.errors._problem import (
    MAX_PROBLEMS,
    MAX_SHOWN,
    Finding,
    Mark,
    Problem,
    View,
    problem,
)
from polar_config.errors._secrets import is_secret
from polar_config.errors._words import KeyPath, path_text

# --- plain data -----------------------------------------------------------------------------------


def unplaced_error(data: object, left_out: Sequence[Finding], cls: type) -> TopologyError:
    """The error for plain data that is not a `cls`; `left_out` says what is missing in it."""
    order = _Order(data)
    reported = {each.path for each in left_out}
    found = [*left_out, *_others(findings(data, cls), reported)]
    ordered = sorted(found, key=lambda each: order.of(each.path))
    views = [View(_label(each, data)) for each in ordered[:MAX_SHOWN]]
    return TopologyError(map(problem, ordered), views=views)


def _others(found: Iterable[Finding], reported: Collection[KeyPath]) -> list[Finding]:
    """What is wrong with keys of which nothing is reported yet."""
    return [each for each in found if each.path not in reported]


class _Order:
    """The order of key paths in the data; a missing key comes last in its mapping."""

    def __init__(self, data: object) -> None:
        self._data = data
        self._indexes: dict[int, dict[str, int]] = {}

    def of(self, path: KeyPath) -> tuple[int, ...]:
        """A sort key."""
        value: Any = self._data
        steps: list[int] = []
        for part in path:
            if isinstance(part, int):
                steps.append(part)
                value = value[part] if is_list(value) and part < len(value) else None
            elif is_mapping(value):
                index = self._index(value)
                steps.append(index.get(part, len(index)))
                value = value.get(part)
            else:
                steps.append(0)
                value = None
        return tuple(steps)

    def _index(self, mapping: Mapping[str, Any]) -> dict[str, int]:
        if id(mapping) not in self._indexes:
            self._indexes[id(mapping)] = {key: number for number, key in enumerate(mapping)}
        return self._indexes[id(mapping)]


def _label(finding: Finding, data: object) -> str:
    return path_text(finding.path, _ids(data, finding.path))


def _ids(data: object, path: KeyPath) -> dict[KeyPath, str]:
    """The ids of the list items on the way along `path`."""
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


# --- a text ---------------------------------------------------------------------------------------


class _Placed(NamedTuple):
    """A finding with the stretch of text that it points at."""

    finding: Finding
    span: Span
    first: Span | None = None
    """The earlier one, of two that collide."""
    times: int = 1
    """How many key paths lead there, through anchors."""


def located_error(text: str, name: str, root: Entry | None, data: Data, cls: type) -> TopologyError:
    """The error for a text that is not a `cls`: everything in its order, with its lines."""
    locator = Locator(text, root)
    others = _others(findings(data.value, cls), data.reported)
    placed = [*_with_entries(data, locator), *_grouped(others, locator)]
    placed.sort(key=lambda each: (each.span.start.line, each.span.start.column))
    kept, shown = placed[:MAX_PROBLEMS], placed[:MAX_SHOWN]
    lines = SafeLines(text, root, _lines_shown(shown))
    return TopologyError(
        map(_problem, kept),
        name,
        views=[_view(each, data.value, lines) for each in shown],
        omitted=len(placed) - len(kept),
    )


def _with_entries(data: Data, locator: Locator) -> Iterator[_Placed]:
    """What was found while the data was made of the tree: it came with its entry."""
    for finding, entry, first in data.findings:
        span = locator.entry(entry)
        if finding.code == "bad-tag":
            span = locator.tag(entry)
        yield _Placed(finding, span, locator.entry(first) if first else None)


def _grouped(found: Iterable[Finding], locator: Locator) -> Iterator[_Placed]:
    """What was found in the data: one for each piece of text, however many keys share it."""
    groups: dict[object, list[tuple[Finding, Step]]] = {}
    for finding in found:
        step = locator.step(_path_shown(finding))
        groups.setdefault(_identity(finding, step), []).append((finding, step))
    for group in groups.values():
        finding, step = next((each for each in group if each[1].through is None), group[0])
        first = None
        if finding.first is not None:
            first = locator.span(locator.step(finding.first), "value")
        yield _Placed(finding, locator.span(step, finding.at), first, len(group))


def _path_shown(finding: Finding) -> KeyPath:
    """The path to point at: of a missing key that of its section."""
    if finding.at == "section":
        return finding.path[:-1]
    return finding.path


def _identity(finding: Finding, step: Step) -> object:
    """Equal for findings that are about the same piece of text."""
    if finding.first is not None:
        return finding.path
    if finding.at == "key":
        return finding.code, finding.message, id(step.key)
    value = step.value and real(step.value)
    missing = finding.path[len(_path_shown(finding)) :]
    return finding.code, finding.message, id(value), missing


def _lines_shown(placed: Sequence[_Placed]) -> Iterator[int]:
    for each in placed:
        yield each.span.start.line
        if each.first is not None:
            yield each.first.start.line


def _problem(placed: _Placed) -> Problem:
    finding, start = placed.finding, placed.span.start
    message = finding.message
    if finding.first is not None and placed.first is not None:
        message += f" (line {placed.first.start.line + 1})"
    if placed.times > 1:
        message += f" (used {placed.times} times)"
    return Problem(
        code=finding.code,
        key_path=path_text(finding.path),
        message=message,
        hint=finding.hint,
        line=start.line + 1,
        column=start.column + 1,
    )


def _view(placed: _Placed, data: object, lines: SafeLines) -> View:
    marks = [_mark(placed.span, lines)]
    if placed.first is not None and placed.first.start.line != placed.span.start.line:
        marks.insert(0, _mark(placed.first, lines, "first here"))
    return View(_label(placed.finding, data), tuple(marks))


def _mark(span: Span, lines: SafeLines, note: str | None = None) -> Mark:
    start, end = span
    line = lines.line(start.line)
    stop = end.column
    if end.line != start.line:
        stop = len(line.rstrip())
    return Mark(start.line + 1, line, start.column, max(1, stop - start.column), note)
