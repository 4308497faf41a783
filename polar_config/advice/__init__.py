"""Warnings about a valid topology: what is probably a mistake, such as two processes on one port.

Nothing is refused or changed by them. `TopologyConfig.advice` and `TopologyDocument.advice` return
them as problems.
"""

from collections.abc import Iterator

from polar_config.advice._look_alikes import look_alike_ids
from polar_config.advice._processes import processes
from polar_config.advice._urls import (
    Occupied,
    inference_urls,
    loopback_urls,
    port_mismatch,
    wildcard_urls,
)
from polar_config.errors._problem import Finding
from polar_config.schema import CompletionPersistenceConfig, GatewayConfig, RolloutServiceConfig

__all__ = ["findings"]


def findings(server: RolloutServiceConfig, gateway: GatewayConfig) -> Iterator[Finding]:
    """All warnings about a topology.

    `gateway` is the effective one: its `rollout_server_url` is derived where it is not explicit.
    """
    rollout, *nodes = processes(server, gateway.nodes)
    occupied = Occupied()
    for process in (rollout, *nodes):
        yield from occupied.same_url(process)
        yield from occupied.same_port(process)
    for process in (rollout, *nodes):
        yield from port_mismatch(process)
    yield from wildcard_urls(server, gateway)
    yield from loopback_urls(gateway.explicit_rollout_server_url, rollout, nodes)
    yield from inference_urls(gateway.nodes, rollout, nodes)
    yield from _no_save_dir(server, gateway.completion_persistence)
    yield from look_alike_ids(gateway.nodes)


def _no_save_dir(
    server: RolloutServiceConfig, persistence: CompletionPersistenceConfig
) -> Iterator[Finding]:
    has_effect = server.save_dir is not None or not persistence.enabled
    if has_effect or persistence == CompletionPersistenceConfig():
        return
    yield Finding(
        ("gateway", "completion_persistence"),
        "no-save-dir",
        "model calls are not kept without rollout.save_dir, so these values have no effect",
        "set rollout.save_dir",
    )
