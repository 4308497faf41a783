"""Advice: for each code a topology that shows it, and a near miss that does not."""

from typing import Any

import pytest
from files import ROOT
from hypothesis import given
from strategies import topologies

from polar_config import TopologyConfig, TopologyDocument


def codes(
    *nodes: dict[str, Any], rollout: dict[str, Any] | None = None, **gateway: Any
) -> list[str]:
    data = {
        "rollout": rollout or {},
        "gateway": {
            **gateway,
            "nodes": [{"id": f"n{number}", **node} for number, node in enumerate(nodes)],
        },
    }
    return [each.code for each in TopologyConfig.from_dict(data).advice()]


def url(name: str, port: int = 8081) -> dict[str, Any]:
    return {"public_url": f"http://{name}:{port}", "port": port}


FAR = {"public_url": "http://server:8080"}


def test_one_node_with_all_defaults_needs_no_advice() -> None:
    assert codes({}) == []
    assert codes({}, {"port": 8082}) == []


def test_same_url() -> None:
    assert codes(
        {**url("a"), "host": "10.0.0.1"}, {**url("A."), "host": "10.0.0.2"}, rollout=FAR
    ) == ["same-url"]
    assert codes(url("a"), {**url("a"), "host": "10.0.0.2"}, rollout=FAR) == [
        "same-url",
        "same-port",
    ]
    assert codes(
        {"public_url": "http://a", "port": 1},
        {"public_url": "http://a:80/", "port": 2, "host": "h"},
        rollout=FAR,
    ) == ["same-url"]
    assert codes({"public_url": "http://server:8080", "port": 1, "host": "h"}, rollout=FAR) == [
        "same-url"
    ]
    assert (
        codes(
            {"public_url": "http://a", "port": 1},
            {"public_url": "https://a", "port": 2},
            rollout=FAR,
        )
        == []
    )
    assert codes(
        {"public_url": "http://[::2]:1", "port": 1},
        {"public_url": "http://[0:0::2]:1", "port": 2, "host": "h"},
        rollout=FAR,
    ) == ["same-url"]


def test_same_port() -> None:
    assert codes({}, {"public_url": "http://127.0.0.1:9"}) == ["same-port", "port-mismatch"]
    assert codes(
        {**url("a", 1), "host": "10.0.0.1"}, {**url("b", 1), "host": "10.0.0.1"}, rollout=FAR
    ) == ["same-port"]
    assert codes({"port": 8080}) == ["same-url", "same-port"]
    assert codes(url("a", 1), url("b", 1), rollout=FAR) == []
    assert (
        codes({**url("a", 1), "host": "10.0.0.1"}, {**url("b", 1), "host": "10.0.0.2"}, rollout=FAR)
        == []
    )
    assert codes(
        {**url("a", 1), "host": "127.0.0.1"}, {**url("a", 1), "host": "127.0.0.2"}, rollout=FAR
    ) == ["same-url"]


def test_port_mismatch() -> None:
    assert codes({"public_url": "http://a:8100", "port": 8200}, rollout=FAR) == ["port-mismatch"]
    assert codes({"public_url": "http://a:8100", "port": 8200, "host": "A"}, rollout=FAR) == [
        "port-mismatch"
    ]
    assert (
        codes({"public_url": "http://proxy:8100", "port": 8200, "host": "10.0.0.1"}, rollout=FAR)
        == []
    )
    assert codes({"public_url": "https://a", "port": 8200}, rollout=FAR) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]", "[::0]"])
def test_wildcard_url(host: str) -> None:
    written = f"http://{host}:8081"
    assert codes({"public_url": written}) == ["wildcard-url"]
    assert codes({"inference": {"base_url": f"http://{host}:8000"}}) == ["wildcard-url"]
    assert codes({}, rollout_server_url=f"http://{host}:8080") == ["wildcard-url"]
    assert codes({}, rollout={"public_url": f"http://{host}:8080"}) == ["wildcard-url"]
    assert codes({"host": host.strip("[]")}) == []


def test_loopback_url() -> None:
    assert codes(url("gpu-1")) == ["loopback-url"]
    assert codes({"host": "10.0.0.1", "public_url": "http://localhost:8081"}) == ["loopback-url"]
    assert codes(url("gpu-1"), rollout=FAR, rollout_server_url="http://127.0.0.1:8080") == [
        "loopback-url"
    ]
    assert codes({}, rollout=FAR) == ["loopback-url"]
    assert codes({}, rollout={"public_url": "http://localhost:8080"}) == []
    assert codes(url("gpu-1"), rollout=FAR) == []
    message = (
        TopologyConfig.from_dict(
            {"gateway": {"nodes": [{"id": "far", "public_url": "http://far:8081"}]}}
        )
        .advice()[0]
        .message
    )
    assert message.startswith("clients and the gateway nodes, such as node far, call this URL")


def test_inference_urls() -> None:
    assert codes({"inference": {"base_url": "http://127.0.0.1:8000/v1/"}}) == ["base-url-v1"]
    assert codes({"inference": {"base_url": "http://127.0.0.1:8000/v1x"}}) == []
    assert codes({"inference": {"base_url": "http://127.0.0.1:8081"}}) == ["self-inference"]
    assert codes({"inference": {"base_url": "http://localhost:8081"}}) == ["self-inference"]
    assert codes({"inference": {"base_url": "http://127.0.0.1:8080"}}) == ["self-inference"]
    assert codes(
        {"port": 8000, **url("a", 8000), "inference": {"base_url": "http://b:8000"}},
        {**url("b", 8000), "inference": {"base_url": "http://c:1"}},
        rollout=FAR,
    ) == ["self-inference"]
    assert (
        codes(
            {"port": 8000, **url("a", 8000), "inference": {"base_url": "http://c:8000"}},
            rollout=FAR,
        )
        == []
    )


def messages(*nodes: dict[str, Any], rollout: dict[str, Any], **gateway: Any) -> dict[str, str]:
    """The warnings by code, of nodes with these keys."""
    named = [{"id": f"n{number}", **node} for number, node in enumerate(nodes)]
    data = {"rollout": rollout, "gateway": {**gateway, "nodes": named}}
    return {each.code: each.message for each in TopologyConfig.from_dict(data).advice()}


def test_the_callers_of_a_loopback_url_are_named() -> None:
    local = {"public_url": "http://127.0.0.1:8080"}
    found = messages(url("gpu-1"), rollout=local)
    assert found["loopback-url"].startswith("clients and the gateway nodes, such as node n0, call")
    found = messages(url("gpu-1"), rollout=local, rollout_server_url="http://server:8080")
    assert found["loopback-url"].startswith("clients call this URL")


def test_of_two_processes_with_one_url_the_first_is_named() -> None:
    taken = url("server", 8080)
    engine = {**url("a", 1), "inference": {"base_url": "http://server:8080"}}
    assert "the rollout server" in messages(taken, engine, rollout=FAR)["self-inference"]
    engine = {**url("b", 1), "inference": {"base_url": "http://a:5"}}
    found = messages(url("a", 5), url("a", 5), engine, rollout=FAR)
    assert "node n0" in found["self-inference"]


def test_what_only_looks_like_it_needs_no_advice() -> None:
    proxy = {"public_url": "http://p/r"}
    assert (
        codes(
            {
                "public_url": "http://p/gw",
                "port": 8081,
                "inference": {"base_url": "http://p/engine"},
            },
            rollout=proxy,
        )
        == []
    )
    box = {"public_url": "http://box:8080"}
    assert (
        codes(
            {"public_url": "http://box:8081"},
            rollout=box,
            rollout_server_url="http://127.0.0.1:8080",
        )
        == []
    )
    assert codes({}, rollout=box, rollout_server_url="http://127.0.0.1:8080") == []
    assert codes({"inference": {"base_url": "http://v1"}}) == []
    assert codes({"public_url": "http://[::ffff:0.0.0.0]:8081"}) == ["wildcard-url"]
    assert codes(url("far"), rollout={"public_url": "http://[::ffff:127.0.0.1]:8080"}) == [
        "loopback-url"
    ]
    assert codes({"id": "caf\u00e9"}, {"id": "cafe", "port": 1}) == []
    assert codes({"id": "gpu-1"}, {"id": "gpu\u20101", "port": 1}) == ["look-alike-id"]
    assert codes({"id": "node"}, {"id": "node\u200b", "port": 1}) == ["look-alike-id"]


def test_no_save_dir() -> None:
    assert codes({}, completion_persistence={"queue_size": 5}) == ["no-save-dir"]
    assert codes({}, completion_persistence={"queue_size": 5, "enabled": False}) == []
    assert codes({}, completion_persistence={"enabled": True}) == []
    assert codes({}, completion_persistence={"queue_size": 5}, rollout={"save_dir": "x"}) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GPU-1", "gpu-1"),
        ("caf\u00e9", "cafe\u0301"),
        ("gpu-1", "gpu-l"),
        ("GPU-I", "gpu-i"),
        ("gpu-\uff11", "gpu-l"),
        ("node-O", "node-0"),
        ("p\u0430ris", "paris"),
        ("gpu-\uff11", "gpu-1"),
    ],
)
def test_look_alike_id(one: str, other: str) -> None:
    assert codes({"id": one}, {"id": other, "port": 1}) == ["look-alike-id"]
    assert codes({"id": one}, {"id": f"{other}2", "port": 1}) == []


def test_the_document_says_where() -> None:
    text = (
        "gateway:\n  nodes:\n    - id: a\n      inference: {base_url: http://h:1/v1}\n    - id: b\n"
    )
    document = TopologyDocument.parse(text)
    found = [(each.code, each.key_path, each.line, each.column) for each in document.advice()]
    assert found == [
        ("base-url-v1", "gateway.nodes[0].inference.base_url", 4, 29),
        ("same-url", "gateway.nodes[1].public_url", 5, 7),
        ("same-port", "gateway.nodes[1].port", 5, 7),
    ]
    assert {each.code for each in document.config.advice()} == {each[0] for each in found}
    assert document.config.advice()[0].line is None


def test_the_examples_of_the_documentation_need_none() -> None:
    for name in ("topology.yaml", "grown.yaml"):
        assert TopologyConfig.load(ROOT / "docs" / "examples" / name).advice() == ()


@given(topologies)
def test_advice_never_fails_and_is_the_same_again(topology: TopologyConfig) -> None:
    assert topology.advice() == topology.advice()
    document = TopologyDocument.parse(topology.dumps())
    assert sorted(each.code for each in document.advice()) == sorted(
        each.code for each in topology.advice()
    )
