"""The verification of an edit: a new tree is the old one with the plan, and nothing else."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from polar_config._editing.plan import Added, Changes, Container, Copy, Plan
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


class _Expected(NamedTuple):
    key: Entry | str | None
    value: Entry | object
    copy: Copy | None = None


def is_intended(old: Entry | None, new: Entry | None, plan: Plan) -> bool:
    """Whether `new` is as `old` was written, with what `plan` changes and nothing else."""
    if plan.root is not None:
        return new is not None and _holds(new, plan.root)
    return _Proof(plan).is_same(old, new)


def _holds(entry: Entry, value: object) -> bool:
    """Whether an entry is `value` newly written: no alias, no tag, no merge."""
    if isinstance(entry, ScalarEntry):
        return (
            entry.tag is None
            and not is_mapping(value)
            and not is_list(value)
            and same(scalar(entry), value)
        )
    if isinstance(entry, MappingEntry):
        return (
            is_mapping(value)
            and [key_name(key) for key, _ in entry.items if not is_merge(key)] == list(value)
            and all(
                _is_text(key) and _holds(item, value[key_name(key)]) for key, item in entry.items
            )
        )
    return (
        isinstance(entry, ListEntry)
        and is_list(value)
        and len(entry.items) == len(value)
        and all(map(_holds, entry.items, value))
    )


def _is_text(key: Entry) -> bool:
    return isinstance(key, ScalarEntry) and isinstance(scalar(key), str)


class _Proof:
    def __init__(self, plan: Plan, *, copied: bool = False) -> None:
        self._plan = plan
        self._copied = copied  # copies have no anchors

    def is_same(self, old: Entry | None, new: Entry | None) -> bool:
        if old is None or new is None:
            return old is new
        return (
            old.__class__ is new.__class__
            and old.tag == new.tag
            and self._has_same_anchor(old, new)
            and (
                isinstance(old, AliasEntry) or self._has_same_content(old, new)
            )  # the name of an alias is its anchor
        )

    def _has_same_content(self, old: Entry, new: Entry) -> bool:
        if isinstance(old, ScalarEntry):
            return (
                old.text == cast("ScalarEntry", new).text
                and old.style == cast("ScalarEntry", new).style
            )
        return self._is_same_container(cast("Container", old), cast("Container", new))

    def _has_same_anchor(self, old: Entry, new: Entry) -> bool:
        return new.anchor == (
            None if self._copied and not isinstance(old, AliasEntry) else old.anchor
        )

    def _is_same_container(self, old: Container, new: Container) -> bool:
        changes = self._plan.changes.get(id(old))
        if changes is None:
            return (
                old.flow == new.flow
                and len(old.items) == len(new.items)
                and all(map(self._is_same_pair, _pairs(old), _pairs(new)))
            )
        expected, found = list(_expected(old, changes)), _pairs(new)
        has_same_style = old.flow == new.flow or changes.is_emptied() or not old.items
        return (
            has_same_style
            and len(expected) == len(found)
            and all(map(self._is_expected, expected, found))
        )

    def _is_same_pair(
        self, old: "tuple[Entry | None, Entry]", new: "tuple[Entry | None, Entry]"
    ) -> bool:
        return self.is_same(old[0], new[0]) and self.is_same(old[1], new[1])

    def _is_expected(self, expected: _Expected, found: tuple[Entry | None, Entry]) -> bool:
        key, value = found
        if isinstance(expected.key, str):
            has_key = (
                key is not None
                and _is_text(key)
                and not is_merge(key)
                and key_name(key) == expected.key
            )
        else:
            has_key = self.is_same(expected.key, key)
        if not isinstance(expected.value, Entry):
            return has_key and _holds(value, expected.value)
        proof = (
            self
            if expected.copy is None
            else _Proof(expected.copy.plan, copied=not expected.copy.moved)
        )
        return has_key and proof.is_same(expected.value, value)


def _pairs(container: Container) -> "Sequence[tuple[Entry | None, Entry]]":
    return (
        container.items
        if isinstance(container, MappingEntry)
        else [(None, each) for each in container.items]
    )


def _expected(old: Container, changes: Changes) -> Iterator[_Expected]:
    """The entries that a block or list is to have."""
    added: dict[int, list[Added]] = {}
    for each in changes.added:
        added.setdefault(each.at, []).append(each)
    pairs = _pairs(old)
    for number in range(len(pairs) + 1):
        for each in added.get(number, ()):
            if isinstance(each.value, Copy):
                yield _Expected(None, each.value.container.items[each.value.number], each.value)
            else:
                yield _Expected(each.key, each.value)
        if number < len(pairs) and number not in changes.removed:
            key, value = pairs[number]
            yield _Expected(changes.keys.get(number, key), changes.values.get(number, value))
