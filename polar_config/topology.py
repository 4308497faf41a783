"""One topology: loaded from a file, a text or plain data, checked as a whole, and written back."""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import attrs
from attrs import Factory, field, frozen

from polar_config.errors import TopologyError
from polar_config.errors._problem import Problem, problem
from polar_config.errors._words import inline
from polar_config.keys import ConfigSection, ruled
from polar_config.schema import GatewayConfig, GatewayNodeConfig, RolloutServiceConfig

_MAX_LISTED = 20  # ids that an error names


def _path(value: str | Path | None) -> Path | None:
    try:
        return None if value is None else Path(value)
    except TypeError:
        pass
    raise TopologyError(
        [Problem(code="wrong-type", key_path="path", message="expected the path of a file")]
    )


def _with_rollout_url(self: Any) -> GatewayConfig:
    written: GatewayConfig = self.explicit_gateway
    whole = copy.copy(written)
    if not written.explicit_rollout_server_url:
        object.__setattr__(whole, "rollout_server_url", self.rollout.public_url)
    return whole


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MAX_LISTED} more" if len(ids) > _MAX_LISTED else ""
    return ", ".join(inline(each) for each in ids[:_MAX_LISTED]) + more


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class TopologyConfig(ConfigSection):
    """A whole deployment: one rollout server and its fleet of gateway nodes. Immutable, hashable, complete.

    >>> node = GatewayNodeConfig(id="gpu-1", port=8100)
    >>> topology = TopologyConfig(gateway=GatewayConfig(nodes=[node]))
    >>> topology.gateway.rollout_server_url
    'http://127.0.0.1:8080'
    """

    rollout: RolloutServiceConfig = field(factory=RolloutServiceConfig)
    """The server to which clients submit tasks."""
    explicit_gateway: GatewayConfig = field(alias="gateway", eq=False, repr=False)
    """The fleet of gateway nodes."""
    gateway: GatewayConfig = field(init=False, default=Factory(_with_rollout_url, takes_self=True))
    """The fleet of gateway nodes, with the effective `rollout_server_url`."""
    path: Path | None = field(default=None, eq=False, converter=_path)
    """The file it was loaded from; no key of the file."""

    @classmethod
    def load(
        cls, path: "str | Path" = "topology.yaml", *, variables: Mapping[str, str] | None = None
    ) -> Self:
        """Read a regular file of at most 16 MiB in UTF-8.

        With `variables`, such as ``os.environ``, the file is a template: ``${NAME}`` and ``${NAME:-default}`` in its values are filled from
        them, as `TopologyDocument.render` does. Without, nothing is ever looked up.

        Raises `TopologyError` with everything that is wrong in it; `FileNotFoundError` or another `OSError` as the system raises it.
        """
        from polar_config._reading import load  # noqa: PLC0415  (the classes alone need neither YAML nor cattrs)

        if variables is not None:
            from polar_config._editing.template import rendered  # noqa: PLC0415
            from polar_config._editing.text import Text  # noqa: PLC0415

            template = Text.parsed(
                load.decoded(load.read(Path(path), str(path)), str(path)), str(path)
            )
            return attrs.evolve(
                load.from_text(rendered(template, variables, cls).raw, cls, str(path)),
                path=Path(path),
            )
        return attrs.evolve(load.from_file(Path(path), cls, str(path)), path=Path(path))

    @classmethod
    def loads(cls, text: str | bytes, name: str = "<string>") -> Self:
        """Read a text, or the bytes of a file; `name` stands for the file in errors. Raises `TopologyError`.

        >>> TopologyConfig.loads("gateway: {nodes: [{id: gpu-1}]}").gateway.nodes[0].port
        8081
        """
        from polar_config._reading import load  # noqa: PLC0415

        return (
            load.from_text(text, cls, name)
            if isinstance(text, str)
            else load.from_bytes(text, cls, name)
        )

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Self:
        """Check plain data: mappings, lists and tuples, texts, numbers, true, false and None.

        >>> TopologyConfig.from_dict({"gateway": {"nodes": [{"id": "gpu-1", "port": 8100}]}}).gateway.nodes[0].public_url
        'http://127.0.0.1:8100'
        """
        from polar_config._reading import load  # noqa: PLC0415

        return load.from_data(mapping, cls)

    def to_dict(self, effective: bool = False) -> dict[str, Any]:
        """Fresh plain data: what must be written to get an equal topology, or with `effective` all that holds.

        >>> TopologyConfig.loads("gateway: {nodes: [{id: a, port: 8081}]}").to_dict()
        {'gateway': {'nodes': [{'id': 'a'}]}}
        """
        from polar_config._reading.structure import unstructure  # noqa: PLC0415

        return unstructure(self, effective=effective)

    def dumps(self, effective: bool = False) -> str:
        """The same as YAML, in the schema's order; `loads` of it is equal to this topology.

        >>> print(TopologyConfig.loads("gateway: {nodes: [{id: 'no', port: 8100}]}").dumps(), end="")
        gateway:
          nodes:
            - id: "no"
              port: 8100
        """
        from polar_config._yaml.write import block_text  # noqa: PLC0415

        return block_text(self.to_dict(effective))

    def fingerprint(self) -> str:
        """A short hexadecimal text that is the same for equal topologies in every process, on every machine.

        Processes compare it to know that they run on the same topology: neither the formatting of a file nor a default that is written out
        changes it.

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: a}]}")
        >>> topology.fingerprint() == TopologyConfig.loads("gateway: {nodes: [{id: a, port: 8081}]}").fingerprint()
        True
        """
        from polar_config._reading.fingerprint import fingerprint  # noqa: PLC0415  (few processes compare)

        return fingerprint(self)

    def advice(self) -> tuple[Problem, ...]:
        """What is valid and probably not meant, such as two nodes with one URL; a service can log it. Nothing else follows from it.

        `TopologyDocument.advice` gives the same with lines.

        >>> [each.code for each in TopologyConfig.loads("gateway: {nodes: [{id: a}, {id: b}]}").advice()]
        ['same-url', 'same-port']
        """
        from polar_config.advice import findings  # noqa: PLC0415  (few processes ask)

        return tuple(problem(each) for each in findings(self.rollout, self.gateway))

    def get(self, path: "str | Sequence[str | int]") -> Any:
        """What holds at a key path, defaults and derived values included, as plain data; for ``[*]`` a list of all.

        >>> TopologyConfig.loads("gateway: {nodes: [{id: a}, {id: b, port: 8082}]}").get("gateway.nodes[*].port")
        [8081, 8082]
        """
        from polar_config._editing.paths import values_at  # noqa: PLC0415

        return values_at(self.to_dict(effective=True), path)

    def select_gateway_node(self, node_id: str | None = None) -> GatewayNodeConfig:
        """The node with that id; without one, the only node. Raises `TopologyError` that names the ids there are."""
        nodes = self.gateway.nodes
        if not node_id and len(nodes) == 1:
            return nodes[0]
        for node in nodes:
            if node.id == node_id:
                return node
        ids = _listed([node.id for node in nodes])
        if node_id:
            code, message, hint = (
                "unknown-node",
                f"there is no node {inline(str(node_id))}",
                f"name one of these with --node-id: {ids}",
            )
        else:
            code, message, hint = (
                "node-id-required",
                f"there are {len(nodes)} nodes: {ids}",
                "say which with --node-id",
            )
        raise TopologyError(
            [Problem(code=code, key_path="gateway.nodes", message=message, hint=hint)]
        )

    @property
    def bootstrap_nodes(self) -> list[dict[str, Any]]:
        """What the rollout server tells its clients of each node; fresh dicts."""
        return [
            {
                "node_id": node.id,
                "gateway_url": node.public_url,
                "max_init_workers": node.max_init_workers,
                "max_run_workers": node.max_run_workers,
                "max_postrun_workers": node.max_postrun_workers,
                "heartbeat_interval_seconds": self.gateway.heartbeat_interval_seconds,
            }
            for node in self.gateway.nodes
        ]
