"""Changes in block style to pieces of text: entries in lines of their own come, go, and get other values."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import cast

from polar_config._editing.plan import Added, Changes, Container, Copy
from polar_config._editing.splice import Splice
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.layout import Child, Layout
from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, ScalarEntry
from polar_config._yaml.write import (
    Style,
    entry_lines,
    flow_text,
    inline_lines,
    is_block,
    item_lines,
    scalar_text,
    value_lines,
)

_HEADER_COMMENT = re.compile(r"[ \t]+#[^\n]*")


class Block:
    """The splices of one block or list in block style."""

    def __init__(
        self, layout: Layout, root: Entry | None, changes: Changes, copied: Callable[[Copy], str]
    ) -> None:
        self._layout = layout
        self._root = root
        self._copied = copied  # the text of a copy
        self._changes = changes
        self._container = changes.container
        self._children = layout.children(changes.container)
        self._column = layout.column(self._children[0].start)
        self._style = self._local_style()
        kept = (
            [index for index in range(len(self._children)) if index not in changes.removed]
            if changes.added or changes.removed
            else [0]
        )
        self._first_kept, self._last_kept = (
            (kept[0], kept[-1]) if kept else (len(self._children), -1)
        )
        self._is_spaced = cache(self._found_spaced)

    def _local_style(self) -> Style:
        """The habits of the text, with the blanks behind this list's own dashes."""
        style, first = self._layout.style(), self._children[0]
        between = (
            self._layout.text[first.start + 1 : first.value.begin] if first.key is None else ""
        )
        return style._replace(gap=len(between)) if between and not between.strip(" ") else style

    def splices(self) -> Iterator[Splice]:
        changes = self._changes
        for index, name in changes.keys.items():
            key = cast("ScalarEntry", self._children[index].key)
            yield self._renamed(key, name)
        for index, value in changes.values.items():
            yield from self._replaced(self._children[index], value)
        if changes.is_emptied():
            yield from self._emptied()
        else:
            removed = sorted(changes.removed)
            if removed and not self._layout.is_first(self._children[0].start):
                hanging = sum(1 for number, index in enumerate(removed) if number == index)
                if hanging:
                    yield self._removed_hanging(hanging)
                removed = removed[hanging:]
            for index in removed:
                yield self._removed(index)
        yield from self._all_added()

    def _renamed(self, key: ScalarEntry, name: str) -> Splice:
        start = self._layout.after_properties(key, key.begin)
        start += len(self._layout.text[start : key.stop]) - len(
            self._layout.text[start : key.stop].lstrip(" ")
        )
        quote = key.style if key.style in {"'", '"'} else self._style.quote
        return Splice(start, key.stop, scalar_text(name, quote, quoted=key.style is not None))

    # removing

    def _removed(self, index: int) -> Splice:
        layout, text = self._layout, self._layout.text
        start, end = (
            layout.lead(self._container, index),
            layout.tail(self._container, index, own=True),
        )
        above, below = layout.blank_lines_before(start), layout.blank_lines(end)
        if below == len(text):
            if end == len(text) and not text.endswith("\n") and above:
                return Splice(above - 1, end, "")  # a missing final newline stays missing
            return Splice(above, end, "")
        if above == start and index < self._first_kept and not self._is_under_comment(start):
            return Splice(start, below, "")
        blanks = text.count("\n", above, start)
        while blanks and end < below:
            end, blanks = layout.next_line(end), blanks - 1
        return Splice(start, end, "")

    def _is_under_comment(self, line: int) -> bool:
        above = self._layout.line(line - 1) if line else 0
        return line > 0 and self._layout.text[above:line].lstrip(" ").startswith("#")

    def _removed_hanging(self, count: int) -> Splice:
        """The first keys beside a dash: the next one comes up to the dash, unless there is a comment between them."""
        first, last, kept = self._children[0], self._children[count - 1], self._children[count]
        end = self._layout.line_end(last.end)
        if not self._layout.text[end : kept.start].strip():
            return Splice(first.start, kept.start, "")
        before = self._layout.text[self._layout.line(first.start) : first.start]
        return Splice(first.start - len(before) + len(before.rstrip(" ")), end, "")

    def _emptied(self) -> Iterator[Splice]:
        """Nothing is left: ``{}`` or ``[]`` behind the key or the dash, or in the place of the whole text's keys."""
        layout = self._layout
        empty = "{}" if isinstance(self._container, MappingEntry) else "[]"
        first = self._children[0]
        if layout.is_first(first.start):
            for index in range(len(self._children)):
                start, end = (
                    layout.lead(self._container, index),
                    layout.tail(self._container, index, own=True),
                )
                start = layout.blank_lines_before(start) if index else start
                if index == 0 and self._changes.slot is None:
                    yield Splice(layout.line(first.start), end, f"{empty}\n")
                else:
                    yield Splice(start, end, "")
            if self._changes.slot is not None:
                at = self._value_place()
                yield Splice(at, at, f" {empty}")
        else:
            last = self._children[-1].end
            end = layout.line_end(last) if layout.comment(last) is not None else last
            yield Splice(first.start, end, empty)

    def _value_place(self) -> int:
        """Behind the colon or the dash, the anchor and the tag of what holds this block or list."""
        container, index = cast("tuple[Container, int]", self._changes.slot)
        child = self._layout.children(container)[index]
        return self._layout.after_properties(
            child.value, self._layout.colon(child.key) if child.key else child.start + 1
        )

    # adding

    def _all_added(self) -> Iterator[Splice]:
        groups: dict[int, list[Added]] = {}
        for each in self._changes.added:
            groups.setdefault(each.at, []).append(each)
        for at, group in groups.items():
            yield from self._added_at(at, group)

    def _added_at(self, at: int, group: Sequence[Added]) -> Iterator[Splice]:
        layout, count = self._layout, len(self._children)
        spaced = self._is_spaced(
            1 if isinstance(self._container, ListEntry) or is_block(group[0].value) else 2
        )
        texts = ["".join(f"{line}\n" for line in self._lines(each)) for each in group]
        new = ("\n" if spaced else "").join(texts)
        if at < count and not layout.is_first(self._children[at].start):
            start = self._children[at].start  # beside a dash
            indent = " " * self._column
            yield Splice(start, start, new[len(indent) :] + indent)
            return
        if spaced and self._last_kept >= at:
            new += "\n"
        elif spaced and (self._last_kept >= 0 or at > self._changes.added[0].at):
            new = f"\n{new}"
        place = (
            layout.lead(self._container, at)
            if at < count
            else layout.tail(self._container, count - 1)
        )
        if place == len(layout.text) and not layout.text.endswith("\n"):
            new = f"\n{new.removesuffix(chr(10))}"
        yield Splice(place, place, new)

    def _found_spaced(self, evidence: int) -> bool:
        """Whether a blank line stands before each entry but the first, and before so many at least.

        One before a single key is no evidence that a single value wants one.
        """
        layout = self._layout
        starts = [layout.lead(self._container, index) for index in range(1, len(self._children))]
        return len(starts) >= evidence and all(
            layout.blank_lines_before(start) < start for start in starts
        )

    def _lines(self, added: Added) -> list[str]:
        if isinstance(added.value, Copy):
            return self._copied(added.value).removesuffix("\n").split("\n")
        if isinstance(self._container, MappingEntry):
            return list(entry_lines(cast("str", added.key), added.value, self._column, self._style))
        return list(item_lines(added.value, self._column, self._style))

    # replacing

    def _replaced(self, child: Child, value: object) -> Iterator[Splice]:
        layout, old = self._layout, child.value
        behind = layout.colon(child.key) if child.key else child.start + 1
        place = layout.after_properties(old, behind)
        if tag := layout.tag(old, behind):
            yield Splice(*tag, "")
        begin = layout.after_trivia(place) if place < child.end else child.end
        is_old_block = isinstance(old, MappingEntry | ListEntry) and not old.flow
        if is_old_block:
            yield from self._replaced_block(child, place, value)
        elif is_block(value) and not isinstance(old, MappingEntry | ListEntry):
            yield from self.grown(child, place, value)
        else:
            yield from self._replaced_inline(child, place, begin, value)

    def _replaced_inline(
        self, child: Child, place: int, begin: int, value: object
    ) -> Iterator[Splice]:
        """A scalar, an alias, nothing or flow style, by something that stands in the same place."""
        layout, old = self._layout, child.value
        quoted = isinstance(old, ScalarEntry) and old.style in {"'", '"'}
        if isinstance(old, MappingEntry | ListEntry) and (is_mapping(value) or is_list(value)):
            lines = [flow_text(value, self._style.quote)]
        else:
            style = self._style_for(child, begin)
            lines = inline_lines(
                value, layout.column(child.start), style, quoted=quoted and isinstance(value, str)
            )
        lines[0] = ("" if begin > place else " ") + lines[0]
        is_literal = isinstance(old, ScalarEntry) and old.style in {"|", ">"}
        behind = layout.line_end(begin) if is_literal else child.end
        comment = _HEADER_COMMENT.search(layout.text, begin, behind) if is_literal else None
        hash_place = layout.comment(child.end)
        if comment:
            yield Splice(begin, child.end, "\n".join([lines[0] + comment[0], *lines[1:]]))
        elif len(lines) > 1 and hash_place is not None:  # the comment stays with the first line
            end = layout.line_end(child.end)
            yield Splice(begin, child.end, lines[0])
            yield Splice(end, end, "".join(f"\n{line}" for line in lines[1:]))
        elif (
            hash_place is not None
            and self._is_aligned(child, hash_place)
            and "\n" not in layout.text[begin : child.end]
        ):
            width = hash_place - begin - len(lines[0])
            yield Splice(begin, hash_place, lines[0] + " " * (width if width > 0 else 2))
        else:
            yield Splice(begin, child.end, "\n".join(lines))

    def _style_for(self, child: Child, begin: int) -> Style:
        """The style of a new value: its quotes and its indent are the old one's."""
        layout, old, style = self._layout, child.value, self._style
        if not isinstance(old, ScalarEntry):
            return style
        if old.style in {"'", '"'}:
            return style._replace(quote=old.style)
        column = layout.column(child.start)
        if old.style in {"|", ">"}:
            first = next(
                (
                    line
                    for line in layout.text[layout.next_line(begin) : child.end].split("\n")
                    if line.strip()
                ),
                None,
            )
            return (
                style
                if first is None
                else style._replace(step=max(1, len(first) - len(first.lstrip(" ")) - column))
            )
        below = layout.comment_column(layout.next_line(child.end))
        return (
            style._replace(literal=False) if below is not None and below > column else style
        )  # it would become a part of the text

    def _is_aligned(self, child: Child, hash_place: int) -> bool:
        """Whether another entry beside this one has its comment in the same column."""
        column = self._layout.column(hash_place)
        for other in self._children[max(0, child.number - 3) : child.number + 4]:
            if other is not child:
                place = self._layout.comment(other.end)
                if place is not None and self._layout.column(place) == column:
                    return True
        return False

    def _new_lines(self, child: Child, value: object) -> tuple[list[str], int]:
        """The lines of a block or list under a key, or beside a dash, and the column that they begin in."""
        column = self._layout.column(child.start)
        if child.key is None:
            column += 1 + self._style.gap
        else:
            column += self._style.step if is_mapping(value) else self._style.offset
        return list(value_lines(value, column, self._style)), column

    def grown(self, child: Child, place: int, value: object) -> Iterator[Splice]:
        """A scalar becomes a block or list; its comment stays with its line."""
        layout = self._layout
        lines, column = self._new_lines(child, value)
        end = self._own_end(child)
        begin = layout.after_trivia(place) if place < child.end else place
        if "\n" in layout.text[place:begin]:  # it has lines of its own already
            yield Splice(layout.line(begin), child.end, "\n".join(lines))
            return
        properties = child.value.anchor is not None and not isinstance(child.value, AliasEntry)
        if (
            child.key is None
            and not properties
            and "\n" not in layout.text[child.start : child.end]
        ):
            yield Splice(child.start + 1, child.end, f"{'':{self._style.gap}}{lines[0][column:]}")
            lines = lines[1:]
        else:
            yield Splice(min(place, child.end), child.end, "")
        yield Splice(end, end, "".join(f"\n{line}" for line in lines))

    def _own_end(self, child: Child) -> int:
        """The end of the line of an entry, or of the comments that go on below it."""
        end = self._layout.tail(self._container, child.number, own=True)
        return end - 1 if self._layout.text[end - 1 : end] == "\n" else end

    def _replaced_block(self, child: Child, place: int, value: object) -> Iterator[Splice]:
        """A block or list in lines of its own, by anything."""
        layout = self._layout
        inner = cast("Container", child.value)
        first = layout.children(inner)[0].start
        end = max(layout.line_end(child.end), layout.tail(inner, len(inner.items) - 1) - 1)
        if not layout.is_first(first):
            column = layout.column(first)
            if is_block(value):
                new = "\n".join(value_lines(value, column, self._style))[column:]
            else:
                new = "\n".join(inline_lines(value, layout.column(child.start), self._style))
            yield Splice(first, end, new)
            return
        head = layout.line_end(place)
        if is_block(value):
            yield Splice(
                head, end, "".join(f"\n{line}" for line in self._new_lines(child, value)[0])
            )
            return
        first_line, *rest = inline_lines(value, layout.column(child.start), self._style)
        yield Splice(place, place, f" {first_line}")
        yield Splice(head, end, "".join(f"\n{line}" for line in rest))
