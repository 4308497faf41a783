"""The schema's classes become a JSON Schema for editors, and tables for the documentation."""

from collections.abc import Callable, Iterator
from typing import Any

from polar_config._plain import thaw
from polar_config._yaml.write import scalar_text
from polar_config.keys import Key, keys
from polar_config.topology import TopologyConfig

__all__ = ["json_schema", "key_tables", "sections"]

_DRAFT = "http://json-schema.org/draft-07/schema#"  # the one that editors' language servers read


def sections(cls: type = TopologyConfig, path: str = "") -> Iterator[tuple[str, type]]:
    """Every section of the file, in its order: the prefix of its key paths, and its class.

    A class that occurs in several places comes once.

    >>> [prefix for prefix, _ in sections()][:3]
    ['', 'rollout.', 'gateway.']
    """
    seen: set[type] = set()
    todo = [(path, cls)]
    while todo:
        prefix, section = todo.pop(0)
        if section in seen:
            continue
        seen.add(section)
        yield prefix, section
        todo[:0] = _below(prefix, section)


def _below(prefix: str, section: type) -> list[tuple[str, type]]:
    found: list[tuple[str, type]] = []
    for key in keys(section):
        if key.section is not None:
            items = "[]" if key.lists_sections else ""
            found.append((f"{prefix}{key.name}{items}.", key.section))
    return found


# --- tables ---------------------------------------------------------------------------------------


def key_tables(root: type = TopologyConfig) -> str:
    """One Markdown table for each section of the file, in the order of the file.

    >>> print(key_tables().splitlines()[0])
    | key | value | default | meaning |
    """
    return "\n\n".join(_table(section, prefix) for prefix, section in sections(root))


def _table(section: type, prefix: str) -> str:
    lines = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for key in keys(section):
        name = f"`{prefix}{key.name}`"
        lines.append(f"| {name} | {key.rule.what} | {_default_text(key)} | {key.meaning} |")
    return "\n".join(lines)


def _default_text(key: Key) -> str:
    if key.required:
        return "**required**"
    if key.derived:
        return "derived"
    factory = _factory(key)
    if factory is not None:
        return _factory_text(key, factory)
    if key.default == ():
        return "`[]`"
    return f"`{scalar_text(key.default)}`"


def _factory_text(key: Key, factory: Callable[[], object]) -> str:
    if key.section is not None:
        return "all defaults"
    if factory() == {}:
        return "`{}`"
    return str(factory.__doc__)  # a computed default says in a sentence what it is


def _factory(key: Key) -> Callable[[], object] | None:
    """The function that makes the default, where it is not a constant."""
    # `attrs.Factory` is a class, but its type stubs call it a function.
    factory: Callable[[], object] | None = getattr(key.default, "factory", None)
    return factory


# --- JSON Schema ----------------------------------------------------------------------------------


def json_schema(root: type = TopologyConfig) -> dict[str, Any]:
    """The JSON Schema (draft 7) of a topology file, as a fresh dict.

    It has types, bounds, defaults, choices, required keys, and the meaning of each key. A document
    that it refuses is refused by the loader; what the loader refuses beyond it, such as two nodes
    with one id, is listed in the documentation.

    >>> json_schema()["definitions"]["GatewayNodeConfig"]["properties"]["port"]["maximum"]
    65535
    """
    definitions = {section.__name__: _object(section) for _, section in sections(root)}
    return {
        "$schema": _DRAFT,
        "title": "Polar topology",
        **definitions.pop(root.__name__),
        "definitions": definitions,
    }


def _object(section: type) -> dict[str, Any]:
    summary = (section.__doc__ or "").partition("\n")[0]
    return {
        "description": summary,
        "type": "object",
        "additionalProperties": False,
        "properties": {key.name: _property(key) for key in keys(section)},
        "required": [key.name for key in keys(section) if key.required],
    }


def _property(key: Key) -> dict[str, Any]:
    return {"description": key.meaning, **_value_schema(key), **_default(key)}


def _value_schema(key: Key) -> dict[str, Any]:
    schema = key.rule.schema()
    if "$ref" not in schema:
        return schema
    # In draft 7 everything beside a "$ref" is ignored, the description too: it is wrapped.
    if key.section is None or any(each.required for each in keys(key.section)):
        return {"allOf": [schema]}
    # A section of which all keys have defaults may be null: `inference:` alone in its line.
    return {"anyOf": [{"type": "null"}, schema]}


def _default(key: Key) -> dict[str, Any]:
    if key.required or key.derived:
        return {}
    factory = _factory(key)
    if factory is None:
        return {"default": thaw(key.default)}
    if key.section is not None or factory() == {}:
        return {"default": {}}
    return {}
