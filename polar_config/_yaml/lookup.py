"""Where a key path leads in a tree: step by step, through aliases and merges."""

from collections.abc import Iterator
from typing import NamedTuple, cast

from polar_config._yaml.tree import (
    AliasEntry,
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    is_merge,
    real,
)
from polar_config.errors._words import KeyPath

Container = MappingEntry | ListEntry


class Found(NamedTuple):
    """A key of a block: its entry, its value, and the alias that merged it in."""

    key: Entry
    value: Entry
    merge: Entry | None
    number: int
    """The number of the key in its block, -1 if it was merged in."""
    again: int | None = None
    """The number of the next key of the same name, which is one too many."""


class Lookup:
    """The keys of blocks by their names, own ones before merged ones."""

    def __init__(self) -> None:
        self._blocks: dict[int, dict[str, Found]] = {}

    def keys(self, block: MappingEntry) -> dict[str, Found]:
        """The keys of a block with their values."""
        found = self._blocks.get(id(block))
        if found is None:
            found = self._blocks[id(block)] = {}
            for number, (key, value) in enumerate(block.items):
                entry = real(key)
                if isinstance(entry, ScalarEntry) and not is_merge(key):
                    first = found.setdefault(entry.text, Found(key, value, None, number))
                    if first.number != number and first.again is None:
                        found[entry.text] = first._replace(again=number)
            for part in _merged(block):
                for name, each in self.keys(cast("MappingEntry", real(part))).items():
                    found.setdefault(name, Found(each.key, each.value, part, -1))
        return found


def _merged(block: MappingEntry) -> Iterator[Entry]:
    """What a block merges, in the order in which it counts: aliases of blocks, as a rule."""
    for key, value in block.items:
        if is_merge(key):
            target = real(value)
            for part in target.items if isinstance(target, ListEntry) else [value]:
                if isinstance(real(part), MappingEntry):
                    yield part


def merged_blocks(block: MappingEntry) -> list[MappingEntry]:
    """The blocks that a block merges."""
    return [cast("MappingEntry", real(part)) for part in _merged(block)]


def aliases(entry: Entry) -> Iterator[AliasEntry]:
    """The aliases in an entry."""
    return (use.alias for use in _uses(entry, ()))


def has_alias(entry: Entry) -> bool:
    """Whether there is an alias in an entry."""
    return any(True for _ in aliases(entry))


class Use(NamedTuple):
    """Where an alias stands; of a merge, the path of the block that merges, and that block."""

    path: KeyPath
    alias: AliasEntry
    merging: MappingEntry | None = None


def own_keys(block: MappingEntry) -> set[str]:
    """The keys that are written in a block itself."""
    return {
        name.text for name in (real(key) for key, _ in block.items) if isinstance(name, ScalarEntry)
    }


def uses(root: Entry | None) -> dict[int, list[Use]]:
    """The uses of each anchored entry."""
    found: dict[int, list[Use]] = {}
    for each in _uses(root, ()):
        found.setdefault(id(each.alias.target), []).append(each)
    return found


def _uses(entry: Entry | None, path: KeyPath) -> Iterator[Use]:
    if isinstance(entry, AliasEntry):
        yield Use(path, entry)
    elif isinstance(entry, MappingEntry):
        for key, value in entry.items:
            if isinstance(key, AliasEntry):
                yield Use(path, key)
            name = real(key)
            if is_merge(key):
                yield from (Use(path, alias, entry) for alias in aliases(value))
            else:
                yield from _uses(
                    value, (*path, name.text) if isinstance(name, ScalarEntry) else path
                )
    elif isinstance(entry, ListEntry):
        for index, value in enumerate(entry.items):
            yield from _uses(value, (*path, index))


def has_anchor(entry: Entry) -> bool:
    """Whether there is an anchor or an alias in an entry."""
    if entry.anchor is not None:
        return True
    if isinstance(entry, MappingEntry):
        return any(key.anchor is not None or has_anchor(value) for key, value in entry.items)
    return isinstance(entry, ListEntry) and any(map(has_anchor, entry.items))


def anchored(entry: Entry) -> Iterator[Entry]:
    """The entries with an anchor in `entry`, itself included."""
    if isinstance(entry, AliasEntry):
        return
    if entry.anchor is not None:
        yield entry
    if isinstance(entry, MappingEntry):
        for key, value in entry.items:
            yield from anchored(key)
            yield from anchored(value)
    elif isinstance(entry, ListEntry):
        for value in entry.items:
            yield from anchored(value)
