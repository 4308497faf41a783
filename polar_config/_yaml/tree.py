"""Parser events to a tree that is as the text was written.

Every entry knows its position, anchor, tag and style; duplicate keys and aliases stay as they are.
The slow and complete counterpart of `fast`: where a text cannot be read, it says why. ruamel.yaml's
events end here: behind this module there are entries only.
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
from polar_config._yaml.unreadable import Place, UnreadableError
from polar_config.errors._problem import Finding
from polar_config.errors._secrets import secret_under
from polar_config.errors._words import KeyPath, inline


class Entry:
    """A scalar, mapping, list or alias in the text, from its anchor or tag on."""

    # A large text has a great many entries: they keep the parser's marks, and copy nothing of them.
    __slots__ = ("anchor", "end", "start", "tag")

    def __init__(self, event: Event) -> None:
        self.start: Place = event.start_mark
        """The position of its first character."""
        self.end: Place = event.end_mark
        """The position behind its last one."""
        self.anchor = event.anchor
        self.tag: str | None = None

    @property
    def begin(self) -> int:
        return self.start.index

    @property
    def line(self) -> int:
        return self.start.line

    @property
    def column(self) -> int:
        return self.start.column

    @property
    def stop(self) -> int:
        return self.end.index

    @property
    def last_line(self) -> int:
        return self.end.line


class ScalarEntry(Entry):
    """A scalar: its text without quotes, and whether it had none."""

    __slots__ = ("bare", "style", "text")

    def __init__(self, event: Event) -> None:
        self.start = event.start_mark  # no call of `super`: most entries are scalars
        self.end = event.end_mark
        self.anchor = event.anchor
        self.tag = None if event.ctag is None else event.tag
        self.text = event.value
        self.bare = bool(event.implicit[0])
        self.style = event.style or None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to point at."""
        return self.start.index == self.end.index


class MappingEntry(Entry):
    """A mapping: its keys and values in order, duplicates and all."""

    __slots__ = ("flow", "items")

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self.tag = event.tag
        self.flow = bool(event.flow_style)
        self.items: list[tuple[Entry, Entry]] = []


class ListEntry(Entry):
    """A list and its items."""

    __slots__ = ("flow", "items")

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self.tag = event.tag
        self.flow = bool(event.flow_style)
        self.items: list[Entry] = []


class AliasEntry(Entry):
    """An alias, and the entry with its anchor."""

    __slots__ = ("target",)

    def __init__(self, event: Event, target: Entry) -> None:
        super().__init__(event)
        self.target = target


def real(entry: Entry) -> Entry:
    """`entry`, or of an alias the entry with its anchor."""
    return entry.target if isinstance(entry, AliasEntry) else entry


def key_name(key: Entry) -> str:
    """The text of a key, whatever it means; of a list or mapping the empty string."""
    if isinstance(key, ScalarEntry):
        return key.text
    entry = real(key)
    return entry.text if isinstance(entry, ScalarEntry) else ""


def is_merge(key: Entry) -> bool:
    """Whether a key is the ``<<`` that brings in the keys of another mapping."""
    return isinstance(key, ScalarEntry) and key.text == "<<" and key.bare and key.tag is None


# --- down a tree ----------------------------------------------------------------------------------


def items(entry: Entry | None) -> Iterator[tuple[str | int, Entry | None, Entry]]:
    """What an entry holds: of a mapping names, keys and values, of a list indexes, None and items.

    Of any other entry nothing: an alias is not followed.
    """
    if isinstance(entry, MappingEntry):
        for key, value in entry.items:
            yield key_name(key), key, value
    elif isinstance(entry, ListEntry):
        for index, value in enumerate(entry.items):
            yield index, None, value


def descend(entry: Entry) -> Iterator[Entry]:
    """`entry` and all that is in it, keys included, in the order of the text; follows no alias."""
    todo = [entry]
    while todo:
        entry = todo.pop()
        yield entry
        if isinstance(entry, MappingEntry):
            for key, value in reversed(entry.items):
                todo += (value, key)
        elif isinstance(entry, ListEntry):
            todo += reversed(entry.items)


def descend_with_paths(entry: Entry) -> Iterator[tuple[KeyPath, Entry]]:
    """The same, each with its key path from `entry` on.

    A key, and what ``<<`` merges, have the path of their mapping.
    """
    todo: list[tuple[KeyPath, Entry]] = [((), entry)]
    while todo:
        path, entry = todo.pop()
        yield path, entry
        held: list[tuple[KeyPath, Entry]] = []
        for part, key, value in items(entry):
            if key is not None:
                held.append((path, key))
            is_merged = key is not None and is_merge(key)
            held.append((path if is_merged else (*path, part), value))
        todo += reversed(held)


# --- events to a tree -----------------------------------------------------------------------------


def tree(text: str) -> Entry | None:
    """The only document of `text`, None if it has none; raises `UnreadableError`."""
    with _uncollected():
        events = common_events(text)
        if events is not None:
            try:
                return _Builder(events).document()
            except PARSER_ERRORS:
                pass  # the Python parser may accept the text, and words the error
        return _Builder(python_events(text)).document()


@contextmanager
def _uncollected() -> Generator[None]:
    """No garbage is collected meanwhile.

    A growing tree holds none, and looking for it again and again takes more and more time.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class _Builder:
    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._next = events.__next__
        self._anchored: dict[str, tuple[Entry, int]] = {}  # with the number of values in it
        self._open: set[str] = set()  # anchors of the collections around
        self._count = 0  # values so far, aliases expanded
        self._secret = False  # under an env, what looks like an alias may be a password
        self._secret_under = cache(secret_under)

    def document(self) -> Entry | None:
        root: Entry | None = None
        documents = 0
        for event in self._events:
            if event.__class__ is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise _multiple_documents(event)
            elif hasattr(event, "anchor"):
                root = self._entry(event, 0)
        return root

    def _entry(self, event: Event, depth: int) -> Entry:
        kind = event.__class__
        if kind is ScalarEvent and event.anchor is None and self._count < MAX_VALUES:
            self._count += 1
            return ScalarEntry(event)
        if kind is AliasEvent:
            return self._alias(event, event.anchor or "")
        before = self._count
        self._count += 1
        if event.anchor is None:
            entry = self._scalar_or_collection(event, depth)
        else:
            self._open.add(event.anchor)
            entry = self._scalar_or_collection(event, depth)
            self._open.discard(event.anchor)
            self._anchored[event.anchor] = entry, self._count - before
        return entry

    def _alias(self, event: Event, name: str) -> Entry:
        if name in self._open:
            raise _recursive(event, self._shown(name))
        if name not in self._anchored:
            raise _unknown_alias(event, self._shown(name))
        target, size = self._anchored[name]
        self._count += size
        self._limit(event)
        return AliasEntry(event, target)

    def _shown(self, name: str) -> str:
        return "…" if self._secret else inline(name)

    def _scalar_or_collection(self, event: Event, depth: int) -> Entry:
        if event.__class__ is ScalarEvent:
            entry: Entry = ScalarEntry(event)
        elif depth >= MAX_DEPTH:
            raise _past(too_deep(()), event)
        elif event.__class__ is MappingStartEvent:
            entry = self._mapping(event, depth + 1)
        else:
            entry = self._list(event, depth + 1)
        self._limit(event)
        return entry

    def _limit(self, event: Event) -> None:
        if self._count > MAX_VALUES:
            raise _past(too_many_values(()), event)

    def _mapping(self, event: Event, depth: int) -> MappingEntry:
        mapping = MappingEntry(event)
        following, entry_of, secret_under = self._next, self._entry, self._secret_under
        pairs = mapping.items
        while (event := following()).__class__ is not MappingEndEvent:
            key = entry_of(event, depth)
            outer = self._secret
            if isinstance(key, ScalarEntry):
                self._count -= 1  # a key that is a scalar is no value
                self._secret = secret_under(key.text, outer)
            pairs.append((key, entry_of(following(), depth)))
            self._secret = outer
        mapping.end = event.end_mark
        return mapping

    def _list(self, event: Event, depth: int) -> ListEntry:
        entries = ListEntry(event)
        while (event := self._next()).__class__ is not SequenceEndEvent:
            entries.items.append(self._entry(event, depth))
        entries.end = event.end_mark
        return entries


# --- what a tree may not be -----------------------------------------------------------------------


def _multiple_documents(event: Event) -> UnreadableError:
    message = "multiple YAML documents: only one is allowed"
    hint = "move it into a file of its own"
    return UnreadableError("multiple-documents", event.start_mark, message, hint)


def _recursive(event: Event, name: str) -> UnreadableError:
    message = f"*{name} is an alias of a value that contains it"
    return UnreadableError("recursive", event.start_mark, message)


def _unknown_alias(event: Event, name: str) -> UnreadableError:
    message = f"*{name} is an alias of an anchor that is not defined before it"
    hint = f"write &{name} before the value, or put a string in quotes"
    return UnreadableError("unknown-alias", event.start_mark, message, hint)


def _past(limit: Finding, event: Event) -> UnreadableError:
    return UnreadableError(limit.code, event.start_mark, limit.message, limit.hint)
