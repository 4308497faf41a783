"""Edits by key path to a plan of changes, or to the reason why they are refused.

A change is refused where it would reach further than its path says: through an alias, or inside a block that others share.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from polar_config._editing.paths import EVERY, MAX_LISTED, parts
from polar_config._editing.plan import Added, Changes, Container, Plan
from polar_config._editing.walk import Step, Walker, kind
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.data import equal_ends, plain, same
from polar_config._yaml.lookup import aliases, anchored, own_keys
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
from polar_config.errors._words import KeyPath, inline, path_text


class Editor(Walker):
    """Plans edits in one tree."""

    def __init__(self, root: Entry | None, *, shared: bool, copying: bool = False) -> None:
        super().__init__(root)
        self.plan = Plan()
        self.new_ids: set[str] = set()
        """The ids of nodes that are planned."""
        self._copying = copying  # in a copy no anchor is left, and none is missed
        self.shared = shared

    def again(self) -> "Editor":
        """An editor of the same tree with a plan of its own."""
        return Editor(self.root, shared=self.shared, copying=self._copying)

    # permission

    def _may_change(self, step: Step, path: KeyPath) -> None:
        """Refuse a change at `path`, in the block or list at `step`, if it would reach further than the path says."""
        each: Step | None = step
        while each is not None:
            if isinstance(each.value, AliasEntry):
                raise self._through(path, each, "an alias", each.value.target)
            if each.merge is not None:
                raise self._through(path, each, "<<", real(each.merge))
            each = each.up
        each = step
        while each is not None:
            self._refuse_shared(
                each.value, each.path, path[len(each.path)] if len(path) > len(each.path) else None
            )
            each = each.up

    def _through(self, path: KeyPath, at: Step, how: str, target: Entry) -> TopologyError:
        origin = self.path_of(target)
        rest = path[len(at.path) :] if how == "an alias" else path[len(at.path) - 1 :]
        instead = path_text((*origin, *rest))
        message = f"what is here comes through {how} from {path_text(origin) or 'the topology'}"
        hint = f"change {instead} with shared=True, or set all of {path_text(at.path)} here"
        return refused("shared", message, path, hint)

    def _refuse_shared(self, entry: Entry, path: KeyPath, name: str | int | None = None) -> None:
        """Refuse if others share `entry`, unless only `name` in it changes and they have that key themselves."""
        if self.shared or isinstance(entry, AliasEntry) or entry.anchor is None:
            return
        others = [
            use.path
            for use in self.uses().get(id(entry), ())
            if not (use.merging and name in own_keys(use.merging))
        ]
        if others:
            message = f"&{inline(entry.anchor)} shares this with {_listed(others)}"
            raise refused(
                "shared",
                message,
                path,
                "say shared=True if all of them are meant, or write the value beside each",
            )

    def _may_go(self, *gone: Entry, path: KeyPath, replaced: Entry | None = None) -> None:
        """Refuse to remove entries with an anchor that is in use elsewhere."""
        if self._copying:
            return
        for entry in gone:
            for each in anchored(entry):
                others = [use.path for use in self.uses().get(id(each), ())]
                if each is not replaced and len(others) > sum(
                    alias.target is each for alias in aliases(entry)
                ):
                    message = (
                        f"&{inline(str(each.anchor))} is in here and used by {_listed(others)}"
                    )
                    raise refused("anchor-in-use", message, path, "change those first")

    def changes(self, step: Step, path: KeyPath | None = None) -> Changes:
        """What is planned for the block or list at `step`, which may be changed at `path`."""
        self._may_change(step, path or step.path)
        return self.plan.of(cast("Container", step.value), step.slot)

    # edits

    def set(self, path: KeyPath, value: object) -> None:
        """Plan to replace the value, or to add the key."""
        _refuse_root(path)
        places = list(self.walk(path))
        if not places:
            raise refused("unknown-path", "the list is empty: there is no entry to set", path)
        for step, rest in places if len(places) == 1 or not self.shared else _owners(places):
            if step is None:
                self.plan.root = _nested(path, value)
            elif rest:
                self._add_keys(step, rest, value)
            elif step.merge is not None:
                self.add_key_at(cast("Step", step.up), step.path, value)
            else:
                self.replace_at(step, value)

    def replace_at(self, step: Step, value: object) -> None:
        """Plan another value for what is at `step`."""
        if same(plain(step.value), value) and not isinstance(step.value, AliasEntry):
            return
        holder = cast("Step", step.up)
        self._may_change(holder, step.path)
        if not isinstance(step.value, AliasEntry):
            self._refuse_shared(step.value, step.path)
        if self._reconcile(step, value):
            return
        self._may_go(step.value, path=step.path, replaced=step.value)
        self.changes(holder, step.path).values[step.number] = value

    def _reconcile(self, step: Step, value: object) -> bool:
        """Change a block or list key by key, so that what stays the same keeps its place and its comments."""
        old = step.value
        if isinstance(old, MappingEntry) and is_mapping(value) and value and old.items:
            return self._reconcile_block(step, old, value)
        if isinstance(old, ListEntry) and is_list(value) and value and old.items:
            self._reconcile_list(step, old, value)
            return True
        return False

    def _reconcile_block(self, step: Step, old: MappingEntry, value: Mapping[str, object]) -> bool:
        names = [key_name(key) for key, _ in old.items]
        kept = [name for name in names if name in value]
        if any(is_merge(key) for key, _ in old.items) or len(set(names)) < len(names) or not kept:
            return False
        for index, name in enumerate(names):
            if name in value:
                self.replace_at(
                    Step((*step.path, name), old.items[index][1], step, index), value[name]
                )
            else:
                self.remove_at(Step((*step.path, name), old.items[index][1], step, index))
        for name, item in value.items():
            if name not in names:
                self.add_key_at(step, (*step.path, name), item)
        return True

    def _reconcile_list(self, step: Step, old: ListEntry, value: Sequence[object]) -> None:
        items = [plain(each) for each in old.items]
        head, tail = equal_ends(items, value)
        both = min(len(items), len(value)) - head - tail
        for at in range(head, len(items) - tail):
            step_there = self._entry(step, old, at)
            if at < head + both and not _is_another(items[at], value[at]):
                self.replace_at(step_there, value[at])
            else:
                self.remove_at(step_there)
        changes = self.changes(step)
        for at in range(head, len(value) - tail):
            if at >= head + both or _is_another(items[at], value[at]):
                changes.added.append(Added(min(at, head + both), None, value[at]))

    def _add_keys(self, step: Step, rest: KeyPath, value: object) -> None:
        target = real(step.value)
        if not all(isinstance(part, str) and part is not EVERY for part in rest):
            raise self.missing(step, rest)
        whole = _nested(rest[1:], value)
        if isinstance(target, MappingEntry):
            self.add_key_at(step, (*step.path, rest[0]), whole)
        elif (
            isinstance(target, ScalarEntry)
            and plain(target) is None
            and step.up is not None
            and step.merge is None
        ):
            self.replace_at(step, {cast("str", rest[0]): whole})
        else:
            raise self.missing(step, rest)

    def add_key_at(self, holder: Step, path: KeyPath, value: object) -> None:
        """Plan a new key in the block at `holder`."""
        changes = self.changes(holder, path)
        name = cast("str", path[-1])
        for number, added in enumerate(changes.added):
            if added.key == name:
                changes.added[number] = added._replace(value=_both(added.value, value))
                return
        changes.added.append(Added(len(changes.container.items), name, value))

    def remove(self, path: KeyPath) -> None:
        """Plan to remove the key or entry."""
        _refuse_root(path)
        places = list(self.walk(path))
        there = [step for step, rest in places if step is not None and not rest]
        if not there or (len(there) < len(places) and EVERY not in _identities(path)):
            step, rest = next(((step, rest) for step, rest in places if rest), (None, path))
            raise self.missing(step, rest)
        for each in there:
            self.remove_at(each)

    def remove_at(self, step: Step) -> None:
        """Plan to remove what is at `step`."""
        if step.merge is not None:
            origin = path_text((*self.path_of(real(step.merge)), step.path[-1]))
            hint = f"remove {origin} with shared=True, or set another value here"
            raise refused(
                "shared", "this key comes through << and is not written here", step.path, hint
            )
        holder = cast("Step", step.up)
        changes = self.changes(holder, step.path)
        pair = (
            holder.value.items[step.number]
            if isinstance(holder.value, MappingEntry)
            else (step.value,)
        )
        self._may_go(*pair, path=step.path)
        changes.removed.add(step.number)

    def insert(self, path: KeyPath, index: int | None, value: object) -> None:
        """Plan a new entry in a list, at its end without an index."""
        for step, rest in self.walk(path):
            if step is None or (
                rest and not isinstance(real(step.value), MappingEntry | ScalarEntry)
            ):
                self.set(path, [value])
            elif rest:
                self._add_keys(step, rest, [value])
            elif isinstance(step.value, ScalarEntry) and plain(step.value) is None:
                self.replace_at(step, [value])
            else:
                self.insert_at(step, index, value)

    def insert_at(self, step: Step, index: int | None, value: object) -> None:
        """Plan a new entry in the list at `step`."""
        target = real(step.value)
        if not isinstance(target, ListEntry):
            raise refused("wrong-type", f"expected a list, found {kind(target)}", step.path)
        count = len(target.items)
        at = count if index is None else index
        if not 0 <= at <= count:
            raise refused("unknown-path", f"there is no place {at} in a list of {count}", step.path)
        self.changes(step).added.append(Added(at, None, value))

    def rename(self, path: KeyPath, new_key: str) -> None:
        """Plan another name for a key."""
        _refuse_root(path)
        places = list(self.walk(path))
        parts((new_key,))
        for step, rest in places:
            if step is None or rest:
                raise self.missing(step, rest)
            holder = cast("Step", step.up)
            if step.merge is not None or not isinstance(real(holder.value), MappingEntry):
                raise refused(
                    "wrong-type", "only a key that is written here can be renamed", step.path
                )
            block = cast("MappingEntry", real(holder.value))
            if new_key == step.path[-1]:
                continue
            if new_key in self.lookup.keys(block):
                raise refused(
                    "duplicate-key", f"there is a key {inline(new_key)} already", step.path
                )
            if isinstance(block.items[step.number][0], AliasEntry):
                raise refused("shared", "this key is an alias", step.path, "rename it by hand")
            changes = self.changes(holder, step.path)
            self._refuse_shared(block.items[step.number][0], step.path)
            changes.keys[step.number] = new_key


def _both(old: object, new: object) -> object:
    """What two edits make of a key that was not there before."""
    if is_mapping(old) and is_mapping(new):
        return {
            **old,
            **{key: _both(old[key], item) if key in old else item for key, item in new.items()},
        }
    return [*old, *new] if is_list(old) and is_list(new) else new


def _is_another(old: object, new: object) -> bool:
    """Whether two entries of a list are about different things, by their ids."""
    return (
        is_mapping(old)
        and is_mapping(new)
        and "id" in old
        and "id" in new
        and old["id"] != new["id"]
    )


def _owners(
    places: "Sequence[tuple[Step | None, KeyPath]]",
) -> "Iterator[tuple[Step | None, KeyPath]]":
    """Of many places, one for each piece of text: those that come through an alias or a merge of another of them are the same."""
    direct = [(step, rest) for step, rest in places if step is None or not step.is_shared]
    there = {(id(real(step.value)), rest) for step, rest in direct if step is not None}
    yield from direct
    for step, rest in places:
        if step is not None and step.is_shared and (id(real(step.value)), rest) not in there:
            yield step, rest


def _listed(paths: Sequence[KeyPath]) -> str:
    more = f" and {len(paths) - MAX_LISTED} more" if len(paths) > MAX_LISTED else ""
    return ", ".join(path_text(each) or "the topology" for each in paths[:MAX_LISTED]) + more


def _refuse_root(path: KeyPath) -> None:
    if not path:
        raise refused("bad-path", "the key path is empty")


def _nested(parts: KeyPath, value: object) -> object:
    for part in reversed(parts):
        if not isinstance(part, str) or part is EVERY:
            raise refused("unknown-path", f"there is no list for {inline(str(part))}", parts)
        value = {part: value}
    return value


def _identities(path: KeyPath) -> "list[object]":
    return [EVERY if part is EVERY else None for part in path]
