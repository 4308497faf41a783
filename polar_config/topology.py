"""One topology: loaded from a file, a string or plain data, validated as a whole, and written back.

Hides which reader and writer does it: each is imported when it is used for the first time.
"""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import attrs
from attrs import Factory, field, frozen

from polar_config.errors import TopologyError, refused
from polar_config.errors._problem import Problem, problem
from polar_config.errors._words import inline, quote
from polar_config.keys import ConfigSection, ruled
from polar_config.schema import GatewayConfig, GatewayNodeConfig, RolloutServiceConfig

_MAX_LISTED = 20  # ids that an error names


def _path(value: str | Path | None) -> Path | None:
    if value is None:
        return None
    try:
        return Path(value)
    except TypeError:
        pass
    # Raised outside the handler, so that no value stays in the error's context.
    raise refused("wrong-type", "expected the path of a file", "path")


def _effective_gateway(self: "TopologyConfig") -> GatewayConfig:
    given = self.explicit_gateway
    if given.explicit_rollout_server_url:
        return given
    # An argument would make the URL explicit, and stale as soon as `attrs.evolve` changes the
    # rollout server; so the derived one is put into a copy, past its constructor.
    derived = copy.copy(given)
    object.__setattr__(derived, "rollout_server_url", self.rollout.public_url)
    return derived


@frozen(kw_only=True, repr=False, field_transformer=ruled)
class TopologyConfig(ConfigSection):
    """A whole deployment: one rollout server and its fleet of gateway nodes.

    Immutable and hashable. `attrs.evolve` returns a modified copy: derived values are re-derived,
    explicit values are kept. The constructor raises `TopologyError` for invalid arguments.

    >>> node = GatewayNodeConfig(id="gpu-1", port=8100)
    >>> topology = TopologyConfig(gateway=GatewayConfig(nodes=[node]))
    >>> topology.gateway.rollout_server_url
    'http://127.0.0.1:8080'
    """

    rollout: RolloutServiceConfig = field(factory=RolloutServiceConfig)
    """The server to which clients submit tasks."""
    explicit_gateway: GatewayConfig = field(alias="gateway", eq=False, repr=False)
    """The fleet of gateway nodes."""
    gateway: GatewayConfig = field(init=False, default=Factory(_effective_gateway, takes_self=True))
    """The fleet of gateway nodes, with the effective `rollout_server_url`."""
    path: Path | None = field(default=None, eq=False, converter=_path)
    """The file that it was loaded from; None if it came from a string, plain data or code."""

    @classmethod
    def load(
        cls, path: "str | Path" = "topology.yaml", *, variables: Mapping[str, str] | None = None
    ) -> Self:
        """Load a file: a regular file of at most 16 MiB, encoded in UTF-8.

        With `variables`, such as ``os.environ``, the file is a template: ``${NAME}`` and
        ``${NAME:-default}`` in its values are filled from them, as `TopologyDocument.render` does.
        Without them, nothing is ever looked up.

        Raises `TopologyError` with every problem of the file if its content is invalid, and
        `FileNotFoundError` or another `OSError` if it cannot be read.

        >>> TopologyConfig.load("docs/examples/topology.yaml").gateway.nodes[0].port
        8100
        """
        from polar_config._reading import load

        file = Path(path)
        if variables is None:
            topology = load.from_file(file, cls, str(path))
        else:
            text = _rendered(load.decoded(load.read(file, str(path)), str(path)), path, variables)
            topology = load.from_text(text, cls, str(path))
        return attrs.evolve(topology, path=file)

    @classmethod
    def loads(cls, text: str | bytes, name: str = "<string>") -> Self:
        """Load a YAML document from a string, or from bytes in UTF-8; at most 16 MiB.

        Raises `TopologyError` if it is invalid; `name` is the name of the file in its report.

        >>> TopologyConfig.loads("gateway: {nodes: [{id: gpu-1}]}").gateway.nodes[0].port
        8081
        """
        from polar_config._reading import load

        if isinstance(text, str):
            return load.from_text(text, cls, name)
        return load.from_bytes(text, cls, name)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> Self:
        """Load plain data: mappings, lists, tuples, strings, numbers, booleans and None.

        Raises `TopologyError` with every problem if it is invalid. The data is copied.

        >>> data = {"gateway": {"nodes": [{"id": "gpu-1", "port": 8100}]}}
        >>> TopologyConfig.from_dict(data).gateway.nodes[0].public_url
        'http://127.0.0.1:8100'
        """
        from polar_config._reading import load

        return load.from_data(mapping, cls)

    def to_dict(self, effective: bool = False) -> dict[str, Any]:
        """The minimal dict that reproduces this topology; with `effective`, all its values.

        It is fresh plain data that the caller may change. Secrets are not masked in it.

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: a, port: 8081}]}")
        >>> topology.to_dict()
        {'gateway': {'nodes': [{'id': 'a'}]}}
        >>> topology.to_dict(effective=True)["gateway"]["nodes"][0]["port"]
        8081
        """
        from polar_config._reading.structure import unstructure

        return unstructure(self, effective=effective)

    def dumps(self, effective: bool = False) -> str:
        """The same as a YAML document, with its keys in the order of the schema.

        `loads` of it returns an equal topology. Secrets are not masked in it.

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: 'no', port: 8100}]}")
        >>> print(topology.dumps(), end="")
        gateway:
          nodes:
            - id: "no"
              port: 8100
        """
        from polar_config._yaml.write import block_text

        return block_text(self.to_dict(effective))

    def fingerprint(self) -> str:
        """A short hexadecimal string, the same for equal topologies in every process and machine.

        Processes compare it to know that they run on the same topology: neither the formatting of a
        file nor an explicit value equal to the default changes it. It depends on secrets too, so
        that it must not be published where one of them is short.

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: a}]}")
        >>> explicit = TopologyConfig.loads("gateway: {nodes: [{id: a, port: 8081}]}")
        >>> topology.fingerprint() == explicit.fingerprint()
        True
        """
        from polar_config._reading.fingerprint import fingerprint

        return fingerprint(self)

    def advice(self) -> tuple[Problem, ...]:
        """Warnings: what is valid and probably a mistake, such as two nodes with one URL.

        A service can log them; nothing is refused or changed by them. They have no lines;
        `TopologyDocument.advice` returns the same with lines.

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: a}, {id: b}]}")
        >>> [each.code for each in topology.advice()]
        ['same-url', 'same-port']
        """
        from polar_config.advice import findings

        return tuple(problem(each) for each in findings(self.rollout, self.gateway))

    def get(self, path: "str | Sequence[str | int]") -> Any:
        """The effective value at a key path, as plain data; for ``[*]`` a list of all values.

        A default or derived value is returned like an explicit one; `TopologyDocument.get`, in
        contrast, returns explicit values only. Nodes can be selected by index or by id. Raises
        `TopologyError` if the path is malformed (code ``bad-path``) or leads nowhere
        (``unknown-path``). Secrets are not masked.

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: a}, {id: b, port: 8082}]}")
        >>> topology.get("gateway.nodes[*].port")
        [8081, 8082]
        >>> topology.get("gateway.nodes[b].host")
        '0.0.0.0'
        """
        from polar_config._editing.paths import values_at

        return values_at(self.to_dict(effective=True), path)

    def select_gateway_node(self, node_id: str | None = None) -> GatewayNodeConfig:
        """The node with that id; without an id, the only node.

        Raises `TopologyError` with the existing ids if there is no such node (code
        ``unknown-node``), or if there are several and no id is given (``node-id-required``).

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: gpu-1}]}")
        >>> topology.select_gateway_node().id
        'gpu-1'
        """
        nodes = self.gateway.nodes
        if not node_id and len(nodes) == 1:
            return nodes[0]
        for node in nodes:
            if node.id == node_id:
                return node
        raise _not_selected([node.id for node in nodes], node_id)

    @property
    def bootstrap_nodes(self) -> list[dict[str, Any]]:
        """What the rollout server tells its clients of each node, as fresh dicts.

        >>> topology = TopologyConfig.loads("gateway: {nodes: [{id: gpu-1}]}")
        >>> topology.bootstrap_nodes[0]["gateway_url"]
        'http://127.0.0.1:8081'
        """
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


def _rendered(template: str, path: "str | Path", variables: Mapping[str, str]) -> str:
    """The text of a template with its placeholders filled."""
    from polar_config._editing.template import rendered
    from polar_config._editing.text import Text

    return rendered(Text.parsed(template, str(path)), variables, TopologyConfig).raw


def _not_selected(ids: Sequence[str], node_id: str | None) -> TopologyError:
    listed = ", ".join(inline(each) for each in ids[:_MAX_LISTED])
    if len(ids) > _MAX_LISTED:
        listed += f" and {len(ids) - _MAX_LISTED} more"
    code, message = "node-id-required", f"multiple gateway nodes: {listed}"
    if node_id:
        code = "unknown-node"
        message = f"no node with id {quote(str(node_id))}; existing ids: {listed}"
    # The services of Polar, which select their node by this, have the option in common.
    return refused(code, message, "gateway.nodes", "choose one with --node-id")
