"""Key paths: which there are, and what is said of one that leads nowhere."""

from typing import Any

import pytest
from helpers import TWO_NODES, refusal, refused

from polar_config import TopologyDocument


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("rollout.host", ["no key host", "existing keys in rollout: port"]),
        (
            "gateway.nodes[gpu-3].port",
            ["no item with id gpu-3", "existing ids in gateway.nodes: gpu-1, gpu-2"],
        ),
        (
            "gateway.nodes[2]",
            ["no item 2 in a list of 2", "existing ids in gateway.nodes: gpu-1, gpu-2"],
        ),
        ("rollout.port.x", ["a number has no key x", "the nearest existing path is rollout.port"]),
        ("rollout[0]", ["a mapping has no item 0", "existing keys in rollout: port"]),
        ("rollout[*]", ["[*] stands for all items of a list, but this is a mapping"]),
        ("top", ["no key top", "existing keys in the topology: rollout, gateway"]),
    ],
)
def test_a_path_that_leads_nowhere_names_the_nearest(path: str, words: list[str]) -> None:
    report = str(refusal(TWO_NODES, "get", path))
    assert all(each in report for each in words), report


@pytest.mark.parametrize(
    "path",
    [
        "",
        ".a",
        "a..b",
        "a b",
        "a[",
        "a[]",
        'a["\\q"]',
        "a.[0]",
        "a[0]b",
        5,
        None,
        ("a", -1),
        ("a", 1.5),
        ("a", True),
    ],
)
def test_what_is_no_path_is_refused(path: Any) -> None:
    assert [
        problem.code for problem in refusal(TWO_NODES, "get" if path else "set", path, 1).problems
    ] == ["bad-path"]


@pytest.mark.parametrize(
    "path",
    [
        "gateway.nodes[9]",
        "gateway.nodes[0][3]",
        "rollout[0]",
        "rollout.*",
        "a" * 1_001,
        "x." * 70 + "x",
        ("\ud800",),
        ("\0",),
    ],
)
def test_a_path_that_can_lead_nowhere_is_refused(path: Any) -> None:
    refusal(TWO_NODES, "position", path)
    refusal(TWO_NODES, "set", path, 1)


def test_paths_in_reports_can_be_used_again() -> None:
    document = TopologyDocument.parse("n:\n  - id: '0'\n  - id: a b\n  - id: ''\n")
    report = str(refused(lambda: document.get("n[x].port")))
    assert report == 'n[x].port: no item with id x\n  existing ids in n: "0", a b'
    assert document.get('n["0"].id') == "0"
    assert document.get("n[a b].id") == "a b"
    assert str(refused(lambda: document.get("n[*].port"))).startswith("n[0].port: no key port")
    assert str(refused(lambda: document.get('n["1"]["a b"].c'))).startswith('n["1"]["a b"].c: ')


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (TWO_NODES, "gateway.nodes[nope].port"),
        (TWO_NODES, "gateway.nodes[7].port"),
        ("gateway: {nodes: []}\n", "gateway.nodes[0].port"),
        ("rollout: {}\n", "gateway.nodes[a].port"),
        ("rollout: {}\n", "gateway.nodes[0].port"),
    ],
)
def test_an_item_that_does_not_exist_has_no_position(text: str, path: str) -> None:
    assert refusal(text, "position", path).problems[0].code == "unknown-path"


def test_an_index_of_many_digits_is_no_index() -> None:
    for path in (f"gateway.nodes[{'9' * 5_000}]", "gateway.nodes[9999999999]"):
        assert refusal(TWO_NODES, "get", path).problems[0].code in {"unknown-path", "bad-path"}


def test_an_item_of_free_data_is_found_by_its_id() -> None:
    text = "gateway: {nodes: [{id: a, default_runtime: {image: i, kwargs: {l: [1, {id: [2]}, {id: q}]}}}]}"
    config = TopologyDocument.parse(text).config
    path = "gateway.nodes[a].default_runtime.kwargs.l[q].id"
    assert config.get(path) == "q"
