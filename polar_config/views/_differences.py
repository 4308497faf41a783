"""Two topologies become the effective values that differ, and the processes to restart."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from polar_config._plain import is_list, is_mapping
from polar_config._reading.structure import unstructure
from polar_config._yaml.write import flow_text
from polar_config.errors._words import escaped
from polar_config.schema import GatewayNodeConfig
from polar_config.topology import TopologyConfig
from polar_config.views._mask import NODES, Mask


class Difference(NamedTuple):
    """One effective value that differs."""

    key_path: str
    """Such as ``rollout.port``; nodes by their ids: ``gateway.nodes[gpu-1].port``."""
    change: Literal["added", "removed", "changed", "reordered"]
    old: Any = None
    """Plain data, secrets masked; None where the value was added."""
    new: Any = None
    """Plain data, secrets masked; None where the value was removed."""

    @property
    def summary(self) -> str:
        """The change in words: ``8100 -> 8200``, ``added``.

        >>> Difference("rollout.save_dir", "changed", None, "./results").summary
        'null -> "./results"'
        """
        if self.change != "changed":
            return self.change
        return f"{_value_text(self.old)} -> {_value_text(self.new)}"


def _value_text(value: object) -> str:
    is_scalar = not is_mapping(value) and not is_list(value)
    return escaped(json.dumps(value, ensure_ascii=False)) if is_scalar else flow_text(value)


def differences(
    old: TopologyConfig, new: TopologyConfig, *, secrets: bool = False
) -> Iterator[Difference]:
    """The effective values that differ, in the order of the schema; nodes are matched by id.

    Secrets are masked in them, unless `secrets` is true: a secret that changed is a difference
    whose `old` and `new` may look the same.

    >>> first = TopologyConfig.loads("gateway: {nodes: [{id: a, port: 1}]}")
    >>> second = TopologyConfig.loads("gateway: {nodes: [{id: a, port: 2}]}")
    >>> [each.key_path for each in differences(first, second)]
    ['gateway.nodes[a].port', 'gateway.nodes[a].public_url']
    """
    before, after = _nodes(old), _nodes(new)
    yield from _between(_by_id(old), _by_id(new), Mask(secrets))
    old_order = [each for each in before if each in after]
    new_order = [each for each in after if each in before]
    if old_order != new_order:
        yield Difference("gateway.nodes", "reordered", old_order, new_order)


def _nodes(config: TopologyConfig) -> dict[str, GatewayNodeConfig]:
    return {node.id: node for node in config.gateway.nodes}


def _by_id(config: TopologyConfig) -> dict[str, Any]:
    """The effective configuration, with a mapping of ids to nodes in place of the list."""
    data = config.to_dict(effective=True)
    data["gateway"]["nodes"] = {node["id"]: node for node in data["gateway"]["nodes"]}
    return data


def _between(old: Mapping[str, Any], new: Mapping[str, Any], mask: Mask) -> Iterator[Difference]:
    """The differences of two sections; `mask` is that of both."""
    for key in dict.fromkeys([*old, *new]):
        if key not in old:
            below = mask.below(key)
            yield Difference(below.label, "added", new=below.value(new[key]))
        elif key not in new:
            below = mask.below(key)
            yield Difference(below.label, "removed", old=below.value(old[key]))
        elif is_mapping(old[key]) and is_mapping(new[key]):
            yield from _between(old[key], new[key], mask.below(key))
        elif _is_changed(old[key], new[key]):
            below = mask.below(key)
            change = below.value(old[key]), below.value(new[key])
            yield Difference(below.label, "changed", *change)


def _is_changed(old: object, new: object) -> bool:
    # 1, 1.0 and True are equal in Python, but different values in a file.
    return type(old) is not type(new) or old != new


def restarts(old: TopologyConfig, new: TopologyConfig) -> dict[str, list[str]]:
    """Which processes must be restarted, started and stopped to get from one topology to the other.

    A gateway must restart if its node or a value of the whole fleet differs; the rollout server if
    its own values or what it tells its clients of the nodes differ.

    >>> first = TopologyConfig.loads("gateway: {nodes: [{id: a}, {id: b, port: 1}]}")
    >>> second = TopologyConfig.loads("gateway: {nodes: [{id: a, model_served: m}, {id: c}]}")
    >>> restarts(first, second)
    {'restart': ['rollout', 'gateway a'], 'start': ['gateway c'], 'stop': ['gateway b']}
    """
    before, after = _nodes(old), _nodes(new)
    restart: list[str] = []
    if old.rollout != new.rollout or _told_to_clients(old) != _told_to_clients(new):
        restart.append("rollout")
    is_fleet_changed = _fleet_values(old) != _fleet_values(new)
    for name, node in after.items():
        if name in before and (is_fleet_changed or node != before[name]):
            restart.append(_process(name))
    return {
        "restart": restart,
        "start": [_process(name) for name in after if name not in before],
        "stop": [_process(name) for name in before if name not in after],
    }


def _process(node_id: str) -> str:
    return f"gateway {node_id}"


def _told_to_clients(config: TopologyConfig) -> dict[str, dict[str, Any]]:
    """What the rollout server tells its clients, whatever the order of the nodes."""
    return {each["node_id"]: each for each in config.bootstrap_nodes}


def _fleet_values(config: TopologyConfig) -> dict[str, Any]:
    """The values of `gateway` that all nodes have in common."""
    values = unstructure(config.gateway, effective=True)
    del values[NODES[-1]]
    return values
