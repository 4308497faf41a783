"""What is where in a tree: the keys of mappings by name, and who uses which anchor."""

from collections.abc import Iterator
from typing import NamedTuple

from polar_config._yaml.tree import (
    AliasEntry,
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    descend,
    descend_with_paths,
    is_merge,
    real,
)
from polar_config.errors._words import KeyPath

# --- keys -----------------------------------------------------------------------------------------


class Found(NamedTuple):
    """A key of a mapping: its entry, its value, and the alias that merged it in."""

    key: Entry
    value: Entry
    merge: Entry | None
    number: int
    """The number of the key in its mapping, -1 if it was merged in."""
    again: int | None = None
    """The number of the next key of the same name, which is one too many."""


class Lookup:
    """The keys of mappings by their names, own ones before merged ones."""

    def __init__(self) -> None:
        self._found: dict[int, dict[str, Found]] = {}

    def keys(self, mapping: MappingEntry) -> dict[str, Found]:
        """The keys of a mapping with their values."""
        found = self._found.get(id(mapping))
        if found is None:
            found = self._found[id(mapping)] = _own(mapping)
            for part, merged in _merged(mapping):
                for name, each in self.keys(merged).items():
                    found.setdefault(name, Found(each.key, each.value, part, -1))
        return found


def _own(mapping: MappingEntry) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for number, (key, value) in enumerate(mapping.items):
        entry = real(key)
        if isinstance(entry, ScalarEntry) and not is_merge(key):
            first = found.setdefault(entry.text, Found(key, value, None, number))
            if first.number != number and first.again is None:
                found[entry.text] = first._replace(again=number)
    return found


def _merged(mapping: MappingEntry) -> Iterator[tuple[Entry, MappingEntry]]:
    """What a mapping merges, first what counts most: aliases, as a rule, with their targets."""
    for key, value in mapping.items:
        if is_merge(key):
            target = real(value)
            for part in target.items if isinstance(target, ListEntry) else [value]:
                merged = real(part)
                if isinstance(merged, MappingEntry):
                    yield part, merged


def merged_mappings(mapping: MappingEntry) -> list[MappingEntry]:
    """The mappings that a mapping merges."""
    return [merged for _, merged in _merged(mapping)]


def own_keys(mapping: MappingEntry) -> set[str]:
    """The keys that are written in a mapping itself."""
    return {
        name.text
        for name in (real(key) for key, _ in mapping.items)
        if isinstance(name, ScalarEntry)
    }


# --- anchors and aliases --------------------------------------------------------------------------


def aliases(entry: Entry) -> Iterator[AliasEntry]:
    """The aliases in an entry, itself included."""
    return (each for each in descend(entry) if isinstance(each, AliasEntry))


def has_alias(entry: Entry) -> bool:
    """Whether there is an alias in an entry."""
    return any(True for _ in aliases(entry))


def anchored(entry: Entry) -> Iterator[Entry]:
    """The entries with an anchor in `entry`, itself included."""
    for each in descend(entry):
        if each.anchor is not None and not isinstance(each, AliasEntry):
            yield each


def has_anchor(entry: Entry) -> bool:
    """Whether there is an anchor, and so perhaps an alias, in an entry."""
    return any(each.anchor is not None for each in descend(entry))


class Use(NamedTuple):
    """Where an alias is used; of a merge, the path of the mapping that merges, and that mapping."""

    path: KeyPath
    alias: AliasEntry
    merging: MappingEntry | None = None


def uses(root: Entry | None) -> dict[int, list[Use]]:
    """The uses of each anchored entry, by its `id`."""
    found: dict[int, list[Use]] = {}
    merging: dict[int, Use] = {}  # of each merged alias, by its `id`
    for path, entry in descend_with_paths(root) if root is not None else ():
        if isinstance(entry, AliasEntry):
            use = merging.get(id(entry)) or Use(path, entry)
            found.setdefault(id(entry.target), []).append(use)
        elif isinstance(entry, MappingEntry):
            for key, value in entry.items:
                if is_merge(key):
                    merging |= {id(each): Use(path, each, entry) for each in aliases(value)}
    return found
