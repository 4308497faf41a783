"""Text to a tree that is as it was written: where each key and value stands, its anchors, aliases and tags; and the tree's data.

The slow and complete counterpart of `_source.plain`: it finds what is wrong instead of giving up.
"""

import gc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache

from polar_config._plain import MAX_DEPTH, MAX_VALUES, too_deep, too_many_values
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
from polar_config._yaml.unreadable import Place, Spot, UnreadableError
from polar_config.errors._secrets import is_env
from polar_config.errors._words import inline


class Entry:
    """A piece of the text: where it starts and ends, its anchor and tag.

    Places are kept as plain numbers: a large text has a great many, and objects cost memory and the garbage collector's time.
    """

    __slots__ = ("anchor", "begin", "column", "last_column", "last_line", "line", "stop", "tag")

    def __init__(self, event: Event) -> None:
        mark = event.start_mark
        self.begin: int = mark.index
        self.line: int = mark.line
        self.column: int = mark.column
        self.anchor: str | None = event.anchor
        self.tag: str | None = None if event.__class__ is AliasEvent else event.tag
        self.close(event.end_mark)

    def close(self, mark: Place) -> None:
        """Note where the entry ends."""
        self.stop: int = mark.index
        self.last_line: int = mark.line
        self.last_column: int = mark.column

    @property
    def start(self) -> Place:
        """The place of its first character."""
        return Spot(self.begin, self.line, self.column)

    @property
    def end(self) -> Place:
        """The place behind its last one."""
        return Spot(self.stop, self.last_line, self.last_column)


class ScalarEntry(Entry):
    """A scalar: its text without quotes, and whether it had none."""

    __slots__ = ("bare", "style", "text")

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self.text: str = event.value
        self.bare: bool = bool(event.implicit[0])
        self.style: str | None = event.style or None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to point at."""
        return self.begin == self.stop


class MappingEntry(Entry):
    """A mapping: its keys and values in order, duplicates and all."""

    __slots__ = ("flow", "items")

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self.flow: bool = bool(event.flow_style)
        self.items: list[tuple[Entry, Entry]] = []


class ListEntry(Entry):
    """A list and its entries."""

    __slots__ = ("flow", "items")

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self.flow: bool = bool(event.flow_style)
        self.items: list[Entry] = []


class AliasEntry(Entry):
    """An alias, and what it stands for."""

    __slots__ = ("target",)

    def __init__(self, event: Event, target: Entry) -> None:
        super().__init__(event)
        self.target = target


def real(entry: Entry) -> Entry:
    """`entry`, or what it stands for."""
    return entry.target if isinstance(entry, AliasEntry) else entry


# --- text to tree -----------------------------------------------------------------------------------------------------


def tree(text: str) -> Entry | None:
    """The only document of `text`, None if it has none; raises `UnreadableError`."""
    with _uncollected():
        events = common_events(text)
        if events is not None:
            try:
                return _Builder(events).document()
            except PARSER_ERRORS:
                pass  # the Python parser has the last word, and the wording
        return _Builder(python_events(text)).document()


@contextmanager
def _uncollected() -> Generator[None]:
    """No garbage is collected meanwhile: a growing tree has none, and to look for it again and again takes more and more time."""
    if gc.isenabled():
        gc.disable()
        try:
            yield
        finally:
            gc.enable()
    else:
        yield


class _Builder:
    def __init__(self, stream: Iterator[Event]) -> None:
        self._stream = stream
        self._anchored: dict[str, tuple[Entry, int]] = {}
        self._open: set[str] = set()
        self._count = 0
        self._secret = False  # under an env, what looks like an alias may be a password
        self._is_env = cache(is_env)

    def document(self) -> Entry | None:
        root: Entry | None = None
        documents = 0
        for event in self._stream:
            if type(event) is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    message = "a second document begins here, and a topology file holds one"
                    raise UnreadableError(
                        "multiple-documents",
                        event.start_mark,
                        message,
                        "put it into a file of its own",
                    )
            elif hasattr(event, "anchor"):
                root = self._entry(event, 0)
        return root

    def _entry(self, event: Event, depth: int) -> Entry:
        before = self._count
        self._count += 1
        if type(event) is AliasEvent:
            return self._alias(event, before)
        if event.anchor is not None:
            self._open.add(event.anchor)
        entry = ScalarEntry(event) if type(event) is ScalarEvent else self._collection(event, depth)
        self._limit(event)
        if event.anchor is not None:
            self._open.discard(event.anchor)
            self._anchored[event.anchor] = entry, self._count - before
        return entry

    def _alias(self, event: Event, before: int) -> Entry:
        name = event.anchor
        shown = "…" if self._secret else inline(name)
        if name in self._open:
            raise UnreadableError(
                "recursive", event.start_mark, f"*{shown} stands inside of what it stands for"
            )
        if name not in self._anchored:
            message = f"*{shown} stands for an anchor that does not come before it"
            raise UnreadableError(
                "unknown-alias",
                event.start_mark,
                message,
                f"write &{shown} before the value, or put a text in quotes",
            )
        target, size = self._anchored[name]
        self._count = before + size
        self._limit(event)
        return AliasEntry(event, target)

    def _limit(self, event: Event) -> None:
        if self._count > MAX_VALUES:
            limit = too_many_values(())
            raise UnreadableError(limit.code, event.start_mark, limit.message, limit.hint)

    def _collection(self, event: Event, depth: int) -> Entry:
        if depth >= MAX_DEPTH:
            limit = too_deep(())
            raise UnreadableError(limit.code, event.start_mark, limit.message, limit.hint)
        return (
            self._block(event, depth + 1)
            if type(event) is MappingStartEvent
            else self._list(event, depth + 1)
        )

    def _block(self, event: Event, depth: int) -> Entry:
        block = MappingEntry(event)
        event = next(self._stream)
        while type(event) is not MappingEndEvent:
            key = self._entry(event, depth)
            self._count -= 1 if isinstance(key, ScalarEntry) else 0
            outer = self._secret
            self._secret = outer or (isinstance(key, ScalarEntry) and self._is_env(key.text))
            block.items.append((key, self._entry(next(self._stream), depth)))
            self._secret = outer
            event = next(self._stream)
        block.close(event.end_mark)
        return block

    def _list(self, event: Event, depth: int) -> Entry:
        entries = ListEntry(event)
        event = next(self._stream)
        while type(event) is not SequenceEndEvent:
            entries.items.append(self._entry(event, depth))
            event = next(self._stream)
        entries.close(event.end_mark)
        return entries


# --- tree to data -----------------------------------------------------------------------------------------------------


def key_name(key: Entry) -> str:
    """The text of a key; of one that is no text, nothing that a path could name."""
    entry = real(key)
    return entry.text if isinstance(entry, ScalarEntry) else ""


def is_merge(key: Entry) -> bool:
    """Whether a key is the `<<` that brings in another block."""
    return isinstance(key, ScalarEntry) and key.text == "<<" and key.bare and key.tag is None
