"""From what a text says to what a topology says: the smallest set of edits.

Nodes are matched by their ids: a change, an insertion, a removal and a move are distinguished.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from polar_config._editing.editor import Editor
from polar_config._editing.plan import REMOVED, Added, Copy, Plan
from polar_config._editing.walk import Step
from polar_config._reading.structure import unstructure
from polar_config._yaml.lookup import aliases, anchored
from polar_config._yaml.tree import ListEntry
from polar_config.document._diff import longest_rise
from polar_config.document._sections import Section, SectionEdits, Shared
from polar_config.keys import Key
from polar_config.schema import GatewayConfig, GatewayNodeConfig
from polar_config.topology import TopologyConfig


def apply_to(editor: Editor, before: TopologyConfig, after: TopologyConfig) -> None:
    """Plan all that leads from `before`, which the editor's tree says, to `after`."""
    _TopologyEdits(editor, after).section(editor.root_step, before, after)


def node_changes(
    editor: Editor, step: Step, before: GatewayNodeConfig, after: GatewayNodeConfig
) -> None:
    """Plan the same for one node."""
    SectionEdits(editor).section(step, before, after)


class _TopologyEdits(SectionEdits):
    """The edits of a whole topology, its nodes included."""

    def __init__(self, editor: Editor, topology: TopologyConfig) -> None:
        self._topology = topology
        super().__init__(editor)

    def derived(self, section: Any) -> object:
        if isinstance(section, GatewayConfig):
            return self._topology.rollout.public_url
        return super().derived(section)

    def _present(self, section: Section, key: Key, child: Step) -> None:
        entries = child.value
        if key.lists_sections and key.required and isinstance(entries, ListEntry):
            _Fleet(self._editor, self._shared, child, entries).change(
                section.old.nodes, section.new.nodes
            )
        else:
            super()._present(section, key, child)


class _Fleet:
    """The edits of the list of nodes; `step` leads to its `entries`."""

    def __init__(self, editor: Editor, shared: Shared, step: Step, entries: ListEntry) -> None:
        self._editor = editor
        self._shared = shared
        self._step = step
        self._entries = entries

    def change(
        self, before: Sequence[GatewayNodeConfig], after: Sequence[GatewayNodeConfig]
    ) -> None:
        """Plan what changes in the nodes, and which of them come, go and move."""
        became = _matched(before, after)
        positions = {number: at for at, number in enumerate(became) if number is not None}
        moving = _moved(list(positions))
        moved: dict[int, Plan] = {}
        for number, at in sorted(positions.items()):
            editor = self._editor
            if number in moving:
                editor = editor.again()
                moved[number] = editor.plan
            if self._shared.is_there or before[number] != after[at]:
                alone = self._shared.is_there and self._comes_before_source(number, positions)
                edits = SectionEdits(editor, self._shared, alone=alone)
                edits.section(self._node(number), before[number], after[at])
        self._rearrange(became, moved, after)

    def _node(self, number: int) -> Step:
        return self._editor.item(self._step, self._entries, number)

    def _comes_before_source(self, number: int, positions: Mapping[int, int]) -> bool:
        """Whether a node is to come before another that has what it shares."""
        items = self._entries.items
        shared = {id(each.target) for each in aliases(items[number])}
        return bool(shared) and any(
            positions[other] > positions[number]
            and any(id(each) in shared for each in anchored(items[other]))
            for other in positions
            if other != number
        )

    def _rearrange(
        self,
        became: Sequence[int | None],
        moved: Mapping[int, Plan],
        after: Sequence[GatewayNodeConfig],
    ) -> None:
        for number in sorted(set(range(len(self._entries.items))) - set(became)):
            self._editor.remove_at(self._node(number))
        at = len(self._entries.items)
        added: list[Added] = []
        for node, was in zip(reversed(after), reversed(became), strict=True):
            if was is None:
                added.append(Added(at, None, unstructure(node, effective=False)))
            elif was in moved:
                copy = Copy(self._entries, was, moved[was], moved=True)
                added.append(Added(at, None, copy))
            else:
                at = was
        if added:
            changes = self._editor.changes(self._step)
            changes.added += reversed(added)
            changes.slots.update(dict.fromkeys(moved, REMOVED))


def _matched(
    before: Sequence[GatewayNodeConfig], after: Sequence[GatewayNodeConfig]
) -> list[int | None]:
    """For each node after, the number of the same one before.

    That is the one with its id, or where only the id has changed, the one in its place.
    """
    numbers = {node.id: number for number, node in enumerate(before)}
    found = [numbers.get(node.id) for node in after]
    gone = set(range(len(before))) - set(found)
    for position, node in enumerate(after):
        if found[position] is not None or position not in gone:
            continue
        if attrs.evolve(before[position], id=node.id) == node:
            found[position] = position
            gone.discard(position)
    return found


def _moved(numbers: Sequence[int]) -> set[int]:
    """The fewest of `numbers` that must move for all to be in this order."""
    return set(numbers) - {numbers[position] for position in longest_rise(numbers)}
