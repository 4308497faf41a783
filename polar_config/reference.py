"""The keys of the file format as tables, made from the schema: what the documentation shows."""

from collections.abc import Iterator
from typing import Any

from polar_config._yaml.write import scalar_text
from polar_config.keys import Key, keys
from polar_config.topology import TopologyConfig

__all__ = ["blocks", "key_tables"]


def key_tables(root: type = TopologyConfig) -> str:
    """One Markdown table for each block of the file, in the order of the file.

    >>> print(key_tables().splitlines()[8])
    | `rollout.port` | a whole number from 1 to 65535 | `8080` | The port that it binds |
    """
    return "\n\n".join(_table(cls, path) for path, cls in blocks(root, ""))


def blocks(cls: type, path: str) -> Iterator[tuple[str, type]]:
    """Every block of the file with the path that its keys begin with, each class once."""
    seen: set[type] = set()
    todo = [(path, cls)]
    while todo:
        path, cls = todo.pop(0)
        if cls not in seen:
            seen.add(cls)
            yield path, cls
            todo = [(f"{path}{_step(key)}.", key.block) for key in keys(cls) if key.block] + todo


def _step(key: Key) -> str:
    return f"{key.name}[]" if key.lists_blocks else key.name


def _table(cls: type, path: str) -> str:
    rows = [f"| `{path}{key.name}` | {key.rule.what} | {_default(key)} | {key.meaning} |" for key in keys(cls)]
    return "\n".join(["| key | value | default | meaning |", "|---|---|---|---|", *rows])


def _default(key: Key) -> str:
    if key.required:
        return "**required**"
    if key.derived:
        return "derived"
    default: Any = key.default
    if hasattr(default, "factory"):
        return "all defaults" if key.block else "`{}`" if default.factory() == {} else str(default.factory.__doc__)
    return "`[]`" if default == () else f"`{scalar_text(default)}`"
