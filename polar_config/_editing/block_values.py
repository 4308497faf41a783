"""A value in block style replaced by another: comments stay, and new text is styled as the old."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from polar_config._editing.plan import Container
from polar_config._editing.splice import Splice
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.layout import Child, Layout
from polar_config._yaml.tree import AliasEntry, ListEntry, MappingEntry, ScalarEntry
from polar_config._yaml.write import Style, flow_text, inline_lines, is_block, value_lines

_HEADER_COMMENT = re.compile(r"[ \t]+#[^\n]*")
_NEIGHBORS = 3  # slots on either side whose comments may be in one column with this one's


class _Place(NamedTuple):
    """Where the old value is."""

    after: int
    """Behind the colon or the dash, the anchor and the tag."""
    begin: int
    """Its first character, behind the spaces."""
    end: int


class BlockValues:
    """The splices that put other values into the slots of one mapping or list in block style."""

    def __init__(self, layout: Layout, container: Container, style: Style) -> None:
        self._layout = layout
        self._container = container
        self._style = style

    def replaced(self, child: Child, value: object) -> Iterator[Splice]:
        """Another value in the place of the one of `child`."""
        layout, old = self._layout, child.value
        after = layout.value_place(child)
        if tag := layout.tag(old, layout.behind(child)):
            yield Splice(*tag, "")
        if isinstance(old, MappingEntry | ListEntry) and not old.flow:
            yield from self._instead_of_block(child, old, after, value)
        elif is_block(value) and not isinstance(old, MappingEntry | ListEntry):
            yield from self.grown(child, value)
        else:
            begin = layout.after_trivia(after) if after < child.end else child.end
            yield from self._inline(child, _Place(after, begin, child.end), value)

    # a scalar, an alias, nothing or flow style, by something that takes the same place

    def _inline(self, child: Child, place: _Place, value: object) -> Iterator[Splice]:
        layout = self._layout
        lines = self._inline_lines(child, place, value)
        if place.begin == place.after:
            lines[0] = f" {lines[0]}"
        header_comment = self._header_comment(child, place)
        comment = layout.comment(place.end)
        if header_comment is not None:
            lines[0] += header_comment
            yield Splice(place.begin, place.end, "\n".join(lines))
        elif comment is None:
            yield Splice(place.begin, place.end, "\n".join(lines))
        elif len(lines) > 1:
            yield from self._around_comment(place, lines)
        elif self._is_aligned(child, comment) and "\n" not in layout.text[place.begin : place.end]:
            yield self._up_to_comment(place, lines[0], comment)
        else:
            yield Splice(place.begin, place.end, lines[0])

    def _inline_lines(self, child: Child, place: _Place, value: object) -> list[str]:
        old = child.value
        if isinstance(old, MappingEntry | ListEntry) and (is_mapping(value) or is_list(value)):
            return [flow_text(value, self._style.quote)]
        quoted = isinstance(old, ScalarEntry) and old.style in {"'", '"'} and isinstance(value, str)
        style = self._style_for(child, place)
        return inline_lines(value, self._layout.column(child.start), style, quoted=quoted)

    def _header_comment(self, child: Child, place: _Place) -> str | None:
        """The comment behind the ``|`` or ``>`` of a block scalar."""
        if not isinstance(child.value, ScalarEntry) or child.value.style not in {"|", ">"}:
            return None
        line_end = self._layout.line_end(place.begin)
        found = _HEADER_COMMENT.search(self._layout.text, place.begin, line_end)
        return found[0] if found else None

    def _around_comment(self, place: _Place, lines: list[str]) -> Iterator[Splice]:
        """Several lines, of which the first keeps the comment."""
        end = self._layout.line_end(place.end)
        yield Splice(place.begin, place.end, lines[0])
        yield Splice(end, end, "".join(f"\n{line}" for line in lines[1:]))

    @staticmethod
    def _up_to_comment(place: _Place, line: str, comment: int) -> Splice:
        """A value that leaves the comment in its column, while there is room."""
        width = comment - place.begin - len(line)
        return Splice(place.begin, comment, line + " " * (width if width > 0 else 2))

    def _is_aligned(self, child: Child, comment: int) -> bool:
        """Whether a slot nearby has its comment in the same column."""
        column = self._layout.column(comment)
        return any(
            place is not None and self._layout.column(place) == column
            for place in (self._layout.comment(other.end) for other in self.neighbors(child))
        )

    def neighbors(self, child: Child) -> list[Child]:
        """The slots nearby whose comments count."""
        children = self._layout.children(self._container)
        near = children[max(0, child.number - _NEIGHBORS) : child.number + _NEIGHBORS + 1]
        return [other for other in near if other is not child]

    def _style_for(self, child: Child, place: _Place) -> Style:
        """The style of a new value: its quotes and its indent are the old one's."""
        layout, old, style = self._layout, child.value, self._style
        if not isinstance(old, ScalarEntry):
            return style
        if old.style in {"'", '"'}:
            return style._replace(quote=old.style)
        column = layout.column(child.start)
        if old.style in {"|", ">"}:
            lines = layout.text[layout.next_line(place.begin) : place.end].split("\n")
            first = next((line for line in lines if line.strip()), None)
            if first is None:
                return style
            return style._replace(step=max(1, len(first) - len(first.lstrip(" ")) - column))
        below = layout.comment_column(layout.next_line(child.end))
        if below is not None and below > column:
            return style._replace(literal=False)  # the comment would become a part of the string
        return style

    # something in lines of its own

    def grown(self, child: Child, value: object) -> Iterator[Splice]:
        """A scalar becomes a mapping or list in lines below; its comment stays with its line."""
        layout = self._layout
        place = layout.value_place(child)
        lines, column = self._new_lines(child, value)
        end = self._own_end(child)
        begin = layout.after_trivia(place) if place < child.end else place
        if "\n" in layout.text[place:begin]:  # it has lines of its own already
            yield Splice(layout.line(begin), child.end, "\n".join(lines))
            return
        if child.key is None and not self._has_anchor(child) and self._is_one_line(child):
            yield Splice(child.start + 1, child.end, f"{'':{self._style.gap}}{lines[0][column:]}")
            lines = lines[1:]
        else:
            yield Splice(min(place, child.end), child.end, "")
        yield Splice(end, end, "".join(f"\n{line}" for line in lines))

    @staticmethod
    def _has_anchor(child: Child) -> bool:
        return child.value.anchor is not None and not isinstance(child.value, AliasEntry)

    def _is_one_line(self, child: Child) -> bool:
        return "\n" not in self._layout.text[child.start : child.end]

    def _new_lines(self, child: Child, value: object) -> tuple[list[str], int]:
        """The lines of a mapping or list below a key, or beside a dash, and their column."""
        column = self._layout.column(child.start)
        if child.key is None:
            column += 1 + self._style.gap
        elif is_mapping(value):
            column += self._style.step
        else:
            column += self._style.offset
        return list(value_lines(value, column, self._style)), column

    def _own_end(self, child: Child) -> int:
        """The end of the line of a slot, or of the comments that go on below it."""
        end = self._layout.own_tail(self._container, child.number)
        return end - 1 if self._layout.text[end - 1 : end] == "\n" else end

    def _instead_of_block(
        self, child: Child, old: Container, after: int, value: object
    ) -> Iterator[Splice]:
        """Anything in the place of a mapping or list in lines of its own."""
        layout = self._layout
        first = layout.children(old)[0].start
        end = max(layout.line_end(child.end), layout.tail(old, len(old.items) - 1) - 1)
        column = layout.column(child.start)
        if not layout.is_first(first):
            yield Splice(first, end, self._beside(layout.column(first), column, value))
            return
        head = layout.line_end(after)
        if is_block(value):
            lines = self._new_lines(child, value)[0]
        else:
            first_line, *lines = inline_lines(value, column, self._style)
            yield Splice(after, after, f" {first_line}")
        yield Splice(head, end, "".join(f"\n{line}" for line in lines))

    def _beside(self, first: int, column: int, value: object) -> str:
        """The text of a value that begins beside a dash or a key, in column `first`."""
        if is_block(value):
            return "\n".join(value_lines(value, first, self._style))[first:]
        return "\n".join(inline_lines(value, column, self._style))
