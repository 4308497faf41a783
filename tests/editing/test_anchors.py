"""Anchors, aliases and merges: a change reaches no further than its path says, unless it may."""

import contextlib
from typing import Any

import pytest
from helpers import SHARED, after, refusal

from polar_config import TopologyDocument, TopologyError


@pytest.mark.parametrize(
    ("method", "arguments", "words"),
    [
        (
            "set",
            ["gateway.nodes[0].max_run_workers", 3],
            [
                "shared with gateway.nodes[1], gateway.nodes[2] through the anchor &proto",
                "shared=True",
            ],
        ),
        (
            "set",
            ["gateway.nodes[0].inference.engine", "sglang"],
            ["shared with gateway.nodes[2].inference through the anchor &engine"],
        ),
        ("remove", ["gateway.nodes[0].max_run_workers"], ["through the anchor &proto"]),
        ("rename", ["gateway.nodes[0].max_run_workers", "x"], ["through the anchor &proto"]),
        ("set", ["gateway.nodes[0].new", 3], ["through the anchor &proto"]),
        (
            "set",
            ["gateway.nodes[2].inference.engine", "sglang"],
            ["comes through an alias", "gateway.nodes[0].inference.engine with shared=True"],
        ),
        (
            "set",
            ["gateway.nodes[1].inference.engine", "sglang"],
            ["comes through <<", "gateway.nodes[0].inference.engine with shared=True"],
        ),
        (
            "remove",
            ["gateway.nodes[1].max_run_workers"],
            ["comes through <<", "gateway.nodes[0].max_run_workers"],
        ),
        (
            "rename",
            ["gateway.nodes[1].max_run_workers", "x"],
            ["only a key of this mapping itself"],
        ),
    ],
)
def test_a_change_that_would_reach_others_is_refused(
    method: str, arguments: list[Any], words: list[str]
) -> None:
    report = str(refusal(SHARED, method, *arguments))
    assert all(each in report for each in words), report


def test_shared_means_all_of_them() -> None:
    assert after(
        SHARED, "set", "gateway.nodes[0].max_run_workers", 3, shared=True
    ) == SHARED.replace(": 2", ": 3")
    assert after(
        SHARED, "set", "gateway.nodes[0].inference.engine", "sglang", shared=True
    ) == SHARED.replace("vllm", "sglang")
    assert after("a: &n 1\nb: *n\n", "set", "a", 2, shared=True) == "a: &n 2\nb: *n\n"
    assert "this value is shared with the topology through the anchor &k" in str(
        refusal("a: &k b\n*k : 1\n", "set", "a", "c")
    )
    assert "comes through" in str(
        refusal(SHARED, "set", "gateway.nodes[1].inference.engine", "sglang", shared=True)
    )


def test_a_merged_key_is_set_beside_the_merge_and_an_alias_replaced() -> None:
    assert after(SHARED, "set", "gateway.nodes[1].max_run_workers", 3) == SHARED.replace(
        "id: b\n", "id: b\n      max_run_workers: 3\n"
    )
    assert after(
        SHARED, "set", "gateway.nodes[c].inference", {"engine": "sglang"}
    ) == SHARED.replace("*engine\n", "\n        engine: sglang\n").replace(
        "inference: \n", "inference:\n"
    )
    assert after("a: &n 1\nb: *n\n", "set", "b", 1) == "a: &n 1\nb: 1\n"


def test_an_anchor_in_use_is_not_removed() -> None:
    report = str(refusal(SHARED, "remove", "gateway.nodes[0]", shared=True))
    assert "the anchor &proto in it is used by gateway.nodes[1], gateway.nodes[2]" in report
    assert after(SHARED, "remove", "gateway.nodes") == "gateway: {}\n"
    assert "used by b" in str(refusal("a: {x: &n 1}\nb: *n\n", "set", "a", 5))
    assert after("a: {x: &n 1, y: *n}\nb: 2\n", "remove", "a") == "b: 2\n"
    assert after("a: &n 1\nb: 2\n", "remove", "a") == "b: 2\n"


def test_a_change_that_no_other_sees_is_made() -> None:
    assert after(SHARED, "set", "gateway.nodes[a].id", "z") == SHARED.replace("id: a\n", "id: z\n")
    listed = "n:\n  - &a {id: a, x: 1}\n  - &b {id: b, y: 1}\n  - <<: [*a, *b]\n    id: c\n"
    assert after(listed, "set", "n[a].id", "z") == listed.replace("{id: a", "{id: z")
    assert "this value is shared with n[2] through the anchor &a\n" in str(
        refusal(listed, "set", "n[a].x", 2)
    )


def test_every_node_of_a_fleet_that_shares_is_set_where_it_is_shared() -> None:
    path = "gateway.nodes[*].inference.engine"
    fleet = SHARED.replace("vllm", "sglang")
    assert "shared=True" in str(refusal(SHARED, "set", path, "sglang"))
    assert after(SHARED, "set", path, "sglang", shared=True) == fleet
    elsewhere = "x: &e {engine: vllm}\nn:\n  - i: *e\n  - i: *e\n"
    assert "change x.engine with shared=True" in str(
        refusal(elsewhere, "set", "n[*].i.engine", "sglang", shared=True)
    )
    other = SHARED + "    - id: d\n      inference: *engine\n"
    assert after(other, "set", path, "sglang", shared=True) == other.replace("vllm", "sglang")
    assert after(
        SHARED, "set", "gateway.nodes[*].max_run_workers", 3, shared=True
    ) == SHARED.replace(": 2", ": 3")


@pytest.mark.parametrize(
    ("text", "source", "before"),
    [
        pytest.param(
            "gateway:\n  nodes:\n    - {id: a, env: &e [x]}\n    - {id: b, env: *e}\n"
            "    - {id: c, env: &e [y]}\n",
            "b",
            None,
            id="behind another anchor of the same name",
        ),
        pytest.param(
            "x: &e z\ngateway:\n  nodes:\n    - {id: a, env: [&e x, *e]}\n",
            "a",
            "a",
            id="an alias inside before its own anchor",
        ),
        pytest.param(
            "gateway:\n  nodes:\n    - {id: a, env: &e [x]}\n    - {id: b, env: *e}\n",
            "b",
            "a",
            id="before the anchor",
        ),
    ],
)
def test_a_copy_whose_alias_would_mean_something_else_is_not_made(
    text: str, source: str, before: str | None
) -> None:
    document = TopologyDocument.parse(text)
    wanted = document.get(f"gateway.nodes[{source}].env")
    with contextlib.suppress(TopologyError):  # it may be made without the alias
        document.add_node({"id": "d"}, like=source, before=before)
    assert document.get("gateway.nodes[d].env", wanted) == wanted
