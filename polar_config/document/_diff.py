"""The difference of two texts, as a unified diff, in a time that grows with their size.

`difflib` alone is quadratic where every paragraph has a change. Lines that occur once in both
texts are paired first; only what lies between them is left to it.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby

_CONTEXT = 3
_MANY = 2_000  # lines between two pairs that are taken as replaced altogether

Opcode = tuple[str, int, int, int, int]


def unified(
    old: str,
    new: str,
    name: str,
    shown: "Callable[[str, list[int]], Mapping[int, str]] | None" = None,
) -> str:
    """A unified diff with the name of the file; empty for equal texts.

    `shown` gives some lines of a text, by their numbers from 0, as they may be shown.
    """
    if old == new:
        return ""
    before, after = _lines(old), _lines(new)
    groups = list(_grouped(list(_opcodes(before, after))))
    if shown is not None:
        _show(
            before,
            shown(
                old,
                [line for group in groups for each in group for line in range(each[1], each[2])],
            ),
        )
        _show(
            after,
            shown(
                new,
                [line for group in groups for each in group for line in range(each[3], each[4])],
            ),
        )
    parts = [f"--- {name}\n+++ {name}\n"]
    for group in groups:
        first, last = group[0], group[-1]
        parts.append(f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n")
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                parts += [_line(" ", line) for line in before[start:end]]
            else:
                parts += [_line("-", line) for line in before[start:end]]
                parts += [_line("+", line) for line in after[new_start:new_end]]
    return "".join(parts)


def _show(lines: list[str], shown: Mapping[int, str]) -> None:
    for number, text in shown.items():
        end = lines[number][len(lines[number].rstrip("\r\n")) :]
        lines[number] = text + end


def _lines(text: str) -> list[str]:
    """The lines with their line feeds; nothing else ends a line here."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def _line(sign: str, line: str) -> str:
    if line.endswith("\n"):
        return f"{sign}{line}"
    return f"{sign}{line}\n\\ No newline at end of file\n"


def _range(start: int, end: int) -> str:
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + (count > 0)},{count}"


def _opcodes(before: Sequence[str], after: Sequence[str]) -> Iterator[Opcode]:
    """What became of the lines, equal ones and others in turns."""
    done = new_done = 0
    merged: list[Opcode] = []
    for start, new_start in [*_pairs(before, after), (len(before), len(after))]:
        merged += _between(before, after, (done, start), (new_done, new_start))
        if start < len(before) and new_start < len(after):
            merged.append(("equal", start, start + 1, new_start, new_start + 1))
        done, new_done = start + 1, new_start + 1
    for is_equal, run in groupby(merged, key=lambda each: each[0] == "equal"):
        first, *_, last = [*run] * 2
        yield ("equal" if is_equal else "change", first[1], last[2], first[3], last[4])


def _between(
    before: Sequence[str], after: Sequence[str], old: tuple[int, int], new: tuple[int, int]
) -> Iterator[Opcode]:
    (start, end), (new_start, new_end) = old, new
    if end - start > _MANY or new_end - new_start > _MANY:
        yield ("replace", start, end, new_start, new_end)
        return
    for tag, one, other, new_one, new_other in SequenceMatcher(
        None, before[start:end], after[new_start:new_end], autojunk=False
    ).get_opcodes():
        yield (tag, start + one, start + other, new_start + new_one, new_start + new_other)


def _pairs(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that occur once in both texts, in the longest order that they have in common."""
    counts, new_counts = Counter(before), Counter(after)
    places = {line: index for index, line in enumerate(after) if new_counts[line] == 1}
    pairs = [
        (index, places[line])
        for index, line in enumerate(before)
        if counts[line] == 1 and line in places
    ]
    return [pairs[position] for position in longest_rise([new for _, new in pairs])]


def longest_rise(numbers: Sequence[int]) -> list[int]:
    """The positions of a longest rising sequence in `numbers`, which differ.

    >>> longest_rise([3, 0, 1, 4, 2])
    [1, 2, 4]
    """
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for position, number in enumerate(numbers):
        length = bisect_left(tails, number)
        previous.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(number)
            ends.append(position)
        else:
            tails[length], ends[length] = number, position
    found: list[int] = []
    position = ends[-1] if ends else -1
    while position >= 0:
        found.append(position)
        position = previous[position]
    return found[::-1]


def _grouped(opcodes: Sequence[Opcode]) -> Iterator[list[Opcode]]:
    """Changes with the lines around them; those that are near each other together."""
    group: list[Opcode] = []
    final = len(opcodes) - 1
    for index, (tag, start, end, new_start, new_end) in enumerate(opcodes):
        is_between = bool(group) and index < final and end - start <= 2 * _CONTEXT
        if tag != "equal" or is_between:
            group.append((tag, start, end, new_start, new_end))
            continue
        around = min(_CONTEXT, end - start)
        if group:
            group.append((tag, start, start + around, new_start, new_start + around))
            yield group
            group = []
        if index < final:
            group = [(tag, end - around, end, new_end - around, new_end)]
    if group:
        yield group
