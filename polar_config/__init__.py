"""Polar's topology file: load it, check it, build it in code.

>>> TopologyConfig.loads("gateway: {nodes: [{id: gpu-1, port: 8100}]}").gateway.nodes[0].public_url
'http://127.0.0.1:8100'
"""

from polar_config.errors import Problem, TopologyError
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
    "TopologyConfig",
    "TopologyError",
]
