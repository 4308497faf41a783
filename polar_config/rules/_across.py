"""Rules across the keys of a section, and across the items of a list.

They are given the explicit values of an object, or plain data, in which any value may be missing
or wrong by itself; what is wrong by itself is reported elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from polar_config._plain import is_list, is_mapping, placeholders
from polar_config.errors._problem import Finding
from polar_config.errors._words import quote
from polar_config.rules._addresses import is_host, unbracketed

_UPLOAD = ("source", "target")
_COMMAND = ("command", "cwd", "env")
_REQUIRED = {"upload_file": _UPLOAD, "upload_dir": _UPLOAD, "exec": ("command",)}
_UNEXPECTED = {"upload_file": _COMMAND, "upload_dir": _COMMAND, "exec": _UPLOAD}


def zone_id_needs_url(section: Mapping[str, Any]) -> Iterator[Finding]:
    """A `host` with a zone ID needs an explicit `public_url`, for a URL cannot have one."""
    host, url = section.get("host"), section.get("public_url")
    if not isinstance(host, str) or "%" not in host or not is_host(unbracketed(host.strip())):
        return
    if url is None or _is_blank(url):
        message = "no URL can be derived from an address with a zone ID"
        yield Finding(("host",), "url-required", message, "set public_url")


def action_keys(section: Mapping[str, Any]) -> Iterator[Finding]:
    """An upload has a source and a target, an exec a command, and neither has the other's keys."""
    kind = section.get("type")
    if not isinstance(kind, str) or kind not in _REQUIRED:
        return
    for key in _REQUIRED[kind]:
        yield from _required(section, key, kind)
    for key in _UNEXPECTED[kind]:
        if section.get(key) is not None:
            message = f"unexpected key for type {kind}"
            yield Finding((key,), "unexpected-key", message, "remove it", at="key")


def _required(section: Mapping[str, Any], key: str, kind: str) -> Iterator[Finding]:
    value = section.get(key)
    if key not in section:
        message = f"missing required key {key} (required for type {kind})"
        yield Finding((key,), "missing-key", message, f"add {key}", at="section")
    elif value is None or _is_blank(value):
        yield Finding((key,), "empty", f"must not be empty (required for type {kind})")


def _is_blank(value: object) -> bool:
    return isinstance(value, str) and not value.strip()


def unique_ids(nodes: object, hostname: Callable[[], str]) -> Iterator[Finding]:
    """No two nodes have the same id; the default is the hostname."""
    if not is_list(nodes):
        return
    first: dict[str, int] = {}
    for index, node in enumerate(nodes):
        name = _node_id(node, hostname)
        if name in first:
            earlier = first[name]
            has_id, earlier_has_id = (_has_id(nodes[each], hostname) for each in (index, earlier))
            yield Finding(
                ("nodes", index, "id"),
                "duplicate-id",
                _duplicate(name, earlier, has_id=has_id, earlier_has_id=earlier_has_id),
                "node ids must be unique",
                at="value" if has_id else "section",
                first=("nodes", earlier, "id"),
            )
        elif name:
            first[name] = index


def _duplicate(name: str, earlier: int, *, has_id: bool, earlier_has_id: bool) -> str:
    subject = f"duplicate node id {quote(name)}"
    if not has_id:
        subject += " (default: the hostname)"
    if not has_id and not earlier_has_id:
        return f"{subject}: nodes[{earlier}] has no id either"
    return f"{subject}: already used by nodes[{earlier}]"


def _node_id(node: object, hostname: Callable[[], str]) -> str:
    """The id that a node has or will have; empty where that cannot be known."""
    if not is_mapping(node):
        return getattr(node, "id", "")
    if "id" not in node:
        return hostname()
    value = node["id"]
    if not isinstance(value, str) or placeholders(value):
        return ""
    return value.strip()


def _has_id(node: object, hostname: Callable[[], str]) -> bool:
    """Whether a node's id is explicit; of an object that is known only if it is not the default."""
    if is_mapping(node):
        return "id" in node
    return _node_id(node, hostname) != hostname()
