"""Gateway nodes: added beside others, copied, removed."""

from typing import Any

import pytest
from helpers import SHARED, TWO_NODES, after, refusal

from polar_config import GatewayNodeConfig


def test_add_node_at_the_end_or_beside_another() -> None:
    node = {"id": "gpu-3", "port": 8100}
    assert after(TWO_NODES, "add_node", node) == TWO_NODES + "\n    - id: gpu-3\n      port: 8100\n"
    before = after(TWO_NODES, "add_node", node, before="gpu-2")
    assert before == after(
        TWO_NODES, "add_node", GatewayNodeConfig(id="gpu-3", port=8100), after="gpu-1"
    )
    assert before == TWO_NODES.replace(
        "    # rack B\n", "    - id: gpu-3\n      port: 8100\n\n    # rack B\n"
    )
    assert (
        after("rollout: {port: 1}\n", "add_node", {"id": "a"})
        == "rollout: {port: 1}\ngateway:\n  nodes:\n    - id: a\n"
    )


def test_add_node_like_another_copies_its_text() -> None:
    copied = after(
        TWO_NODES, "add_node", {"id": "gpu-3", "port": 8300, "model_served": "m"}, like="gpu-1"
    )
    assert copied == TWO_NODES + (
        "\n    # rack A\n    - id: gpu-3\n      port: 8300      # behind the proxy\n"
        '      inference: {engine: vllm, base_url: "http://127.0.0.1:8000"}\n      model_served: m\n'
    )
    whole = after(
        TWO_NODES,
        "add_node",
        GatewayNodeConfig(id="gpu-3", port=8100),
        like="gpu-2",
        before="gpu-1",
    )
    assert whole == TWO_NODES.replace(
        "    # rack A\n",
        "    # rack B\n    - id: gpu-3\n      port: 8100\n      max_run_workers: 2   # two cards\n\n    # rack A\n",
    )


def test_a_copy_has_no_anchors() -> None:
    copied = after(SHARED, "add_node", {"id": "d"}, like="a")
    assert (
        copied
        == SHARED
        + "    - id: d\n      max_run_workers: 2  # of all\n      inference: {engine: vllm}\n"
    )
    apart = "gateway:\n  nodes:\n    - &p\n      # about a\n      id: a\n"
    assert (
        after(apart, "add_node", {"id": "b"}, like="a")
        == apart + "    -\n      # about a\n      id: b\n"
    )
    flow = "gateway: {nodes: [{id: a, inference: &i {engine: vllm}}]}\n"
    assert after(flow, "add_node", {"id": "b"}, like="a") == flow.replace(
        "]}\n", ", {id: b, inference: {engine: vllm}}]}\n"
    )
    steps = "gateway:\n  nodes:\n    - id: a\n      default_runtime: {image: i, prepare: [&p {type: exec, command: x}, *p]}\n"
    assert after(steps, "add_node", {"id": "b"}, like="a").endswith(
        "- id: b\n      default_runtime: {image: i, prepare: [{type: exec, command: x}, *p]}\n"
    )
    assert (
        after(SHARED, "add_node", {"id": "d"}, like="c")
        == SHARED + "    - <<: *proto\n      id: d\n      inference: *engine\n"
    )


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ([{"id": "gpu-1"}], {}, "duplicate node id gpu-1"),
        ([{"port": 1}], {"like": "gpu-1"}, "the copy needs an id"),
        ([{"id": "x"}], {"like": "gpu-9"}, "no item with id gpu-9"),
        ([{"id": "x"}], {"before": "gpu-9"}, "no item with id gpu-9"),
        ([{"id": "x"}], {"before": "gpu-1", "after": "gpu-2"}, "not both"),
        (["x"], {}, "expected a node"),
    ],
)
def test_add_node_refuses(arguments: list[Any], options: dict[str, Any], words: str) -> None:
    assert words in str(refusal(TWO_NODES, "add_node", *arguments, **options))


def test_a_node_that_is_an_alias_cannot_be_copied() -> None:
    text = "x: &n {id: a}\ngateway:\n  nodes:\n    - *n\n"
    assert "is an alias" in str(refusal(text, "add_node", {"id": "b"}, like="a"))


def test_remove_node() -> None:
    assert after(TWO_NODES, "remove_node", "gpu-1") == TWO_NODES.replace(
        TWO_NODES[TWO_NODES.index("    # rack A") : TWO_NODES.index("    # rack B")], ""
    )
    assert (
        after(TWO_NODES, "remove_node", "gpu-2") == TWO_NODES[: TWO_NODES.index("\n    # rack B")]
    )
    assert "no item with id gpu-3" in str(refusal(TWO_NODES, "remove_node", "gpu-3"))
