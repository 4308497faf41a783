"""The file format made from the schema's classes: a JSON Schema for editors, and tables of keys for the documentation."""

from collections.abc import Iterator
from typing import Any

from polar_config._plain import thaw
from polar_config._yaml.write import scalar_text
from polar_config.keys import Key, keys
from polar_config.topology import TopologyConfig

__all__ = ["blocks", "json_schema", "key_tables"]

_DRAFT = "http://json-schema.org/draft-07/schema#"


def key_tables(root: type = TopologyConfig) -> str:
    """One Markdown table for each block of the file, in the order of the file.

    >>> print(key_tables().splitlines()[8])
    | `rollout.port` | an integer from 1 to 65535 | `8080` | The port that the server binds. |
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
    rows = [
        f"| `{path}{key.name}` | {key.rule.what} | {_default_text(key)} | {key.meaning} |"
        for key in keys(cls)
    ]
    return "\n".join(["| key | value | default | meaning |", "|---|---|---|---|", *rows])


def _default_text(key: Key) -> str:
    if key.required:
        return "**required**"
    if key.derived:
        return "derived"
    default: Any = key.default
    if hasattr(default, "factory"):
        return (
            "all defaults"
            if key.block
            else "`{}`"
            if default.factory() == {}
            else str(default.factory.__doc__)
        )
    return "`[]`" if default == () else f"`{scalar_text(default)}`"


# --- JSON Schema (draft 7, which editors' YAML language server reads) ------------------------------


def json_schema(root: type = TopologyConfig) -> dict[str, Any]:
    """A fresh schema of the file: types, bounds, defaults, choices, required keys, and what each key means.

    What it refuses, the loader refuses; what the loader refuses beyond it is listed in the documentation.

    >>> json_schema()["definitions"]["GatewayNodeConfig"]["properties"]["port"]["maximum"]
    65535
    """
    definitions = {cls.__name__: _object(cls) for _, cls in blocks(root, "")}
    return {
        "$schema": _DRAFT,
        "title": "Polar topology",
        **definitions.pop(root.__name__),
        "definitions": definitions,
    }


def _object(cls: type) -> dict[str, Any]:
    summary = (cls.__doc__ or "").partition("\n")[0]
    return {
        "description": summary,
        "type": "object",
        "additionalProperties": False,
        "properties": {key.name: _property(key) for key in keys(cls)},
        "required": [key.name for key in keys(cls) if key.required],
    }


def _property(key: Key) -> dict[str, Any]:
    return {"description": key.meaning, **_value(key), **_default_value(key)}


def _value(key: Key) -> dict[str, Any]:
    """The schema of a key's value; in draft 7, what stands beside a reference does not count."""
    found = key.rule.schema()
    if "$ref" not in found:
        return found
    has_defaults = key.block is not None and not any(each.required for each in keys(key.block))
    return {"anyOf": [{"type": "null"}, found]} if has_defaults else {"allOf": [found]}


def _default_value(key: Key) -> dict[str, Any]:
    if key.required or key.derived:
        return {}
    default: Any = key.default
    if not hasattr(default, "factory"):
        return {"default": thaw(default)}
    return {"default": {}} if key.block or default.factory() == {} else {}
