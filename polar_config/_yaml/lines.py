"""The lines of a text: where they begin and end, which are blank, and which are comments."""

import re

_TRIVIA = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*")  # spaces, blank lines and lines of comment
_COMMENT = re.compile(r"[ \t]+#[^\n]*")


class Lines:
    """Indexes of lines in one text; a line's beginning stands for the line."""

    def __init__(self, text: str) -> None:
        self.text = text

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
        """Whether only spaces are before `index` in its line."""
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
        """Where the ``#`` is, if only a comment is behind `index` in its line."""
        found = _COMMENT.match(self.text, index)
        return found.end() - len(found[0].lstrip(" \t")) if found else None

    def after_trivia(self, index: int) -> int:
        """Behind the spaces, blank lines and lines of comment that begin at `index`."""
        found = _TRIVIA.match(self.text, index)
        return found.end() if found else index

    def comment_column(self, line: int) -> int | None:
        """The column of a line that is nothing but a comment."""
        text = self.text[line : self.line_end(line)]
        stripped = text.lstrip(" ")
        return len(text) - len(stripped) if stripped.startswith("#") else None
