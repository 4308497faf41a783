"""Problems to a report: for each its position, its source line with a caret, and its hint."""

from collections.abc import Sequence

from polar_config.errors._problem import MAX_SHOWN, Mark, Problem, View
from polar_config.errors._words import escaped, file_name

MAX_LINE = 100  # columns of a source line that are shown


class Paint:
    """Adds ANSI escapes to a piece of the report, or leaves it as it is."""

    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, style: str, text: str) -> str:
        if not self._on or not text:
            return text
        return f"\x1b[{style}m{text}\x1b[0m"


_BOLD, _RED, _BLUE, _CYAN = "1", "1;31", "1;34", "36"


def laid_out(
    problems: Sequence[Problem],
    source: str | None,
    views: Sequence[View],
    omitted: int,
    paint: Paint,
) -> str:
    """The report: the first problems, each with its `views` where there is one, and the count."""
    shown = problems[:MAX_SHOWN]
    views = [*views, *(View(problem.key_path) for problem in shown[len(views) :])]
    gutter = max((len(str(mark.line)) for view in views for mark in view.marks), default=0)
    parts = [
        _entry(problem, source, view, gutter, paint)
        for problem, view in zip(shown, views, strict=False)
    ]
    parts += _counts(len(problems) + omitted, len(shown), source, paint)
    separator = "\n"
    if any(view.marks for view in views):
        separator = "\n\n"  # a blank line separates excerpts of several lines
    return separator.join(parts)


def _counts(total: int, shown: int, source: str | None, paint: Paint) -> list[str]:
    lines: list[str] = []
    if total > shown:
        lines.append(f"and {total - shown:,} more {_plural(total - shown, 'problem')}")
    if source is not None:
        lines.append(paint(_BOLD, f"{_counted(total)} in {file_name(source)}"))
    elif total > 1:
        lines.append(paint(_BOLD, _counted(total)))
    return lines


def _counted(total: int) -> str:
    return f"{total:,} {_plural(total, 'problem')}"


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


def _entry(problem: Problem, source: str | None, view: View, gutter: int, paint: Paint) -> str:
    label = paint(_BOLD, _before_colon(view.label))
    lines = [_position(problem, source, paint) + label + problem.message]
    if view.marks:
        lines += _Excerpt(gutter, paint).lines(view.marks, problem.hint)
    elif problem.hint:
        lines.append(f"  {paint(_CYAN, problem.hint)}")
    return "\n".join(lines)


def _position(problem: Problem, source: str | None, paint: Paint) -> str:
    parts: list[str] = []
    if source is not None:
        parts.append(file_name(source))
    if problem.line is not None:
        parts += [str(problem.line), str(problem.column)]
    return paint(_BOLD, _before_colon(":".join(parts)))


def _before_colon(text: str) -> str:
    return text and f"{text}: "


class _Excerpt:
    """The marked source lines of one problem, with a pointer below each."""

    def __init__(self, gutter: int, paint: Paint) -> None:
        self._gutter = gutter  # columns of the largest line number in the report
        self._paint = paint
        self._bar = paint(_BLUE, f"{'':{gutter}} |")

    def lines(self, marks: Sequence[Mark], hint: str | None) -> list[str]:
        lines = [self._bar]
        previous = marks[0].line
        for mark in marks:
            if mark.line > previous + 1:
                lines.append(self._paint(_BLUE, "..."))
            if mark is marks[-1]:
                lines += self._pointed(mark, "^", _RED, hint)
            else:
                lines += self._pointed(mark, "-", _BLUE, mark.note)
            previous = mark.line
        return lines

    def _pointed(self, mark: Mark, pointer: str, style: str, note: str | None) -> list[str]:
        text, indent, width = _window(mark)
        number = self._paint(_BLUE, f"{mark.line:>{self._gutter}} |")
        below = f"{self._bar} {' ' * indent}{self._paint(style, pointer * width)}"
        if note:
            below += f" {self._paint(_CYAN, note)}"
        return [f"{number} {text}".rstrip(), below]


def _window(mark: Mark) -> tuple[str, int, int]:
    """The part of a line that is shown, the columns before the marked part, and its columns."""
    begin, lead, tail = 0, "", ""
    if len(mark.text) > MAX_LINE:
        begin = max(0, mark.start - MAX_LINE // 2)
    if begin:
        lead = "…"
    if begin + MAX_LINE < len(mark.text):
        tail = "…"
    cells = [_cell(character) for character in mark.text[begin : begin + MAX_LINE]]
    start = mark.start - begin
    marked = cells[start : start + mark.width]
    indent = _columns(lead + "".join(cells[:start]))
    return lead + "".join(cells) + tail, indent, max(1, _columns("".join(marked)))


def _cell(character: str) -> str:
    return "    " if character == "\t" else escaped(character)


def _columns(text: str) -> int:
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    """The columns that a terminal gives a character: 0, 1 or 2."""
    if character.isascii():
        return 1
    import unicodedata  # few reports need it

    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
