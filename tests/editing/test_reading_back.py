"""What a document says of its own text: values, positions, the topology."""

from typing import Any

import pytest
from helpers import SHARED, TWO_NODES, refusal, refused

from polar_config import TopologyDocument


def test_get_gives_explicit_values() -> None:
    document = TopologyDocument.parse(TWO_NODES)
    assert document.get("rollout") == {"port": 8080}
    assert (
        document.get("gateway.nodes[gpu-2].port") == document.get("gateway.nodes[1].port") == 8100
    )
    assert document.get(("gateway", "nodes", "gpu-1", "inference", "engine")) == "vllm"
    assert document.get("gateway.nodes[*].id") == ["gpu-1", "gpu-2"]
    assert document.get("rollout.host", None) is None
    assert document.get("gateway.nodes[*].max_run_workers", 2) == [2, 8]


def test_get_follows_aliases_and_merges() -> None:
    document = TopologyDocument.parse(SHARED)
    assert document.get("gateway.nodes[b].max_run_workers") == 2
    assert document.get("gateway.nodes[c].inference.engine") == "vllm"
    assert document.get("gateway.nodes[b]") == {
        "id": "b",
        "max_run_workers": 2,
        "inference": {"engine": "vllm"},
    }
    tagged = TopologyDocument.parse("a: !!int '0x1F'\nb: !!int x\nc: !x y\n")
    assert [tagged.get("a"), tagged.get("b"), tagged.get("c")] == [31, "x", "y"]
    assert TopologyDocument.parse("a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: [*a, *b]\n").get("c") == {
        "x": 1,
        "y": 2,
    }
    assert TopologyDocument.parse("c:\n  <<: 5\n  x: 1\n").get("c") == {"x": 1}


def test_the_position_of_a_value_or_of_the_section_in_which_its_default_applies() -> None:
    document = TopologyDocument.parse(TWO_NODES)
    assert document.position("gateway.nodes[1].port") == (14, 13)
    assert document.position("rollout.port") == (3, 9)
    assert document.position("rollout.host") == document.position("rollout") == (3, 3)
    assert document.position("gateway.completion_persistence.queue_size") == document.position(
        "gateway"
    )
    assert (
        document.position("gateway.nodes[0].default_runtime.image")
        == document.position("gateway.nodes[0]")
        == (8, 7)
    )
    assert TopologyDocument.parse("").position("rollout.port") == (1, 1)
    assert TopologyDocument.parse("a:\n  - x\n  -\n").position("a[1]") == (3, 3)
    assert TopologyDocument.parse("a:  # nothing\n").position("a") == (1, 1)
    assert "no key hots" in str(refusal(TWO_NODES, "position", "rollout.hots"))


def test_config_is_the_topology_of_the_text() -> None:
    document = TopologyDocument.parse(TWO_NODES)
    assert document.config.gateway.nodes[1].max_run_workers == 8
    document.set("gateway.nodes[1].max_run_workers", 9)
    assert document.config.gateway.nodes[1].max_run_workers == 9
    document.set("gateway.nodes[1].id", "gpu-1")
    assert [problem.code for problem in refused(lambda: document.config).problems] == [
        "duplicate-id"
    ]
    document.set("gateway.nodes[0].id", "gpu-2")
    assert document.config.gateway.nodes[0].id == "gpu-2"
    assert repr(document) == "<TopologyDocument <string>>"


def test_a_text_that_is_not_yaml_is_refused_with_its_position() -> None:
    error = refused(lambda: TopologyDocument.parse("a: {b", "t.yaml"))
    assert str(error).startswith("t.yaml:1:6: ")


@pytest.mark.parametrize("arguments", [[None], [5], [["a"]], ["a: 1", 5]])
def test_a_document_is_parsed_from_a_text(arguments: list[Any]) -> None:
    assert [
        problem.code for problem in refused(lambda: TopologyDocument.parse(*arguments)).problems
    ] == ["invalid-argument"]
