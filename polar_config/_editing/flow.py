"""Changes in one mapping or list in flow style, `{a: 1, b: [x]}`, to splices."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from polar_config._editing.block import renamed_key
from polar_config._editing.plan import Added, Changes, Copy, Renamed, Replaced
from polar_config._editing.splice import Splice
from polar_config._yaml.data import scalar
from polar_config._yaml.layout import Child, Layout
from polar_config._yaml.tree import MappingEntry, ScalarEntry
from polar_config._yaml.write import flow_pair, flow_text, scalar_text


class _Item(NamedTuple):
    """A slot with its surroundings."""

    child: Child
    comma: int | None
    """Behind its comma, if it has one."""
    own_lines: bool

    @property
    def end(self) -> int:
        """Behind it and its comma."""
        return self.comma or self.child.end


class Flow:
    """The splices of one mapping or list in flow style; `copied` gives the text of a copy."""

    def __init__(self, layout: Layout, changes: Changes, copied: Callable[[Copy], str]) -> None:
        self._layout = layout
        self._text = layout.text
        self._changes = changes
        self._copied = copied
        container = changes.container
        bracket = "{" if isinstance(container, MappingEntry) else "["
        begin = layout.after_properties(container, container.begin)
        self._open = layout.text.index(bracket, begin) + 1
        self._close = container.stop - 1
        self._items = [self._item(child) for child in layout.children(container)]
        first = self._items[0].child.key if self._items else None
        self._quoted = layout.style().json or (
            isinstance(first, ScalarEntry) and first.style == '"'
        )
        self._quote = '"' if self._quoted else layout.style().quote

    def _item(self, child: Child) -> _Item:
        """A slot with what is behind it."""
        layout, text = self._layout, self._text
        comma = self._comma(child.end)
        behind = comma or child.end
        rest = text[behind : layout.line_end(behind)].lstrip(" \t")
        own_lines = (
            layout.is_first(child.start)
            and (not rest or rest.startswith("#"))
            and layout.line_end(behind) < self._close
            and "\n" not in text[child.end : behind]
        )
        return _Item(child, comma, own_lines)

    def _comma(self, index: int) -> int | None:
        """Behind the comma that follows `index`; None where the bracket comes first."""
        while index < self._close:
            if self._text[index] == ",":
                return index + 1
            if self._text[index] == "#":
                index = self._layout.line_end(index)
            else:
                index += 1
        return None

    def splices(self) -> Iterator[Splice]:
        for number, change in self._changes.slots.items():
            child = self._items[number].child
            if isinstance(change, Replaced):
                if tag := self._layout.tag(child.value, self._tag_place(child)):
                    yield Splice(*tag, "")
                yield self._replaced(child, change.value)
            elif isinstance(change, Renamed) and child.key is not None:
                start = self._layout.after_properties(child.key, child.key.begin)
                name = renamed_key(child.key, change.key, '"', flow=True)
                yield Splice(start, child.key.stop, name)
        for run in self._runs():
            yield from self._removed(run)
        if self._changes.added:
            yield from self._all_added()

    # replacing

    def _tag_place(self, child: Child) -> int:
        return child.start if child.key is None else self._layout.colon(child.key)

    def _replaced(self, child: Child, value: object) -> Splice:
        old, text = child.value, self._text
        place = old.begin if child.key is None else self._layout.colon(child.key)
        place = self._layout.after_properties(old, place)
        begin = place
        while begin < child.end and text[begin] in " \t":
            begin += 1
        end = max(begin, child.end)
        lead = self._lead(child, place, begin)
        while lead and text[end] == " ":
            end += 1
        return Splice(begin, end, lead + self._value_text(child, value))

    def _lead(self, child: Child, place: int, begin: int) -> str:
        """What is missing between a key and its new value: a space, and the colon of a bare key."""
        if child.key is None:
            return ""
        if self._text[place - 1] != ":" and child.value.anchor is None:
            return ": "
        return " " if begin == place else ""

    def _value_text(self, child: Child, value: object) -> str:
        old = child.value
        if not isinstance(value, str) or not isinstance(old, ScalarEntry):
            return self._flow_text(value)
        if old.style in {"'", '"'} or (self._quoted and not isinstance(scalar(old), str)):
            return scalar_text(value, old.style or self._quote, flow=True, quoted=True)
        quote = self._layout.style().quote
        return scalar_text(value, quote, flow=True, colon=":" in old.text)

    def _flow_text(self, value: object) -> str:
        return flow_text(value, self._quote, quoted=self._quoted)

    # removing

    def _runs(self) -> Iterator[Sequence[int]]:
        """The removed slots, those that are side by side together."""
        run: list[int] = []
        for number in self._changes.removed:
            if run and number != run[-1] + 1:
                yield run
                run = []
            run.append(number)
        if run:
            yield run

    def _removed(self, run: Sequence[int]) -> Iterator[Splice]:
        items = [self._items[number] for number in run]
        before = self._items[run[0] - 1] if run[0] else None
        after = self._items[run[-1] + 1] if run[-1] + 1 < len(self._items) else None
        first, last = items[0], items[-1]
        if self._changes.is_emptied() and "#" not in self._left():
            yield Splice(self._open, self._close, "")
            return
        if before and before.comma and last.own_lines and last.comma is None:
            # what is the last now had no comma behind it
            yield Splice(before.comma - 1, before.comma, "")
        if all(item.own_lines for item in items):
            for number, item in zip(run, items, strict=True):
                start = self._layout.lead(self._changes.container, number)
                yield Splice(start, self._layout.next_line(item.end), "")
        elif after and self._is_clear(first.child.start, after.child.start):
            yield Splice(first.child.start, after.child.start, "")
        elif before and not after and self._is_clear(before.child.end, last.child.end):
            yield Splice(before.child.end, last.child.end, "")
        else:
            for item in items:
                yield Splice(item.child.start, item.end, "")

    def _left(self) -> str:
        """What is between the brackets and belongs to no slot."""
        pieces: list[str] = []
        done = self._open
        for number, item in enumerate(self._items):
            start = self._layout.lead(self._changes.container, number)
            pieces.append(self._text[done : max(done, start)])
            done = self._layout.next_line(item.end) if item.own_lines else item.end
        return "".join([*pieces, self._text[done : self._close]])

    def _is_clear(self, start: int, end: int) -> bool:
        """Whether no comment is there; a ``#`` in a string is taken for one, which does no harm."""
        return "#" not in self._text[start:end] and "\n" not in self._text[start:end]

    # adding

    def _all_added(self) -> Iterator[Splice]:
        groups: dict[int, list[str]] = {}
        for each in self._changes.added:
            groups.setdefault(each.at, []).append(self._new(each))
        kept = self._changes.kept
        for at, texts in groups.items():
            before = [self._items[number] for number in kept if number < at]
            after = [self._items[number] for number in kept if number >= at]
            if before:
                yield from self._behind(before[-1], texts)
            elif after:
                yield self._before(after[0], texts)
            else:
                yield Splice(self._open, self._open, ", ".join(texts))

    def _behind(self, item: _Item, texts: list[str]) -> Iterator[Splice]:
        if not item.own_lines:
            place = item.child.end
            yield Splice(place, place, "".join(f", {text}" for text in texts))
            return
        indent = " " * self._layout.column(item.child.start)
        if item.comma is None:
            yield Splice(item.child.end, item.child.end, ",")
        place = self._layout.next_line(item.end)
        lines = [f"{indent}{text},\n" for text in texts]
        if item.comma is None:
            lines[-1] = f"{indent}{texts[-1]}\n"
        yield Splice(place, place, "".join(lines))

    def _before(self, item: _Item, texts: list[str]) -> Splice:
        if not item.own_lines:
            return Splice(
                item.child.start, item.child.start, "".join(f"{each}, " for each in texts)
            )
        place = self._layout.lead(self._changes.container, item.child.number)
        indent = " " * self._layout.column(item.child.start)
        return Splice(place, place, "".join(f"{indent}{text},\n" for text in texts))

    def _new(self, added: Added) -> str:
        if isinstance(added.value, Copy):
            return self._copied(added.value)
        if added.key is None:
            return self._flow_text(added.value)
        return flow_pair(added.key, added.value, self._quote, quoted=self._quoted)
