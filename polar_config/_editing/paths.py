"""Key paths from their text: ``gateway.nodes[gpu-1].env["a.b"]`` is ``("gateway", "nodes", "gpu-1",
"env", "a.b")``.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from polar_config._plain import MAX_DEPTH, bad_character, is_list, is_mapping
from polar_config.errors import TopologyError, refused
from polar_config.errors._words import KeyPath, inline, path_text, quote, shown


class _Every(str):
    __slots__ = ()


EVERY: Final = _Every("*")
"""All items of a list; known by its identity, for a key may be called so."""

MAX_LISTED = 10  # keys, ids or paths that a refusal names
_MAX_KEY = 1_000  # characters; YAML takes 1,024, quotes and escapes included
_PART = re.compile(
    r"""(?x)\.?(?:
    (?P<word>[\w-]+)
    |\[(?:(?P<number>[0-9]{1,9})|(?P<every>\*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<id>[^\[\]"*]+))\])"""
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
    raise refused("bad-path", "expected a key path: a string, or a tuple of keys and indexes")


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
    if is_mapping(value):
        if part in value:
            return value[part]
        raise unknown_path(path, (part,), "a mapping", list(value))
    if is_list(value):
        if isinstance(part, int) and part < len(value):
            return value[part]
        ids: dict[str, object] = {}
        for item in value:
            if is_mapping(item) and isinstance(item.get("id"), str):
                ids.setdefault(item["id"], item)
        if isinstance(part, str) and part in ids:
            return ids[part]
        raise unknown_path(path, (part,), "a list", list(ids), len(value))
    raise unknown_path(path, (part,), shown(value, secret=True), [])


def unknown_path(
    path: KeyPath, rest: KeyPath, kind: str, names: Sequence[str], count: int = 0
) -> TopologyError:
    """The error for a key path that leads nowhere behind `path`.

    There is what `kind` says: a mapping with keys, or a list of `count` items with ids. Both are
    given as `names`.
    """
    part = rest[0]
    label: str | KeyPath = (*path, *rest)
    listed = [inline(name) for name in names]
    message = f"{kind} has no {_called(part)}"
    if kind == "a list":
        listed = [id_text(name) for name in names if name]
        message = f"no item {part} in a list of {count}"
        if isinstance(part, str):
            below = path_text(("", *rest[1:])).removeprefix('[""]')
            label = f"{path_text(path)}[{id_text(part)}]{below}"
            message = f"no item with id {inline(part)}"
    elif kind == "a mapping" and isinstance(part, str):
        message = f"no key {inline(part)}"
    return refused("unknown-path", message, label, _nearest(path, kind, listed))


def _called(part: str | int) -> str:
    return f"key {inline(part)}" if isinstance(part, str) else f"item {part}"


def _nearest(path: KeyPath, kind: str, names: Sequence[str]) -> str:
    """The hint that names what there is."""
    where = path_text(path) or "the topology"
    if not names:
        return f"the nearest existing path is {where}"
    what = "ids" if kind == "a list" else "keys"
    more = ", …" if len(names) > MAX_LISTED else ""
    return f"existing {what} in {where}: {', '.join(names[:MAX_LISTED])}{more}"


def id_text(name: str) -> str:
    """An id as it is written in the brackets of a key path."""
    is_plain = re.fullmatch(r"[^\[\]\"*]*[^\[\]\"*0-9][^\[\]\"*]*", name)
    return inline(name) if is_plain else quote(name)


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
