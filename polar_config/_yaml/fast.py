"""Text to plain data without positions, the fast way: it takes what is right, and gives up on anything else."""

import re
from collections.abc import Iterator
from typing import Any, NoReturn, cast

import ruamel.yaml
from ruamel.yaml.error import YAMLError

from polar_config._plain import MAX_DEPTH, MAX_VALUES
from polar_config._yaml.events import (
    FLOW,
    SEPARATOR,
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    blanked,
    is_common,
    parsed,
)
from polar_config._yaml.unreadable import UnreadableError
from polar_config._yaml.values import NotPlainError, merged, resolve


def plain(text: str) -> object:
    """The data of `text`; raises `NotPlainError` for anything that needs a closer look."""
    pure = not is_common(text)
    marked = _with_marked_urls(text) if pure else None
    if marked:
        text, pure = marked, False
    elif pure and not text.isascii() and re.search(SEPARATOR, text):
        raise NotPlainError
    yaml: Any = ruamel.yaml.YAML(typ="safe", pure=pure)
    try:
        return _folded(
            yaml.parse(blanked(text, parsed) if pure else text), marked=marked is not None
        )
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
    marked = re.sub(FLOW, lambda flow: re.sub(_FLOW_URL, rf'"{_MARK}\g<0>"', flow[0]), text)
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
            if (
                event.__class__ is not ScalarEvent
                or event.anchor is not None
                or event.tag is not None
            ):
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
