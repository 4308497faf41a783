"""Key paths from their text: ``gateway.nodes[gpu-1].env["a.b"]`` is ``("gateway", "nodes", "gpu-1", "env", "a.b")``."""

import json
import re
from collections.abc import Sequence
from typing import Final

from polar_config._plain import MAX_DEPTH, bad_character, is_list
from polar_config.errors import KeyPath, Problem, TopologyError, path_text, quote


class _Every(str):
    __slots__ = ()


EVERY: Final = _Every("*")
"""The part that stands for all entries of a list; known by its identity, for a key may be called so."""

_MAX_KEY = 1_000  # characters; YAML takes 1,024, quotes and escapes included
_PART = re.compile(r"""\.?(?:(?P<word>[\w-]+)|\[(?:(?P<number>[0-9]+)|(?P<every>\*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<id>[^\[\]"*]+))\])""")

Path = str | Sequence[str | int]


def refused(code: str, message: str, path: KeyPath | str = (), hint: str | None = None) -> TopologyError:
    """The error for a call that asks for what is not to be had; it names no place in a text."""
    label = path if isinstance(path, str) else path_text(path)
    return TopologyError([Problem(code=code, key_path=label, message=message, hint=hint)])


def parts(path: Path) -> KeyPath:
    """The keys and indexes of a path; raises `TopologyError` for what is none."""
    if isinstance(path, str):
        return _checked(tuple(_parsed(path)))
    if is_list(path) and all(
        isinstance(each, str) or (isinstance(each, int) and not isinstance(each, bool) and each >= 0) for each in path
    ):
        return _checked(tuple(path))
    raise refused("bad-path", "expected a key path: a text, or a tuple of keys and of indexes from 0")


def _checked(path: KeyPath) -> KeyPath:
    """`path`, unless nothing in a file can be there."""
    if len(path) > MAX_DEPTH:
        raise refused("bad-path", f"the key path has more than {MAX_DEPTH} parts")
    for part in path:
        if isinstance(part, str) and (len(part) > _MAX_KEY or bad_character(part)):
            raise refused("bad-path", f"a key path with {bad_character(part) or f'a key of more than {_MAX_KEY:,} characters'}")
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
        raise refused("bad-path", "the key path is empty", hint="write a key, such as gateway.nodes[0].port")
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
        hint='write keys, indexes and ids: gateway.nodes[0].port, gateway.nodes[gpu-1].port, env["a.b"]',
    )
