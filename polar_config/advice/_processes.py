"""The processes of a topology: where each listens, and the URL under which it is called."""

from collections.abc import Sequence
from typing import NamedTuple

from polar_config.errors._words import KeyPath, inline
from polar_config.rules._addresses import (
    Target,
    comparable,
    is_loopback,
    is_wildcard,
    target,
    unbracketed,
)
from polar_config.schema import GatewayNodeConfig, RolloutServiceConfig


class Process(NamedTuple):
    """The rollout server or a gateway node."""

    name: str
    path: KeyPath
    host: str
    """The address on which it listens, in comparable spelling."""
    port: int
    public: Target
    """Where its `public_url` leads."""
    has_explicit_url: bool

    @property
    def is_remote(self) -> bool:
        """Whether it is known to be reached over a network, by its URL or its address."""
        return any(
            not (is_loopback(host) or is_wildcard(host)) for host in (self.public.host, self.host)
        )


def processes(server: RolloutServiceConfig, nodes: Sequence[GatewayNodeConfig]) -> list[Process]:
    """The rollout server, then the nodes."""
    found = [_process("the rollout server", ("rollout",), server)]
    for index, node in enumerate(nodes):
        found.append(_process(f"node {inline(node.id)}", ("gateway", "nodes", index), node))
    return found


def _process(name: str, path: KeyPath, config: RolloutServiceConfig | GatewayNodeConfig) -> Process:
    return Process(
        name=name,
        path=path,
        host=comparable(unbracketed(config.host)),
        port=config.port,
        public=target(config.public_url),
        has_explicit_url=config.explicit_public_url is not None,
    )
