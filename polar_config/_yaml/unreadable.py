"""What cannot be read at all: the refusal, its position in the text, and the report.

The way of valid texts imports this module, so it is small; `syntax` words what the parser refuses.
"""

from collections.abc import Iterator
from typing import Protocol

from polar_config._yaml.unparsed import masked_before
from polar_config.errors import TopologyError
from polar_config.errors._problem import Mark, Problem, View

MAX_BYTES = 16 * 1024 * 1024  # of a file
PARSER_CODES = frozenset({"syntax", "tab"})  # of what a parser itself refused


class Place(Protocol):
    """A position in the text, counted from 0, in characters."""

    @property
    def index(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class Spot:
    """A `Place` that keeps nothing else alive; a parser's own would hold on to the whole text."""

    __slots__ = ("column", "index", "line")

    def __init__(self, index: int, line: int, column: int) -> None:
        self.index, self.line, self.column = index, line, column


def spot(text: str, index: int) -> Spot:
    """The position of the character at `index`; columns count from the last newline."""
    line_start = text.rfind("\n", 0, index) + 1  # in the first line rfind's -1 is right as well
    return Spot(index, text.count("\n", 0, index), index - line_start)


def normal(text: str) -> str:
    """`text` without a byte order mark, and with a bare newline at the end of every line."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    return text


class UnreadableError(Exception):
    """A text that is not YAML, or not of a kind that is read here.

    `place` is where that shows, and `opened` the bracket or brace that is open there.
    """

    def __init__(
        self,
        code: str,
        place: Place | None,
        message: str,
        hint: str | None = None,
        opened: Place | None = None,
    ) -> None:
        super().__init__(code, message)
        self.code, self.message, self.hint = code, message, hint
        self.place, self.opened = _spot_of(place), _spot_of(opened)


def _spot_of(place: Place | None) -> Spot | None:
    if place is None:
        return None
    return Spot(place.index, place.line, place.column)


# --- the report -----------------------------------------------------------------------------------


def unreadable_error(error: UnreadableError, text: str, name: str) -> TopologyError:
    """The error for a text of which nothing can be said but where reading stopped."""
    line = column = None
    if error.place is not None:
        line, column = error.place.line + 1, error.place.column + 1
    problem = Problem(
        code=error.code,
        key_path="",
        message=error.message,
        hint=error.hint,
        line=line,
        column=column,
    )
    return TopologyError([problem], name, views=[View("", tuple(_marks(error, text)))])


def _marks(error: UnreadableError, text: str) -> Iterator[Mark]:
    place, opened = error.place, error.opened
    if place is None:
        return
    if opened is not None and opened.line != place.line:
        # with the bracket itself, which is not secret
        yield _mark(opened, masked_before(text, opened.index + 1), "opened here")
    yield _mark(place, masked_before(text, place.index), None)


def _mark(place: Spot, line: str, note: str | None) -> Mark:
    return Mark(place.line + 1, line, place.column, 1, note)
