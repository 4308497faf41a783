"""Polar's topology file: load it, check it, build it in code.

>>> TopologyConfig.loads("gateway: {nodes: [{id: gpu-1, port: 8100}]}").gateway.nodes[0].public_url
'http://127.0.0.1:8100'
"""

from typing import TYPE_CHECKING

from polar_config.errors import Problem, TopologyChangedError, TopologyError
from polar_config.schema import (
    CompletionPersistenceConfig,
    GatewayConfig,
    GatewayNodeConfig,
    InferenceConfig,
    PrepareAction,
    RolloutServiceConfig,
    RuntimeSpec,
)
from polar_config.topology import TopologyConfig

__all__ = [
    "CompletionPersistenceConfig",
    "GatewayConfig",
    "GatewayNodeConfig",
    "InferenceConfig",
    "PrepareAction",
    "Problem",
    "RolloutServiceConfig",
    "RuntimeSpec",
    "TopologyChangedError",
    "TopologyConfig",
    "TopologyDocument",
    "TopologyError",
]

if TYPE_CHECKING:
    from polar_config.document import TopologyDocument


def __getattr__(name: str) -> object:
    """`TopologyDocument`, which needs a parser, is imported only when it is asked for."""
    if name == "TopologyDocument":
        from polar_config.document import TopologyDocument  # noqa: PLC0415

        return TopologyDocument
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
