"""What an edit writes of a text, and what it looks at: edits that leave each other's footprint
alone can be made together.

An edit is planned on a text and its tree. Made after another one, it would come out the same if
nothing it has looked at had changed. Two kinds of looking differ: at characters, and at lines, of
which only counts whether they are blank, a comment or something else, and where they begin.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from polar_config._editing.block_values import BlockValues
from polar_config._editing.plan import Added, Changes, Copy, Plan, Renamed, Replaced
from polar_config._editing.rewrite import copied_span, copy_splices, outgrows, splices
from polar_config._editing.splice import Splice
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.layout import Child, Layout
from polar_config._yaml.tree import Entry, ScalarEntry


class Span(NamedTuple):
    """A stretch of a text."""

    start: int
    end: int


class Spans:
    """Stretches of a text that do not overlap, in order."""

    def __init__(self) -> None:
        self._found: list[Span] = []

    def add(self, span: Span) -> None:
        insort(self._found, span)

    def touches(self, start: int, end: int) -> bool:
        """Whether one of them has a character, or an insertion, from `start` to `end`."""
        return any(_touch(each, start, end) for each in self._near(start, end))

    def starts_inside(self, start: int, end: int) -> Iterator[int]:
        """Where those begin that begin between `start` and `end`."""
        return (each.start for each in self._near(start, end) if start < each.start < end)

    def contains(self, index: int) -> bool:
        """Whether an insertion at `index` is inside of one of them."""
        return any(each.start < index < each.end for each in self._near(index, index))

    def _near(self, start: int, end: int) -> Iterator[Span]:
        number = max(0, bisect_left(self._found, (start, start)) - 1)
        while number < len(self._found) and self._found[number].start <= end:
            yield self._found[number]
            number += 1


def _touch(span: Span, start: int, end: int) -> bool:
    # which of two insertions comes first would depend on their order
    is_same_insertion = span.start == span.end == start == end
    return is_same_insertion or (span.start < end and span.end > start)


class Footprint:
    """What one edit writes and looks at in one text."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.inline: list[Span] = []
        """What is written within a line that was, and stays, neither blank nor a comment."""
        self.lines: list[Span] = []
        """What is written otherwise."""
        self.inserted: list[Span] = []
        """Whole lines that are put between two lines."""
        self.characters: list[Span] = []
        """What is looked at character by character."""
        self.outlines: list[Span] = []
        """What is looked at line by line."""

    # writing

    def write(self, splices: Iterable[Splice]) -> None:
        """Add what the splices write."""
        text = self._layout.text
        for start, end, new in splices:
            span = Span(start, end)
            if start == end and text[start - 1 : start] in {"", "\n"} and _are_lines(new):
                self.inserted.append(span)
            elif "\n" in new or "\n" in text[start:end] or not self._is_inline(span, new):
                # what is beside an insertion of lines may look at it as well
                width = int(start == end)
                self.lines.append(Span(start - width, end + width))
            else:
                self.inline.append(span)

    def _is_inline(self, span: Span, new: str) -> bool:
        if not new and self._layout.text[span.end : span.end + 1] in {"", "\n"}:
            return False  # the rest of a line goes
        return self._is_within_words(span, new)

    def _is_within_words(self, span: Span, new: str) -> bool:
        """Whether its line has something before the span, or there was and is something in it."""
        before = self._layout.text[self._layout.line(span.start) : span.start].strip(" \t")
        if before:
            return not before.startswith("#")
        return bool(new.strip(" \t")) and bool(self._layout.text[span.start : span.end].strip())

    # looking

    def look(self, entry: Entry) -> None:
        """Add what an entry says."""
        self.characters.append(Span(entry.begin, entry.stop))

    def look_at_changes(self, changes: Changes) -> None:
        """Add what the places of changes depend on."""
        container = changes.container
        children = self._layout.children(container)
        for number, change in changes.slots.items():
            child = children[number]
            if isinstance(change, Renamed) and child.key is not None:
                self.look(child.key)
            elif isinstance(change, Replaced) and container.flow:
                self._look_beside(child)
            elif isinstance(change, Replaced):
                self._look_at_value(changes, child, change.value)
            else:
                self._look_around(child)
        if container.flow and changes.removed:
            start = self._layout.line(container.begin)
            self.outlines.append(Span(start, self._after(container.stop)))
        if changes.added:
            self._look_for_additions(changes)
            for each in changes.added:
                self.look_at_copy(each)

    def _look_at_value(self, changes: Changes, child: Child, value: object) -> None:
        """A value in block style: its lines, and the comments that may be in one column."""
        layout = self._layout
        self.characters.append(Span(child.start, layout.next_line(child.end)))
        if not is_simple(child, value):
            self._look_around(child)
        if layout.comment(child.end) is not None:
            values = BlockValues(layout, changes.container, layout.style())
            for other in values.neighbors(child):
                line = Span(layout.line(other.end), layout.next_line(other.end))
                self.characters.append(line)

    def _look_beside(self, child: Child) -> None:
        """A value in flow style, with the spaces behind it."""
        end = child.end
        while self._layout.text[end : end + 1] == " ":
            end += 1
        self.characters.append(Span(child.start, end + 1))

    def _look_around(self, child: Child) -> None:
        """A slot with the comments and blank lines around it, up to the lines beyond."""
        start = self._layout.line(self._before(child.start) - 1)
        self.outlines.append(Span(max(0, start), self._after(child.end)))

    def _look_for_additions(self, changes: Changes) -> None:
        layout, container = self._layout, changes.container
        children = layout.children(container)
        if not children:  # an empty {} or [] may grow
            self.outlines.append(Span(layout.line(container.begin), self._after(container.stop)))
            return
        last = children[-1].end
        if container.flow:
            self.outlines.append(Span(last, self._after(container.stop)))
        else:
            # what is between the first dash and its item is between the others, too
            self.outlines.append(Span(children[0].start, children[0].value.begin + 1))
            # from the last character on, which may be the last of a file without a newline
            self.outlines.append(Span(layout.line_end(last) - 1, self._after(last)))
            # whether a blank line is before each
            for child in children[1:]:
                self.outlines.append(Span(self._before(child.start), layout.line(child.start)))
        for each in changes.added:
            if each.at < len(children):
                self._look_around(children[each.at])

    def look_at_copy(self, added: Added) -> None:
        if isinstance(added.value, Copy):
            self.characters.append(Span(*copied_span(self._layout, added.value)))
            source = self._layout.children(added.value.container)[added.value.number]
            self._look_around(source)

    def _before(self, index: int) -> int:
        """The beginning of the blank lines and comments above the line of `index`."""
        layout = self._layout
        start = layout.line(index)
        while start > 0:
            above = layout.line(start - 1)
            words = layout.text[above:start].strip()
            if words and not words.startswith("#"):
                break
            start = above
        return start

    def _after(self, index: int) -> int:
        """The end of the line behind the blank lines and comments below the line of `index`.

        At the end of the text it is beyond: that nothing follows has been looked at as well.
        """
        layout, end = self._layout, self._layout.next_line(index)
        while end < len(layout.text):
            start, end = end, layout.next_line(end)
            words = layout.text[start:end].strip()
            if words and not words.startswith("#"):
                return end
        return end + 1


def _are_lines(new: str) -> bool:
    """Whether `new` is whole lines, of which neither the first nor the last is blank."""
    return new.endswith("\n") and not new.startswith("\n") and not new.endswith("\n\n")


def footprint(layout: Layout, plan: Plan, entries: Iterable[Entry]) -> Footprint:
    """What a plan writes, and looks at beside the `entries` that its key path has seen."""
    found = Footprint(layout)
    for entry in entries:
        found.look(entry)
    for changes in plan:
        found.look_at_changes(changes)
    found.write(splices(layout, plan))
    return found


def copies_footprint(layout: Layout, plan: Plan, entries: Iterable[Entry]) -> Footprint:
    """The same for a plan that only appends, without where it appends to."""
    found = Footprint(layout)
    for entry in entries:
        found.look(entry)
    for changes in plan:
        for added in changes.added:
            found.look_at_copy(added)
    return found


def copy_footprint(layout: Layout, copy: Copy) -> Footprint:
    """The same for the changes in a copy, which are made in the text of its source."""
    found = Footprint(layout)
    for changes in copy.plan:
        found.look_at_changes(changes)
    found.write(copy_splices(layout, copy))
    return found


def is_simple(child: Child, value: object) -> bool:
    """Whether a scalar in one line becomes another in the same line."""
    old = child.value
    if not isinstance(old, ScalarEntry) or old.empty or old.line != old.last_line:
        return False
    return old.style not in {"|", ">"} and is_one_line(value)


def is_one_line(value: object) -> bool:
    """Whether `value` is a scalar that is written in one line."""
    if is_mapping(value) or is_list(value):
        return False
    return not isinstance(value, str) or "\n" not in value


def appends(changes: Changes) -> Iterator[Added]:
    """The new keys or items behind the last one."""
    end = len(changes.container.items)
    return (each for each in changes.added if each.at == end and end and not outgrows(changes))
