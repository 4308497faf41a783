"""One edit by key path to a plan of changes, or to the reason why it is refused."""

from collections.abc import Iterator, Mapping, Sequence

from polar_config._editing.paths import EVERY, parts
from polar_config._editing.plan import REMOVED, Added, Changes, Plan, Renamed, Replaced
from polar_config._editing.sharing import Sharing
from polar_config._editing.walk import Index, Step, kind
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.data import equal_ends, plain, same
from polar_config._yaml.lookup import has_alias
from polar_config._yaml.tree import (
    AliasEntry,
    ListEntry,
    MappingEntry,
    is_merge,
    key_name,
    real,
)
from polar_config.errors import refused
from polar_config.errors._words import KeyPath, inline, path_text

Places = Sequence[tuple[Step | None, KeyPath]]


class Editor(Sharing):
    """Plans an edit in one tree."""

    def __init__(self, index: Index, *, shared: bool = False, copying: bool = False) -> None:
        super().__init__(index, shared=shared, copying=copying)
        self.plan = Plan()

    def again(self) -> "Editor":
        """An editor of the same tree with a plan of its own."""
        return Editor(self.index, shared=self.shared, copying=self.copying)

    def changes(self, step: Step, path: KeyPath | None = None) -> Changes:
        """What is planned for the mapping or list at `step`, which is to change at `path`."""
        self.refuse_reaching_further(step, step.path if path is None else path)
        return self.plan.of(step.container, step.slot)

    # values

    def set(self, path: KeyPath, value: object) -> None:
        """Plan to replace the value, or to add the key."""
        _refuse_root(path)
        places = list(self.walk(path))
        if not places:
            raise refused("unknown-path", "the list is empty: it has no item to set", path)
        if len(places) > 1 and self.shared:
            places = list(_owners(places))
        for step, rest in places:
            if step is None:
                self.plan.root = _nested(path, value)
            elif rest:
                self._add_keys(step, rest, value)
            elif step.merge is not None:
                self.add_key_at(step.holder, step.path, value)
            else:
                self.replace_at(step, value)

    def replace_at(self, step: Step, value: object) -> None:
        """Plan another value for what is at `step`."""
        self.seen.entries.append(step.value)
        self.seen.slots.add((id(step.holder.container), step.number))
        if has_alias(step.value):
            self.touches_shared = self.reads_shared = True
        if not isinstance(step.value, AliasEntry) and same(plain(step.value), value):
            return
        self.refuse_reaching_further(step.holder, step.path)
        if not isinstance(step.value, AliasEntry):
            self.refuse_shared(step.value, step.path)
        if self._reconcile(step, value):
            return
        self.refuse_losing_anchors(step.value, path=step.path, replaced=step.value)
        self.changes(step.holder, step.path).slots[step.number] = Replaced(value)

    def _reconcile(self, step: Step, value: object) -> bool:
        """Change a mapping or list key by key: what stays the same keeps its place and comments."""
        old = step.value
        if isinstance(old, MappingEntry) and is_mapping(value) and value and old.items:
            return self._reconcile_mapping(step, old, value)
        if isinstance(old, ListEntry) and is_list(value) and value and old.items:
            self._reconcile_list(step, old, value)
            return True
        return False

    def _reconcile_mapping(
        self, step: Step, old: MappingEntry, value: Mapping[str, object]
    ) -> bool:
        names = [key_name(key) for key, _ in old.items]
        has_kept = any(name in value for name in names)
        has_duplicates = len(set(names)) < len(names)
        if not has_kept or has_duplicates or any(is_merge(key) for key, _ in old.items):
            return False
        for number, (name, (_, item)) in enumerate(zip(names, old.items, strict=True)):
            there = Step((*step.path, name), item, step, number)
            if name in value:
                self.replace_at(there, value[name])
            else:
                self.remove_at(there)
        for name, new in value.items():
            if name not in names:
                self.add_key_at(step, (*step.path, name), new)
        return True

    def _reconcile_list(self, step: Step, old: ListEntry, value: Sequence[object]) -> None:
        self.seen.lengths.add(id(old))
        items = [plain(each) for each in old.items]
        head, tail = equal_ends(items, value)
        both = min(len(items), len(value)) - head - tail
        for at in range(head, len(items) - tail):
            there = self.item(step, old, at)
            if at < head + both and not _is_another(items[at], value[at]):
                self.replace_at(there, value[at])
            else:
                self.remove_at(there)
        changes = self.changes(step)
        for at in range(head, len(value) - tail):
            if at >= head + both or _is_another(items[at], value[at]):
                changes.added.append(Added(min(at, head + both), None, value[at]))

    # keys

    def _add_keys(self, step: Step, rest: KeyPath, value: object) -> None:
        """Plan the keys `rest` that are missing below `step`."""
        name = rest[0]
        if not all(isinstance(part, str) and part is not EVERY for part in rest):
            raise self.missing(step, rest)
        target = real(step.value)
        below = _nested(rest[1:], value)
        if isinstance(target, MappingEntry):
            self.add_key_at(step, (*step.path, name), below)
        elif self._is_null(target) and step.up is not None and step.merge is None:
            self.replace_at(step, {name: below})
        else:
            raise self.missing(step, rest)

    def add_key_at(self, holder: Step, path: KeyPath, value: object) -> None:
        """Plan a new key in the mapping at `holder`; its name is the last part of `path`."""
        changes = self.changes(holder, path)
        changes.added.append(Added(len(changes.container.items), str(path[-1]), value))

    def rename(self, path: KeyPath, new_key: str) -> None:
        """Plan another name for a key."""
        _refuse_root(path)
        parts((new_key,))
        for step, rest in list(self.walk(path)):
            if step is None or rest:
                raise self.missing(step, rest)
            self._rename_at(step, new_key)

    def _rename_at(self, step: Step, new_key: str) -> None:
        mapping = step.holder.container
        if step.merge is not None or not isinstance(mapping, MappingEntry):
            message = "only a key of this mapping itself can be renamed"
            raise refused("wrong-type", message, step.path)
        if new_key == step.path[-1]:
            return
        self.seen.names.add((id(mapping), new_key))
        if new_key in self.index.lookup.keys(mapping):
            raise refused("duplicate-key", f"duplicate key {inline(new_key)}", step.path)
        key = mapping.items[step.number][0]
        if isinstance(key, AliasEntry):
            raise refused("shared", "this key is an alias", step.path, "rename it by hand")
        changes = self.changes(step.holder, step.path)
        self.refuse_shared(key, step.path)
        changes.slots[step.number] = Renamed(new_key)

    # removing

    def remove(self, path: KeyPath) -> None:
        """Plan to remove the key or item."""
        _refuse_root(path)
        places = list(self.walk(path))
        there = [step for step, rest in places if step is not None and not rest]
        is_every = any(part is EVERY for part in path)
        if not there or (len(there) < len(places) and not is_every):
            step, rest = next((each for each in places if each[1]), (None, path))
            raise self.missing(step, rest)
        for each in there:
            self.remove_at(each)

    def remove_at(self, step: Step) -> None:
        """Plan to remove what is at `step`."""
        if step.merge is not None:
            origin = path_text((*self.index.path_of(real(step.merge)), step.path[-1]))
            message = "this key comes through << from another mapping"
            hint = f"remove {origin} with shared=True, or set another value here"
            raise refused("shared", message, step.path, hint)
        changes = self.changes(step.holder, step.path)
        gone = changes.container.items[step.number]
        self.refuse_losing_anchors(*(gone if isinstance(gone, tuple) else (gone,)), path=step.path)
        changes.slots[step.number] = REMOVED

    # items of lists

    def insert(self, path: KeyPath, index: int | None, value: object) -> None:
        """Plan a new item in a list, at its end without an index."""
        for step, rest in list(self.walk(path)):
            is_in_list = step is not None and isinstance(real(step.value), ListEntry)
            if step is None or (rest and is_in_list):
                self.set(path, [value])
            elif rest:
                self._add_keys(step, rest, [value])
            elif step.up is not None and self._is_null(step.value):
                self.replace_at(step, [value])
            else:
                self.insert_at(step, index, value)

    def insert_at(self, step: Step, index: int | None, value: object) -> None:
        """Plan a new item in the list at `step`."""
        target = real(step.value)
        if not isinstance(target, ListEntry):
            raise refused("wrong-type", f"expected a list, found {kind(target)}", step.path)
        count = len(target.items)
        at = count if index is None else index
        if index is None:
            self.seen.lengths.add(id(target))
        else:
            self.seen.use_index(target, at)
        if not 0 <= at <= count:
            raise refused("unknown-path", f"no position {at} in a list of {count}", step.path)
        self.changes(step).added.append(Added(at, None, value))


def _is_another(old: object, new: object) -> bool:
    """Whether two items of a list are about different things, by their ids."""
    if not is_mapping(old) or not is_mapping(new):
        return False
    return "id" in old and "id" in new and old["id"] != new["id"]


def _owners(places: Places) -> Iterator[tuple[Step | None, KeyPath]]:
    """Of many places, one for each piece of text: what comes through an alias or a merge of another
    is the same.
    """
    direct = [(step, rest) for step, rest in places if step is None or not step.is_shared]
    there = {(id(real(step.value)), rest) for step, rest in direct if step is not None}
    yield from direct
    for step, rest in places:
        if step is not None and step.is_shared and (id(real(step.value)), rest) not in there:
            yield step, rest


def _refuse_root(path: KeyPath) -> None:
    if not path:
        raise refused("bad-path", "the key path is empty")


def _nested(path: KeyPath, value: object) -> object:
    """`value` below the keys of `path`."""
    for part in reversed(path):
        if not isinstance(part, str) or part is EVERY:
            raise refused("unknown-path", f"there is no list for {inline(str(part))}", path)
        value = {part: value}
    return value
