"""Text to events, with whichever parser gives the same result for it; text to plain data, the fast way.

Hides ruamel.yaml: only its *events* are used, from a fresh object for each text, folded with rules of our own. Its C parser is
many times faster than its Python one, but differs from it on unusual texts: those always go to the Python parser.
"""

import re
from collections.abc import Iterator
from typing import Any, NoReturn, cast

import ruamel.yaml
import ruamel.yaml.events
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from polar_config._plain import MAX_DEPTH, MAX_VALUES
from polar_config._yaml.tabs import blanked
from polar_config._yaml.unreadable import MAX_BYTES, Place, Spot, UnreadableError, spot, syntax_error
from polar_config._yaml.values import NotPlainError, merged, resolve

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
    "plain",
]


# ruamel.yaml has no types: its classes and events are `Any` to the type checkers
AliasEvent: type[Any] = ruamel.yaml.events.AliasEvent
DocumentStartEvent: type[Any] = ruamel.yaml.events.DocumentStartEvent
MappingEndEvent: type[Any] = ruamel.yaml.events.MappingEndEvent
MappingStartEvent: type[Any] = ruamel.yaml.events.MappingStartEvent
ScalarEvent: type[Any] = ruamel.yaml.events.ScalarEvent
SequenceEndEvent: type[Any] = ruamel.yaml.events.SequenceEndEvent


# --- before parsing ---------------------------------------------------------------------------------------------------

_UNPRINTABLE = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
_DIRECTIVES = r"(?:[ \t]*(?:#[^\n]*)?\n)*%YAML[ \t]+([0-9]+)\.[0-9]+[ \t]*(?:#[^\n]*)?(?=\n(?:[%#][^\n]*\n|[ \t]*\n)*---)"


def checked(text: str) -> str:
    """A `normal` text as it is parsed; raises `UnreadableError` for what YAML cannot hold."""
    if len(text) * 4 > MAX_BYTES and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise UnreadableError("too-large", None, f"larger than {MAX_BYTES // 1024 // 1024} MiB")
    if not (text.isascii() and _without_breaks(text).isprintable()) and (found := re.search(_UNPRINTABLE, text)):
        message = f"the character U+{ord(found[0]):04X} may not stand in a YAML file"
        hint = "remove it, or write it as an escape in double quotes"
        raise UnreadableError("bad-character", spot(text, found.start()), message, hint)
    if "%YAML" in text and (directive := re.match(_DIRECTIVES, text)):
        start = text.index("%YAML")
        if directive[1] != "1":
            raise UnreadableError("yaml-version", spot(text, start), f"YAML {int(directive[1][:9])} is not read here, only YAML 1")
        text = f"{text[:start]}#{text[start + 1 :]}"  # a YAML 1.x directive changes nothing
    return text


def _without_breaks(text: str) -> str:
    return text.replace("\n", "")


# To YAML 1.2 these are characters like any other, but both parsers end a line at them, in a comment too, as YAML 1.1 does. So they
# are parsed as characters that are never text (Unicode: noncharacters) and that are refused above.
_SEPARATOR = "[\x85\u2028\u2029]"
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
_FLOW = r"[\[{](?:[^\[\]{}\"']|\"[^\"\\\n]*\"|'[^'\n]*')*"
_INNER_COLON = r":(?![ \n])"
_QUOTED = r"\"[^\"\\\n]*\"|'[^'\n]*'"


def is_common(text: str) -> bool:
    """Whether both parsers are known to read `text` alike: no rare characters, and no rare use of the common ones.

    What counts as rare was found by comparing the two on several hundred thousand mutated texts; a test goes on with that.
    """
    if not _without_breaks(text).isprintable():
        return False  # tabs, CR, separators, control characters
    if ("\n---" in text or "\n..." in text or text.startswith(("---", "..."))) and re.search(_MARKER, text):
        return False
    if not any(each in text for each in _SUSPICIOUS):
        return True
    return "\\" not in text and not re.search(_INDICATOR, text) and _has_common_flow(text)


def _has_common_flow(text: str) -> bool:
    return (
        ("{" not in text and "[" not in text)
        or not re.search(_INNER_COLON, text)
        or not any(re.search(_INNER_COLON, re.sub(_QUOTED, "", flow[0])) for flow in re.finditer(_FLOW, text))
    )


def events(text: str, *, pure: bool) -> Iterator[Any]:
    """The parser's events; raises `UnreadableError` in the words of the Python parser, which alone is believed when it refuses."""
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=pure)
    odd = not text.isascii() and re.search(_SEPARATOR, text) is not None
    last: Place = Spot(0, 0, 0)
    try:
        stand_ins = _stand_ins(text) if odd else {}
        stood_for = {stand_in: separator for separator, stand_in in stand_ins.items()}
        source = text.translate(stand_ins) if odd else text
        for event in yaml.parse(blanked(source, _parsed) if pure else source):
            if odd and event.__class__ is ScalarEvent:
                event.value = event.value.translate(stood_for)
            last = event.end_mark
            yield event
    except (YAMLError, ValueError, OverflowError) as error:
        unreadable = syntax_error(error if isinstance(error, MarkedYAMLError) else None, last, text)
    else:
        return
    raise unreadable


def _parsed(text: str) -> Iterator[Any]:
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=True)
    yield from yaml.parse(text)


# --- the fast way: plain data without places --------------------------------------------------------------------------


def plain(text: str) -> object:
    """The data of `text`; raises `NotPlainError` for anything that needs a closer look."""
    pure = not is_common(text)
    marked = _with_marked_urls(text) if pure else None
    if marked:
        text, pure = marked, False
    elif pure and not text.isascii() and re.search(_SEPARATOR, text):
        raise NotPlainError
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=pure)
    try:
        return _folded(yaml.parse(blanked(text, _parsed) if pure else text), marked=marked is not None)
    except (YAMLError, ValueError, OverflowError, UnreadableError):
        pass
    raise NotPlainError


# The C parser takes no unquoted URL in flow style, `{base_url: http://h:1}`, which people write all the same. It is given a copy in
# which each has quotes and a mark that no text can hold. Where a mark comes back at the beginning of a quoted text, what follows is the
# URL; where it comes back anywhere else, what looked like flow style was none.
_MARK = "\ufdd3"
_FLOW_URL = r"(?<=[ \[{])https?://[A-Za-z0-9._:/-]*[A-Za-z0-9._/-](?=[ ,\]}\n]|\Z)"


def _with_marked_urls(text: str) -> str | None:
    """`text` with its URLs in flow style marked, if that is all that the C parser minds."""
    if "://" not in text or ("{" not in text and "[" not in text):
        return None
    marked = re.sub(_FLOW, lambda flow: re.sub(_FLOW_URL, rf'"{_MARK}\g<0>"', flow[0]), text)
    return marked if is_common(marked.replace(_MARK, "")) else None


def _unmarked(event: Any) -> str:
    text: str = event.value
    if event.style != '"' or text.rfind(_MARK) != 0:
        raise NotPlainError
    return text[1:]


class _Fold:
    """Events to dicts and lists; aliases share what they name."""

    def __init__(self, stream: Iterator[Any], *, marked: bool) -> None:
        self._next = stream.__next__
        self._mark = _MARK if marked else "\0"  # which no text of a topology may hold
        self._values: dict[str, object] = {}  # what an unquoted text means, once found out
        self._names: set[str] = set()  # keys that are known to be texts
        self._anchored: dict[str, tuple[object, int]] = {}
        self._count = 0

    def value(self, event: Any, depth: int) -> object:
        kind: type[Any] = event.__class__
        before = self._count
        self._count = before + 1
        if kind is ScalarEvent:
            value = self._scalar(event)
        elif kind is AliasEvent:
            value, size = self._anchored.get(event.anchor) or _no_anchor()
            self._count = before + size
        elif depth >= MAX_DEPTH or event.tag is not None:
            raise NotPlainError
        else:
            value = self._mapping(depth + 1) if kind is MappingStartEvent else self._list(depth + 1)
        if self._count > MAX_VALUES:
            raise NotPlainError
        if event.anchor is not None and kind is not AliasEvent:
            self._anchored[event.anchor] = value, self._count - before
        return value

    def _scalar(self, event: Any) -> object:
        if event.tag is not None:
            raise NotPlainError
        text: str = event.value
        if not event.implicit[0]:
            return _unmarked(event) if self._mark in text else text
        if text not in self._values:
            if self._mark in text:
                raise NotPlainError
            self._values[text] = resolve(text)
        return self._values[text]

    def _list(self, depth: int) -> list[object]:
        items: list[object] = []
        while (event := self._next()).__class__ is not SequenceEndEvent:
            items.append(self.value(event, depth))
        return items

    def _mapping(self, depth: int) -> dict[str, object]:
        items: dict[str, object] = {}
        merges: list[object] | None = None
        names, following, value_of = self._names, self._next, self.value
        while (event := following()).__class__ is not MappingEndEvent:
            if event.__class__ is not ScalarEvent or event.anchor is not None or event.tag is not None:
                raise NotPlainError
            name: str = event.value
            if name not in names:
                self._learn(name, bare=event.implicit[0])
            if name in items:
                raise NotPlainError
            value = value_of(following(), depth)
            if name != "<<":
                items[name] = value
            elif merges is None and event.implicit[0]:
                merges = cast("list[object]", value) if isinstance(value, list) else [value]
            else:
                raise NotPlainError
        return items if merges is None else merged(items, merges)

    def _learn(self, name: str, *, bare: bool) -> None:
        """Remember a key; one in quotes tells nothing about the same without."""
        if self._mark in name or (bare and not isinstance(resolve(name), str)):
            raise NotPlainError
        if bare:
            self._names.add(name)


def _no_anchor() -> NoReturn:
    raise NotPlainError


def _folded(stream: Iterator[Any], *, marked: bool) -> object:
    fold = _Fold(stream, marked=marked)
    documents = 0
    value: object = None
    for event in stream:
        if event.__class__ is DocumentStartEvent:
            documents += 1
            if documents > 1:
                raise NotPlainError
        elif hasattr(event, "anchor"):
            value = fold.value(event, 0)
    return value
