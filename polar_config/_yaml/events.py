"""Text to events, with whichever parser gives the same result for it; text to plain data, the fast way.

Hides ruamel.yaml: only its *events* are used, from a fresh object for each text, folded with rules of our own. Its C parser is
many times faster than its Python one, but differs from it on unusual texts: those always go to the Python parser.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import ruamel.yaml
import ruamel.yaml.events
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from polar_config._yaml.syntax import syntax_error, tab_error
from polar_config._yaml.unreadable import (
    MAX_BYTES,
    Place,
    Spot,
    UnreadableError,
    spot,
)

__all__ = [
    "AliasEvent",
    "DocumentStartEvent",
    "MappingEndEvent",
    "MappingStartEvent",
    "ScalarEvent",
    "SequenceEndEvent",
    "checked",
    "events",
    "is_common",
]


# ruamel.yaml has no types: its classes and events are `Any` to the type checkers
AliasEvent: type[Any] = ruamel.yaml.events.AliasEvent
DocumentStartEvent: type[Any] = ruamel.yaml.events.DocumentStartEvent
MappingEndEvent: type[Any] = ruamel.yaml.events.MappingEndEvent
MappingStartEvent: type[Any] = ruamel.yaml.events.MappingStartEvent
ScalarEvent: type[Any] = ruamel.yaml.events.ScalarEvent
SequenceEndEvent: type[Any] = ruamel.yaml.events.SequenceEndEvent


# --- before parsing ---------------------------------------------------------------------------------------------------

_UNPRINTABLE = (
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_DIRECTIVES = r"(?:[ \t]*(?:#[^\n]*)?\n)*%YAML[ \t]+([0-9]+)\.[0-9]+[ \t]*(?:#[^\n]*)?(?=\n(?:[%#][^\n]*\n|[ \t]*\n)*---)"


def checked(text: str) -> str:
    """A `normal` text as it is parsed; raises `UnreadableError` for what YAML cannot hold."""
    if len(text) * 4 > MAX_BYTES and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise UnreadableError("too-large", None, f"larger than {MAX_BYTES // 1024 // 1024} MiB")
    if not (text.isascii() and _without_breaks(text).isprintable()) and (
        found := re.search(_UNPRINTABLE, text)
    ):
        message = f"the character U+{ord(found[0]):04X} may not stand in a YAML file"
        hint = "remove it, or write it as an escape in double quotes"
        raise UnreadableError("bad-character", spot(text, found.start()), message, hint)
    if "%YAML" in text and (directive := re.match(_DIRECTIVES, text)):
        start = text.index("%YAML")
        if directive[1] != "1":
            raise UnreadableError(
                "yaml-version",
                spot(text, start),
                f"YAML {int(directive[1][:9])} is not read here, only YAML 1",
            )
        text = f"{text[:start]}#{text[start + 1 :]}"  # a YAML 1.x directive changes nothing
    return text


def _without_breaks(text: str) -> str:
    return text.replace("\n", "")


# To YAML 1.2 these are characters like any other, but both parsers end a line at them, in a comment too, as YAML 1.1 does. So they
# are parsed as characters that are never text (Unicode: noncharacters) and that are refused above.
SEPARATOR = "[\x85\u2028\u2029]"
_SEPARATORS = (0x85, 0x2028, 0x2029)
_NONCHARACTERS = range(0xFDD0, 0xFDF0)


def _stand_ins(text: str) -> dict[int, int]:
    """A noncharacter for each separator, none of which an escape in `text` may spell."""
    lowered = text.lower()
    free = [code for code in _NONCHARACTERS if f"{code:x}" not in lowered]
    if len(free) < len(_SEPARATORS):
        message = "the separators U+0085, U+2028 and U+2029 cannot be read beside so many escaped noncharacters"
        raise UnreadableError("bad-character", None, message, "escape the separators as well")
    return dict(zip(_SEPARATORS, free, strict=False))


# --- the choice of a parser -------------------------------------------------------------------------------------------

# Patterns are compiled where they are first used: most texts need none of them.
_SUSPICIOUS = "&*!|>?%{[\"'`@"
_INDICATOR = r"""(?<![^\s\[{,:])(?:[!|>?%`@]|&(?![A-Za-z0-9_-]+(?:[ \n]|\Z))|\*(?![A-Za-z0-9_-]+(?:[ \n,\]}]|\Z)))"""
_MARKER = r"(?m)^(?:---|\.\.\.)"
FLOW = r"[\[{](?:[^\[\]{}\"']|\"[^\"\\\n]*\"|'[^'\n]*')*"
_INNER_COLON = r":(?![ \n])"
_QUOTED = r"\"[^\"\\\n]*\"|'[^'\n]*'"


def is_common(text: str) -> bool:
    """Whether both parsers are known to read `text` alike: no rare characters, and no rare use of the common ones.

    What counts as rare was found by comparing the two on several hundred thousand mutated texts; a test goes on with that.
    """
    if not _without_breaks(text).isprintable():
        return False  # tabs, CR, separators, control characters
    if ("\n---" in text or "\n..." in text or text.startswith(("---", "..."))) and re.search(
        _MARKER, text
    ):
        return False
    if not any(each in text for each in _SUSPICIOUS):
        return True
    return "\\" not in text and not re.search(_INDICATOR, text) and _has_common_flow(text)


def _has_common_flow(text: str) -> bool:
    return (
        ("{" not in text and "[" not in text)
        or not re.search(_INNER_COLON, text)
        or not any(
            re.search(_INNER_COLON, re.sub(_QUOTED, "", flow[0]))
            for flow in re.finditer(FLOW, text)
        )
    )


def events(text: str, *, pure: bool) -> Iterator[Any]:
    """The parser's events; raises `UnreadableError` in the words of the Python parser, which alone is believed when it refuses."""
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=pure)
    odd = not text.isascii() and re.search(SEPARATOR, text) is not None
    last: Place = Spot(0, 0, 0)
    try:
        stand_ins = _stand_ins(text) if odd else {}
        stood_for = {stand_in: separator for separator, stand_in in stand_ins.items()}
        source = text.translate(stand_ins) if odd else text
        for event in yaml.parse(blanked(source, parsed) if pure else source):
            if odd and event.__class__ is ScalarEvent:
                event.value = event.value.translate(stood_for)
            last = event.end_mark
            yield event
    except (YAMLError, ValueError, OverflowError) as error:
        unreadable = syntax_error(error if isinstance(error, MarkedYAMLError) else None, last, text)
    else:
        return
    raise unreadable


def parsed(text: str) -> Iterator[Any]:
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=True)
    yield from yaml.parse(text)


# --- the fast way: plain data without places --------------------------------------------------------------------------


# --- tabs: fine where they only separate, refused where they indent ------------------------------------------------------

# The Python parser refuses both. It is given a copy with blanks for the harmless ones, which its own events on a copy without any
# tab tell apart: what lies in a scalar keeps its tabs, and what begins behind one is indented by it.

_INDICATORS = r"[-?: \t]*"


def blanked(text: str, parse: Callable[[str], Iterator[Any]]) -> str:
    """`text` with a blank in the place of each tab that only separates; raises `UnreadableError` for one that indents.

    What `parse` raises on a text without tabs is passed on: it has nothing to do with tabs.
    """
    if "\t" not in text:
        return text
    copy = text.replace("\t", " ")
    pieces: list[str] = []
    done = 0
    flows: list[bool] = []
    for event in parse(copy):
        name = type(event).__name__
        start, end = event.start_mark.index, event.end_mark.index
        if name.endswith("StartEvent") and hasattr(event, "flow_style"):
            _refuse_indenting(
                text, start, block=not event.flow_style, flow=bool(flows and flows[-1])
            )
            flows.append(bool(event.flow_style))
        elif name in {"MappingEndEvent", "SequenceEndEvent"}:
            flows.pop()
        elif name in {"ScalarEvent", "AliasEvent"}:
            _refuse_indenting(text, start, block=False, flow=bool(flows and flows[-1]))
            pieces += [copy[done:start], text[start:end]]
            done = max(done, end)
    return "".join([*pieces, copy[done:]])


def _refuse_indenting(text: str, start: int, *, block: bool, flow: bool) -> None:
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    if flow or "\t" not in before:
        return
    tab = before.index("\t")
    if before[:tab].strip(" ") == "" or (block and re.fullmatch(_INDICATORS, before)):
        raise tab_error(text, line + tab)
