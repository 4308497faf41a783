"""A topology for eyes: all that holds as YAML that says where it comes from, a tree, a diagram, and what differs between two.

Credentials in URLs and the values of every ``env`` are starred out, unless `secrets` says that they are to be shown.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from polar_config._plain import is_list, is_mapping
from polar_config._plain.frozen import displayed
from polar_config._reading.structure import unstructure
from polar_config._yaml.write import entry_lines, flow_text
from polar_config.errors._secrets import mask_userinfo, secret_at
from polar_config.errors._words import KeyPath, escaped, path_text
from polar_config.keys import Key, keys
from polar_config.schema import GatewayNodeConfig
from polar_config.topology import TopologyConfig

__all__ = [
    "Difference",
    "differences",
    "effective_data",
    "effective_text",
    "mermaid_text",
    "restarts",
    "tree_text",
]

Block = TopologyConfig | GatewayNodeConfig


def effective_data(block: Block, *, secrets: bool = False) -> dict[str, Any]:
    """All that holds, as fresh plain data.

    >>> effective_data(GatewayNodeConfig(id="a", public_url="http://me:secret@h:1"))["public_url"]
    'http://*********@h:1'
    """
    data = unstructure(block, effective=True)
    return data if secrets else displayed(data)


# --- YAML -------------------------------------------------------------------------------------------------------------


def effective_text(block: Block, written: object = None, *, secrets: bool = False) -> str:
    """All that holds as YAML; what is not in `written`, the plain data of a file, is marked as a default or as derived.

    >>> print(effective_text(GatewayNodeConfig(id="a", port=9000), {"id": "a", "port": 9000}).partition("model_served")[0], end="")
    id: a
    host: 0.0.0.0  # default
    port: 9000
    public_url: http://127.0.0.1:9000  # derived from host and port
    """
    data = effective_data(block, secrets=secrets)
    return "".join(f"{line}\n" for line in _lines(type(block), data, written, 0))


def _lines(cls: type, data: Mapping[str, Any], written: object, column: int) -> Iterator[str]:
    there: Mapping[str, object] = written if is_mapping(written) else {}
    for key in keys(cls):
        yield from _key_lines(
            key, data[key.name], there.get(key.name), is_written=key.name in there, column=column
        )


def _key_lines(
    key: Key, value: Any, written: object, *, is_written: bool, column: int
) -> Iterator[str]:
    if key.block is not None and value:
        yield f"{'':{column}}{key.name}:"
        if key.lists_blocks:
            for index, entry in enumerate(value):
                own = written[index] if is_list(written) and index < len(written) else None
                first, *rest = _lines(key.block, entry, own, column + 4)
                yield f"{'':{column + 2}}- {first.lstrip(' ')}"
                yield from rest
        else:
            yield from _lines(key.block, value, written, column + 2)
        return
    first, *rest = entry_lines(key.name, value, column)
    yield first + _origin(key, written, is_written=is_written)
    yield from rest


def _origin(key: Key, written: object, *, is_written: bool) -> str:
    if key.derived:
        is_blank = written is None or (isinstance(written, str) and not written.strip())
        origin = "host and port" if key.name == "public_url" else "rollout.public_url"
        return f"  # derived from {origin}" if is_blank else ""
    if is_written and not (written is None and key.block is not None):
        return ""
    return "  # default: this machine's name" if key.name == "id" else "  # default"


# --- a tree and a diagram ---------------------------------------------------------------------------------------------


def tree_text(config: TopologyConfig, *, secrets: bool = False) -> str:
    """The rollout server, its gateway nodes and their engines, with their limits.

    >>> print(tree_text(TopologyConfig.loads("gateway: {nodes: [{id: a, model_served: m}]}")), end="")
    rollout  http://127.0.0.1:8080
    └─ gateway a  http://127.0.0.1:8081
       ├─ sglang  http://127.0.0.1:8000, serving m
       └─ at once: 4 starting, 2 running, 4 finishing
    """
    show = _shower(secrets=secrets)
    lines = [f"rollout  {show(config.rollout.public_url)}"]
    if config.rollout.save_dir is not None:
        lines.append(f"├─ results  {escaped(config.rollout.save_dir)}")
    for number, node in enumerate(config.gateway.nodes, 1):
        branch, stem = ("└─", "   ") if number == len(config.gateway.nodes) else ("├─", "│  ")
        serving = f", serving {escaped(node.model_served)}" if node.model_served else ""
        lines += [
            f"{branch} gateway {escaped(node.id)}  {show(node.public_url)}",
            f"{stem}├─ {node.engine}  {show(node.inference_base_url)}{serving}",
            f"{stem}└─ at once: {node.max_init_workers} starting, {node.max_run_workers} running, {node.max_postrun_workers} finishing",
        ]
    return "".join(f"{line}\n" for line in lines)


def _shower(*, secrets: bool) -> Callable[[str], str]:
    return escaped if secrets else lambda text: escaped(mask_userinfo(text))


def mermaid_text(config: TopologyConfig, *, secrets: bool = False) -> str:
    """The same as a Mermaid flow chart, for a README.

    >>> print(mermaid_text(TopologyConfig.loads("gateway: {nodes: [{id: a}]}")), end="")
    flowchart LR
      rollout["rollout<br/>http://127.0.0.1:8080"]
      rollout --> gateway0["a<br/>http://127.0.0.1:8081"]
      gateway0 --> engine0["sglang<br/>http://127.0.0.1:8000"]
    """
    show = _shower(secrets=secrets)
    lines = ["flowchart LR", f"  rollout[{_label('rollout', show(config.rollout.public_url))}]"]
    for number, node in enumerate(config.gateway.nodes):
        lines.append(
            f"  rollout --> gateway{number}[{_label(escaped(node.id), show(node.public_url))}]"
        )
        lines.append(
            f"  gateway{number} --> engine{number}[{_label(node.engine, show(node.inference_base_url))}]"
        )
    return "".join(f"{line}\n" for line in lines)


def _label(*lines: str) -> str:
    escaped = (
        line.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;") for line in lines
    )
    return f'"{"<br/>".join(escaped)}"'


# --- what differs -----------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """One value that differs; None stands for a node that is not there."""

    key_path: str
    old: str | None
    new: str | None


def differences(
    old: TopologyConfig, new: TopologyConfig, *, secrets: bool = False
) -> Iterator[Difference]:
    """What differs in effect, node by node.

    >>> one, other = (TopologyConfig.loads(f"gateway: {{nodes: [{{id: a, port: {port}}}]}}") for port in (1, 2))
    >>> [each.key_path for each in differences(one, other)]
    ['gateway.nodes[a].port', 'gateway.nodes[a].public_url']
    """
    before, after = _by_id(old), _by_id(new)
    yield from _different(before, after, (), secrets=secrets)
    ids = [node.id for node in old.gateway.nodes if node.id in after["gateway"]["nodes"]]
    if ids != [node.id for node in new.gateway.nodes if node.id in before["gateway"]["nodes"]]:
        yield Difference("gateway.nodes", "in this order", "in another order")


def _by_id(config: TopologyConfig) -> dict[str, Any]:
    data = config.to_dict(effective=True)
    data["gateway"]["nodes"] = {node["id"]: node for node in data["gateway"]["nodes"]}
    return data


def _different(old: object, new: object, path: KeyPath, *, secrets: bool) -> Iterator[Difference]:
    if is_mapping(old) and is_mapping(new):
        for key in dict.fromkeys([*old, *new]):
            if key not in old or key not in new:
                yield Difference(
                    _path(path, key),
                    *(
                        _shown(side.get(key), (*path, key), secrets=secrets)
                        if key in side
                        else None
                        for side in (old, new)
                    ),
                )
            else:
                yield from _different(old[key], new[key], (*path, key), secrets=secrets)
    elif type(old) is not type(new) or old != new:
        yield Difference(
            _path(path[:-1], path[-1]),
            _shown(old, path, secrets=secrets),
            _shown(new, path, secrets=secrets),
        )


_NODES = ("gateway", "nodes")


def _path(path: KeyPath, key: str | int) -> str:
    whole = (*path, key)
    if whole[:2] == _NODES and len(whole) > len(_NODES):
        rest = path_text(whole[3:])
        return f"gateway.nodes[{whole[2]}]{'.' if rest and rest[0] != '[' else ''}{rest}"
    return path_text(whole)


def _shown(value: Any, path: KeyPath, *, secrets: bool) -> str:
    if path[:2] == _NODES and len(path) == len(_NODES) + 1:
        return "there"
    if not secrets:
        value = displayed(value, secret=secret_at(path))
    return (
        flow_text(value)
        if is_mapping(value) or is_list(value)
        else json.dumps(value, ensure_ascii=False)
    )


def restarts(old: TopologyConfig, new: TopologyConfig) -> dict[str, list[str]]:
    """Which processes must be restarted, started and stopped to get from one topology to the other.

    >>> one = TopologyConfig.loads("gateway: {nodes: [{id: a}, {id: b, port: 1}]}")
    >>> restarts(one, TopologyConfig.loads("gateway: {nodes: [{id: a, model_served: m}, {id: c, port: 1}]}"))
    {'restart': ['rollout', 'gateway a'], 'start': ['gateway c'], 'stop': ['gateway b']}
    """
    before, after = ({node.id: node for node in each.gateway.nodes} for each in (old, new))
    told = [{entry["node_id"]: entry for entry in each.bootstrap_nodes} for each in (old, new)]
    restart = ["rollout"] if old.rollout != new.rollout or told[0] != told[1] else []
    shared = [_without_nodes(each) for each in (old, new)]
    restart += [
        f"gateway {name}"
        for name, node in after.items()
        if name in before and (shared[0] != shared[1] or node != before[name])
    ]
    start = [f"gateway {name}" for name in after if name not in before]
    stop = [f"gateway {name}" for name in before if name not in after]
    return {"restart": restart, "start": start, "stop": stop}


def _without_nodes(config: TopologyConfig) -> dict[str, Any]:
    return {
        key: value
        for key, value in unstructure(config.gateway, effective=True).items()
        if key != "nodes"
    }
