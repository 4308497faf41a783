"""Where the pieces of a text stand: each entry of a block or list with its comments, and the habits of the text.

An *entry* of a block is a key with its value, one of a list a dash with its value. Whose comment is whose:

- a comment above an entry, in its column and with no blank line between, belongs to it, but above the first key of the file it belongs
  to the file;
- a comment at the end of its line belongs to it, with the lines that go on in a deeper column;
- whatever is ambiguous belongs to nobody and stays where it is.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, ScalarEntry
from polar_config._yaml.write import Style

Container = MappingEntry | ListEntry

_TRIVIA = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*")  # blanks, blank lines and lines of comment
_COLON = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*:(?!\S)|[ \t]*:")
_PROPERTIES = re.compile(r"(?:\s*[&!][^\s]*)+")
_TAG = re.compile(r"(?<=[\s,\[{])!\S*[ \t]*")
_COMMENT = re.compile(r"[ \t]+#[^\n]*")


class Child(NamedTuple):
    """One entry of a block or list: its first character (the key's, the ``?``'s or the dash's), and the end of its last one."""

    number: int
    key: Entry | None
    value: Entry
    start: int
    end: int


class Layout:
    """The places in one text."""

    def __init__(self, text: str, root: Entry | None) -> None:
        self.text = text
        self._root = root
        self._children: dict[int, Sequence[Child]] = {}
        self._style: Style | None = None

    # lines

    def line(self, index: int) -> int:
        """The beginning of the line that `index` is in."""
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """The end of that line, before its newline."""
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found

    def next_line(self, index: int) -> int:
        """The beginning of the line after it."""
        return min(self.line_end(index) + 1, len(self.text))

    def column(self, index: int) -> int:
        return index - self.line(index)

    def is_first(self, index: int) -> bool:
        """Whether nothing but blanks stands before `index` in its line."""
        return not self.text[self.line(index) : index].strip(" ")

    def blank_lines(self, index: int) -> int:
        """The end of the blank lines that begin at `index`, the beginning of a line."""
        while index < len(self.text) and not self.text[index : self.line_end(index)].strip(" \t"):
            index = self.next_line(index)
        return index

    def blank_lines_before(self, index: int) -> int:
        """The beginning of the blank lines that end at `index`, the beginning of a line."""
        while index > 0 and not self.text[self.line(index - 1) : index - 1].strip(" \t"):
            index = self.line(index - 1)
        return index

    def comment(self, index: int) -> int | None:
        """Where the ``#`` of the comment is that is all that stands behind `index` in its line."""
        found = _COMMENT.match(self.text, index)
        return found.end() - len(found[0].lstrip(" \t")) if found else None

    def after_trivia(self, index: int) -> int:
        """Behind the blanks, blank lines and lines of comment that begin at `index`."""
        found = _TRIVIA.match(self.text, index)
        return found.end() if found else index

    def comment_column(self, line: int) -> int | None:
        """The column of a line that is nothing but a comment."""
        text = self.text[line : self.line_end(line)]
        stripped = text.lstrip(" ")
        return len(text) - len(stripped) if stripped.startswith("#") else None

    # entries

    @property
    def is_json(self) -> bool:
        """Whether the whole text is JSON, as its first key shows."""
        root = self._root
        first = (
            root.items[0][0]
            if isinstance(root, MappingEntry) and root.flow and root.items
            else None
        )
        return isinstance(first, ScalarEntry) and first.style == '"'

    def children(self, container: Container) -> Sequence[Child]:
        """The entries of a block or list in either style."""
        found = self._children.get(id(container))
        if found is None:
            make = (
                self._keyed(container)
                if isinstance(container, MappingEntry)
                else self._listed(container)
            )
            found = self._children[id(container)] = list(make)
        return found

    def _keyed(self, block: MappingEntry) -> Iterator[Child]:
        for number, (key, value) in enumerate(block.items):
            start = key.begin
            mark = start - 1
            while mark >= 0 and self.text[mark] == " ":
                mark -= 1
            is_complex = (
                mark >= 0
                and self.text[mark] == "?"
                and self.text[mark - 1 : mark] in {"", " ", "\n", "{", "[", ","}
            )
            yield Child(number, key, value, mark if is_complex else start, self._end(value, key))

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

    def after_properties(self, entry: Entry, index: int) -> int:
        """Behind the anchor and the tag of `entry`, which begin at or behind `index`; `index` if it has none."""
        if isinstance(entry, AliasEntry) or (entry.anchor is None and entry.tag is None):
            return index
        found = _PROPERTIES.match(self.text, index)
        return found.end() if found else index

    def tag(self, entry: Entry, index: int) -> tuple[int, int] | None:
        """The span of the tag of `entry`, whose properties begin at or behind `index`, with a blank beside it."""
        if isinstance(entry, AliasEntry) or entry.tag is None:
            return None
        found = cast("re.Match[str]", _TAG.search(self.text, index))
        is_last = found.end() < len(self.text) and self.text[found.end()] == "\n"
        return found.start() - is_last, found.end()

    def _end(self, value: Entry, key: Entry | None) -> int:
        """Behind the last character of a value, or of its key if it is empty; 0 if there is none."""
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
        """Behind the last line of a text of several lines that is more than blank; with ``+`` the blank ones count."""
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
        """Where an entry begins with the comments above it; its first character where something stands before that in its line."""
        children = self.children(container)
        child = children[index]
        if not self.is_first(child.start):
            return child.start
        begin = self.line(child.start)
        if container is self._root and index == 0:
            return begin
        columns = {child.start - begin}
        if index == 0 and isinstance(container, ListEntry):
            columns.add(self.column(child.value.begin))
        bound = children[index - 1].end if index else container.begin if container.flow else 0
        while (
            begin > 0
            and (above := self.line(begin - 1)) > bound
            and self.comment_column(above) in columns
        ):
            begin = above
        return begin

    def tail(self, container: Container, index: int, *, own: bool = False) -> int:
        """Where the line begins that follows an entry and the deeper comments below it.

        `own` leaves out what comes after a blank line, and comments that may as well be the next entry's.
        """
        children = self.children(container)
        child = children[index]
        column = self.column(child.start)
        following = self.lead(container, index + 1) if index + 1 < len(children) else len(self.text)
        end = line = self.next_line(child.end)
        while line < following:
            below = self.next_line(line)
            depth = self.comment_column(line)
            if depth is not None and depth > column:
                end = below
            elif own or depth is not None or self.text[line:below].strip():
                break
            line = below
        if (
            own
            and isinstance(container, ListEntry)
            and index + 1 < len(children)
            and end == following
        ):
            inner = self.column(children[index + 1].value.begin)
            while (above := self.line(end - 1)) > child.end and self.comment_column(above) == inner:
                end = above
        return end

    # habits

    def style(self) -> Style:
        """The text's habits, as its first blocks and lists show them."""
        if self._style is None:
            step = offset = gap = None
            for parent, column in self._blocks(self._root, None):
                if isinstance(parent, MappingEntry):
                    if step is None and column is not None:
                        step = self.column(parent.items[0][0].begin) - column
                    continue
                gap = gap or self._gap(parent)
                if (
                    offset is None
                    and column is not None
                    and parent.anchor is None
                    and parent.tag is None
                ):
                    offset = self.column(parent.begin) - column
                if step and gap and offset is not None:
                    break
            # the last line of a text of several lines ends with the file, and the parser takes no tab behind its "|"
            literal = self.text.endswith("\n") and "\t" not in self.text
            default = Style(quote=self._quote(), literal=literal, template=True)
            self._style = default._replace(
                step=step or default.step,
                offset=default.offset if offset is None or offset < 0 else offset,
                gap=gap or default.gap,
            )
        return self._style

    def _quote(self) -> str:
        """The quotes that the text has more of; double ones if it has none."""
        single = len(re.findall(r"""[:\-\[{,] *'""", self.text))
        return "'" if single and single >= len(re.findall(r"""[:\-\[{,] *\"""", self.text)) else '"'

    def _gap(self, entries: ListEntry) -> int | None:
        """How many blanks stand between the dashes of a list and the blocks in it."""
        value = entries.items[0]
        if not isinstance(value, MappingEntry) or value.flow:
            return None
        between = self.text[self.children(entries)[0].start + 1 : value.begin]
        return len(between) if not between.strip(" ") else None

    def _blocks(
        self, entry: Entry | None, column: int | None
    ) -> Iterator[tuple[Container, int | None]]:
        """Every block and list in block style, with the column of its key where it has one."""
        if not isinstance(entry, MappingEntry | ListEntry) or entry.flow:
            return
        yield entry, column
        if isinstance(entry, MappingEntry):
            for key, value in entry.items:
                yield from self._blocks(value, self.column(key.begin))
        else:
            for value in entry.items:
                yield from self._blocks(value, None)
