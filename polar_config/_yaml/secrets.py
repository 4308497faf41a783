"""What of a source text may be shown: credentials in URLs and the values of every ``env`` are starred out, character by character."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, ScalarEntry, real
from polar_config._yaml.unreadable import masked
from polar_config.errors._secrets import hidden, hidden_in_words, is_env, is_variable


class _Secret(NamedTuple):
    """A stretch of the text that is a secret as a whole, or that is a text (perhaps a URL) with credentials in it."""

    start: int
    end: int
    whole: bool
    url: bool


class SafeLines:
    """Some lines of a text that could be parsed, as they may be shown; both counted from 0."""

    def __init__(self, text: str, root: Entry | None, wanted: Iterable[int]) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        found = _secrets(root, sorted(set(wanted)), aliases="*" in text) if root is not None else ()
        self._secrets = sorted(set(found))
        self._ends = [secret.end for secret in self._secrets]

    def line(self, number: int) -> str:
        """One of the wanted lines."""
        done = self._starts[number]
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._text)
        pieces: list[str] = []
        for secret in self._secrets[bisect_right(self._ends, done) :]:
            if secret.start >= end:
                break
            begin, stop = max(secret.start, done), min(secret.end, end)
            raw = self._text[begin:stop]
            whole = secret.whole or "@" not in raw or "\\" in raw  # an escape may be an @
            pieces += [
                hidden_in_words(self._text[done:begin]),
                masked(raw) if whole else hidden(raw, url=secret.url),
            ]
            done = stop
        return "".join([*pieces, hidden_in_words(self._text[done:end])])


def _secrets(root: Entry, wanted: list[int], *, aliases: bool) -> Iterator[_Secret]:
    """The secrets on the wanted lines, and others; with `aliases` any piece of the text may turn out to be one."""
    seen: set[tuple[int, bool]] = set()
    todo: list[tuple[Entry, bool, bool]] = [
        (root, False, False)
    ]  # each with: is it a secret, is it meant to be a URL
    while todo:
        entry, secret, url = todo.pop()
        if isinstance(entry, AliasEntry):
            entry = entry.target if secret else entry
        if (id(entry), secret) in seen or not (aliases or _is_on(entry, wanted)):
            continue
        seen.add((id(entry), secret))
        if isinstance(entry, ScalarEntry) and not entry.empty and (secret or "@" in entry.text):
            yield _Secret(entry.begin, entry.stop, secret or entry.line != entry.last_line, url)
        elif isinstance(entry, ListEntry):
            todo += [(item, secret, url) for item in entry.items]
        elif isinstance(entry, MappingEntry):
            for key, value in entry.items:
                name = _name(key)
                env = secret or is_env(name)
                todo += [
                    (value, env, "url" in name.lower() or "host" in name.lower()),
                    (key, secret and not is_variable(name) and name != "<<", False),
                ]
                secret = (
                    env if isinstance(value, ScalarEntry) and value.empty else secret
                )  # what follows an empty env slipped out of it


def _is_on(entry: Entry, wanted: list[int]) -> bool:
    at = bisect_left(wanted, entry.line)
    return at < len(wanted) and wanted[at] <= entry.last_line


def _name(key: Entry) -> str:
    entry = real(key)
    return entry.text if isinstance(entry, ScalarEntry) else ""


# --- a text that could not be parsed ----------------------------------------------------------------------------------
