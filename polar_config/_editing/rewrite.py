"""A plan to splices: what is cut out of a text, and what is put there instead. Nothing else of it
moves.

Everything here computes places in one text, by its tree. Block style is in `block`, flow style in
`flow`.
"""

import re
from collections.abc import Iterator

from polar_config._editing.block import Block, local_style
from polar_config._editing.block_values import BlockValues
from polar_config._editing.flow import Flow
from polar_config._editing.plan import Changes, Copy, Plan, Slot
from polar_config._editing.splice import Splice, spliced
from polar_config._yaml.layout import Layout
from polar_config._yaml.lookup import anchored
from polar_config._yaml.tree import Entry, ListEntry, MappingEntry
from polar_config._yaml.write import flow_text, is_block, value_lines

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+[ \t]*")


def splices(layout: Layout, plan: Plan) -> list[Splice]:
    """The splices that make `plan` true."""
    if plan.makes_root:
        return [_new_root(layout, plan.root)]
    found: list[Splice] = []
    # where two containers end together, what is added to the inner one comes first
    for changes in sorted(plan, key=_inner_first):
        found += _splices(layout, changes)
    return found


def _inner_first(changes: Changes) -> int:
    return -changes.container.begin


def _splices(layout: Layout, changes: Changes) -> Iterator[Splice]:
    if not changes.container.flow:
        return Block(layout, changes, lambda copy: _copied_lines(layout, copy)).splices()
    if changes.slot is not None and outgrows(changes):
        return _unflowed(layout, changes, changes.slot)
    return Flow(layout, changes, lambda copy: _copied_flow(layout, copy)).splices()


def _new_root(layout: Layout, value: object) -> Splice:
    """The first keys of a document that holds nothing: at its end, or instead of its ``null``."""
    lines = "\n".join(value_lines(value, 0, layout.style())) or flow_text(value)
    root = layout.root
    if root is not None and root.begin < root.stop:
        return Splice(root.begin, root.stop, lines)
    end = len(layout.text)
    before = "\n" if end and layout.text[-1] != "\n" else ""
    return Splice(end, end, f"{before}{lines}\n")


# --- copies ---------------------------------------------------------------------------------------


def copied_span(layout: Layout, copy: Copy) -> tuple[int, int]:
    """Where a copy is taken from: in block style whole lines with the comments above."""
    if copy.container.flow:
        child = layout.children(copy.container)[copy.number]
        return child.start, child.end
    begin = layout.line(layout.lead(copy.container, copy.number))
    return begin, layout.own_tail(copy.container, copy.number)


def copy_splices(layout: Layout, copy: Copy) -> list[Splice]:
    """What changes in a copy: its plan, and unless it was moved, the anchors that it loses."""
    found = splices(layout, copy.plan)
    if not copy.moved:
        found += [
            _without_anchor(layout, each) for each in anchored(copy.container.items[copy.number])
        ]
    return found


def _copied_lines(layout: Layout, copy: Copy) -> str:
    """The lines of an item with the comments above it, once more."""
    text = _copied_flow(layout, copy)
    return text if text.endswith("\n") else f"{text}\n"


def _copied_flow(layout: Layout, copy: Copy) -> str:
    begin, end = copied_span(layout, copy)
    inside = [
        Splice(each.start - begin, each.end - begin, each.text)
        for each in copy_splices(layout, copy)
    ]
    return spliced(layout.text[begin:end], inside)


def _without_anchor(layout: Layout, entry: Entry) -> Splice:
    """The anchor of an entry, cut out."""
    start = layout.text.index("&", entry.begin)
    found = _ANCHOR.match(layout.text, start)
    end = start + len(found[0]) if found else start
    if layout.text[end : end + 1] != "\n":
        return Splice(start, end, "")
    if isinstance(entry, MappingEntry) and not entry.flow:
        first = entry.items[0][0]
        is_below = first.column == layout.column(start)
        if is_below and not layout.text[end : first.begin].strip():
            return Splice(start, first.begin, "")  # beside its dash again
    return Splice(start - 1, end, "")


# --- flow style that outgrows its line ------------------------------------------------------------


def outgrows(changes: Changes) -> bool:
    """Whether an empty ``{}`` or ``[]`` gets what takes lines, where there may be lines."""
    if changes.container.items or changes.slot is None or changes.slot[0].flow:
        return False
    return any(is_block(each.value) for each in changes.added)


def _unflowed(layout: Layout, changes: Changes, slot: Slot) -> Iterator[Splice]:
    """The value of an empty ``{}`` or ``[]`` grows as a scalar does."""
    container, number = slot
    value: object = {each.key: each.value for each in changes.added}
    if isinstance(changes.container, ListEntry):
        value = [each.value for each in changes.added]
    style = local_style(layout, Changes(container, None))
    yield from BlockValues(layout, container, style).grown(
        layout.children(container)[number], value
    )
