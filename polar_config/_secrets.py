"""What of a source text may be shown: credentials in URLs and the values of every ``env`` are starred out, character by character."""

import re
from collections.abc import Iterator

from polar_config._tree import AliasEntry, BlockEntry, Entry, ListEntry, ScalarEntry, real
from polar_config.errors import hidden, hidden_in_words, is_env, is_variable

_KEY = re.compile(r"[\"']?(?P<name>[\w.-]+)[\"']?[ \t]*:")

_LINES_ABOVE = 1_000  # that are searched for an ``env``
_NO_INDENT = 1_000_000


class SafeLines:
    """The lines of a text that could be parsed, as they may be shown."""

    def __init__(self, text: str, root: Entry | None) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._secrets = sorted(_secrets(root)) if root is not None else []

    def line(self, number: int) -> str:
        """The line with this number, from 0."""
        start = self._starts[number]
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._text)
        pieces: list[str] = []
        done = start
        for first, last, url in self._secrets:
            if last <= done or first >= end:
                continue
            begin, stop = max(first, done), min(last, end)
            raw = self._text[begin:stop]
            pieces += [hidden_in_words(self._text[done:begin]), re.sub(r"\S", "*", raw) if url is None else hidden(raw, url=url)]
            done = stop
        return "".join([*pieces, hidden_in_words(self._text[done:end])])


def _secrets(root: Entry) -> Iterator[tuple[int, int, bool | None]]:
    """Where secrets stand: from, to, and whether it is a URL (True), might hold one (False), or is all secret (None)."""
    seen: set[tuple[int, bool]] = set()
    todo: list[tuple[Entry, bool, bool]] = [(root, False, False)]
    while todo:
        entry, secret, url = todo.pop()
        if isinstance(entry, AliasEntry):
            if not secret:
                continue
            entry = entry.target
        if (id(entry), secret) in seen:
            continue
        seen.add((id(entry), secret))
        if isinstance(entry, ScalarEntry):
            if secret and not entry.empty:
                yield (entry.start.index, entry.end.index, None)
            elif "@" in entry.text:
                yield (entry.start.index, entry.end.index, url)
        elif isinstance(entry, ListEntry):
            todo += [(item, secret, url) for item in entry.items]
        elif isinstance(entry, BlockEntry):
            todo += [(value, secret or _is_env(key), _is_url(key)) for key, value in entry.items]
            todo += [(key, secret and not _is_variable(key), False) for key, _ in entry.items]


def _is_env(key: Entry) -> bool:
    entry = real(key)
    return isinstance(entry, ScalarEntry) and is_env(entry.text)


def _is_variable(key: Entry) -> bool:
    entry = real(key)
    return isinstance(entry, ScalarEntry) and is_variable(entry.text)


def _is_url(key: Entry) -> bool:
    entry = real(key)
    return isinstance(entry, ScalarEntry) and "url" in entry.text.lower()


# --- a text that could not be parsed ----------------------------------------------------------------------------------


def unparsed_line(text: str, index: int) -> str:
    """The line of `index`, only up to it, in a text that could not be parsed: what may belong to an ``env`` is starred out."""
    start = text.rfind("\n", 0, index) + 1
    line = text[start:index]
    shown = _before_env(line)
    if shown is None and _may_be_in_env(text, start, line):
        key = re.match(rf"[ \t-]*{_KEY.pattern}", line)
        shown = key.end() if key else len(line) - len(line.lstrip())
    if shown is None:
        return hidden_in_words(line)
    return hidden_in_words(line[:shown]) + re.sub(r"\S", "*", line[shown:])


def _before_env(line: str) -> int | None:
    """How much of a line comes before the values of an ``env`` that begins in it."""
    return next((match.end() for match in _KEY.finditer(line) if is_env(match["name"])), None)


def _may_be_in_env(text: str, start: int, line: str) -> bool:
    """Whether the line may continue an ``env`` block above it: nothing between them is indented less than its contents."""
    least = _indent(line) if line.strip() else _NO_INDENT
    for above in reversed(text[:start].split("\n")[-_LINES_ABOVE:]):
        if not above.strip() or above.lstrip().startswith("#"):
            continue
        if _before_env(above) is not None and (_indent(above) < least or ("{" in above and "}" not in above)):
            return True
        least = min(least, _indent(above))
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t-"))
