"""Pieces of text that are put in the place of others."""

from collections.abc import Iterable
from typing import NamedTuple


class Splice(NamedTuple):
    """`text` instead of what is from `start` to `end`."""

    start: int
    end: int
    text: str


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """`text` with all of them made."""
    pieces: list[str] = []
    done = 0
    for start, end, new in merged(splices):
        pieces += [text[done:start], new]
        done = end
    return "".join([*pieces, text[done:]])


def merged(splices: Iterable[Splice]) -> list[Splice]:
    """The same in order, with those that overlap made one: cuts add up, and new texts keep the
    order of their places.
    """
    found: list[Splice] = []
    for each in sorted(splices, key=lambda each: each[:2]):
        if found and each.start < found[-1].end:
            last = found.pop()
            found.append(Splice(last.start, max(last.end, each.end), last.text + each.text))
        else:
            found.append(each)
    return found
