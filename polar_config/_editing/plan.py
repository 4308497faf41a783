"""What is to change in a tree, and the proof that a new tree is the old one with those changes and nothing else."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from polar_config._plain import is_list, is_mapping
from polar_config._yaml.tree import AliasEntry, BlockEntry, Entry, ListEntry, ScalarEntry, is_merge, key_name, real
from polar_config._yaml.values import SCALAR_TAGS, NotPlainError, merged, resolve, tagged

Container = BlockEntry | ListEntry


class Copy(NamedTuple):
    """An entry of a list once more, with changes in it; unless it was moved, without its anchors."""

    container: ListEntry
    number: int
    plan: "Plan"
    moved: bool = False


class Added(NamedTuple):
    """A new entry, before the one that is at `at` now."""

    at: int
    key: str | None
    value: object
    """Plain data, or a `Copy`."""


class Changes:
    """What is to change in one block or list; indexes are those of before."""

    def __init__(self, container: Container, slot: "tuple[Container, int] | None") -> None:
        self.container = container
        self.slot = slot
        """The block or list that holds this one, and where; None for the root."""
        self.values: dict[int, object] = {}
        self.keys: dict[int, str] = {}
        self.removed: set[int] = set()
        self.added: list[Added] = []

    def is_emptied(self) -> bool:
        """Whether nothing is left."""
        return len(self.removed) == len(self.container.items) and not self.added


class Plan:
    """What is to change in one tree."""

    changes: dict[int, Changes]
    """By the identity of the block or list."""
    root: object
    """Plain data for a text that holds nothing yet."""

    def __init__(self) -> None:
        self.changes = {}
        self.root = None

    def __bool__(self) -> bool:
        return bool(self.changes) or self.root is not None

    def of(self, container: Container, slot: "tuple[Container, int] | None") -> Changes:
        """The changes in `container`, which is held by `slot`."""
        if id(container) not in self.changes:
            self.changes[id(container)] = Changes(container, slot)
        return self.changes[id(container)]


# --- the data of a tree -----------------------------------------------------------------------------------------------


def plain(entry: Entry | None) -> object:
    """What an entry holds as fresh plain data; aliases and merges are followed."""
    entry = real(entry) if entry is not None else None
    if isinstance(entry, ScalarEntry):
        return scalar(entry)
    if isinstance(entry, BlockEntry):
        own: dict[str, object] = {}
        merges: list[object] = []
        for key, value in entry.items:
            if is_merge(key):
                target = real(value)
                merges += [plain(each) for each in target.items] if isinstance(target, ListEntry) else [plain(target)]
            else:
                own.setdefault(key_name(key), plain(value))
        try:
            return merged(own, merges) if merges else own
        except NotPlainError:
            return own
    return [plain(each) for each in entry.items] if isinstance(entry, ListEntry) else None


def scalar(entry: ScalarEntry) -> object:
    """What a scalar means: a plain text, number, true, false or None."""
    value: object = resolve(entry.text) if entry.bare else entry.text
    if entry.tag in SCALAR_TAGS:
        try:
            value = tagged(entry.tag, entry.text)
        except ValueError:
            value = entry.text
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else float(value) if isinstance(value, float) else value


def same(one: object, other: object) -> bool:
    """Whether plain data are equal, types included."""
    if is_mapping(one):
        return is_mapping(other) and one.keys() == other.keys() and all(same(item, other[key]) for key, item in one.items())
    if is_list(one):
        return is_list(other) and len(one) == len(other) and all(map(same, one, other))
    return _kind(one) is _kind(other) and one == other


def _kind(value: object) -> type:
    """The type of a scalar, whether or not it remembers how it was spelled."""
    return next((kind for kind in (bool, int, float, str) if isinstance(value, kind)), type(value))


def equal_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """How many entries two lists have in common at their beginning, and at their end."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if not same(old[at], new[at])), least)
    return head, next((at for at in range(least - head) if not same(old[-1 - at], new[-1 - at])), least - head)


# --- the proof --------------------------------------------------------------------------------------------------------


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
        return entry.tag is None and not is_mapping(value) and not is_list(value) and same(scalar(entry), value)
    if isinstance(entry, BlockEntry):
        return (
            is_mapping(value)
            and [key_name(key) for key, _ in entry.items if not is_merge(key)] == list(value)
            and all(_is_text(key) and _holds(item, value[key_name(key)]) for key, item in entry.items)
        )
    return isinstance(entry, ListEntry) and is_list(value) and len(entry.items) == len(value) and all(map(_holds, entry.items, value))


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
            and (isinstance(old, AliasEntry) or self._has_same_content(old, new))  # the name of an alias is its anchor
        )

    def _has_same_content(self, old: Entry, new: Entry) -> bool:
        if isinstance(old, ScalarEntry):
            return old.text == cast("ScalarEntry", new).text and old.style == cast("ScalarEntry", new).style
        return self._is_same_container(cast("Container", old), cast("Container", new))

    def _has_same_anchor(self, old: Entry, new: Entry) -> bool:
        return new.anchor == (None if self._copied and not isinstance(old, AliasEntry) else old.anchor)

    def _is_same_container(self, old: Container, new: Container) -> bool:
        changes = self._plan.changes.get(id(old))
        if changes is None:
            return old.flow == new.flow and len(old.items) == len(new.items) and all(map(self._is_same_pair, _pairs(old), _pairs(new)))
        expected, found = list(_expected(old, changes)), _pairs(new)
        has_same_style = old.flow == new.flow or changes.is_emptied() or not old.items
        return has_same_style and len(expected) == len(found) and all(map(self._is_expected, expected, found))

    def _is_same_pair(self, old: "tuple[Entry | None, Entry]", new: "tuple[Entry | None, Entry]") -> bool:
        return self.is_same(old[0], new[0]) and self.is_same(old[1], new[1])

    def _is_expected(self, expected: _Expected, found: tuple[Entry | None, Entry]) -> bool:
        key, value = found
        if isinstance(expected.key, str):
            has_key = key is not None and _is_text(key) and not is_merge(key) and key_name(key) == expected.key
        else:
            has_key = self.is_same(expected.key, key)
        if not isinstance(expected.value, Entry):
            return has_key and _holds(value, expected.value)
        proof = self if expected.copy is None else _Proof(expected.copy.plan, copied=not expected.copy.moved)
        return has_key and proof.is_same(expected.value, value)


def _pairs(container: Container) -> "Sequence[tuple[Entry | None, Entry]]":
    return container.items if isinstance(container, BlockEntry) else [(None, each) for each in container.items]


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
