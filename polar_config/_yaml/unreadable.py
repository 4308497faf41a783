"""Why a text cannot be read, and where: the parser's refusals in an operator's words."""

import re
from typing import Any, Protocol

from polar_config._plain import placeholders
from polar_config.errors import TopologyError
from polar_config.errors._problem import Mark, Problem, View
from polar_config.errors._secrets import hidden_in_words, is_env
from polar_config.errors._words import inline, quote


class Place(Protocol):
    """A place in the text, counted from 0, in characters."""

    @property
    def index(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class Spot:
    """A `Place` of our own."""

    __slots__ = ("column", "index", "line")

    def __init__(self, index: int, line: int, column: int) -> None:
        self.index, self.line, self.column = index, line, column


MAX_BYTES = 16 * 1024 * 1024  # of a file
PARSER_CODES = frozenset({"syntax", "tab"})  # of what a parser itself refused


class UnreadableError(Exception):
    """A text that is no YAML, or not of a kind that is read; where that shows, and which bracket or brace is open there."""

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
    """The same place; a parser's own would hold on to the whole text."""
    return None if place is None else Spot(place.index, place.line, place.column)


def normal(text: str) -> str:
    """`text` without a byte order mark, and with a bare newline at the end of every line."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def spot(text: str, index: int) -> Spot:
    """The place of the character at `index`; columns count from the last newline."""
    return Spot(
        index, text.count("\n", 0, index), index - (text.rfind("\n", 0, index) + 1)
    )  # rfind's -1 is right as well


# --- what the parser said, and what it means --------------------------------------------------------------------------

_BESIDE = 200  # characters behind a place that may belong to a placeholder there
_ALIGN = "begin it in the same column as the other keys of its block"
_QUOTE = "put the text in quotes"
_SECOND_COLON = "a second ': ' in one line, or a key that is not aligned with the others"
_NO_COLON = "a key without ': ' after it"
_UNCLOSED = "the quote that opens here is never closed"
_WORDINGS: tuple[
    tuple[str, str, str | None], ...
] = (  # what the parser's message begins with; ours; the mend
    ("mapping values are not allowed", _SECOND_COLON, _QUOTE),
    (
        "sequence entries are not allowed",
        "a dash may not begin a list here",
        "begin the list on a line of its own",
    ),
    (
        "expected <block end>, but found '-'",
        "a dash where a key is due",
        "indent the list under its key",
    ),
    (
        "expected <block end>, but found ','",
        "a comma after the end of a value",
        "remove it, or put the text in quotes",
    ),
    ("expected <block end>", "this line does not fit into the block that it stands in", _ALIGN),
    ("could not find expected ':'", _NO_COLON, "write key: value"),
    ("found unexpected end of stream", _UNCLOSED, "close it"),
    ("found unexpected document separator", _UNCLOSED, "close it"),
    ("expected ',' or '}'", "a block in braces needs a comma or its closing brace here", None),
    ("expected ',' or ']'", "a list in brackets needs a comma or its closing bracket here", None),
    (
        "found unknown escape character",
        "an unknown escape in double quotes",
        "write \\\\ for a backslash, or use single quotes",
    ),
    (
        "expected escape sequence",
        "an escape in double quotes that is not complete",
        "write \\\\ for a backslash, or use single quotes",
    ),
    ("did not find expected <document start>", "something after the end of the document", None),
    (
        "expected '<document start>'",
        "something after the end of the document",
        "a file holds one block of keys",
    ),
)


def syntax_error(error: Any, last: Place, text: str) -> UnreadableError:
    """What ruamel.yaml refused; `last` is where it was before, for errors without a place."""
    said = str(getattr(error, "problem", None) or "")
    place: Place = (
        getattr(error, "problem_mark", None) or getattr(error, "context_mark", None) or last
    )
    character = text[place.index : place.index + 1]
    message, hint = "this is no valid YAML", None
    for start, wording, mend in _WORDINGS:
        if said.startswith(start):
            message, hint = wording, mend
            break
    else:
        if "cannot start any token" in said:
            message, hint = _bad_start(character)
        elif said.startswith("expected alphabetic") and text[place.index - 1 : place.index] in {
            "*",
            "&",
        }:
            message, hint = _bad_start(text[place.index - 1])
    if message in {_UNCLOSED, _NO_COLON}:
        place = error.context_mark
    elif message == _SECOND_COLON and ": " not in text[place.index - place.column : place.index]:
        hint = _ALIGN
    if tab := _indenting_tab(text, place):
        return tab
    code = "tab" if character == "\t" else "syntax"
    if found := _placeholder_at(text, place):
        hint = f"fill in the placeholder {inline(found)}, or put it in quotes"
    opened = error.context_mark if "flow" in str(getattr(error, "context", None)) else None
    return UnreadableError(code, place, message, hint, opened)


def _indenting_tab(text: str, place: Place) -> UnreadableError | None:
    """The refusal of a tab that indents the line of `place`, if there is one."""
    line = place.index - place.column
    blanks = re.compile(r"[ \t]*").match(text, line)
    if blanks is None or "\t" not in blanks[0]:
        return None
    return tab_error(text, line + blanks[0].index("\t"))


def tab_error(text: str, index: int) -> UnreadableError:
    """The refusal of the tab at `index`, which indents."""
    return UnreadableError("tab", spot(text, index), "a tab may not indent", "use spaces")


def _bad_start(character: str) -> tuple[str, str]:
    if character == "\t":
        return "a tab in the middle of unquoted text, or where only spaces may indent", "use spaces"
    return f"unquoted text may not begin with {quote(character)}", _QUOTE


def _placeholder_at(text: str, place: Place) -> str | None:
    """The placeholder beside `place`, if there is one: the likely reason why the line is no YAML."""
    start = place.index - place.column
    line = text[start : place.index + _BESIDE].split("\n", 1)[0]
    near = [
        each
        for each in placeholders(line)
        if line.rfind(each) <= place.column <= line.rfind(each) + len(each)
    ]
    return near[-1] if near else None


_KEY = re.compile(r"(?<![\w.-])(?P<name>[\w.-]+)[\"']?[ \t]*:")


_LINES_ABOVE = 1_000  # that are searched for an ``env``


_NO_INDENT = 1_000_000


def masked(text: str) -> str:
    return re.sub(r"\S", "*", text)


def unparsed_line(text: str, index: int) -> str:
    """The line of `index`, only up to it, in a text that could not be parsed: what may belong to an ``env`` is starred out."""
    start = text.rfind("\n", 0, index) + 1
    line = text[start:index]
    shown = _before_env(line)
    if shown is None and _may_be_in_env(text, start, line):
        key = re.match(r"[ \t-]*[\"']?[\w.-]+[\"']?[ \t]*:", line)
        shown = key.end() if key else len(line) - len(line.lstrip())
    if (
        shown is None and "@" in text[index:].partition("\n")[0]
    ):  # the user part of a URL may have been cut in two
        shown = line.rfind("://") + 3 if "://" in line else None
    if shown is None:
        return hidden_in_words(line)
    return hidden_in_words(line[:shown]) + masked(line[shown:])


def _before_env(line: str) -> int | None:
    """How much of a line comes before the values of an ``env`` that begins in it."""
    return next((match.end() for match in _KEY.finditer(line) if is_env(match["name"])), None)


def _may_be_in_env(text: str, start: int, line: str) -> bool:
    """Whether the line may continue an ``env`` block above it: nothing between them is indented less than its contents."""
    least = _indent(line) if line.strip() else _NO_INDENT
    for above in reversed(text[:start].split("\n")[-_LINES_ABOVE:]):
        if not above.strip() or above.lstrip().startswith("#"):
            continue
        if _before_env(above) is not None and (
            _indent(above) < least or ("{" in above and "}" not in above)
        ):
            return True
        least = min(least, _indent(above))
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t-"))


def unreadable_error(error: UnreadableError, text: str, name: str) -> TopologyError:
    """The error for a text of which nothing can be said but where reading stopped."""
    if error.place is None:
        return TopologyError(
            [Problem(code=error.code, key_path="", message=error.message, hint=error.hint)], name
        )
    line, column = error.place.line + 1, error.place.column + 1
    problem = Problem(
        code=error.code,
        key_path="",
        message=error.message,
        hint=error.hint,
        line=line,
        column=column,
    )
    marks = [_mark_before(text, error.place, None, 0)]
    if error.opened is not None and error.opened.line != error.place.line:
        marks.insert(0, _mark_before(text, error.opened, "opened here", 1))
    return TopologyError([problem], name, views=[View("", tuple(marks))])


def _mark_before(text: str, place: Place, note: str | None, more: int) -> Mark:
    """A mark at `place` on as much of its line as may be shown: what comes before, and `more` characters."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    line = unparsed_line(text, starts[place.line] + place.column + more)
    return Mark(place.line + 1, line, place.column, 1, note)
