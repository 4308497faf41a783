"""What the parser refuses, in words for the people who write the file, and where it shows.

ruamel.yaml tells its errors apart by their messages alone, so those are looked up here.
"""

import re
from typing import Any, NamedTuple

from polar_config._plain import placeholders
from polar_config._yaml.unreadable import Place, UnreadableError, spot
from polar_config.errors._words import inline, quote

_BESIDE = 200  # characters behind a position that may belong to a placeholder there


class _Wording(NamedTuple):
    """How a refusal is worded."""

    begins: str
    """What the parser's message begins with."""
    message: str
    hint: str | None = None
    after: str = ""
    """A pattern that occurs in the same line, before the position; only then this wording fits."""
    at_start: bool = False
    """Whether it is about where something begins that has no end, not where the parser stopped."""


_ALIGN = "align it with the other keys of this mapping"
_QUOTE = "put the string in quotes"
_BACKSLASH = "write \\\\ for a backslash, or use single quotes"
_NOT_CLOSED = "this quote is never closed"
_TRAILING = "unexpected content after the end of the document"

# The first one that fits counts.
_WORDINGS = (
    _Wording("mapping values are not allowed", 'unexpected ": "', _QUOTE, after=": "),
    _Wording("mapping values are not allowed", 'unexpected ": "', _ALIGN),
    _Wording(
        "sequence entries are not allowed", 'unexpected "-"', "begin the list on a line of its own"
    ),
    _Wording(
        "expected <block end>, but found '-'",
        'expected a key, found "-"',
        "indent the list under its key",
    ),
    _Wording(
        "expected <block end>, but found ','",
        'unexpected "," after a value',
        "remove it, or put the whole value in quotes",
    ),
    _Wording(
        "expected <block end>",
        "unexpected content after a value",
        "remove it, or put the whole value in quotes",
        after=r"[^\s-]",
    ),
    _Wording("expected <block end>", "wrong indentation", _ALIGN),
    _Wording(
        "could not find expected ':'",
        'missing ": " after this key',
        "write key: value",
        at_start=True,
    ),
    _Wording("found unexpected end of stream", _NOT_CLOSED, "close it", at_start=True),
    _Wording("found unexpected document separator", _NOT_CLOSED, "close it", at_start=True),
    _Wording("expected ',' or '}'", 'expected "," or "}" in this flow mapping'),
    _Wording("expected ',' or ']'", 'expected "," or "]" in this flow list'),
    _Wording("found unknown escape", "unknown escape in a double-quoted string", _BACKSLASH),
    _Wording("expected escape", "incomplete escape in a double-quoted string", _BACKSLASH),
    _Wording("did not find expected <document start>", _TRAILING),
    _Wording("expected '<document start>'", _TRAILING, "the whole file is one mapping"),
)
_OTHER = _Wording("", "invalid YAML")


def syntax_error(error: Any, last: Place, text: str) -> UnreadableError:
    """The refusal for an error of ruamel.yaml.

    `last` is where the parser was before, for errors without a position; `error` may be None.
    """
    opened: Place | None = getattr(error, "context_mark", None)
    place: Place = getattr(error, "problem_mark", None) or opened or last
    wording = _wording(str(getattr(error, "problem", None) or ""), text, place)
    code = "tab" if text.startswith("\t", place.index) else "syntax"
    if wording.at_start and opened is not None:
        place = opened
    if tab := _indenting_tab(text, place):
        return tab
    hint = wording.hint
    if found := _placeholder_at(text, place):
        hint = f"replace the placeholder {inline(found)}, or put it in quotes"
    if "flow" not in str(getattr(error, "context", None)):
        opened = None  # not a bracket or brace
    return UnreadableError(code, place, wording.message, hint, opened)


def _wording(said: str, text: str, place: Place) -> _Wording:
    character = _refused_start(said, text, place.index)
    if character is not None:
        return _start_wording(character)
    before = text[place.index - place.column : place.index]
    for each in _WORDINGS:
        if said.startswith(each.begins) and re.search(each.after, before):
            return each
    return _OTHER


def _refused_start(said: str, text: str, index: int) -> str | None:
    """The character that was refused because nothing unquoted begins with it."""
    if "cannot start any token" in said:
        return text[index : index + 1]
    before = text[index - 1 : index]
    if said.startswith("expected alphabetic") and before in {"*", "&"}:
        return before
    return None


def _start_wording(character: str) -> _Wording:
    if character == "\t":
        message = "tabs are not allowed in unquoted strings or for indentation"
        return _Wording("", message, "use spaces")
    return _Wording("", f"an unquoted string must not begin with {quote(character)}", _QUOTE)


# --- tabs and placeholders ------------------------------------------------------------------------


def tab_error(text: str, index: int) -> UnreadableError:
    """The refusal of the tab at `index`, which indents."""
    message = "tabs are not allowed for indentation"
    return UnreadableError("tab", spot(text, index), message, "use spaces")


def _indenting_tab(text: str, place: Place) -> UnreadableError | None:
    """The refusal of a tab that indents the line of `place`, if there is one."""
    start = place.index - place.column
    indent = re.compile(r"[ \t]*").match(text, start)
    if indent is None or "\t" not in indent[0]:
        return None
    return tab_error(text, start + indent[0].index("\t"))


def _placeholder_at(text: str, place: Place) -> str | None:
    """The placeholder beside `place`, if any: the likely reason why the line is not YAML."""
    start = place.index - place.column
    line = text[start : place.index + _BESIDE].split("\n", 1)[0]
    for each in reversed(placeholders(line)):
        if line.rfind(each) <= place.column <= line.rfind(each) + len(each):
            return each
    return None
