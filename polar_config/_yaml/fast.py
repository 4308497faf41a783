"""Parser events to plain data without positions, the fast way.

It accepts what is right, and gives up on anything else: what is wrong, and where, a tree says.
"""

from collections.abc import Iterator
from typing import NoReturn

from polar_config._plain import MAX_DEPTH, MAX_VALUES, is_list
from polar_config._yaml.events import (
    PARSER_ERRORS,
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    common_events,
    python_events,
)
from polar_config._yaml.unreadable import UnreadableError
from polar_config._yaml.values import NotPlainError, merged, resolve


def plain(text: str) -> object:
    """The data of `text`; raises `NotPlainError` for anything that needs a closer look."""
    try:
        return _Fold(common_events(text) or python_events(text)).document()
    except (*PARSER_ERRORS, UnreadableError):
        pass
    # raised out here, so that no context holds on to the parser and with it to the whole text
    raise NotPlainError


class _Fold:
    """Events to dicts and lists; aliases share what they name."""

    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._next = events.__next__
        self._values: dict[str, object] = {}  # what an unquoted scalar means, once found out
        self._names: set[str] = set()  # keys that are known to be strings
        self._anchored: dict[str, tuple[object, int]] = {}
        self._count = 0

    def document(self) -> object:
        documents = 0
        value: object = None
        for event in self._events:
            if event.__class__ is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise NotPlainError
            elif hasattr(event, "anchor"):
                value = self._value(event, 0)
        return value

    def _value(self, event: Event, depth: int) -> object:
        kind = event.__class__
        before = self._count
        self._count = before + 1
        anchor = event.anchor
        if kind is ScalarEvent:
            value = self._scalar(event)
        elif kind is AliasEvent:
            value, size = self._anchored.get(anchor or "") or _no_anchor()
            self._count = before + size
            anchor = None
        elif depth >= MAX_DEPTH or event.ctag is not None:
            raise NotPlainError
        else:
            value = self._mapping(depth + 1) if kind is MappingStartEvent else self._list(depth + 1)
        if self._count > MAX_VALUES:
            raise NotPlainError
        if anchor is not None:
            self._anchored[anchor] = value, self._count - before
        return value

    def _scalar(self, event: Event) -> object:
        if event.ctag is not None:
            raise NotPlainError
        text = event.value
        if not event.implicit[0]:
            return text
        if text not in self._values:
            self._values[text] = resolve(text)
        return self._values[text]

    def _list(self, depth: int) -> list[object]:
        items: list[object] = []
        while (event := self._next()).__class__ is not SequenceEndEvent:
            items.append(self._value(event, depth))
        return items

    def _mapping(self, depth: int) -> dict[str, object]:
        items: dict[str, object] = {}
        merges: list[object] | None = None
        names, following, value_of = self._names, self._next, self._value
        while (event := following()).__class__ is not MappingEndEvent:
            if (
                event.__class__ is not ScalarEvent
                or event.anchor is not None
                or event.ctag is not None
            ):
                raise NotPlainError
            name = event.value
            if name not in names:
                self._learn(name, bare=event.implicit[0])
            if name in items:
                raise NotPlainError
            value = value_of(following(), depth)
            if name != "<<":
                items[name] = value
            elif merges is None and event.implicit[0]:
                merges = list(value) if is_list(value) else [value]
            else:
                raise NotPlainError
        return items if merges is None else merged(items, merges)

    def _learn(self, name: str, *, bare: bool) -> None:
        """Remember a key; one in quotes tells nothing about the same without."""
        if bare:
            if not isinstance(resolve(name), str):
                raise NotPlainError
            self._names.add(name)


def _no_anchor() -> NoReturn:
    raise NotPlainError
