"""Text to parser events, through the fastest parser that is known to read it right.

Hides ruamel.yaml: its two parsers, their classes and their errors. Only their *events* are used,
from a fresh parser for each text: what ruamel.yaml makes of them (composed nodes, its rules for
scalars, the state it keeps) is left aside, and its missing types end here. Its C parser is many
times faster than its Python one, but differs from it on unusual texts. Those always go to the
Python parser, which also has the last word on what is malformed.

Two kinds of text are parsed in a copy of the same length, so that every position is right: for the
C parser other characters take the place of some colons, for the Python parser spaces that of tabs.
"""

import re
from collections.abc import Iterator
from typing import Any, Protocol

import ruamel.yaml
import ruamel.yaml.events
import ruamel.yaml.main
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from polar_config._yaml.syntax import syntax_error, tab_error
from polar_config._yaml.unreadable import (
    MAX_BYTES,
    Place,
    Spot,
    UnreadableError,
    spot,
)


class Event(Protocol):
    """An event of a parser. All have marks; the rest depends on the class, see there."""

    start_mark: Place
    end_mark: Place
    anchor: str | None  # of a scalar, an alias and the start of a collection
    tag: str | None  # of a scalar and the start of a collection, computed from the next
    ctag: object
    flow_style: bool | None  # of the start of a collection
    value: str  # of a scalar, as are all that follow
    style: str | None
    implicit: tuple[bool, bool]  # its first part: whether the scalar is unquoted


AliasEvent: type = ruamel.yaml.events.AliasEvent
DocumentStartEvent: type = ruamel.yaml.events.DocumentStartEvent
MappingEndEvent: type = ruamel.yaml.events.MappingEndEvent
MappingStartEvent: type = ruamel.yaml.events.MappingStartEvent
ScalarEvent: type = ruamel.yaml.events.ScalarEvent
SequenceEndEvent: type = ruamel.yaml.events.SequenceEndEvent
SequenceStartEvent: type = ruamel.yaml.events.SequenceStartEvent

PARSER_ERRORS = (YAMLError, ValueError, OverflowError)
"""What a parser raises for a malformed text."""

_HAS_C_PARSER = getattr(ruamel.yaml.main, "CParser", None) is not None


def _parse(text: str, *, pure: bool) -> Iterator[Event]:
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=pure)
    events: Iterator[Event] = yaml.parse(text)
    return events


# --- before parsing -------------------------------------------------------------------------------

# YAML's printable characters without those that YAML 1.1 takes for line endings (U+0085, U+2028 and
# U+2029: behind one of them a comment could hold a key that Polar's processes read), and without
# noncharacters, which are left for `_MARK`.
_NOT_ALLOWED = (
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff"
    "\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_DIRECTIVE = (
    r"(?:[ \t]*(?:#[^\n]*)?\n)*%YAML[ \t]+([0-9]+)\.[0-9]+[ \t]*(?:#[^\n]*)?"
    r"(?=\n(?:[%#][^\n]*\n|[ \t]*\n)*---)"
)


def checked(text: str) -> str:
    """A `normal` text as it is parsed; raises `UnreadableError` for what is not read at all."""
    _refuse_size(text)
    _refuse_characters(text)
    return _without_directive(text)


def _refuse_size(text: str) -> None:
    # no character takes more than four bytes: most texts need no encoding to be known to be small
    if len(text) * 4 > MAX_BYTES and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise UnreadableError("too-large", None, f"larger than {MAX_BYTES // 1024 // 1024} MiB")


def _refuse_characters(text: str) -> None:
    if text.isascii() and _without_newlines(text).isprintable():
        return
    found = re.search(_NOT_ALLOWED, text)
    if found:
        message = f"the character U+{ord(found[0]):04X} is not allowed in a YAML file"
        hint = "remove it, or write it as an escape in double quotes"
        raise UnreadableError("bad-character", spot(text, found.start()), message, hint)


def _without_directive(text: str) -> str:
    """`text` with its ``%YAML 1.x`` as a comment: it changes nothing, but both parsers obey it."""
    directive = re.match(_DIRECTIVE, text) if "%YAML" in text else None
    if directive is None:
        return text
    start = text.index("%YAML")
    if directive[1] != "1":
        message = f"YAML {int(directive[1][:9])} is not read here, only YAML 1"
        raise UnreadableError("yaml-version", spot(text, start), message)
    return f"{text[:start]}#{text[start + 1 :]}"


def _without_newlines(text: str) -> str:
    return text.replace("\n", "")


# --- the C parser ---------------------------------------------------------------------------------

# Patterns are compiled where they are first used: most texts need none of them.
_SUSPICIOUS = "&*!|>?%{[\"'`@"
_INDICATOR = (
    r"(?<![^\s\[{,:])"
    r"(?:[!|>?%`@]|&(?![A-Za-z0-9_-]+(?:[ \n]|\Z))|\*(?![A-Za-z0-9_-]+(?:[ \n,\]}]|\Z)))"
)
_MARKER = r"(?m)^(?:---|\.\.\.)"
_FLOW = r"[\[{](?:[^\[\]{}\"']|\"[^\"\\\n]*\"|'[^'\n]*')*"
_INNER_COLON = r":(?![ \n])"
_COLON_BEHIND_BRACKET = r"[\]}]:(?![ \n])"
_QUOTED = r"\"[^\"\\\n]*\"|'[^'\n]*'"

# The C parser takes no colon inside an unquoted string in flow style, `{base_url: http://h:1}`,
# which people write all the same. A colon between two characters of a word is never an indicator:
# in the copy that the parser reads each is a character that no text holds (Unicode: a
# noncharacter), and what comes back in a scalar is a colon again.
_WORD_COLON = r"(?<=[A-Za-z0-9._/-]):(?=[A-Za-z0-9._/-])"
_MARK = "\ufdd3"
_NO_NAME = "/"  # in the place of a mark where texts are judged: common anchors do not hold it


def common_events(text: str) -> Iterator[Event] | None:
    """The events of the C parser, None if there is none or it may read `text` differently.

    They raise one of `PARSER_ERRORS` where the C parser refuses the text. That says nothing: the
    Python parser may accept it.
    """
    if not _HAS_C_PARSER:
        return None
    if _is_common(text):
        return _parse(text, pure=False)
    if "{" not in text and "[" not in text:
        return None
    marked = re.sub(_WORD_COLON, _MARK, text)
    if _is_common(marked.replace(_MARK, _NO_NAME)):
        return _unmarked(_parse(marked, pure=False))
    return None


def _unmarked(events: Iterator[Event]) -> Iterator[Event]:
    for event in events:
        if event.__class__ is ScalarEvent and _MARK in event.value:
            event.value = event.value.replace(_MARK, ":")
        yield event


def _is_common(text: str) -> bool:
    """Whether both parsers are known to read `text` alike.

    That is: it has no rare characters, and no rare use of the common ones. What counts as rare was
    found by comparing the two on several hundred thousand mutated texts; a test goes on with that.
    """
    if not _without_newlines(text).isprintable():
        return False  # tabs, CR, control characters
    if ("\n---" in text or "\n..." in text or text.startswith(("---", "..."))) and re.search(
        _MARKER, text
    ):
        return False
    if not any(each in text for each in _SUSPICIOUS):
        return True
    return "\\" not in text and not re.search(_INDICATOR, text) and _has_common_flow(text)


def _has_common_flow(text: str) -> bool:
    if ("{" not in text and "[" not in text) or not re.search(_INNER_COLON, text):
        return True
    if re.search(_COLON_BEHIND_BRACKET, text):
        return False
    flows = (re.sub(_QUOTED, "", flow[0]) for flow in re.finditer(_FLOW, text))
    return not any(re.search(_INNER_COLON, flow) for flow in flows)


# --- the Python parser ----------------------------------------------------------------------------


def python_events(text: str) -> Iterator[Event]:
    """The events of the Python parser; raises `UnreadableError` for what it refuses, reworded."""
    last: Place = Spot(0, 0, 0)
    try:
        for event in _parse(_without_tabs(text), pure=True):
            last = event.end_mark
            yield event
    except PARSER_ERRORS as error:
        unreadable = syntax_error(error if isinstance(error, MarkedYAMLError) else None, last, text)
    else:
        return
    # raised out here, so that no context holds on to the parser and with it to the whole text
    raise unreadable


# A tab is fine where it only separates and refused where it indents, but the Python parser refuses
# both. So it is given a copy with spaces for the harmless ones. Its own events on a copy without
# any tab tell them apart: what is in a scalar keeps its tabs, what begins behind one is indented.

_INDICATORS = r"[-?: \t]*"


def _without_tabs(text: str) -> str:
    """`text` with a space for each tab that only separates.

    Raises `UnreadableError` for one that indents. What the parser raises on a text without tabs is
    passed on: it has nothing to do with tabs.
    """
    if "\t" not in text:
        return text
    copy = text.replace("\t", " ")
    pieces: list[str] = []
    done = 0
    flows: list[bool] = [False]
    for event in _parse(copy, pure=True):
        kind = event.__class__
        start, end = event.start_mark.index, event.end_mark.index
        if kind in {MappingStartEvent, SequenceStartEvent}:
            is_flow = bool(event.flow_style)
            if not flows[-1]:
                _refuse_indenting(text, start, block=not is_flow)
            flows.append(is_flow)
        elif kind in {MappingEndEvent, SequenceEndEvent}:
            flows.pop()
        elif kind in {ScalarEvent, AliasEvent}:
            if not flows[-1]:
                _refuse_indenting(text, start, block=False)
            pieces += [copy[done:start], text[start:end]]
            done = max(done, end)
    return "".join([*pieces, copy[done:]])


def _refuse_indenting(text: str, start: int, *, block: bool) -> None:
    """Refuse a tab before `start`; before a block collection (`block`) one behind a dash, too."""
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    if "\t" not in before:
        return
    tab = before.index("\t")
    if before[:tab].strip(" ") == "" or (block and re.fullmatch(_INDICATORS, before)):
        raise tab_error(text, line + tab)
