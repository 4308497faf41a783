"""What is wrong with a topology, in an operator's words, and the report that shows it.

`Finding` (a key path and a wording) becomes `Problem` (the same with a place) and `TopologyError` (all of them, and the report).
Nothing here depends on how a topology is read; whatever an error keeps may be shown to anyone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

import attrs

__all__ = ["Problem", "TopologyChangedError", "TopologyError"]

MAX_PROBLEMS = 1_000  # kept in an error
MAX_SHOWN = 50  # written out in its report
MAX_QUOTED = 80  # characters of a value, id or key that are quoted
MAX_NAME = 400  # characters of the name of a file
MAX_LINE = 100  # columns of a source line that are shown

KeyPath = tuple[str | int, ...]


At = Literal["value", "key", "block"]


class Finding(NamedTuple):
    """A problem that has no place yet: which key, what is wrong there, and how to mend it."""

    path: KeyPath
    code: str
    message: str
    hint: str | None = None
    at: At = "value"  # "block": at what holds the key
    first: KeyPath | None = None  # the earlier one, of two that collide

    def under(self, path: KeyPath) -> "Finding":
        """The same finding, seen from further up."""
        return self._replace(path=(*path, *self.path), first=None if self.first is None else (*path, *self.first))


class Refused(Exception):  # noqa: N818  (a signal between our own modules, never seen by a caller)
    """A value was refused, for one reason or for several."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(*findings)
        self.findings = findings


@attrs.frozen(kw_only=True)
class Problem:
    """One thing that is wrong.

    >>> Problem(code="unknown-key", key_path="gateway.nodes[0].prot", message="unknown key", hint="did you mean port?").code
    'unknown-key'
    """

    code: str
    """A short name that stays the same across versions, such as ``unknown-key``."""
    key_path: str
    """The key at fault, such as ``gateway.nodes[2].port``; empty for the file itself."""
    message: str
    hint: str | None = None
    line: int | None = None
    """From 1; None where the input was not text."""
    column: int | None = None
    """From 1, in characters; None where the input was not text."""


class Mark(NamedTuple):
    """A stretch of a source line that the report points at: columns from 0, the width in characters."""

    line: int
    text: str
    start: int
    width: int
    note: str | None = None


class View(NamedTuple):
    """How one problem is shown: the key path with the ids of its list entries, and the lines to point at (the last is its own)."""

    label: str
    marks: tuple[Mark, ...] = ()


class TopologyError(ValueError):
    """A topology is not usable; ``str(error)`` is the whole report.

    It is a `ValueError`, pickles, and holds nothing that may not be shown: credentials in URLs and values of ``env`` are starred out.

    >>> error = TopologyError([Problem(code="missing-key", key_path="gateway", message="missing")])
    >>> print(error)
    gateway: missing
    """

    def __init__(self, problems: Iterable[Problem], source: str | None = None, *, views: Iterable[View] = (), omitted: int = 0) -> None:
        found = tuple(problems)
        self.problems: tuple[Problem, ...] = found[:MAX_PROBLEMS]
        """What is wrong, in the order of the file; the first 1,000."""
        self.source = source
        """The name of the file, or None where the topology came from Python."""
        self.omitted = omitted + len(found) - len(self.problems)
        """How many problems there are beyond `problems`."""
        self._views = tuple(views)[:MAX_SHOWN]
        super().__init__(self.problems, self.source, self._views, self.omitted)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.problems, self.source, self._views, self.omitted)

    def __str__(self) -> str:
        return self.report()

    def report(self, *, color: bool = False) -> str:
        """The report as text; with `color`, dressed with ANSI escapes for a terminal."""
        return _layout(self.problems, self.source, self._views, self.omitted, _Paint(color))

    def counted(self) -> int:
        """How many problems there are in all."""
        return len(self.problems) + self.omitted


class TopologyChangedError(TopologyError):
    """A file is no longer what was opened: somebody else has changed it, and nothing was written."""


def _rebuilt(
    cls: type[TopologyError], problems: tuple[Problem, ...], source: str | None, views: tuple[View, ...], omitted: int
) -> TopologyError:
    return cls(problems, source, views=views, omitted=omitted)


def refusal(findings: Sequence[Finding]) -> TopologyError:
    """The error for values that came from Python: key paths, but no lines."""
    return TopologyError(map(problem, findings[: MAX_PROBLEMS + 1]))


def problem(finding: Finding) -> Problem:
    """A finding as a problem without a place."""
    return Problem(code=finding.code, key_path=path_text(finding.path), message=finding.message, hint=finding.hint)


# --- the layout of a report -------------------------------------------------------------------------------------------


class _Paint:
    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self._on and text else text


_BOLD, _RED, _BLUE, _CYAN = "1", "1;31", "1;34", "36"


def _layout(problems: Sequence[Problem], source: str | None, views: Sequence[View], omitted: int, paint: _Paint) -> str:
    shown = problems[:MAX_SHOWN]
    gutter = max([len(str(mark.line)) for view in views for mark in view.marks], default=0)
    parts = [
        _entry(problem, source, views[index] if index < len(views) else View(problem.key_path), gutter, paint)
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


def _entry(problem: Problem, source: str | None, view: View, gutter: int, paint: _Paint) -> str:
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


def _excerpt(marks: Sequence[Mark], hint: str | None, gutter: int, paint: _Paint) -> list[str]:
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


# --- words ------------------------------------------------------------------------------------------------------------

_PLAIN_PART = r"[A-Za-z_][A-Za-z0-9_-]*"
_VARIABLE = r"[A-Za-z_][A-Za-z0-9_.-]*"
_SLIPS_OF_ENV = frozenset({"evn", "nev", "nve", "vne", "ven", "en", "ev", "nv"})
_WORD = r"[^\s\"'<>]+"


def escaped(text: str) -> str:
    """`text` with every character escaped that would not show as itself: controls, bidirectional marks, surrogates."""
    return text if text.isprintable() else "".join(each if each.isprintable() else _escape(ord(each)) for each in text)


def _escape(code: int) -> str:
    """As JSON and YAML spell a character: as one UTF-16 unit, or two."""
    units = code.to_bytes(2, "big") if code < 0x10000 else chr(code).encode("utf-16-be")  # noqa: PLR2004  (the end of the first plane)
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _cut(text: str, most: int = MAX_QUOTED) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def inline(text: str) -> str:
    """A name (of a file, a key, an id) as it may stand in a sentence."""
    return escaped(_cut(hidden(text)))


def file_name(text: str) -> str:
    """The path of a file, whole unless it is absurd, so that it can be opened."""
    return escaped(_cut(hidden(text), MAX_NAME))


def quote(text: str, *, url: bool = False) -> str:
    """A text in double quotes: cut, escaped, credentials starred out."""
    cut = _cut(hidden(text, url=url))
    return '"' + escaped(cut.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")) + '"'


def hidden(text: str, *, url: bool = False) -> str:
    """`text` with the user part of any URL in it starred out; `url` says that it is meant to be one, whatever it looks like."""
    at = text.rfind("@")
    if at < 0:
        return text
    start = text.find("://")
    start = start + 3 if 0 <= start < at else 0 if url else at
    return f"{text[:start]}{'*' * (at - start)}{text[at:]}"


def hidden_in_words(text: str) -> str:
    """The same for running text such as a comment, in which each URL ends at the next blank."""
    return re.sub(_WORD, lambda word: hidden(word[0]), text) if "@" in text else text


def is_env(key: object) -> bool:
    """Whether values under this key are secrets: ``env``, whatever is named like it, and what was probably meant to be it."""
    if not isinstance(key, str):
        return False
    letters = re.sub(r"[^a-z]", "", key.lower())
    return "env" in letters or letters in _SLIPS_OF_ENV


def is_variable(text: str) -> bool:
    """Whether a key of an ``env`` can be the name of a variable; anything else there may be a secret in the wrong place."""
    return re.fullmatch(_VARIABLE, text) is not None


def path_text(path: KeyPath, ids: Mapping[KeyPath, str] | None = None) -> str:
    """A key path as reports write it; `ids` names list entries: ``gateway.nodes[1] (gpu-2).port``."""
    text = ""
    secret = False  # whether this part stands under an env
    for depth, part in enumerate(path, 1):
        if isinstance(part, int):
            text += f"[{part}]"
        elif secret and not is_variable(part):
            text += f'["{"*" * min(len(part), MAX_QUOTED)}"]'
        elif re.fullmatch(_PLAIN_PART, part) and len(part) <= MAX_QUOTED:
            text += f".{part}" if text else part
        else:
            text += f"[{quote(part)}]"
        if ids and path[:depth] in ids:
            text += f" ({inline(ids[path[:depth]])})"
        secret = secret or is_env(part)
    return text


def shown(value: object, *, secret: bool = False, url: bool = False) -> str:
    """What was found, in a phrase: ``the text "8100"``, ``the number 12``, ``a list``; of a secret only its kind."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false" if secret else str(value).lower()
    if isinstance(value, str):
        return "a text" if secret else f"the text {quote(value, url=url)}"
    if isinstance(value, int | float):
        return "a number" if secret else f"the number {number_text(value)}"
    if isinstance(value, Mapping):
        return "a block"
    return "a list" if isinstance(value, list | tuple | AbstractSet) else "something else"


def number_text(value: float) -> str:
    """A number as it was spelled in the file where that is known, else as YAML spells it; never a long one in full."""
    spelled = getattr(value, "spelled", None)
    if isinstance(spelled, str):
        return _cut(spelled)
    if isinstance(value, int) and abs(value) >= 1 << 128:
        return f"of about {value.bit_length() * 30_103 // 100_000:,} digits"
    text = repr(int(value) if isinstance(value, int) else float(value))
    return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(text, text)
