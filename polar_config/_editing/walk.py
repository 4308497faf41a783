"""Where a key path leads in a tree: through aliases and merges, by indexes and ids."""

from collections.abc import Iterator
from typing import NamedTuple, cast

from polar_config._editing.paths import EVERY, unknown_path
from polar_config._editing.plan import Container, Slot
from polar_config._yaml.data import plain
from polar_config._yaml.lookup import Lookup, Use, uses
from polar_config._yaml.tree import (
    AliasEntry,
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    descend_with_paths,
    real,
)
from polar_config.errors import TopologyError, refused
from polar_config.errors._words import KeyPath, inline, path_text, shown


class Step(NamedTuple):
    """An entry on a path, and the step to the mapping or list that holds it."""

    path: KeyPath
    value: Entry
    up: "Step | None" = None
    number: int = 0
    """Its slot in that mapping or list."""
    merge: Entry | None = None
    """The alias that brought it in."""

    @property
    def holder(self) -> "Step":
        """The step to the mapping or list that holds this entry, which is not the root."""
        return cast("Step", self.up)

    @property
    def container(self) -> Container:
        """The mapping or list that this entry is, or is an alias of."""
        return cast("Container", real(self.value))

    @property
    def slot(self) -> Slot | None:
        """The mapping or list that holds this entry, and where in it; None for the root."""
        return None if self.up is None else (self.up.container, self.number)

    @property
    def is_shared(self) -> bool:
        """Whether the path leads through an alias or a merge."""
        return any(
            each.merge is not None or isinstance(each.value, AliasEntry) for each in self.upward()
        )

    def upward(self) -> "Iterator[Step]":
        """This step and those that lead to it, the root last."""
        each: Step | None = self
        while each is not None:
            yield each
            each = each.up


class Seen:
    """What of a tree has been looked at: an edit whose path saw something else would be another
    one.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        """Keys, ids and values that were read."""
        self.slots: set[tuple[int, int]] = set()
        """Slots whose values were read, each with the identity of its mapping or list."""
        self.names: set[tuple[int, str]] = set()
        """Keys that were looked up, found or not, each with the identity of its mapping."""
        self.indexes: dict[int, int] = {}
        """The highest index of each list that was used."""
        self.lengths: set[int] = set()
        """Lists of which the number of items counted."""
        self.ids: set[tuple[int, str]] = set()
        """Ids that were looked up, each with its list."""

    def use_index(self, entries: ListEntry, index: int) -> None:
        """Note that what is at an index counted."""
        self.indexes[id(entries)] = max(index, self.indexes.get(id(entries), 0))


class Index:
    """What is found out about one tree, once for all who walk it."""

    def __init__(self, root: Entry | None) -> None:
        self.root = root
        self.lookup = Lookup()
        self._uses: dict[int, list[Use]] | None = None
        self._ids: dict[int, dict[str, list[int]]] = {}

    def uses(self) -> dict[int, list[Use]]:
        """The uses of each anchored entry."""
        if self._uses is None:
            self._uses = uses(self.root)
        return self._uses

    def path_of(self, target: Entry) -> KeyPath:
        """The key path of an entry."""
        entries = () if self.root is None else descend_with_paths(self.root)
        return next((path for path, entry in entries if entry is target), ())

    def indexes_by_id(self, entries: ListEntry) -> dict[str, list[int]]:
        """The indexes of the items of a list, by their ids."""
        found = self._ids.get(id(entries))
        if found is None:
            found = self._ids[id(entries)] = {}
            for index, each in enumerate(entries.items):
                for entry in map(real, self.id_of(each)[1:]):
                    if isinstance(entry, ScalarEntry):
                        found.setdefault(entry.text.strip(), []).append(index)
        return found

    def id_of(self, entry: Entry) -> list[Entry]:
        """The key and the value of the id of an item of a list; empty if it has none."""
        mapping = real(entry)
        if not isinstance(mapping, MappingEntry):
            return []
        found = self.lookup.keys(mapping).get("id")
        return [] if found is None else [found.key, found.value]


class Walker:
    """Finds what key paths lead to in one tree."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.seen = Seen()

    @property
    def root(self) -> Entry | None:
        return self.index.root

    @property
    def root_step(self) -> Step:
        """The step to the root of a tree that holds something."""
        return Step((), cast("Entry", self.root))

    def child(self, step: Step, name: str) -> Step | None:
        """The key `name` of the mapping at `step`, if it is there."""
        return self._next(step, name)

    def walk(self, path: KeyPath) -> Iterator[tuple[Step | None, KeyPath]]:
        """The last entry there is on each path that `path` stands for, and what is left of the path
        there.
        """
        if self.root is None or (path and self._is_null(self.root)):
            yield None, path
        else:
            yield from self._walk(self.root_step, path)

    @staticmethod
    def _is_null(root: Entry) -> bool:
        return isinstance(root, ScalarEntry) and plain(root) is None

    def _walk(self, step: Step, rest: KeyPath) -> Iterator[tuple[Step, KeyPath]]:
        if rest and rest[0] is EVERY:
            entries = real(step.value)
            if not isinstance(entries, ListEntry):
                message = f"[*] stands for all items of a list, but this is {kind(entries)}"
                raise refused("unknown-path", message, step.path)
            self.seen.lengths.add(id(entries))
            for index in range(len(entries.items)):
                yield from self._walk(self.item(step, entries, index), rest[1:])
            return
        following = self._next(step, rest[0]) if rest else None
        if following is None:
            yield step, rest
        else:
            yield from self._walk(following, rest[1:])

    def _next(self, step: Step, part: str | int) -> Step | None:
        value = real(step.value)
        if isinstance(value, MappingEntry) and isinstance(part, str):
            return self._key(step, value, part)
        if isinstance(value, ListEntry):
            index = self._index(step, value, part)
            if index is not None and index < len(value.items):
                return self.item(step, value, index)
        return None

    def _index(self, step: Step, entries: ListEntry, part: str | int) -> int | None:
        if isinstance(part, str):
            return self._index_of_id(step, entries, part)
        self.seen.use_index(entries, part)
        return part

    def _key(self, step: Step, mapping: MappingEntry, name: str) -> Step | None:
        self.seen.names.add((id(mapping), name))
        found = self.index.lookup.keys(mapping).get(name)
        if found is None:
            return None
        if found.again is not None:
            again = mapping.items[found.again][0]
            message = (
                f"duplicate key {inline(name)} (lines {found.key.line + 1} and {again.line + 1})"
            )
            raise refused("duplicate-key", message, step.path, "remove one of the two by hand")
        self.seen.entries.append(found.key)
        return Step((*step.path, name), found.value, step, found.number, found.merge)

    @staticmethod
    def item(step: Step, entries: ListEntry, index: int) -> Step:
        """The item at `index` of the list at `step`."""
        return Step((*step.path, index), entries.items[index], step, index)

    # ids

    def _index_of_id(self, step: Step, entries: ListEntry, name: str) -> int | None:
        self.seen.ids.add((id(entries), name))
        indexes = self.index.indexes_by_id(entries).get(name, [])
        if len(indexes) > 1:
            first, second = (path_text((*step.path, index)) for index in indexes[:2])
            message = f"{len(indexes)} items have the id {inline(name)}"
            raise refused("duplicate-id", message, step.path, f"use an index: {first} or {second}")
        if not indexes:
            return None
        self.seen.entries += self.index.id_of(entries.items[indexes[0]])
        return indexes[0]

    def has_id(self, entries: ListEntry, name: str) -> bool:
        """Whether an item of a list has an id."""
        self.seen.ids.add((id(entries), name))
        return name in self.index.indexes_by_id(entries)

    # what is not there

    def missing(self, step: Step | None, rest: KeyPath) -> TopologyError:
        """The error for a path that leads nowhere: it names the nearest that does."""
        if step is None:
            return unknown_path((), rest, kind(None), [])
        value = real(step.value)
        if isinstance(value, ListEntry):
            names = list(self.index.indexes_by_id(value))
            return unknown_path(step.path, rest, kind(value), names, len(value.items))
        names = list(self.index.lookup.keys(value)) if isinstance(value, MappingEntry) else []
        return unknown_path(step.path, rest, kind(value), names)


def kind(entry: Entry | None) -> str:
    """What an entry is, in a phrase."""
    value = real(entry) if entry is not None else None
    if isinstance(value, MappingEntry):
        return "a mapping"
    if isinstance(value, ListEntry):
        return "a list"
    return shown(plain(value), secret=True)
