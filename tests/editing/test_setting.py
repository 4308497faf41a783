"""`set`: which keys it changes, and what of them stays."""

from typing import Any

import pytest
from helpers import TWO_NODES, after, refusal

from polar_config import GatewayNodeConfig, InferenceConfig, RuntimeSpec, TopologyDocument


def test_set_changes_one_value_of_one_node_or_of_every() -> None:
    assert after(TWO_NODES, "set", "gateway.nodes[gpu-2].port", 8200) == TWO_NODES.replace(
        "gpu-2\n      port: 8100", "gpu-2\n      port: 8200"
    )
    assert after(TWO_NODES, "set", "gateway.nodes[*].port", 9000) == TWO_NODES.replace(
        "8100", "9000"
    )
    every = after(TWO_NODES, "set", "gateway.nodes[*].inference.base_url", "http://127.0.0.1:9000")
    assert (
        every
        == TWO_NODES.replace("127.0.0.1:8000", "127.0.0.1:9000")
        + "      inference:\n        base_url: http://127.0.0.1:9000\n"
    )


def test_set_adds_missing_sections() -> None:
    assert after("a: 1\n", "set", "b.c.d", 5) == "a: 1\nb:\n  c:\n    d: 5\n"
    assert after("a:\nb: 1\n", "set", "a.x.y", 5) == "a:\n  x:\n    y: 5\nb: 1\n"
    assert after("a:  # later\nb: 1\n", "set", "a.x", 5) == "a:  # later\n  x: 5\nb: 1\n"
    assert after("", "set", "rollout.port", 1) == "rollout:\n  port: 1\n"
    for nothing in ("---\n", "%YAML 1.1\n---\n", "# c\n---\n"):
        assert after(nothing, "set", "a.b", 1) == f"{nothing}a:\n  b: 1\n"
    for word in ("null", "~"):
        assert after(f"# c\n{word}\n", "set", "a.b", 1) == "# c\na:\n  b: 1\n"
    assert after("# only a comment", "set", "a", {}) == "# only a comment\na: {}\n"
    assert "a number has no key b" in str(refusal("a: 1\n", "set", "a.b", 5))
    assert "no item with id x" in str(refusal("a: [1]\n", "set", "a[x].b", 5))
    assert "there is no list for 0" in str(refusal("", "set", "a[0]", 5))


def test_set_takes_objects_of_the_schema_and_writes_their_explicit_values() -> None:
    text = after(
        "gateway:\n  nodes:\n    - id: a\n",
        "set",
        "gateway.nodes[0]",
        GatewayNodeConfig(id="a", inference=InferenceConfig(engine="vllm")),
    )
    assert text == "gateway:\n  nodes:\n    - id: a\n      inference:\n        engine: vllm\n"
    nested = after("a: 1\n", "set", "a", {"x": [RuntimeSpec(image="i")], "y": (1, 2)})
    assert nested == "a:\n  x:\n    - image: i\n  y:\n    - 1\n    - 2\n"


@pytest.mark.parametrize(
    "value", [object(), {1: 2}, {"a": {3}}, float("nan"), 2**70, b"x", "\0", "\ud800"]
)
def test_set_refuses_what_is_not_plain_data(value: Any) -> None:
    refusal("a: 1\n", "set", "a", value)


def test_set_leaves_what_is_equal_already() -> None:
    text = "a: {x: 0x10,   y: [1,2]}\nb: 'q'\n"
    assert after(text, "set", "a", {"y": [1, 2], "x": 16}) == text
    assert after(text, "set", "b", "q") == text
    assert after(text, "set", "a.x", 17) == text.replace("0x10", "17")


def test_set_of_a_section_or_list_keeps_the_lines_of_equal_items() -> None:
    text = "a:\n  # one\n  x: 1  # first\n  y: 2\n  # three\n  z: 3\nb:\n  - p  # P\n  - q  # Q\n  - r  # R\n"
    assert after(text, "set", "a", {"x": 1, "z": 4, "new": 5}) == text.replace(
        "  y: 2\n", ""
    ).replace("z: 3\n", "z: 4\n  new: 5\n")
    assert after(text, "set", "b", ["p", "n", "r"]) == text.replace("- q", "- n")
    assert after(text, "set", "b", ["p", "r"]) == text.replace("  - q  # Q\n", "")
    assert after(text, "set", "b", ["p", "q", "r", "s"]) == text + "  - s\n"
    assert after(text, "set", "b", ["o"]) == text.replace(
        "  - p  # P\n  - q  # Q\n  - r  # R\n", "  - o  # P\n"
    )
    assert after(text, "set", "a", {"other": 1}).startswith("a:\n  other: 1\nb:")
    assert after(text, "set", "b", {"k": 1}).endswith("z: 3\nb:\n  k: 1\n")
    assert after(text, "set", "b", 5).endswith("z: 3\nb: 5\n")


def test_a_value_is_replaced_where_it_is() -> None:
    assert after("a:\n  'x'\nb: 1\n", "set", "a", "y") == "a:\n  'y'\nb: 1\n"
    assert after("a: &n x  # c\n", "set", "a", "y") == "a: &n y  # c\n"
    assert after("a: &n\n  x: 1\n", "set", "a", 5) == "a: &n 5\n"
    assert after("a: !!str 5\n", "set", "a", "y") == "a: y\n"
    assert after("a: &n !!str 5  # c\n", "set", "a", {"x": 1}) == "a: &n   # c\n  x: 1\n"
    assert after("a: !!map\n  x: 1\n", "set", "a", 5) == "a: 5\n"
    assert after("a: [!!int '5', 6]\n", "set", "a[0]", 5.5) == "a: [5.5, 6]\n"
    assert after("a: # why\n  x\nb: 1\n", "set", "a", {"y": 1}) == "a: # why\n  y: 1\nb: 1\n"
    assert (
        after("a: {x: 1}\n", "set", "a", {"z": [1, "a,b", "http://h:1"]})
        == 'a: {z: [1, "a,b", "http://h:1"]}\n'
    )
    assert after("- - 1\n  - 2\n- 3\n", "set", (0,), {"x": 1, "y": 2}) == "- x: 1\n  y: 2\n- 3\n"
    assert after("- x: 1\n  y: 2\n- 3\n", "set", (0,), "v") == "- v\n- 3\n"
    assert after("- 3  # c\n- 4\n", "set", (0,), {"x": 1, "y": 2}) == "- x: 1  # c\n  y: 2\n- 4\n"
    assert after("-\n- 4\n", "set", (0,), [1, 2]) == "- - 1\n  - 2\n- 4\n"
    assert after("a: [x]\n", "set", "a", 5) == "a: 5\n"


def test_all_items_of_a_list_beside_a_dash_are_replaced() -> None:
    document = TopologyDocument.parse("- - id: a\n    x: 1\n  - id: b\n")
    document.set("[0]", [{"id": "c"}, {"id": "d"}])
    assert document.text == "- - id: c\n  - id: d\n"


def test_a_value_of_an_env_is_masked_where_it_has_its_anchor() -> None:
    document = TopologyDocument.parse("k: &s hunter2\nenv:\n  A: *s\nb: 1\n")
    document.set("b", 2)
    assert "+b: 2" in document.diff()
    assert "hunter2" not in document.diff()


def test_a_copied_list_loses_its_anchor() -> None:
    text = "gateway:\n  nodes:\n    - id: a\n      tags: &t\n        - x\n"
    document = TopologyDocument.parse(text)
    document.add_node({"id": "b"}, like="a")
    assert document.text == text + "    - id: b\n      tags:\n        - x\n"
