"""How a report looks: for each problem its position, its source line with a caret, and its hint."""

from collections.abc import Sequence

from polar_config.errors._problem import MAX_SHOWN, Mark, Problem, View
from polar_config.errors._words import escaped, file_name

MAX_LINE = 100  # columns of a source line that are shown


class Paint:
    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._on and text else text


_BOLD, _RED, _BLUE, _CYAN = "1", "1;31", "1;34", "36"


def laid_out(
    problems: Sequence[Problem],
    source: str | None,
    views: Sequence[View],
    omitted: int,
    paint: Paint,
) -> str:
    shown = problems[:MAX_SHOWN]
    gutter = max([len(str(mark.line)) for view in views for mark in view.marks], default=0)
    parts = [
        _entry(
            problem,
            source,
            views[index] if index < len(views) else View(problem.key_path),
            gutter,
            paint,
        )
        for index, problem in enumerate(shown)
    ]
    rest = len(problems) - len(shown) + omitted
    total = len(problems) + omitted
    if rest:
        parts.append(f"and {rest:,} more {_plural(rest, 'problem')}")
    if source is not None or total > 1:
        where = f" in {file_name(source)}" if source is not None else ""
        parts.append(paint(_BOLD, f"{total:,} {_plural(total, 'problem')}{where}"))
    return ("\n\n" if any(view.marks for view in views) else "\n").join(parts)


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


def _entry(problem: Problem, source: str | None, view: View, gutter: int, paint: Paint) -> str:
    place = [file_name(source)] if source is not None else []
    if problem.line is not None:
        place += [str(problem.line), str(problem.column)]
    head = paint(_BOLD, ":".join(place) + ": ") if place else ""
    label = paint(_BOLD, f"{view.label}: ") if view.label else ""
    lines = [f"{head}{label}{problem.message}"]
    if view.marks:
        lines += _excerpt(view.marks, problem.hint, gutter, paint)
    elif problem.hint:
        lines.append(f"  {paint(_CYAN, problem.hint)}")
    return "\n".join(lines)


def _excerpt(marks: Sequence[Mark], hint: str | None, gutter: int, paint: Paint) -> list[str]:
    bar = paint(_BLUE, f"{'':{gutter}} |")
    lines = [bar]
    previous = None
    for mark in marks:
        if previous is not None and mark.line > previous + 1:
            lines.append(paint(_BLUE, "..."))
        own = mark is marks[-1]
        text, indent, width = _window(mark)
        note = (hint if own else mark.note) or ""
        style = _RED if own else _BLUE
        pointer = paint(style, ("^" if own else "-") * width)
        lines.append(f"{paint(_BLUE, f'{mark.line:>{gutter}} |')} {text}".rstrip())
        lines.append(f"{bar} {' ' * indent}{pointer}{' ' if note else ''}{paint(_CYAN, note)}")
        previous = mark.line
    return lines


def _window(mark: Mark) -> tuple[str, int, int]:
    """The part of a line worth showing, the columns before the marked stretch, and the columns it takes."""
    begin = max(0, mark.start - MAX_LINE // 2) if len(mark.text) > MAX_LINE else 0
    cells = [_cell(character) for character in mark.text[begin : begin + MAX_LINE]]
    lead = "…" if begin else ""
    start = mark.start - begin
    end = start + mark.width
    text = lead + "".join(cells) + ("…" if begin + MAX_LINE < len(mark.text) else "")
    indent = _columns(lead) + sum(_columns(cell) for cell in cells[:start])
    return text, indent, max(1, sum(_columns(cell) for cell in cells[start:end]))


def _cell(character: str) -> str:
    return "    " if character == "\t" else escaped(character)


def _columns(text: str) -> int:
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if character.isascii():
        return 1
    import unicodedata  # noqa: PLC0415  (few reports need it)

    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
