"""Changes in a tree to pieces of text: what is cut out of a text, and what is put there instead. Nothing else of it moves.

Everything here computes places in one text, by its tree; `spliced` makes the new text. Block style is in `_block`, flow style in `_flow`.
"""

import re
from collections.abc import Iterator
from typing import cast

from polar_config._editing.block import Block
from polar_config._editing.flow import flow_splices
from polar_config._editing.plan import Changes, Container, Copy, Plan
from polar_config._editing.splice import Splice, spliced
from polar_config._yaml.layout import Layout
from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry
from polar_config._yaml.write import flow_text, is_block, value_lines

_ANCHOR = re.compile(r"&[^\s,\[\]{}]+[ \t]*")


def splices(layout: Layout, root: Entry | None, plan: Plan) -> list[Splice]:
    """The pieces of text that make `plan` true."""
    if plan.root is not None:
        return [_new_root(layout, root, plan.root)]
    found: list[Splice] = []
    inner_first: list[Changes] = sorted(plan.changes.values(), key=_inner_first)
    for changes in inner_first:
        if not changes.container.flow:
            found += Block(
                layout, root, changes, lambda copy: _copied_lines(layout, root, copy)
            ).splices()
        elif _outgrows(changes):
            found += _unflowed(layout, changes)
        else:
            found += flow_splices(layout, changes, lambda copy: _copied_flow(layout, copy))
    return found


def _inner_first(changes: Changes) -> int:
    """Where two end together, what is added to the inner one comes first."""
    return -changes.container.begin


def _new_root(layout: Layout, root: Entry | None, value: object) -> Splice:
    """The first keys of a text that holds nothing: at its end, or in the place of the word that says so."""
    lines = "\n".join(value_lines(value, 0, layout.style())) or flow_text(value)
    if root is not None and root.begin < root.stop:
        return Splice(root.begin, root.stop, lines)
    end = len(layout.text)
    before = "\n" if end and layout.text[-1] != "\n" else ""
    return Splice(end, end, f"{before}{lines}\n")


# --- copies -----------------------------------------------------------------------------------------------------------


def _copied_lines(layout: Layout, root: Entry | None, copy: Copy) -> str:
    """The lines of an entry with the comments above it, once more."""
    begin, end = (
        layout.lead(copy.container, copy.number),
        layout.tail(copy.container, copy.number, own=True),
    )
    text = _copied(layout, root, copy, layout.line(begin), end)
    return text if text.endswith("\n") else f"{text}\n"


def _copied_flow(layout: Layout, copy: Copy) -> str:
    """An entry of a list in flow style once more."""
    child = layout.children(copy.container)[copy.number]
    return _copied(layout, None, copy, child.start, child.end)


def _copied(layout: Layout, root: Entry | None, copy: Copy, begin: int, end: int) -> str:
    """A piece of the text with the changes of a copy in it."""
    anchors = () if copy.moved else _anchors(layout, copy.container.items[copy.number])
    inside = [*splices(layout, root, copy.plan), *anchors]
    return spliced(
        layout.text[begin:end],
        [Splice(each.start - begin, each.end - begin, each.text) for each in inside],
    )


def _anchors(layout: Layout, entry: Entry) -> Iterator[Splice]:
    """The anchors in an entry, cut out."""
    if isinstance(entry, AliasEntry):
        return
    if entry.anchor is not None:
        found = cast("re.Match[str]", _ANCHOR.search(layout.text, entry.begin))
        first = entry.items[0][0] if isinstance(entry, MappingEntry) and not entry.flow else None
        is_last = layout.text[found.end() : found.end() + 1] == "\n"
        if (
            is_last
            and first
            and first.column == layout.column(found.start())
            and not layout.text[found.end() : first.begin].strip()
        ):
            yield Splice(found.start(), first.begin, "")  # beside its dash again
        else:
            yield Splice(found.start() - is_last, found.end(), "")
    if isinstance(entry, MappingEntry):
        for key, value in entry.items:
            yield from _anchors(layout, key)
            yield from _anchors(layout, value)
    elif isinstance(entry, ListEntry):
        for value in entry.items:
            yield from _anchors(layout, value)


# --- flow style that outgrows its line --------------------------------------------------------------------------------


def _outgrows(changes: Changes) -> bool:
    """Whether an empty ``{}`` or ``[]`` gets entries that are blocks themselves, and stands where a block may."""
    if changes.container.items or changes.slot is None or changes.slot[0].flow:
        return False
    return any(is_block(each.value) for each in changes.added)


def _unflowed(layout: Layout, changes: Changes) -> Iterator[Splice]:
    container, number = cast("tuple[Container, int]", changes.slot)
    child = layout.children(container)[number]
    place = layout.after_properties(
        child.value, layout.colon(child.key) if child.key else child.start + 1
    )
    is_list = isinstance(changes.container, ListEntry)
    value = (
        [each.value for each in changes.added]
        if is_list
        else {each.key: each.value for each in changes.added}
    )
    outer = Block(layout, None, Changes(container, None), lambda copy: _copied_flow(layout, copy))
    yield from outer.grown(child, place, value)
