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
    "json_schema",
]

if TYPE_CHECKING:
    from polar_config.document import TopologyDocument
    from polar_config.reference import json_schema

_LATER = {
    "TopologyDocument": "document",
    "json_schema": "reference",
}  # imported when asked for: few processes need them


def __getattr__(name: str) -> object:
    """What a process that only loads a topology does without."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
