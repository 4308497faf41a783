"""Changes in one mapping or list in block style to splices: keys renamed, slots removed, new ones
added.

What becomes of a value that is replaced is in `block_values`.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from polar_config._editing.block_values import BlockValues
from polar_config._editing.plan import Added, Changes, Copy, Renamed, Replaced
from polar_config._editing.splice import Splice
from polar_config._yaml.layout import Layout
from polar_config._yaml.tree import Entry, ListEntry, MappingEntry, ScalarEntry
from polar_config._yaml.write import Style, entry_lines, is_block, item_lines, scalar_text


class Block:
    """The splices of one mapping or list in block style; `copied` gives the text of a copy."""

    def __init__(self, layout: Layout, changes: Changes, copied: Callable[[Copy], str]) -> None:
        self._layout = layout
        self._changes = changes
        self._copied = copied
        self._container = changes.container
        self._children = layout.children(changes.container)
        self._style = local_style(layout, changes)

    def splices(self) -> Iterator[Splice]:
        values = BlockValues(self._layout, self._container, self._style)
        for number, change in self._changes.slots.items():
            child = self._children[number]
            if isinstance(change, Replaced):
                yield from values.replaced(child, change.value)
            elif isinstance(change, Renamed) and isinstance(child.key, ScalarEntry):
                yield self._renamed(child.key, change.key)
        if self._changes.is_emptied():
            yield from self._emptied()
        elif not self._kept and not self._layout.is_first(self._children[0].start):
            yield self._all_new()
        else:
            yield from self._all_removed()
            yield from self._all_added()

    def _renamed(self, key: ScalarEntry, name: str) -> Splice:
        start = self._layout.after_properties(key, key.begin)
        old = self._layout.text[start : key.stop]
        start += len(old) - len(old.lstrip(" "))
        return Splice(start, key.stop, renamed_key(key, name, self._style.quote))

    # removing

    def _all_removed(self) -> Iterator[Splice]:
        removed = self._changes.removed
        hanging = 0
        if removed and not self._layout.is_first(self._children[0].start):
            hanging = sum(1 for count, number in enumerate(removed) if count == number)
        if hanging:
            yield self._removed_hanging(hanging)
        for number in removed[hanging:]:
            yield self._removed(number)

    def _removed(self, number: int) -> Splice:
        """A slot with its comments; of the blank lines around it, those above stay."""
        layout, text = self._layout, self._layout.text
        start = layout.lead(self._container, number)
        end = layout.own_tail(self._container, number)
        above, below = layout.blank_lines_before(start), layout.blank_lines(end)
        if below == len(text):
            if end == len(text) and not text.endswith("\n") and above:
                return Splice(above - 1, end, "")  # a missing final newline stays missing
            return Splice(above, end, "")
        is_first = not self._kept or number < self._kept[0]
        if above == start and is_first and not self._is_under_comment(start):
            return Splice(start, below, "")
        blank_lines = text.count("\n", above, start)
        while blank_lines and end < below:
            end, blank_lines = layout.next_line(end), blank_lines - 1
        return Splice(start, end, "")

    def _is_under_comment(self, line: int) -> bool:
        above = self._layout.line(line - 1) if line else 0
        return line > 0 and self._layout.text[above:line].lstrip(" ").startswith("#")

    def _removed_hanging(self, count: int) -> Splice:
        """The first keys beside a dash: the next one moves up to it, unless a comment is there."""
        first, last, kept = self._children[0], self._children[count - 1], self._children[count]
        end = self._layout.line_end(last.end)
        if not self._layout.text[end : kept.start].strip():
            return Splice(first.start, kept.start, "")
        before = self._layout.text[self._layout.line(first.start) : first.start]
        return Splice(first.start - len(before) + len(before.rstrip(" ")), end, "")

    def _emptied(self) -> Iterator[Splice]:
        """Nothing is left: ``{}`` or ``[]`` behind the key or the dash, or as the whole text."""
        layout, first = self._layout, self._children[0]
        empty = "{}" if isinstance(self._container, MappingEntry) else "[]"
        if not layout.is_first(first.start):
            last = self._children[-1].end
            end = last if layout.comment(last) is None else layout.line_end(last)
            yield Splice(first.start, end, empty)
            return
        for number in range(len(self._children)):
            start = layout.lead(self._container, number)
            end = layout.own_tail(self._container, number)
            if number:
                yield Splice(layout.blank_lines_before(start), end, "")
            elif self._changes.slot is None:
                yield Splice(layout.line(first.start), end, f"{empty}\n")
            else:
                yield Splice(start, end, "")
        if self._changes.slot is not None:
            holder, number = self._changes.slot
            at = layout.value_place(layout.children(holder)[number])
            yield Splice(at, at, f" {empty}")

    # adding

    def _all_added(self) -> Iterator[Splice]:
        groups: dict[int, list[Added]] = {}
        for each in self._changes.added:
            groups.setdefault(each.at, []).append(each)
        for at, group in groups.items():
            yield self._added_at(at, group)

    def _added_at(self, at: int, group: Sequence[Added]) -> Splice:
        """New slots in a row: spaced as the first of them is."""
        layout, count = self._layout, len(self._children)
        spaced = self._is_spaced(group[0])
        texts = ["".join(f"{line}\n" for line in self._lines(each)) for each in group]
        new = ("\n" if spaced else "").join(texts)
        if at < count and not layout.is_first(self._children[at].start):
            start = self._children[at].start  # beside a dash
            indent = " " * self._column
            return Splice(start, start, new[len(indent) :] + indent)
        if spaced:
            new = self._with_blank_line(at, new)
        place = layout.tail(self._container, count - 1)
        if at < count:
            place = layout.lead(self._container, at)
        if place == len(layout.text) and not layout.text.endswith("\n"):
            new = "\n" + new.removesuffix("\n")
        return Splice(place, place, new)

    def _all_new(self) -> Splice:
        """All that is added, beside the dash where what goes begins."""
        lines = [line for each in self._changes.added for line in self._lines(each)]
        end = self._layout.line_end(self._children[-1].end)
        return Splice(self._children[0].start, end, "\n".join(lines)[self._column :])

    def _with_blank_line(self, at: int, new: str) -> str:
        """`new` with a blank line towards its neighbor, if it has one."""
        if self._kept and self._kept[-1] >= at:
            return f"{new}\n"
        if self._kept or at > self._changes.added[0].at:
            return f"\n{new}"
        return new

    def _is_spaced(self, added: Added) -> bool:
        """Whether a blank line is before each slot but the first, and so before a new one.

        One before a single key is no evidence that a single value wants one.
        """
        evidence = 1 if isinstance(self._container, ListEntry) or is_block(added.value) else 2
        return len(self._children) > evidence and self._has_blank_lines

    @cached_property
    def _has_blank_lines(self) -> bool:
        layout, numbers = self._layout, range(1, len(self._children))
        starts = (layout.lead(self._container, number) for number in numbers)
        return all(layout.blank_lines_before(start) < start for start in starts)

    @cached_property
    def _kept(self) -> list[int]:
        return self._changes.kept

    @property
    def _column(self) -> int:
        return self._layout.column(self._children[0].start)

    def _lines(self, added: Added) -> list[str]:
        if isinstance(added.value, Copy):
            return self._copied(added.value).removesuffix("\n").split("\n")
        if added.key is not None:
            return list(entry_lines(added.key, added.value, self._column, self._style))
        return list(item_lines(added.value, self._column, self._style))


def local_style(layout: Layout, changes: Changes) -> Style:
    """The style of the document, with the spaces behind this list's own dashes."""
    style, children = layout.style(), layout.children(changes.container)
    if not children or children[0].key is not None:
        return style
    between = layout.text[children[0].start + 1 : children[0].value.begin]
    return style._replace(gap=len(between)) if between and not between.strip(" ") else style


def renamed_key(key: Entry, name: str, quote: str, *, flow: bool = False) -> str:
    """The text of a key with another name: in its own quotes, if it has some."""
    if not isinstance(key, ScalarEntry) or key.style is None:
        return scalar_text(name, quote, flow=flow)
    return scalar_text(
        name, key.style if key.style in {"'", '"'} else quote, quoted=True, flow=flow
    )
