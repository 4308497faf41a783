"""Key paths from their text: ``gateway.nodes[gpu-1].env["a.b"]`` is ``("gateway", "nodes", "gpu-1",
"env", "a.b")``.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from polar_config._plain import MAX_DEPTH, bad_character, is_list, is_mapping
from polar_config.errors import TopologyError, refused
from polar_config.errors._words import KeyPath, inline, path_text, quote


class _Every(str):
    __slots__ = ()


EVERY: Final = _Every("*")
"""All items of a list; known by its identity, for a key may be called so."""

MAX_LISTED = 10  # keys, ids or paths that a refusal names
_MAX_KEY = 1_000  # characters; YAML takes 1,024, quotes and escapes included
_PART = re.compile(
    r"""\.?(?:(?P<word>[\w-]+)|\[(?:(?P<number>[0-9]+)|(?P<every>\*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<id>[^\[\]"*]+))\])"""
)

Path = str | Sequence[str | int]


def parts(path: Path) -> KeyPath:
    """The keys and indexes of a path; raises `TopologyError` for what is none."""
    if isinstance(path, str):
        return _checked(tuple(_parsed(path)))
    if is_list(path) and all(
        isinstance(each, str)
        or (isinstance(each, int) and not isinstance(each, bool) and each >= 0)
        for each in path
    ):
        return _checked(tuple(path))
    raise refused(
        "bad-path", "expected a key path: a text, or a tuple of keys and of indexes from 0"
    )


def values_at(data: object, path: Path) -> Any:
    """What is at a path in plain data; for ``[*]`` a list of all. Raises `TopologyError` where it
    leads nowhere.
    """
    wanted = parts(path)
    found = list(_values(data, wanted, ()))
    return found if any(part is EVERY for part in wanted) else found[0]


def _values(value: object, rest: KeyPath, path: KeyPath) -> Iterator[object]:
    if not rest:
        yield value
    elif rest[0] is EVERY and is_list(value):
        for index, item in enumerate(value):
            yield from _values(item, rest[1:], (*path, index))
    else:
        yield from _values(_value(value, rest[0], path), rest[1:], (*path, rest[0]))


def _value(value: object, part: str | int, path: KeyPath) -> object:
    there: list[str] = []
    if is_mapping(value):
        if part in value:
            return value[part]
        there = list(value)
    elif is_list(value):
        if isinstance(part, int) and part < len(value):
            return value[part]
        ids = {item.get("id"): item for item in value if is_mapping(item)}
        if isinstance(part, str) and part in ids:
            return ids[part]
        there = [str(name) for name in ids if name is not None]
    listed = f" with {', '.join(inline(each) for each in there[:MAX_LISTED])}" if there else ""
    what = f"there is no {'entry' if isinstance(part, int) else 'key or id'} {inline(str(part))}"
    here = path_text(path)
    label = f"{here}[{part}]" if is_list(value) else path_text((*path, part))
    raise refused(
        "unknown-path",
        what,
        label,
        f"the nearest there is: {path_text(path) or 'the topology'}{listed}",
    )


def _checked(path: KeyPath) -> KeyPath:
    """`path`, unless nothing in a file can be there."""
    if len(path) > MAX_DEPTH:
        raise refused("bad-path", f"the key path has more than {MAX_DEPTH} parts")
    for part in path:
        if not isinstance(part, str):
            continue
        if found := bad_character(part):
            raise refused("bad-path", f"the key path has {found}")
        if len(part) > _MAX_KEY:
            raise refused(
                "bad-path", f"the key path has a key of more than {_MAX_KEY:,} characters"
            )
    return path


def _parsed(text: str) -> Sequence[str | int]:
    found: list[str | int] = []
    end = 0
    while end < len(text):
        match = _PART.match(text, end)
        if match is None or match[0].startswith(".") != (match["word"] is not None and end > 0):
            raise _bad(text, end)
        if match["number"] is not None:
            found.append(int(match["number"]))
        elif match["text"] is not None:
            found.append(_unquoted(match["text"], text))
        else:
            found.append(EVERY if match["every"] else match["word"] or match["id"])
        end = match.end()
    if not found:
        raise refused(
            "bad-path", "the key path is empty", hint="write a key, such as gateway.nodes[0].port"
        )
    return found


def _unquoted(part: str, text: str) -> str:
    try:
        return str(json.loads(part))
    except ValueError:
        pass
    raise _bad(text, text.index(part))


def _bad(text: str, index: int) -> TopologyError:
    return refused(
        "bad-path",
        f"no key path: {quote(text)} (at character {index + 1})",
        hint="write keys, indexes and ids as in gateway.nodes[0].port, gateway.nodes[gpu-1].port",
    )
