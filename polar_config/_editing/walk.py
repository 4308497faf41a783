"""Where a key path leads in a tree: step by step, through aliases and merges, by indexes and ids."""

import re
from collections.abc import Iterator
from typing import NamedTuple, cast

from polar_config._editing.paths import EVERY, MAX_LISTED
from polar_config._editing.plan import Container
from polar_config._yaml.data import plain
from polar_config._yaml.lookup import Lookup, Use, uses
from polar_config._yaml.tree import (
    AliasEntry,
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    is_merge,
    key_name,
    real,
)
from polar_config.errors import TopologyError, refused
from polar_config.errors._words import KeyPath, inline, path_text, quote, shown


class Step(NamedTuple):
    """An entry on a path, and the block or list that holds it."""

    path: KeyPath
    value: Entry
    up: "Step | None" = None
    number: int = 0  # in that block or list
    merge: Entry | None = None  # the alias that brought it in

    @property
    def container(self) -> Container:
        """The block or list that holds this entry."""
        return cast("Container", cast("Step", self.up).value)

    @property
    def is_shared(self) -> bool:
        """Whether the path leads through an alias or a merge."""
        each: Step | None = self
        while each is not None:
            if each.merge is not None or isinstance(each.value, AliasEntry):
                return True
            each = each.up
        return False

    @property
    def slot(self) -> tuple[Container, int] | None:
        """The same, with the number in it; None for the root."""
        return None if self.up is None else (self.container, self.number)


class Walker:
    """Finds what key paths lead to in one tree."""

    def __init__(self, root: Entry | None) -> None:
        self.root = root
        self.lookup = Lookup()
        self._uses: dict[int, list[Use]] | None = None

    def child(self, step: Step, name: str) -> Step | None:
        """The key `name` of the block at `step`, if it is there."""
        return self._next(step, name)

    def walk(self, path: KeyPath) -> Iterator[tuple[Step | None, KeyPath]]:
        """The last entry there is on each path that `path` stands for, and what is left of the path there."""
        if self.root is None or (
            path and isinstance(self.root, ScalarEntry) and plain(self.root) is None
        ):
            yield None, path  # a text that holds nothing
        else:
            yield from self._walk(Step((), self.root), path)

    def _walk(self, step: Step, rest: KeyPath) -> Iterator[tuple[Step, KeyPath]]:
        if rest and rest[0] is EVERY:
            entries = real(step.value)
            if not isinstance(entries, ListEntry):
                raise refused(
                    "unknown-path",
                    f"[*] stands for the entries of a list, but here is {kind(entries)}",
                    step.path,
                )
            for index in range(len(entries.items)):
                yield from self._walk(self._entry(step, entries, index), rest[1:])
            return
        following = self._next(step, rest[0]) if rest else None
        if following is None:
            yield step, rest
        else:
            yield from self._walk(following, rest[1:])

    def _next(self, step: Step, part: str | int) -> Step | None:
        value = real(step.value)
        if isinstance(value, MappingEntry) and isinstance(part, str):
            found = self.lookup.keys(value).get(part)
            if found is None:
                return None
            if found.again is not None:
                lines = f"{found.key.line + 1} and {value.items[found.again][0].line + 1}"
                message = f"the key {inline(part)} stands there twice (lines {lines})"
                raise refused("duplicate-key", message, step.path, "remove one of the two by hand")
            return Step((*step.path, part), found.value, step, found.number, found.merge)
        if isinstance(value, ListEntry):
            index = part if isinstance(part, int) else self._index_of_id(step, value, part)
            if index is not None and index < len(value.items):
                return self._entry(step, value, index)
        return None

    @staticmethod
    def _entry(step: Step, entries: ListEntry, index: int) -> Step:
        return Step((*step.path, index), entries.items[index], step, index)

    def _index_of_id(self, step: Step, entries: ListEntry, name: str) -> int | None:
        indexes = [index for index, each in enumerate(entries.items) if self.id_of(each) == name]
        if len(indexes) > 1:
            hint = f"say which by its index: {path_text((*step.path, indexes[0]))} or {path_text((*step.path, indexes[1]))}"
            raise refused(
                "duplicate-id",
                f"{len(indexes)} entries have the id {inline(name)}",
                step.path,
                hint,
            )
        return indexes[0] if indexes else None

    def id_of(self, entry: Entry) -> str | None:
        """The id of an entry of a list, if it has one."""
        block = real(entry)
        found = self.lookup.keys(block).get("id") if isinstance(block, MappingEntry) else None
        value = real(found.value) if found else None
        return value.text.strip() if isinstance(value, ScalarEntry) else None

    def missing(self, step: Step | None, rest: KeyPath) -> TopologyError:
        """The error for a path that leads nowhere: it names the nearest that does."""
        value = real(step.value) if step else None
        first = rest[0]
        there: list[str] = []
        what = f"here is {kind(value)}, which has no {'key' if isinstance(first, str) else 'entry'} {inline(str(first))}"
        if isinstance(value, MappingEntry):
            there = list(self.lookup.keys(value))
            what = f"there is no key {inline(first)}" if isinstance(first, str) else what
        elif isinstance(value, ListEntry):
            there = [name for name in map(self.id_of, value.items) if name]
            what = (
                f"no entry has the id {inline(first)}"
                if isinstance(first, str)
                else f"there is no entry {first} among {len(value.items)}"
            )
        listed = ", ".join(
            map(id_text if isinstance(value, ListEntry) else inline, there[:MAX_LISTED])
        )
        near = path_text(step.path) if step and step.path else "the topology"
        hint = f"the nearest there is: {near}{f' with {listed}' if listed else ''}{', …' if len(there) > MAX_LISTED else ''}"
        if isinstance(value, ListEntry) and isinstance(first, str) and step is not None:
            return refused(
                "unknown-path",
                what,
                f"{path_text(step.path)}[{id_text(first)}]{path_text(('', *rest[1:]))[4:]}",
                hint,
            )
        return refused("unknown-path", what, (*(step.path if step else ()), *rest), hint)

    def path_of(self, target: Entry) -> KeyPath:
        """The key path of an entry."""
        return {id(entry): path for path, entry in _entries(cast("Entry", self.root), ())}[
            id(target)
        ]

    def uses(self) -> dict[int, list[Use]]:
        """The uses of each anchored entry."""
        if self._uses is None:
            self._uses = uses(self.root)
        return self._uses


def id_text(name: str) -> str:
    """An id as it stands in the brackets of a key path."""
    return (
        inline(name) if re.fullmatch(r"[^\[\]\"*]*[^\[\]\"*0-9][^\[\]\"*]*", name) else quote(name)
    )


def kind(entry: Entry | None) -> str:
    """What an entry is, in a phrase."""
    value = real(entry) if entry is not None else None
    if isinstance(value, MappingEntry):
        return "a block"
    return "a list" if isinstance(value, ListEntry) else shown(plain(value), secret=True)


def _entries(entry: Entry, path: KeyPath) -> Iterator[tuple[KeyPath, Entry]]:
    """Every entry with its key path, in the order of the text."""
    yield path, entry
    if isinstance(entry, MappingEntry):
        for key, value in entry.items:
            yield from _entries(value, path if is_merge(key) else (*path, key_name(key)))
    elif isinstance(entry, ListEntry):
        for index, value in enumerate(entry.items):
            yield from _entries(value, (*path, index))
