"""From what a text says to what a topology says: the smallest set of edits in the blocks of the schema.

Compared is what holds, so that nothing is touched that is right already; put into the text is what was written, so that neither a default
nor a derived URL gets there. Aliases and merges stay where they still give what is to hold; elsewhere a value is written beside them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs

from polar_config._editing.editor import Editor
from polar_config._editing.plan import Added, Copy, Plan
from polar_config._editing.walk import Step
from polar_config._plain import thaw
from polar_config._reading.structure import unstructure
from polar_config._yaml.data import equal_ends, plain
from polar_config._yaml.lookup import aliases, anchored, has_alias, has_anchor, merged_blocks
from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, is_merge
from polar_config.document._diff import longest_rise
from polar_config.errors import TopologyError
from polar_config.keys import Key, keys
from polar_config.schema import GatewayConfig, GatewayNodeConfig
from polar_config.topology import TopologyConfig


def apply_to(editor: Editor, before: TopologyConfig, after: TopologyConfig) -> None:
    """Plan all that leads from `before`, which the editor's tree says, to `after`."""
    _Apply(editor, after).block(Step((), cast("Entry", editor.root)), before, after)


def node_changes(
    editor: Editor, step: Step, before: GatewayNodeConfig, after: GatewayNodeConfig
) -> None:
    """Plan the same for one node."""
    _Apply(editor, None).block(step, before, after)


def _written(key: Key, block: Any) -> object:
    """What is written of a key, as plain data."""
    value = getattr(block, key.attribute)
    if key.lists_blocks and value is not None:
        return [unstructure(each, effective=False) for each in value]
    return (
        unstructure(value, effective=False)
        if key.block is not None and value is not None
        else thaw(value)
    )


class _Shared:
    """What the blocks of a text share, and what of it changes."""

    def __init__(self, root: Entry | None) -> None:
        self.is_there = root is not None and has_anchor(root)
        self.holds: dict[int, Any] = {}
        """What entries with an anchor are to hold."""
        self.plans: list[Plan] = []

    def provides(self, editor: Editor, block: MappingEntry, name: str) -> bool:
        """Whether a block is to have a key, by itself or by a merge."""
        found = editor.lookup.keys(block).get(name)
        changes = [plan.changes[id(block)] for plan in self.plans if id(block) in plan.changes]
        if (
            found is not None
            and found.merge is None
            and not any(found.number in each.removed for each in changes)
        ):
            return True
        if any(added.key == name for each in changes for added in each.added):
            return True
        return any(self.provides(editor, each, name) for each in merged_blocks(block))


class _Apply:
    """Walks down the blocks of a text together with the objects before and after.

    `alone` is for a node that comes before what it shares: its aliases and merges are written out.
    """

    def __init__(
        self,
        editor: Editor,
        topology: TopologyConfig | None,
        shared: "_Shared | None" = None,
        *,
        alone: bool = False,
    ) -> None:
        self._editor = editor
        self._topology = topology
        self._shared = shared or _Shared(editor.root)
        self._shared.plans.append(editor.plan)
        self._alone = alone

    def block(self, step: Step, old: Any, new: Any) -> None:
        """Plan what changes in a block; `old` and `new` are objects of the same class."""
        entry = step.value
        if isinstance(entry, MappingEntry):
            if entry.anchor is not None:
                self._shared.holds[id(entry)] = new
            merges = self._merges(step, entry)
            for key in self._in_order(entry, new):
                self._key(step, key, (old, new), merges)
        elif self._is_other(entry, old, new):
            self._write(step, unstructure(new, effective=False))

    def _merges(self, step: Step, entry: MappingEntry) -> "list[MappingEntry] | None":
        """The blocks that a block merges, None if it has no merge."""
        if not self._shared.is_there:
            return None
        numbers = [number for number, (key, _) in enumerate(entry.items) if is_merge(key)]
        if numbers and self._alone:
            self._editor.changes(step).removed.update(numbers)
            return []
        return merged_blocks(entry) if numbers else None

    def _in_order(self, entry: MappingEntry, block: object) -> Sequence[Key]:
        """The keys of a block as they come in the text, for an anchor comes before its aliases."""
        found = keys(type(block))
        if not self._shared.is_there:
            return found
        order = {name: number for number, name in enumerate(self._editor.lookup.keys(entry))}
        return sorted(found, key=lambda key: order.get(key.name, len(order)))

    def _is_other(self, entry: Entry, old: object, new: object) -> bool:
        """Whether an entry is to hold something else than it does, or than its anchor is to."""
        if isinstance(entry, AliasEntry):
            return self._alone or self._shared.holds.get(id(entry.target), old) != new
        return old != new or (self._alone and has_alias(entry))

    def _write(self, step: Step, value: object) -> None:
        if self._alone and has_alias(step.value):
            self._editor.changes(cast("Step", step.up), step.path).values[step.number] = value
        else:
            self._editor.replace_at(step, value)

    def _key(
        self, step: Step, key: Key, blocks: tuple[Any, Any], merges: "list[MappingEntry] | None"
    ) -> None:
        old, new = getattr(blocks[0], key.name), getattr(blocks[1], key.name)
        if old == new and not self._shared.is_there and step.up is not None and not key.derived:
            return
        child = self._editor.child(step, key.name)
        if child is None or child.merge is not None:
            self._absent(step, key, blocks, merges)
        elif key.lists_blocks and key.required:
            self._nodes(child, old, new)
        elif key.block is not None and not key.lists_blocks:
            self._inner(child, key, old, new)
        else:
            self._value(child, key, old, blocks[1])

    def _absent(
        self, step: Step, key: Key, blocks: tuple[Any, Any], merges: "list[MappingEntry] | None"
    ) -> None:
        """A key that is not written here: it is to be, unless it is merged in, derived or a default."""
        old, new = getattr(blocks[0], key.name), getattr(blocks[1], key.name)
        provider = next(
            (each for each in merges or () if self._shared.provides(self._editor, each, key.name)),
            None,
        )
        written = _written(key, blocks[1])
        if provider is not None:
            held = self._shared.holds.get(id(provider))
            if (old if held is None else getattr(held, key.name, old)) == new:
                return
            written = new if written is None and key.derived else written
        elif key.derived:
            if written is None or written == self._derived(blocks[1]):
                return
        elif (
            old == new
            if merges is None
            else key.name not in unstructure(blocks[1], effective=False)
        ):
            return
        self._editor.add_key_at(step, (*step.path, key.name), written)

    def _derived(self, block: Any) -> object:
        """What the URL of a block would be if it were not written."""
        if isinstance(block, GatewayConfig):
            return self._topology.rollout.public_url if self._topology else None
        try:
            return attrs.evolve(block, public_url=None).public_url
        except TopologyError:  # an address from which none can be derived
            return None

    def _value(self, child: Step, key: Key, old: object, new_block: Any) -> None:
        """A value, or a list of blocks other than the nodes."""
        entry, new = child.value, getattr(new_block, key.name)
        if not isinstance(entry, AliasEntry) and entry.anchor is not None:
            self._shared.holds[id(entry)] = new
        if not self._is_other(entry, old, new):
            return
        written = _written(key, new_block)
        if key.derived and written is None:
            self._editor.remove_at(child)
            return
        if (
            key.lists_blocks
            and isinstance(entry, ListEntry)
            and old is not None
            and new is not None
        ):
            written = _aligned(
                entry,
                cast("Sequence[object]", old),
                cast("Sequence[object]", new),
                cast("list[object]", written),
            )
        self._write(child, written)

    def _inner(self, child: Step, key: Key, old: Any, new: Any) -> None:
        """A block in a block."""
        if new is None and old is not None:
            self._editor.remove_at(child)
        elif old is None and new is not None:
            self._editor.replace_at(child, unstructure(new, effective=False))
        elif new is not None:
            self.block(
                child,
                old,
                cast("TopologyConfig", self._topology).gateway
                if key.block is GatewayConfig
                else new,
            )

    # nodes

    def _nodes(
        self, child: Step, before: Sequence[GatewayNodeConfig], after: Sequence[GatewayNodeConfig]
    ) -> None:
        entries = cast(
            "ListEntry", child.value
        )  # nothing in a topology before the nodes can be a list, so that they are no alias
        became = _matched(before, after)
        positions = {
            number: position for position, number in enumerate(became) if number is not None
        }
        moved = _moved(list(positions))
        plans: dict[int, Plan] = {}
        for number, position in sorted(positions.items()):
            step = Step((*child.path, number), entries.items[number], child, number)
            alone = self._shared.is_there and self._comes_before(entries, number, positions)
            editor = self._editor.again() if number in moved else self._editor
            if number in moved:
                plans[number] = editor.plan
            if self._shared.is_there or before[number] != after[position]:
                _Apply(editor, None, self._shared, alone=alone).block(
                    step, before[number], after[position]
                )
        self._rearrange(child, became, plans, after)

    @staticmethod
    def _comes_before(entries: ListEntry, number: int, positions: Mapping[int, int]) -> bool:
        """Whether a node is to come before another that has what it shares."""
        shared = {id(each.target) for each in aliases(entries.items[number])}
        return any(
            positions[other] > positions[number]
            and any(id(each) in shared for each in anchored(entries.items[other]))
            for other in positions
            if other != number and shared
        )

    def _rearrange(
        self,
        child: Step,
        became: Sequence[int | None],
        plans: Mapping[int, Plan],
        after: Sequence[GatewayNodeConfig],
    ) -> None:
        entries = cast("ListEntry", child.value)
        kept = {number for number in became if number is not None}
        for number in range(len(entries.items)):
            if number not in kept:
                self._editor.remove_at(
                    Step((*child.path, number), entries.items[number], child, number)
                )
        at = len(entries.items)
        added: list[Added] = []
        for node, was in zip(reversed(after), reversed(became), strict=True):
            if was is None:
                added.append(Added(at, None, unstructure(node, effective=False)))
            elif was in plans:
                added.append(Added(at, None, Copy(entries, was, plans[was], moved=True)))
            else:
                at = was
        if added:
            changes = self._editor.changes(child)
            changes.added += reversed(added)
            changes.removed |= plans.keys()


def _matched(
    before: Sequence[GatewayNodeConfig], after: Sequence[GatewayNodeConfig]
) -> list[int | None]:
    """For each node after, the number of the same one before: by its id, or where only its id has changed, by its place."""
    numbers = {node.id: number for number, node in enumerate(before)}
    found = [numbers.get(node.id) for node in after]
    gone = set(range(len(before))) - {number for number in found if number is not None}
    for position, node in enumerate(after):
        if (
            found[position] is None
            and position in gone
            and attrs.evolve(before[position], id=node.id) == node
        ):
            found[position] = position
            gone.discard(position)
    return found


def _moved(numbers: Sequence[int]) -> set[int]:
    """The fewest of `numbers` that must move for all to be in this order."""
    return set(numbers) - {numbers[position] for position in longest_rise(numbers)}


def _aligned(
    entry: ListEntry, old: Sequence[object], new: Sequence[object], written: "list[object]"
) -> "list[object]":
    """`written`, with what stays the same at both ends as it stands in the text."""
    head, tail = equal_ends(old, new)
    items = [plain(each) for each in entry.items]
    return [*items[:head], *written[head : len(written) - tail], *items[len(items) - tail :]]
