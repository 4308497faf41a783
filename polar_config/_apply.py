"""From what a text says to what a topology says: the smallest set of edits in the blocks of the schema.

Compared are effective values, so that nothing is touched that holds already; written are written values, so that neither a default nor a
derived URL gets into the text. Aliases and merges stay where they still give what is to hold; elsewhere a value is written beside them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import attrs

from polar_config._diff import longest_rise
from polar_config._edit import Editor, Step
from polar_config._plan import Added, Copy, Plan, plain, same
from polar_config._structure import unstructure
from polar_config._tree import AliasEntry, BlockEntry, Entry, ListEntry, real
from polar_config.errors import TopologyError
from polar_config.keys import Key, keys
from polar_config.schema import GatewayConfig, GatewayNodeConfig
from polar_config.topology import TopologyConfig

Block = Mapping[str, Any]


class _Pair(NamedTuple):
    """A block before and after: what held, what is to hold, and what of that is written."""

    old: Block
    new: Block
    written: Block
    derived: Block
    """What the derived keys would be if they were not written."""


def apply_to(editor: Editor, root: Entry | None, before: TopologyConfig, after: TopologyConfig) -> None:
    """Plan all that leads from `before`, which the tree of `root` says, to `after`."""
    pair = _Pair(before.to_dict(effective=True), after.to_dict(effective=True), after.to_dict(), {})
    _Apply(editor, before, after).block(Step((), cast("Entry", root)), TopologyConfig, pair)


def node_changes(editor: Editor, step: Step, before: GatewayNodeConfig, after: GatewayNodeConfig) -> None:
    """Plan the same for one node."""
    pair = _Pair(unstructure(before, effective=True), unstructure(after, effective=True), unstructure(after, effective=False), _derived(after))
    _Apply(editor, None, None).block(step, GatewayNodeConfig, pair)


def _derived(node: Any) -> Block:
    try:
        return {"public_url": attrs.evolve(node, public_url=None).public_url}
    except TopologyError:  # an address from which none can be derived
        return {"public_url": None}


class _Apply:
    def __init__(self, editor: Editor, before: TopologyConfig | None, after: TopologyConfig | None) -> None:
        self._editor = editor
        self._before = before
        self._after = after
        self._holds: dict[int, Any] = {}  # what anchored entries are to hold, by their effective values

    def block(self, step: Step, cls: type, pair: _Pair) -> None:
        """Plan what changes in a block."""
        entry = step.value
        if isinstance(entry, AliasEntry):
            if not same(self._holds.get(id(entry.target), pair.old), pair.new):
                self._editor.replace_at(step, pair.written)
        elif not isinstance(entry, BlockEntry):
            if not same(pair.old, pair.new):
                self._editor.replace_at(step, pair.written)
        else:
            if entry.anchor is not None:
                self._holds[id(entry)] = pair.new
            found = self._editor.lookup.keys(entry)
            order = {name: index for index, name in enumerate(found)}
            for key in sorted(keys(cls), key=lambda key: order.get(key.name, len(order))):
                self._key(step, key, pair)

    def _key(self, step: Step, key: Key, pair: _Pair) -> None:
        child = self._editor.child(step, key.name)
        old, new = pair.old.get(key.name), pair.new.get(key.name)
        if child is None:
            is_derived = key.derived and (key.name not in pair.written or pair.derived.get(key.name) == new)
            if not is_derived and (key.derived or not same(old, new)):
                self._editor.add_key_at(step, (*step.path, key.name), pair.written.get(key.name, new))
        elif child.merge is not None:
            if not same(self._merged(child, key.name, old), new):
                self._editor.add_key_at(step, (*step.path, key.name), pair.written.get(key.name, {} if key.block and new is not None else new))
        elif key.lists_blocks and key.required:
            self._nodes(child, pair)
        elif key.block is not None and not key.lists_blocks:
            self._inner(child, key, pair)
        else:
            self._value(child, key, pair)

    def _merged(self, child: Step, name: str, old: object) -> object:
        """What `<<` is to bring in under this name."""
        block = real(cast("Entry", child.merge))
        return self._holds.get(id(block), {}).get(name, old)

    def _value(self, child: Step, key: Key, pair: _Pair) -> None:
        """A value, or a list of blocks other than the nodes."""
        old, new = pair.old.get(key.name), pair.new.get(key.name)
        entry = child.value
        if isinstance(entry, AliasEntry):
            old = self._holds.get(id(entry.target), old)
        elif entry.anchor is not None:
            self._holds[id(entry)] = new
        if same(old, new):
            return
        if key.derived and key.name not in pair.written:
            self._editor.remove_at(child)
            return
        written = pair.written.get(key.name, new)
        if key.lists_blocks and isinstance(entry, ListEntry) and isinstance(old, list) and isinstance(new, list):
            written = _aligned(entry, cast("list[object]", old), cast("list[object]", new), written)
        self._editor.replace_at(child, written)

    def _inner(self, child: Step, key: Key, pair: _Pair) -> None:
        """A block in a block."""
        old, new, written = pair.old[key.name], pair.new[key.name], pair.written.get(key.name, {})
        if new is None:
            if old is not None:
                self._editor.remove_at(child)
        elif old is None:
            self._editor.replace_at(child, written)
        else:
            self.block(child, cast("type", key.block), _Pair(old, new, written, self._derived_in(key)))

    def _derived_in(self, key: Key) -> Block:
        if self._after is None:
            return {}
        if key.block is GatewayConfig:
            return {"rollout_server_url": self._after.rollout.public_url}
        return _derived(self._after.rollout) if key.name == "rollout" else {}

    # nodes

    def _nodes(self, child: Step, pair: _Pair) -> None:
        entries = child.value
        before, after = cast("TopologyConfig", self._before).gateway.nodes, cast("TopologyConfig", self._after).gateway.nodes
        if not isinstance(entries, ListEntry):
            if not same(pair.old["nodes"], pair.new["nodes"]):
                self._editor.replace_at(child, pair.written["nodes"])
            return
        became = _matched(before, after)
        positions = {index: position for position, index in enumerate(became) if index is not None}
        moved = _moved(list(positions))
        plans: dict[int, Plan] = {}
        for index, at in sorted(positions.items()):
            node = _Pair(pair.old["nodes"][index], pair.new["nodes"][at], pair.written["nodes"][at], {})
            if not same(node.old, node.new) or self._holds:
                node = node._replace(derived=_derived(after[at]))
            step = Step((*child.path, index), entries.items[index], child, index)
            if index in moved:
                inner = _Apply(self._editor.again(), None, None)
                inner._holds = self._holds  # noqa: SLF001  (our own)
                inner.block(step, GatewayNodeConfig, node)
                plans[index] = inner._editor.plan  # noqa: SLF001
            else:
                self.block(step, GatewayNodeConfig, node)
        self._rearrange(child, became, plans, pair.written["nodes"])

    def _rearrange(self, child: Step, became: Sequence[int | None], plans: Mapping[int, Plan], written: Sequence[Any]) -> None:
        entries = cast("ListEntry", child.value)
        kept = {index for index in became if index is not None}
        for index in range(len(entries.items)):
            if index not in kept:
                self._editor.remove_at(Step((*child.path, index), entries.items[index], child, index))
        at = len(entries.items)
        added: list[Added] = []
        for position in range(len(became) - 1, -1, -1):
            index = became[position]
            if index is None:
                added.append(Added(at, None, written[position]))
            elif index in plans:
                added.append(Added(at, None, Copy(entries, index, plans[index], moved=True)))
            else:
                at = index
        if added:
            changes = self._editor.changes(child)
            changes.added += reversed(added)
            changes.removed |= plans.keys()


def _matched(before: Sequence[GatewayNodeConfig], after: Sequence[GatewayNodeConfig]) -> list[int | None]:
    """For each node after, the index of the same one before: by its id, or where only its id has changed, by its place."""
    indexes = {node.id: index for index, node in enumerate(before)}
    found = [indexes.get(node.id) for node in after]
    gone = set(range(len(before))) - {index for index in found if index is not None}
    for position, node in enumerate(after):
        if found[position] is None and position in gone and attrs.evolve(before[position], id=node.id) == node:
            found[position] = position
            gone.discard(position)
    return found


def _moved(indexes: Sequence[int]) -> set[int]:
    """The fewest of `indexes` that must move for all to be in this order."""
    return set(indexes) - {indexes[position] for position in longest_rise(indexes)}


def _aligned(entry: ListEntry, old: "list[object]", new: "list[object]", written: "list[object]") -> "list[object]":
    """`written`, with what stays the same at both ends as it stands in the text."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if not same(old[at], new[at])), least)
    tail = next((at for at in range(least - head) if not same(old[-1 - at], new[-1 - at])), least - head)
    items = [plain(each) for each in entry.items]
    return [*items[:head], *written[head : len(written) - tail], *items[len(items) - tail :]]
