"""Lines of a source text as they may be shown: what is secret in them is masked.

The tree of the text says what is a value of which key; `unparsed` is for texts without one.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from polar_config._yaml.tree import (
    AliasEntry,
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    key_name,
)
from polar_config.errors._secrets import (
    has_url,
    mask_source,
    mask_urls,
    mask_userinfo,
    secret_key,
    secret_under,
)


class _Span(NamedTuple):
    """A stretch of the text that is a secret as a whole, or a string with userinfo in it."""

    start: int
    end: int
    whole: bool
    url: bool

    def masked(self, text: str) -> str:
        """A part of the stretch, of which a line may end it."""
        # whatever was cut off or escaped may have been the @ that tells where userinfo is
        if self.whole or "@" not in text or "\\" in text:
            return mask_source(text)
        return mask_userinfo(text, url=self.url)


class SafeLines:
    """Some lines of a text that could be parsed, as they may be shown; counted from 0."""

    def __init__(self, text: str, root: Entry | None, wanted: Iterable[int]) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        found = _Search(sorted(set(wanted)), aliases="*" in text).spans(root)
        self._spans = sorted(set(found))
        self._ends = [span.end for span in self._spans]

    def line(self, number: int) -> str:
        """One of the wanted lines."""
        done = self._starts[number]
        end = len(self._text)
        if number + 1 < len(self._starts):
            end = self._starts[number + 1] - 1
        pieces: list[str] = []
        for span in self._spans[bisect_right(self._ends, done) :]:
            if span.start >= end:
                break
            begin, stop = max(span.start, done), min(span.end, end)
            pieces += [mask_urls(self._text[done:begin]), span.masked(self._text[begin:stop])]
            done = stop
        return "".join([*pieces, mask_urls(self._text[done:end])])


class _Todo(NamedTuple):
    """An entry to look into, and what is known of it from above."""

    entry: Entry
    secret: bool = False
    url: bool = False


class _Search:
    """The search for what is secret on some lines.

    With `aliases`, other lines are searched as well: an alias may tell that they are secret.
    """

    def __init__(self, wanted: list[int], *, aliases: bool) -> None:
        self._wanted, self._aliases = wanted, aliases

    def spans(self, root: Entry | None) -> Iterator[_Span]:
        """What is secret on the wanted lines; there may be spans on others as well."""
        seen: set[tuple[int, bool]] = set()
        todo: list[_Todo] = []
        if root is not None:
            todo.append(_Todo(root))
        while todo:
            entry, secret, url = todo.pop()
            if isinstance(entry, AliasEntry) and secret:
                entry = entry.target
            if (id(entry), secret) in seen or not (self._aliases or self._is_wanted(entry)):
                continue
            seen.add((id(entry), secret))
            if isinstance(entry, ScalarEntry) and not entry.empty and (secret or "@" in entry.text):
                whole = secret or entry.line != entry.last_line
                yield _Span(entry.begin, entry.stop, whole, url)
            elif isinstance(entry, ListEntry):
                todo += [_Todo(item, secret, url) for item in entry.items]
            elif isinstance(entry, MappingEntry):
                todo += _of_mapping(entry, secret)

    def _is_wanted(self, entry: Entry) -> bool:
        at = bisect_left(self._wanted, entry.line)
        return at < len(self._wanted) and self._wanted[at] <= entry.last_line


def _of_mapping(mapping: MappingEntry, secret: bool) -> Iterator[_Todo]:
    for key, value in mapping.items:
        name = key_name(key)
        under = secret_under(name, secret)
        yield _Todo(value, under, has_url(name))
        yield _Todo(key, name != "<<" and secret_key(name, secret))
        if isinstance(value, ScalarEntry) and value.empty:
            secret = under  # what follows an empty env may belong in it and lack its indentation
