"""Where the slots of a text are: each key with its value and each item with its dash, and their
comments.

Whose comment is whose:

- a comment above a slot, in its column and with no blank line between, belongs to it, but above the
  first key of the file it belongs to the file;
- a comment at the end of its line belongs to it, with the lines that go on in a deeper column;
- whatever is ambiguous belongs to nobody and stays where it is.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from polar_config._yaml.lines import Lines
from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, ScalarEntry
from polar_config._yaml.write import Style

Container = MappingEntry | ListEntry

_COLON = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*:(?!\S)|[ \t]*:")
_PROPERTIES = re.compile(r"(?:\s*[&!][^\s]*)+")
_TAG = re.compile(r"(?<=[\s,\[{])!\S*[ \t]*")


class Child(NamedTuple):
    """What is in one slot, and where."""

    number: int
    key: Entry | None
    value: Entry
    start: int
    """The first character: the key's, the ``?``'s or the dash's."""
    end: int
    """Behind the last one."""


class Layout(Lines):
    """Where the slots of one text are; `style` is that of new text, if it is known already."""

    def __init__(self, text: str, root: Entry | None, style: Style | None = None) -> None:
        super().__init__(text)
        self.root = root
        self._children: dict[int, Sequence[Child]] = {}
        self._style = style

    # slots

    def _is_json(self) -> bool:
        """Whether the whole text is JSON, as its first key shows."""
        root = self.root
        if not isinstance(root, MappingEntry) or not root.flow or not root.items:
            return False
        first = root.items[0][0]
        return isinstance(first, ScalarEntry) and first.style == '"'

    def children(self, container: Container) -> Sequence[Child]:
        """The slots of a mapping or list in either style."""
        found = self._children.get(id(container))
        if found is None:
            if isinstance(container, MappingEntry):
                found = list(self._keyed(container))
            else:
                found = list(self._listed(container))
            self._children[id(container)] = found
        return found

    def _keyed(self, mapping: MappingEntry) -> Iterator[Child]:
        for number, (key, value) in enumerate(mapping.items):
            yield Child(number, key, value, self._key_start(key), self._end(value, key))

    def _key_start(self, key: Entry) -> int:
        """Where a key begins: at its ``?``, if it has one."""
        mark = key.begin - 1
        while mark >= 0 and self.text[mark] == " ":
            mark -= 1
        if mark < 0 or self.text[mark] != "?":
            return key.begin
        is_complex = self.text[mark - 1 : mark] in {"", " ", "\n", "{", "[", ","}
        return mark if is_complex else key.begin

    def _listed(self, entries: ListEntry) -> Iterator[Child]:
        index = self.after_properties(entries, entries.begin)
        for number, value in enumerate(entries.items):
            if entries.flow:
                yield Child(number, None, value, value.begin, value.stop)
            else:
                dash = self.after_trivia(index)
                index = self._end(value, None) or dash + 1
                yield Child(number, None, value, dash, index)

    def colon(self, key: Entry) -> int:
        """Behind the colon of a key, or the end of the key where it has none."""
        found = _COLON.match(self.text, key.stop)
        return found.end() if found else key.stop

    def behind(self, child: Child) -> int:
        """Behind the colon or the dash of a slot."""
        return child.start + 1 if child.key is None else self.colon(child.key)

    def value_place(self, child: Child) -> int:
        """The same, and behind the anchor and the tag of its value: where another value is put."""
        return self.after_properties(child.value, self.behind(child))

    def after_properties(self, entry: Entry, index: int) -> int:
        """Behind the anchor and the tag of `entry`, if it has some at or behind `index`."""
        if not has_properties(entry):
            return index
        found = _PROPERTIES.match(self.text, index)
        return found.end() if found else index

    def tag(self, entry: Entry, index: int) -> tuple[int, int] | None:
        """The span of the tag of `entry` at or behind `index`, with a space beside it."""
        found = _TAG.search(self.text, index) if entry.tag is not None else None
        if found is None or isinstance(entry, AliasEntry):
            return None
        is_last = found.end() < len(self.text) and self.text[found.end()] == "\n"
        return found.start() - is_last, found.end()

    def _end(self, value: Entry, key: Entry | None) -> int:
        """Behind the last character of a value, or of its key if it is empty; 0 without one."""
        if isinstance(value, ScalarEntry):
            if value.style in {"|", ">"}:
                return self._literal_end(value)
            if value.empty:
                return self.colon(key) if key else 0
        elif isinstance(value, MappingEntry) and not value.flow:
            last_key, last = value.items[-1]
            return self._end(last, last_key)
        elif isinstance(value, ListEntry) and not value.flow:
            return self._end(value.items[-1], None) or self.children(value)[-1].end
        return value.stop

    def _literal_end(self, value: ScalarEntry) -> int:
        """Behind the last line of a text of several lines that is more than blank; with ``+`` the
        blank ones count.
        """
        start, end = value.begin, value.stop
        header, *lines = self.text[start:end].split("\n")
        if "+" in header.split("#")[0]:
            return end - 1 if self.text[end - 1 : end] == "\n" else end
        if lines and not lines[-1].strip(" "):
            lines.pop()
        indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")]
        while (
            lines
            and not lines[-1].strip(" ")
            and len(lines[-1]) <= min(indents, default=len(lines[-1]))
        ):
            lines.pop()
        return start + len("\n".join([header, *lines]))

    # whose comment is whose

    def lead(self, container: Container, index: int) -> int:
        """Where a slot begins with the comments above it.

        That is its first character where something else is before that in its line.
        """
        children = self.children(container)
        child = children[index]
        if not self.is_first(child.start):
            return child.start
        begin = self.line(child.start)
        if container is self.root and index == 0:
            return begin  # comments above the first key belong to the file
        columns = {child.start - begin}
        if index == 0 and isinstance(container, ListEntry):
            columns.add(self.column(child.value.begin))
        bound = container.begin if container.flow else 0
        if index:
            bound = children[index - 1].end
        while begin > 0 and (above := self.line(begin - 1)) > bound:
            if self.comment_column(above) not in columns:
                break
            begin = above
        return begin

    def tail(self, container: Container, index: int) -> int:
        """Where the line begins that follows a slot and all deeper comments below it, blank lines
        between or not.
        """
        end = line = self.next_line(self.children(container)[index].end)
        following = self._following(container, index)
        while line < following:
            below = self.next_line(line)
            if self._is_deeper_comment(container, index, line):
                end = below
            elif self.text[line:below].strip():
                break
            line = below
        return end

    def own_tail(self, container: Container, index: int) -> int:
        """The same with only the comments that are certainly its own.

        None behind a blank line, and none that may as well be the next item's.
        """
        children = self.children(container)
        end = self.next_line(children[index].end)
        following = self._following(container, index)
        while end < following and self._is_deeper_comment(container, index, end):
            end = self.next_line(end)
        if isinstance(container, MappingEntry) or index + 1 == len(children) or end != following:
            return end
        inner = self.column(children[index + 1].value.begin)  # of what is in the next item
        above = self.line(end - 1)
        while above > children[index].end and self.comment_column(above) == inner:
            end, above = above, self.line(above - 1)
        return end

    def _following(self, container: Container, index: int) -> int:
        """Where the next slot begins with the comments above it, or the end of the text."""
        if index + 1 < len(self.children(container)):
            return self.lead(container, index + 1)
        return len(self.text)

    def _is_deeper_comment(self, container: Container, index: int, line: int) -> bool:
        depth = self.comment_column(line)
        return depth is not None and depth > self.column(self.children(container)[index].start)

    # the style of the text

    def style(self) -> Style:
        """How new text is written: as the first mappings and lists in block style are."""
        if self._style is None:
            self._style = self._found_style()
        return self._style

    def _found_style(self) -> Style:
        step = offset = gap = None
        for parent, column in self._in_block_style(self.root, None):
            if isinstance(parent, MappingEntry):
                if step is None and column is not None:
                    step = self.column(parent.items[0][0].begin) - column
                continue
            gap = gap or self._gap(parent)
            if offset is None and column is not None and not has_properties(parent):
                offset = self.column(parent.begin) - column
            if step and gap and offset is not None:
                break
        default = Style()
        if offset is None or offset < 0:
            offset = default.offset
        return Style(
            step=step or default.step,
            offset=offset,
            gap=gap or default.gap,
            quote=self._quote(),
            literal=self._takes_literals(),
            json=self._is_json(),
            template=True,
        )

    def _takes_literals(self) -> bool:
        """Whether strings of several lines are written after a ``|``.

        Their last line ends with the file, which needs a newline there, and the Python parser takes
        no tab behind the ``|``.
        """
        return (not self.text or self.text.endswith("\n")) and "\t" not in self.text

    def _quote(self) -> str:
        """The quotes that the text has more of; double ones if it has none."""
        single = len(re.findall(r"""[:\-\[{,] *'""", self.text))
        double = len(re.findall(r"""[:\-\[{,] *\"""", self.text))
        return "'" if single and single >= double else '"'

    def _gap(self, entries: ListEntry) -> int | None:
        """How many spaces there are between the dashes of a list and the mappings in it."""
        value = entries.items[0]
        if not isinstance(value, MappingEntry) or value.flow:
            return None
        between = self.text[self.children(entries)[0].start + 1 : value.begin]
        return len(between) if not between.strip(" ") else None

    def _in_block_style(
        self, entry: Entry | None, column: int | None
    ) -> Iterator[tuple[Container, int | None]]:
        """Every mapping and list in block style, with the column of its key where it has one."""
        if not isinstance(entry, MappingEntry | ListEntry) or entry.flow:
            return
        yield entry, column
        if isinstance(entry, MappingEntry):
            for key, value in entry.items:
                yield from self._in_block_style(value, self.column(key.begin))
        else:
            for value in entry.items:
                yield from self._in_block_style(value, None)


def has_properties(entry: Entry) -> bool:
    """Whether an entry has an anchor or a tag of its own."""
    return not isinstance(entry, AliasEntry) and (entry.anchor is not None or entry.tag is not None)
