"""Changes in flow style, `{a: 1, b: [x]}`, to splices."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from polar_config._editing.plan import Added, Changes, Copy
from polar_config._editing.splice import Splice
from polar_config._yaml.layout import Child, Layout
from polar_config._yaml.tree import AliasEntry, ListEntry, MappingEntry, ScalarEntry
from polar_config._yaml.write import flow_pair, flow_text, scalar_text


class _Item(NamedTuple):
    """An entry with its surroundings: behind its comma, if it has one, and whether it has lines of its own."""

    child: Child
    comma: int | None
    own_lines: bool


def flow_splices(layout: Layout, changes: Changes, copied: Callable[[Copy], str]) -> list[Splice]:
    """The pieces of text for one block or list in flow style; `copied` gives the text of a copy."""
    return list(_Flow(layout, changes, copied).splices())


class _Flow:
    def __init__(self, layout: Layout, changes: Changes, copied: Callable[[Copy], str]) -> None:
        self._layout = layout
        self._copied = copied
        self._text = layout.text
        self._changes = changes
        container = changes.container
        self._open = layout.after_properties(container, container.begin)
        self._open = (
            layout.text.index("{" if isinstance(container, MappingEntry) else "[", self._open) + 1
        )
        self._close = container.stop - 1
        self._items = [self._item(child) for child in layout.children(container)]
        first = self._items[0].child.key if self._items else None
        self._quoted = layout.is_json or (isinstance(first, ScalarEntry) and first.style == '"')

    def _item(self, child: Child) -> _Item:
        """An entry and what stands behind it."""
        index, comma = child.end, None
        while index < self._close:
            if self._text[index] == "#":
                index = self._layout.line_end(index)
            elif self._text[index] == ",":
                comma = index + 1
                break
            else:
                index += 1
        behind = comma or child.end
        rest = self._text[behind : self._layout.line_end(behind)].lstrip(" \t")
        alone = (
            self._layout.is_first(child.start)
            and (not rest or rest.startswith("#"))
            and self._layout.line_end(behind) < self._close
        )
        return _Item(child, comma, alone and "\n" not in self._text[child.end : behind])

    def splices(self) -> Iterator[Splice]:
        changes = self._changes
        for index, name in changes.keys.items():
            key = cast("ScalarEntry", self._items[index].child.key)
            start = self._layout.after_properties(key, key.begin)
            quote = key.style if key.style in {"'", '"'} else '"'
            yield Splice(
                start, key.stop, scalar_text(name, quote, flow=True, quoted=key.style is not None)
            )
        for index, value in changes.values.items():
            child = self._items[index].child
            if tag := self._layout.tag(
                child.value, self._layout.colon(child.key) if child.key else child.start
            ):
                yield Splice(*tag, "")
            yield self._replaced(child, value)
        for run in self._runs():
            yield from self._removed(run)
        if changes.added:
            yield from self._all_added()

    def _replaced(self, child: Child, value: object) -> Splice:
        old = child.value
        place = self._layout.colon(child.key) if child.key else old.begin
        if not isinstance(old, AliasEntry):
            place = self._layout.after_properties(old, place)
        begin = place
        while begin < child.end and self._text[begin] in " \t":
            begin += 1
        quote = old.style if isinstance(old, ScalarEntry) and old.style in {"'", '"'} else None
        if isinstance(value, str) and isinstance(old, ScalarEntry):
            new = scalar_text(
                value,
                quote or self._layout.style().quote,
                flow=True,
                quoted=quote is not None,
                colon=":" in old.text,
            )
        else:
            new = self._flow_text(value)
        colonless = child.key is not None and self._text[place - 1] != ":" and old.anchor is None
        blank = ": " if colonless else " " if child.key is not None and begin == place else ""
        end = max(begin, child.end)
        while blank and self._text[end] == " ":
            end += 1
        return Splice(begin, end, blank + new)

    def _flow_text(self, value: object) -> str:
        return flow_text(
            value, '"' if self._quoted else self._layout.style().quote, quoted=self._quoted
        )

    # removing

    def _runs(self) -> Iterator[Sequence[int]]:
        """The removed entries, those that stand side by side together."""
        run: list[int] = []
        for index in sorted(self._changes.removed):
            if run and index != run[-1] + 1:
                yield run
                run = []
            run.append(index)
        if run:
            yield run

    def _removed(self, run: Sequence[int]) -> Iterator[Splice]:
        items = [self._items[index] for index in run]
        if self._changes.is_emptied() and "#" not in self._left():
            yield Splice(self._open, self._close, "")
            return
        if (
            run[0]
            and items[-1].comma is None
            and items[-1].own_lines
            and (comma := self._items[run[0] - 1].comma)
        ):
            yield Splice(comma - 1, comma, "")  # what is the last now had no comma behind it
        if all(item.own_lines for item in items):
            for index, item in zip(run, items, strict=True):
                yield Splice(
                    self._layout.lead(self._changes.container, index),
                    self._layout.next_line(item.comma or item.child.end),
                    "",
                )
            return
        first, last = items[0].child, items[-1].child
        if run[-1] + 1 < len(self._items) and self._is_clear(
            first.start, self._items[run[-1] + 1].child.start
        ):
            yield Splice(first.start, self._items[run[-1] + 1].child.start, "")
        elif (
            run[-1] + 1 == len(self._items)
            and run[0]
            and self._is_clear(self._items[run[0] - 1].child.end, last.end)
        ):
            yield Splice(self._items[run[0] - 1].child.end, last.end, "")
        else:
            for item in items:
                yield Splice(item.child.start, item.comma or item.child.end, "")

    def _left(self) -> str:
        """What stands between the brackets and belongs to no entry."""
        pieces: list[str] = []
        done = self._open
        for index, item in enumerate(self._items):
            pieces.append(
                self._text[done : max(done, self._layout.lead(self._changes.container, index))]
            )
            done = (
                self._layout.next_line(item.comma or item.child.end)
                if item.own_lines
                else item.comma or item.child.end
            )
        return "".join([*pieces, self._text[done : self._close]])

    def _is_clear(self, start: int, end: int) -> bool:
        """Whether no comment stands there; a ``#`` in a text is taken for one, which does no harm."""
        return "#" not in self._text[start:end] and "\n" not in self._text[start:end]

    # adding

    def _all_added(self) -> Iterator[Splice]:
        kept = [index for index in range(len(self._items)) if index not in self._changes.removed]
        groups: dict[int, list[str]] = {}
        for each in self._changes.added:
            groups.setdefault(each.at, []).append(self._new(each))
        for at, texts in groups.items():
            before = [index for index in kept if index < at]
            after = [index for index in kept if index >= at]
            if before and self._items[before[-1]].own_lines:
                yield from self._lines_after(self._items[before[-1]], texts)
            elif before:
                place = self._items[before[-1]].child.end
                yield Splice(place, place, "".join(f", {text}" for text in texts))
            elif after and self._items[after[0]].own_lines:
                place = self._layout.lead(self._changes.container, after[0])
                indent = " " * self._layout.column(self._items[after[0]].child.start)
                yield Splice(place, place, "".join(f"{indent}{text},\n" for text in texts))
            elif after:
                place = self._items[after[0]].child.start
                yield Splice(place, place, "".join(f"{text}, " for text in texts))
            else:
                yield Splice(self._open, self._open, ", ".join(texts))

    def _lines_after(self, item: _Item, texts: list[str]) -> Iterator[Splice]:
        """New lines behind an entry that has lines of its own."""
        indent = " " * self._layout.column(item.child.start)
        comma = "," if item.comma else ""
        if item.comma is None:
            yield Splice(item.child.end, item.child.end, ",")
        place = self._layout.next_line(item.comma or item.child.end)
        lines = [f"{indent}{text}," for text in texts[:-1]] + [f"{indent}{texts[-1]}{comma}"]
        yield Splice(place, place, "".join(f"{line}\n" for line in lines))

    def _new(self, added: Added) -> str:
        if isinstance(added.value, Copy):
            return self._copied(added.value)
        if isinstance(self._changes.container, ListEntry):
            return self._flow_text(added.value)
        quote = '"' if self._quoted else self._layout.style().quote
        return flow_pair(cast("str", added.key), added.value, quote, quoted=self._quoted)
