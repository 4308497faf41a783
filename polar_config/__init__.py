"""Polar's topology file: load, validate, build and edit it.

>>> TopologyConfig.loads("gateway: {nodes: [{id: gpu-1, port: 8100}]}").gateway.nodes[0].public_url
'http://127.0.0.1:8100'
"""

from importlib import import_module
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
    "Position",
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
    from polar_config.document import Position, TopologyDocument
    from polar_config.reference import json_schema

# Imported at first use: most processes only load a topology, and start faster without these.
_MODULES = {"Position": "document", "TopologyDocument": "document", "json_schema": "reference"}


def __getattr__(name: str) -> object:
    """A public name whose module is not imported yet."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
