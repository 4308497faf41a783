"""The verification of an edit: a new tree is the old one with the plan, and nothing else.

Trees are compared as they are written: spelling, quotes, anchors, aliases and tags, not loaded
values. Text outside an edit is the same by construction; what this finds is an edit whose new text
means something else in its place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from polar_config._editing.plan import (
    REMOVED,
    Added,
    Changes,
    Container,
    Copy,
    Plan,
    Renamed,
    Replaced,
)
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.data import same, scalar
from polar_config._yaml.tree import (
    AliasEntry,
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    is_merge,
    key_name,
)

Pair = tuple[Entry | None, Entry]
"""A key and its value, or no key and an item."""


def is_intended(old: Entry | None, new: Entry | None, plan: Plan) -> bool:
    """Whether `new` is as `old` was written, with what `plan` changes and nothing else."""
    if plan.makes_root:
        return new is not None and _is_written(new, plan.root)
    return _Comparison(plan).is_same(old, new)


# --- an old entry and the new one -----------------------------------------------------------------


class _Comparison:
    """Compares entries in the order of the text; `copied` ones have lost their anchors."""

    def __init__(
        self, plan: Plan, anchored: dict[int, Entry] | None = None, *, copied: bool = False
    ) -> None:
        self._plan = plan
        self._copied = copied
        self._anchored: dict[int, Entry] = {} if anchored is None else anchored
        """What became of the old entries with an anchor, by their identity."""

    def is_same(self, old: Entry | None, new: Entry | None) -> bool:
        if old is None or new is None:
            return old is new
        self._note_anchor(old, new)
        has_same_properties = old.tag == new.tag and new.anchor == self._anchor(old)
        return has_same_properties and self._has_same_content(old, new)

    def _has_same_content(self, old: Entry, new: Entry) -> bool:
        if isinstance(old, ScalarEntry):
            return isinstance(new, ScalarEntry) and old.text == new.text and old.style == new.style
        if isinstance(old, AliasEntry):
            return isinstance(new, AliasEntry) and self._has_same_target(old, new)
        if isinstance(old, MappingEntry):
            return isinstance(new, MappingEntry) and self._has_same_items(old, new)
        return (
            isinstance(old, ListEntry)
            and isinstance(new, ListEntry)
            and self._has_same_items(old, new)
        )

    def _note_anchor(self, old: Entry | None, new: Entry | None) -> None:
        if old and new and new.anchor is not None and not isinstance(new, AliasEntry):
            self._anchored[id(old)] = new

    def _has_same_target(self, old: AliasEntry, new: AliasEntry) -> bool:
        """Whether an alias means what it meant; an anchor of the same name may be in between."""
        return self._anchored.get(id(old.target)) is new.target

    def _anchor(self, old: Entry) -> str | None:
        """The anchor that an entry is to have."""
        if self._copied and not isinstance(old, AliasEntry):
            return None
        return old.anchor

    def _has_same_items(self, old: Container, new: Container) -> bool:
        changes = self._plan.get(old)
        if changes is not None:
            return self._is_changed(old, new, changes)
        return (
            old.flow == new.flow
            and len(old.items) == len(new.items)
            and all(map(self._is_same_pair, _pairs(old), _pairs(new)))
        )

    def _is_same_pair(self, old: Pair, new: Pair) -> bool:
        return self.is_same(old[0], new[0]) and self.is_same(old[1], new[1])

    def _is_changed(self, old: Container, new: Container, changes: Changes) -> bool:
        may_change_style = not old.items or changes.is_emptied()
        expected, found = list(_expected(old, changes)), _pairs(new)
        return (
            (old.flow == new.flow or may_change_style)
            and len(expected) == len(found)
            and all(map(self._is_expected, expected, found))
        )

    def _is_expected(self, expected: "_Expected", found: Pair) -> bool:
        key, value = found
        return self._is_expected_key(expected, key) and self._is_expected_value(expected, value)

    def _is_expected_key(self, expected: "_Expected", key: Entry | None) -> bool:
        if expected.name is None:
            return self.is_same(expected.key, key)
        self._note_anchor(expected.key, key)
        anchor = self._kept_anchor(expected.key)
        return key is not None and not is_merge(key) and _is_written(key, expected.name, anchor)

    def _is_expected_value(self, expected: "_Expected", value: Entry) -> bool:
        if expected.change is not None:
            self._note_anchor(expected.value, value)
            return _is_written(value, expected.change.value, self._kept_anchor(expected.value))
        if expected.copy is None:
            return self.is_same(expected.value, value)
        copy = expected.copy
        comparison = _Comparison(copy.plan, self._anchored, copied=not copy.moved)
        return comparison.is_same(expected.value, value)

    def _kept_anchor(self, old: Entry | None) -> str | None:
        """The anchor that stays with a slot whose key or value changes."""
        return None if old is None or isinstance(old, AliasEntry) else self._anchor(old)


def _pairs(container: Container) -> Sequence[Pair]:
    if isinstance(container, MappingEntry):
        return container.items
    return [(None, each) for each in container.items]


# --- what is to be there --------------------------------------------------------------------------


class _Expected(NamedTuple):
    """A key and a value: those of the old tree, and what is to be in their place."""

    key: Entry | None
    value: Entry | None
    name: str | None = None
    change: Replaced | None = None
    copy: Copy | None = None


def _expected(old: Container, changes: Changes) -> Iterator[_Expected]:
    """What a mapping or list is to hold."""
    added: dict[int, list[Added]] = {}
    for each in changes.added:
        added.setdefault(each.at, []).append(each)
    for number, (key, value) in enumerate(_pairs(old)):
        yield from map(_new, added.get(number, ()))
        change = changes.slots.get(number)
        if isinstance(change, Renamed):
            yield _Expected(key, value, name=change.key)
        elif isinstance(change, Replaced):
            yield _Expected(key, value, change=change)
        elif change is not REMOVED:
            yield _Expected(key, value)
    yield from map(_new, added.get(len(old.items), ()))


def _new(added: Added) -> _Expected:
    if isinstance(added.value, Copy):
        source = added.value.container.items[added.value.number]
        return _Expected(None, source, copy=added.value)
    return _Expected(None, None, name=added.key, change=Replaced(added.value))


def _is_written(entry: Entry, value: object, anchor: str | None = None) -> bool:
    """Whether an entry is `value` newly written: no alias, no tag, no merge, and no new anchor."""
    is_bare = entry.anchor == anchor and entry.tag is None
    if isinstance(entry, MappingEntry):
        return is_bare and is_mapping(value) and _are_written(entry, value)
    if isinstance(entry, ListEntry):
        return (
            is_bare
            and is_list(value)
            and len(entry.items) == len(value)
            and all(map(_is_written, entry.items, value))
        )
    return is_bare and isinstance(entry, ScalarEntry) and same(scalar(entry), value)


def _are_written(entry: MappingEntry, value: Mapping[str, object]) -> bool:
    names = [key_name(key) for key, _ in entry.items]
    return names == list(value) and all(
        not is_merge(key) and _is_written(key, name) and _is_written(item, value[name])
        for (key, item), name in zip(entry.items, value, strict=True)
    )
