"""The effective configuration: as plain data, and as YAML that says where each value comes from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polar_config._plain import is_list, is_mapping
from polar_config._reading.structure import unstructure
from polar_config._yaml.write import entry_lines
from polar_config.keys import Key, keys
from polar_config.schema import GatewayNodeConfig
from polar_config.topology import TopologyConfig
from polar_config.views._mask import Mask

Section = TopologyConfig | GatewayNodeConfig

_INDENT = 2  # columns between a key and what is below it; a dash and its item take two more
_ORIGINS = {
    "public_url": "derived from host and port",
    "rollout_server_url": "derived from rollout.public_url",
    "id": "default: the hostname",
}
"""Where a value comes from that is neither explicit nor a constant default."""


def effective_data(section: Section, *, secrets: bool = False) -> dict[str, Any]:
    """The effective configuration as fresh plain data, defaults and derived values included.

    >>> effective_data(GatewayNodeConfig(id="a", public_url="http://me:secret@h:1"))["public_url"]
    'http://*********@h:1'
    """
    data: dict[str, Any] = Mask(secrets).value(unstructure(section, effective=True))
    return data


def effective_text(section: Section, explicit: object = None, *, secrets: bool = False) -> str:
    """The effective configuration as YAML.

    `explicit` is the plain data of the file; values that it does not have are marked as defaults or
    as derived. Without it, all of them are.

    >>> node = GatewayNodeConfig(id="a", port=9000)
    >>> print(effective_text(node, {"id": "a", "port": 9000}).partition("model_served")[0], end="")
    id: a
    host: 0.0.0.0  # default
    port: 9000
    public_url: http://127.0.0.1:9000  # derived from host and port
    """
    data = effective_data(section, secrets=secrets)
    return "".join(f"{line}\n" for line in _section_lines(type(section), data, explicit, 0))


def _section_lines(
    cls: type, data: Mapping[str, Any], explicit: object, column: int
) -> Iterator[str]:
    given: Mapping[str, object] = explicit if is_mapping(explicit) else {}
    for key in keys(cls):
        value = data[key.name]
        if key.section is None or not value:
            first, *rest = entry_lines(key.name, value, column)
            yield first + _origin(key, given)
            yield from rest
            continue
        yield f"{'':{column}}{key.name}:"
        below, inner = given.get(key.name), column + _INDENT
        if key.lists_sections:
            yield from _list_lines(key.section, value, below, inner)
        else:
            yield from _section_lines(key.section, value, below, inner)


def _list_lines(cls: type, items: Sequence[Any], explicit: object, column: int) -> Iterator[str]:
    given: Sequence[object] = explicit if is_list(explicit) else ()
    for index, item in enumerate(items):
        own = given[index] if index < len(given) else None
        first, *rest = _section_lines(cls, item, own, column + _INDENT)
        yield f"{'':{column}}- {first.lstrip(' ')}"
        yield from rest


def _origin(key: Key, given: Mapping[str, object]) -> str:
    """The comment that says where a value comes from; empty for an explicit one."""
    if _is_explicit(key, given):
        return ""
    return f"  # {_ORIGINS.get(key.name, 'default')}"


def _is_explicit(key: Key, given: Mapping[str, object]) -> bool:
    value = given.get(key.name)
    if key.derived:
        return value is not None and not (isinstance(value, str) and not value.strip())
    return key.name in given
