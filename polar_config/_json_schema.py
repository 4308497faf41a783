"""The file format as a JSON Schema (draft 7, which editors' YAML language server reads), made from the schema's classes."""

from typing import Any

from polar_config._plain import thaw
from polar_config.keys import Key, keys
from polar_config.reference import blocks
from polar_config.topology import TopologyConfig

__all__ = ["json_schema"]

_DRAFT = "http://json-schema.org/draft-07/schema#"


def json_schema(root: type = TopologyConfig) -> dict[str, Any]:
    """A fresh schema of the file: types, bounds, defaults, choices, required keys, and what each key means.

    What it refuses, the loader refuses; what the loader refuses beyond it is listed in the documentation.

    >>> json_schema()["definitions"]["GatewayNodeConfig"]["properties"]["port"]["maximum"]
    65535
    """
    definitions = {cls.__name__: _block(cls) for _, cls in blocks(root, "")}
    return {"$schema": _DRAFT, "title": "Polar topology", **definitions.pop(root.__name__), "definitions": definitions}


def _block(cls: type) -> dict[str, Any]:
    summary = (cls.__doc__ or "").partition("\n")[0]
    return {
        "description": summary,
        "type": "object",
        "additionalProperties": False,
        "properties": {key.name: _property(key) for key in keys(cls)},
        "required": [key.name for key in keys(cls) if key.required],
    }


def _property(key: Key) -> dict[str, Any]:
    return {"description": key.meaning, **_value(key), **_default(key)}


def _value(key: Key) -> dict[str, Any]:
    """The schema of a key's value; in draft 7, what stands beside a reference does not count."""
    found = key.rule.schema()
    if "$ref" not in found:
        return found
    has_defaults = key.block is not None and not any(each.required for each in keys(key.block))
    return {"anyOf": [{"type": "null"}, found]} if has_defaults else {"allOf": [found]}


def _default(key: Key) -> dict[str, Any]:
    if key.required or key.derived:
        return {}
    default: Any = key.default
    if not hasattr(default, "factory"):
        return {"default": thaw(default)}
    return {"default": {}} if key.block or default.factory() == {} else {}
