"""Editing a text in place: what each method does, whose comment is whose, and what is refused."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from helpers import refused

from polar_config import (
    GatewayNodeConfig,
    InferenceConfig,
    RuntimeSpec,
    TopologyDocument,
    TopologyError,
)

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "cases.json").read_text(encoding="utf-8")
)

TWO_NODES = """\
# our two machines
rollout:
  port: 8080

gateway:
  nodes:
    # rack A
    - id: gpu-1
      port: 8100      # behind the proxy
      inference: {engine: vllm, base_url: "http://127.0.0.1:8000"}

    # rack B
    - id: gpu-2
      port: 8100
      max_run_workers: 8   # two cards
"""

SHARED = """\
gateway:
  nodes:
    - &proto
      id: a
      max_run_workers: 2  # of all
      inference: &engine {engine: vllm}
    - <<: *proto
      id: b
    - <<: *proto
      id: c
      inference: *engine
"""


def after(text: str, method: str, *arguments: Any, **options: Any) -> str:
    document = TopologyDocument.parse(text)
    getattr(document, method)(*arguments, **options)
    return document.text


def refusal(text: str, method: str, *arguments: Any, **options: Any) -> TopologyError:
    document = TopologyDocument.parse(text)
    error = refused(lambda: getattr(document, method)(*arguments, **options))
    assert document.text == text
    return error


# --- the cases --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES["unchanged"], ids=lambda case: case["name"])
def test_what_is_not_edited_does_not_change(case: dict[str, Any]) -> None:
    document = TopologyDocument.parse(case["source"])
    assert document.text == case["source"]


@pytest.mark.parametrize("case", CASES["edits"], ids=lambda case: case["name"])
def test_an_edit_gives_an_accepted_result(case: dict[str, Any]) -> None:
    assert _edited(case) in case["accepted"]


def test_nine_in_ten_give_the_ideal_result() -> None:
    ideal = [_edited(case) == case["accepted"][0] for case in CASES["edits"]]
    assert sum(ideal) >= 0.9 * len(ideal)


def _edited(case: dict[str, Any]) -> str:
    document = TopologyDocument.parse(case["source"])
    for step in case["ops"]:
        options = {key: value for key, value in step.items() if key not in {"op", "path"}}
        getattr(document, step["op"])(tuple(step["path"]), **options)
    return document.text


# --- reading ----------------------------------------------------------------------------------------------------------


def test_get_gives_what_is_written() -> None:
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


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("rollout.host", ["there is no key host", "rollout with port"]),
        ("gateway.nodes[gpu-3].port", ["no entry has the id gpu-3", "gpu-1, gpu-2"]),
        ("gateway.nodes[2]", ["there is no entry 2 among 2", "gateway.nodes"]),
        ("rollout.port.x", ["here is a number, which has no key x", "rollout.port"]),
        ("rollout[0]", ["here is a block, which has no entry 0"]),
        ("rollout[*]", ["[*] stands for the entries of a list, but here is a block"]),
        ("top", ["there is no key top", "the topology with rollout, gateway"]),
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
def test_where_and_set_refuse_what_cannot_be(path: Any) -> None:
    refusal(TWO_NODES, "position", path)
    refusal(TWO_NODES, "set", path, 1)


def test_paths_in_reports_can_be_used_again() -> None:
    document = TopologyDocument.parse("n:\n  - id: '0'\n  - id: a b\n  - id: ''\n")
    report = str(refused(lambda: document.get("n[x].port")))
    assert report == 'n[x].port: no entry has the id x\n  the nearest there is: n with "0", a b'
    assert document.get('n["0"].id') == "0"
    assert document.get("n[a b].id") == "a b"
    assert str(refused(lambda: document.get("n[*].port"))).startswith(
        "n[0].port: there is no key port"
    )
    assert str(refused(lambda: document.get('n["1"]["a b"].c'))).startswith('n["1"]["a b"].c: ')


def test_where_is_the_place_of_the_value_or_of_the_block_of_its_default() -> None:
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
    assert "there is no key hots" in str(refusal(TWO_NODES, "position", "rollout.hots"))


def test_diff_shows_the_lines_of_all_edits() -> None:
    document = TopologyDocument.parse(
        "a: 1\n" + "b: 2\n" * 0 + "".join(f"k{n}: {n}\n" for n in range(20)) + "z: 1", "t.yaml"
    )
    assert document.diff() == ""
    document.set("a", 2)
    document.set("z", 2)
    assert document.diff() == (
        "--- t.yaml\n+++ t.yaml\n@@ -1,4 +1,4 @@\n-a: 1\n+a: 2\n k0: 0\n k1: 1\n k2: 2\n@@ -19,4 +19,4 @@\n k17: 17\n k18: 18\n k19: 19\n"
        "-z: 1\n\\ No newline at end of file\n+z: 2\n\\ No newline at end of file\n"
    )
    document.set("a", 1)
    document.set("z", 1)
    assert document.diff() == ""


def test_diff_hides_secrets_unless_told() -> None:
    text = "rollout:\n  public_url: http://me:hunter2@h:1\nenv: {A: hunter2}\n"
    document = TopologyDocument.parse(text)
    document.set("rollout.public_url", "http://me:hunter3@h:1")
    document.set("env.A", "hunter3")
    assert "hunter" not in document.diff()
    assert document.diff().count("\n-") == document.diff().count("\n+  ") + 1 == 2
    assert "+  public_url: http://me:hunter3@h:1\n" in document.diff(secrets=True)


def test_diff_of_changes_near_each_other_is_one_piece() -> None:
    document = TopologyDocument.parse("a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n")
    document.remove("a")
    document.remove("e")
    assert document.diff().count("@@") == 2
    assert document.diff().endswith("@@ -1,5 +1,3 @@\n-a: 1\n b: 2\n c: 3\n d: 4\n-e: 5\n")


def test_diff_of_a_large_text_that_has_no_line_twice_or_only_such() -> None:
    large = TopologyDocument.parse("a:\n" + "  - x\n" * 3_000)
    large.set("a[*]", "y")
    assert large.diff().count("\n-") == large.diff().count("\n+  ") == 3_000


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


def test_a_text_that_is_no_yaml_is_refused_with_its_place() -> None:
    error = refused(lambda: TopologyDocument.parse("a: {b", "t.yaml"))
    assert str(error).startswith("t.yaml:1:6: ")


# --- set --------------------------------------------------------------------------------------------------------------


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


def test_set_makes_the_blocks_on_the_way() -> None:
    assert after("a: 1\n", "set", "b.c.d", 5) == "a: 1\nb:\n  c:\n    d: 5\n"
    assert after("a:\nb: 1\n", "set", "a.x.y", 5) == "a:\n  x:\n    y: 5\nb: 1\n"
    assert after("a:  # later\nb: 1\n", "set", "a.x", 5) == "a:  # later\n  x: 5\nb: 1\n"
    assert after("", "set", "rollout.port", 1) == "rollout:\n  port: 1\n"
    for nothing in ("---\n", "%YAML 1.1\n---\n", "# c\n---\n"):
        assert after(nothing, "set", "a.b", 1) == f"{nothing}a:\n  b: 1\n"
    for word in ("null", "~"):
        assert after(f"# c\n{word}\n", "set", "a.b", 1) == "# c\na:\n  b: 1\n"
    assert after("# only a comment", "set", "a", {}) == "# only a comment\na: {}\n"
    assert "here is a number" in str(refusal("a: 1\n", "set", "a.b", 5))
    assert "no entry has the id x" in str(refusal("a: [1]\n", "set", "a[x].b", 5))
    assert "there is no list for 0" in str(refusal("", "set", "a[0]", 5))


def test_set_takes_objects_of_the_schema_and_writes_what_is_written_in_them() -> None:
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
def test_set_refuses_what_is_no_plain_data(value: Any) -> None:
    refusal("a: 1\n", "set", "a", value)


def test_set_leaves_what_is_equal_already() -> None:
    text = "a: {x: 0x10,   y: [1,2]}\nb: 'q'\n"
    assert after(text, "set", "a", {"y": [1, 2], "x": 16}) == text
    assert after(text, "set", "b", "q") == text
    assert after(text, "set", "a.x", 17) == text.replace("0x10", "17")


def test_set_of_a_block_keeps_the_lines_that_stay_the_same() -> None:
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


def test_a_text_that_is_written_reads_the_same_in_yaml_1_1() -> None:
    for value in ("NO", "010", "22:22", "1_000", "2024-01-05", "1e3", "~", "", "a: b", "- a"):
        assert after("a: x\n", "set", "a", value) == f'a: "{value}"\n'
        assert after("a: 'x'\n", "set", "a", value) == f"a: '{value}'\n"
        assert after("a: x\nb: 'y'\n", "set", "a", value) == f"a: '{value}'\nb: 'y'\n"


def test_the_quotes_of_a_value_stay_and_a_number_has_none() -> None:
    assert after("a: 'x'\n", "set", "a", "it's") == "a: 'it''s'\n"
    assert after('a: "x"\n', "set", "a", "y") == 'a: "y"\n'
    assert after("a: '8080'\n", "set", "a", 8081) == "a: 8081\n"
    assert after("a: 'x'\n", "set", "a", "tab\t") == 'a: "tab\\t"\n'


def test_a_text_of_several_lines_is_written_in_lines() -> None:
    assert (
        after("a: x  # why\nb: 1\n", "set", "a", "one\ntwo\n")
        == "a: |  # why\n  one\n  two\nb: 1\n"
    )
    assert after("a: |\n  one\nb: 1\n", "set", "a", "two") == "a: two\nb: 1\n"
    assert after("a: x\t# why\n", "set", "a", "one\ntwo\n") == 'a: "one\\ntwo\\n"\t# why\n'
    assert after("- x\n- y\n", "set", (0,), "one\ntwo") == "- |-\n  one\n  two\n- y\n"
    assert after("a: 'x'\n", "set", "a", "one\ntwo") == 'a: "one\\ntwo"\n'
    assert after("a: |+\n  x\n\nb: 1\n", "set", "b", 2) == "a: |+\n  x\n\nb: 2\n"
    assert after("a: |+\n  x\n\nb: 1\n", "remove", "a") == "b: 1\n"
    assert after("a: |+\n  x\n\n", "set", "b", 1) == "a: |+\n  x\n\nb: 1\n"
    assert after("a: x", "set", "a", "one\ntwo\n") == 'a: "one\\ntwo\\n"'


def test_the_lines_of_a_text_keep_their_indent_and_their_comments() -> None:
    text = "a: |  # why\n      x\n      y\nb: 1\n"
    assert after(text, "set", "a", "x\ny\nz\n") == text.replace("y\nb", "y\n      z\nb")
    assert after(text, "set", "a", "q") == "a: q  # why\nb: 1\n"
    assert after("a: |\nb: 1\n", "set", "a", "x\ny\n") == "a: |\n  x\n  y\nb: 1\n"
    going_on = "a: x  # e\n      # f\nb: 1\n"
    assert after(going_on, "set", "a", "x\ny") == going_on.replace("a: x", 'a: "x\\ny"')
    assert after(going_on, "set", "a", {"k": 1}) == "a:  # e\n      # f\n  k: 1\nb: 1\n"
    assert after("a: x\n  # f\nb: 1\n", "set", "a", "x\ny") == 'a: "x\\ny"\n  # f\nb: 1\n'


def test_an_aligned_comment_stays_in_its_column_while_there_is_room() -> None:
    text = "a: 1        # one\nb: 22222     # two\nc: 3        # three\n"
    assert after(text, "set", "a", 1234) == text.replace("1        # one", "1234     # one")
    assert after(text, "set", "a", 123_456_789) == text.replace(
        "1        # one", "123456789  # one"
    )
    assert after(text, "set", "b", 1) == text.replace("22222", "1")


def test_values_in_other_places_are_replaced_there() -> None:
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


def test_flow_style_is_kept() -> None:
    assert after("a: {x: 1, y: 'q'}\n", "set", "a.y", "a,b") == "a: {x: 1, y: 'a,b'}\n"
    assert after("a: {u: http://h:1}\n", "set", "a.u", "http://g:2") == "a: {u: http://g:2}\n"
    assert after("a: {u: x}\n", "set", "a.u", "http://g:2") == 'a: {u: "http://g:2"}\n'
    assert after('a: {"x": 1}\n', "set", "a.y", ["v"]) == 'a: {"x": 1, "y": ["v"]}\n'
    assert after("a: {x: , y: 1}\n", "set", "a.x", 5) == "a: {x: 5, y: 1}\n"
    assert after("a: {x, y: 1}\n", "set", "a.x", 5) == "a: {x: 5, y: 1}\n"
    assert after("a: {'x':, y: 1}\n", "set", "a.x", {"z": 1}) == "a: {'x': {z: 1}, y: 1}\n"
    assert after("a: [&n x, *n]\n", "set", ("a", 1), 5) == "a: [&n x, 5]\n"
    assert after("a: {x: &n 1, y: *n}\n", "set", "a.y", 5) == "a: {x: &n 1, y: 5}\n"
    assert after("a: {}\n", "set", "a.b", {"c": 1}) == "a:\n  b:\n    c: 1\n"
    assert after("a: []\n", "append", "a", {"id": 1, "x": 2}) == "a:\n  - id: 1\n    x: 2\n"
    assert after("- []\n", "append", (0,), [1]) == "- - - 1\n"
    assert after("a: [{}]\n", "set", ("a", 0, "b"), {"c": 1}) == "a: [{b: {c: 1}}]\n"


# --- remove, append, insert, rename -----------------------------------------------------------------------------------


def test_remove_takes_the_comments_of_the_entry_and_no_other() -> None:
    text = "# file\na: 1\n\n# about b\nb: 2  # two\n      # goes on\n# about c\nc:\n  x: 1\n  # inside\n\n# loose\n\nd: 4\n"
    assert after(text, "remove", "a") == text.replace("a: 1\n", "")
    assert (
        after("# licence\n# of the file\na: 1\nb: 2\n", "remove", "a")
        == "# licence\n# of the file\nb: 2\n"
    )
    assert after(text, "remove", "b") == text.replace(
        "# about b\nb: 2  # two\n      # goes on\n", ""
    )
    assert after(text, "remove", "c") == text.replace("# about c\nc:\n  x: 1\n  # inside\n", "")
    for loose in (
        "a:\n  - id: x\n    y: 1\n\n    # rack 2\n\n  - id: b\n",
        "a:\n  x: 1\n\n    # deeper\n  y: 2\n",
        "b: 1\na:\n  x: 1\n\n  # c's\nc: 1\n",
    ):
        assert "#" in after(
            loose, "remove", "a[0]" if "- id" in loose else "a.x" if "deeper" in loose else "a"
        )
    assert after(text, "remove", "c.x") == text.replace("c:\n  x: 1\n", "c: {}\n")
    assert after(text, "remove", "d") == text.removesuffix("\nd: 4\n")


def test_remove_in_lists() -> None:
    text = "a:\n  - x: 1  # one\n    y: 2\n    # of the first, or of the second\n  - 5\n  - 6\n"
    assert after(text, "remove", "a[0]") == text.replace("  - x: 1  # one\n    y: 2\n", "")
    assert after(text, "remove", "a[0].x") == text.replace("x: 1  # one\n    ", "")
    assert after(text, "remove", "a[0].y") == text.replace("    y: 2\n", "")
    assert after("- x: 1\n  y: 2\n  z: 3\n", "set", (0,), {"z": 3}) == "- z: 3\n"
    assert (
        after("- x: 1\n  y: 2\n  # about z\n  z: 3\n", "set", (0,), {"z": 3})
        == "-\n  # about z\n  z: 3\n"
    )
    assert (
        after("- x: 1  # one\n  # about y\n  y: 2\n", "remove", (0, "x"))
        == "-\n  # about y\n  y: 2\n"
    )
    assert after("- x: 1  # one\n- 2\n", "remove", (0, "x")) == "- {}\n- 2\n"
    assert after("a: &n\n  - 1\n", "remove", "a[0]") == "a: &n []\n"
    assert after("a: 1", "remove", "a") == "{}\n"
    assert after("a: 1\nb: 2", "remove", "b") == "a: 1"
    assert after("- - 1\n  - 2\n", "remove", (0, 0)) == "- - 2\n"
    assert after("a: 1\n\n\n", "remove", "a") == "{}\n\n\n"


def test_remove_for_every_node_that_has_the_key() -> None:
    assert after(TWO_NODES, "remove", "gateway.nodes[*].max_run_workers") == TWO_NODES.replace(
        "      max_run_workers: 8   # two cards\n", ""
    )
    assert "there is no key model_served" in str(
        refusal(TWO_NODES, "remove", "gateway.nodes[*].model_served")
    )
    assert after("a: [1, 2]\n", "remove", "a[*]") == "a: []\n"
    assert "empty" in str(refusal("a: []\n", "set", "a[*]", 1))
    refusal("a: []\n", "remove", "a[*]")


def test_remove_in_flow_style() -> None:
    assert after("a: [x, y, z]\n", "remove", "a[1]") == "a: [x, z]\n"
    assert (
        after("a: {x: 1, y: 2, z: 3, q: 4}\n", "set", "a", {"x": 1, "z": 3}) == "a: {x: 1, z: 3}\n"
    )
    assert after("a: [x, y, z,]\n", "remove", "a[2]") == "a: [x, y,]\n"
    assert after("a: { x: 1 }\n", "remove", "a.x") == "a: {}\n"
    assert after("a: [x, # one\n  y]\n", "remove", "a[1]") == "a: [x, # one\n  ]\n"
    assert after("a: [x, # one\n  y]\n", "remove", "a[0]") == "a: [ # one\n  y]\n"
    assert after("a: [\n  # only\n  x # one\n]\n", "remove", "a[0]") == "a: []\n"
    assert after("a: {\n  x: 1,\n  y: 2\n}\n", "remove", "a.y") == "a: {\n  x: 1\n}\n"
    assert after("a: [x, # one\n y]\n", "remove", "a[*]") == "a: [ # one\n ]\n"


def test_json_stays_json() -> None:
    text = '{\n  "nodes": [\n    {\n      "id": "a",\n      "port": 1\n    },\n    {\n      "id": "b",\n      "port": 2\n    }\n  ]\n}\n'
    document = TopologyDocument.parse(text)
    document.append("nodes", {"id": "z", "on": True})
    assert json.loads(document.text)["nodes"][2] == {"id": "z", "on": True}
    document.remove("nodes[z]")
    assert json.loads(document.text) == json.loads(text)
    document.remove("nodes[b]")
    document.remove("nodes[a].port")
    assert json.loads(document.text) == {"nodes": [{"id": "a"}]}
    document.remove("nodes[*]")
    assert document.text == '{\n  "nodes": []\n}\n'


def test_append_and_insert() -> None:
    assert (
        after("a:\n-   x: 1\n", "append", "a", {"x": 2, "y": 3})
        == "a:\n-   x: 1\n-   x: 2\n    y: 3\n"
    )
    assert after("a:\n  - 1\n", "insert", "a", 0, 0) == "a:\n  - 0\n  - 1\n"
    assert after("- - 1\n  - 2\n", "insert", (0,), 0, 0) == "- - 0\n  - 1\n  - 2\n"
    assert after("a: [1, 2]\n", "insert", "a", 0, 0) == "a: [0, 1, 2]\n"
    assert after("a: [\n  1,\n  2\n]\n", "append", "a", 3) == "a: [\n  1,\n  2,\n  3\n]\n"
    assert after("a: [\n  1,\n  2\n]\n", "insert", "a", 0, 0) == "a: [\n  0,\n  1,\n  2\n]\n"
    assert after("a:\n  - 1\n\n  - 2\n", "append", "a", 3) == "a:\n  - 1\n\n  - 2\n\n  - 3\n"
    assert (
        after("a: 1\n", "append", "b", 1)
        == after("a: 1\nb:\n", "append", "b", 1)
        == "a: 1\nb:\n  - 1\n"
    )
    assert after("", "append", "a", 1) == "a:\n  - 1\n"
    assert "expected a list, found a number" in str(refusal("a: 1\n", "append", "a", 1))
    assert "there is no place 3 in a list of 1" in str(refusal("a: [1]\n", "insert", "a", 3, 1))
    refusal("a: [1]\n", "insert", "a", -1, 1)
    assert "no entry has the id x" in str(refusal("a: [1]\n", "append", "a[x].b", 1))


def test_rename_keeps_the_value_and_the_quotes() -> None:
    assert after("'a': 1  # x\n", "rename", "a", "b c") == "'b c': 1  # x\n"
    assert after("x: {a: 1}\n", "rename", "x.a", "no") == 'x: {"no": 1}\n'
    assert after('x: {"a": 1}\n', "rename", "x.a", "b") == 'x: {"b": 1}\n'
    assert after("&k a: 1\n", "rename", "a", "b") == "&k b: 1\n"
    assert after("a: 1\n", "rename", "a", "a") == "a: 1\n"
    assert "this key is an alias" in str(refusal("a: &k b\n*k : 1\n", "rename", "b", "c"))
    assert "there is a key b already" in str(refusal("a: 1\nb: 2\n", "rename", "a", "b"))
    assert "there is no key x" in str(refusal("a: 1\n", "rename", "x", "b"))
    assert "only a key" in str(refusal("a: [1]\n", "rename", "a[0]", "b"))
    refusal("a: 1\n", "rename", "a", 5)


def test_complex_keys_are_left_alone() -> None:
    text = "? [a, b]\n: 1\n? plain\n: 2\nother: 3\n"
    assert after(text, "set", "plain", 4) == text.replace("2", "4")
    assert after(text, "remove", "plain") == text.replace("? plain\n: 2\n", "")
    assert after(text, "set", "new", 1) == text + "new: 1\n"
    assert after("a: {? x : 1, y: 2}\n", "remove", "a.x") == "a: {y: 2}\n"


# --- nodes ------------------------------------------------------------------------------------------------------------


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
        ([{"id": "gpu-1"}], {}, "there is a node gpu-1 already"),
        ([{"port": 1}], {"like": "gpu-1"}, "the copy needs an id"),
        ([{"id": "x"}], {"like": "gpu-9"}, "no entry has the id gpu-9"),
        ([{"id": "x"}], {"before": "gpu-9"}, "no entry has the id gpu-9"),
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
    assert "no entry has the id gpu-3" in str(refusal(TWO_NODES, "remove_node", "gpu-3"))


def test_edits_that_are_made_together_are_proved_once_and_succeed_or_fail_as_one() -> None:
    document = TopologyDocument.parse(TWO_NODES)
    with document.batch():
        document.set("rollout.port", 1)
        document.set("x.a", {"b": 1})
        document.set("x.a.c", 2)
        document.append("y", 1)
        document.append("y", 2)
        document.add_node({"id": "gpu-3", "port": 3}, like="gpu-1")
        document.add_node({"id": "gpu-4", "port": 4}, like="gpu-1")
        document.remove_node("gpu-1")
        assert document.text == TWO_NODES
        assert "there is a node gpu-3 already" in str(
            refused(lambda: TopologyDocument.parse(document.text).add_node({"id": "gpu-2"}))
        ).replace("gpu-2", "gpu-3")
    assert document.get("x") == {"a": {"b": 1, "c": 2}}
    assert document.get("y") == [1, 2]
    assert document.get("gateway.nodes[*].id") == ["gpu-2", "gpu-3", "gpu-4"]
    assert document.text.count("# behind the proxy") == 2


def test_one_refused_edit_refuses_all_that_belong_to_it() -> None:
    document = TopologyDocument.parse(TWO_NODES)

    def edits() -> None:
        with document.batch():
            document.set("rollout.port", 1)
            with pytest.raises(TopologyError):
                document.remove("nowhere")

    assert "one of the edits that belong together was refused" in str(refused(edits))

    def twice() -> None:
        with document.batch():
            document.add_node({"id": "new"})
            document.add_node({"id": "new"})

    assert "there is a node new already" in str(refused(twice))
    assert document.text == TWO_NODES
    with document.batch():
        for other in (
            lambda: document.apply(document.config),
            document.save,
            lambda: document.batch().__enter__(),
        ):
            assert "while edits are made together" in str(refused(other))
    assert document.text == TWO_NODES


# --- what others share ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "arguments", "words"),
    [
        (
            "set",
            ["gateway.nodes[0].max_run_workers", 3],
            ["&proto shares this with gateway.nodes[1], gateway.nodes[2]", "shared=True"],
        ),
        (
            "set",
            ["gateway.nodes[0].inference.engine", "sglang"],
            ["&engine shares this with gateway.nodes[2].inference"],
        ),
        ("remove", ["gateway.nodes[0].max_run_workers"], ["&proto shares this"]),
        ("rename", ["gateway.nodes[0].max_run_workers", "x"], ["&proto shares this"]),
        ("set", ["gateway.nodes[0].new", 3], ["&proto shares this"]),
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
        ("rename", ["gateway.nodes[1].max_run_workers", "x"], ["only a key that is written here"]),
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
    assert "&k shares this with the topology" in str(refusal("a: &k b\n*k : 1\n", "set", "a", "c"))
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
    assert "&proto is in here and used by gateway.nodes[1], gateway.nodes[2]" in report
    assert after(SHARED, "remove", "gateway.nodes") == "gateway: {}\n"
    assert "used by b" in str(refusal("a: {x: &n 1}\nb: *n\n", "set", "a", 5))
    assert after("a: {x: &n 1, y: *n}\nb: 2\n", "remove", "a") == "b: 2\n"
    assert after("a: &n 1\nb: 2\n", "remove", "a") == "b: 2\n"


def test_a_key_that_stands_there_twice_is_refused_on_the_path() -> None:
    assert "stands there twice (lines 1 and 3)" in str(
        refusal("a: {x: 1}\nb: 2\na: {x: 2}\n", "set", "a.x", 5)
    )
    assert after("a: {x: 1}\nb: 2\na: {x: 2}\n", "set", "b", 5) == "a: {x: 1}\nb: 5\na: {x: 2}\n"
    assert "2 entries have the id a" in str(refusal("n: [{id: a}, {id: a}]\n", "set", "n[a].x", 5))


def test_a_change_that_no_other_sees_is_made() -> None:
    assert after(SHARED, "set", "gateway.nodes[a].id", "z") == SHARED.replace("id: a\n", "id: z\n")
    listed = "n:\n  - &a {id: a, x: 1}\n  - &b {id: b, y: 1}\n  - <<: [*a, *b]\n    id: c\n"
    assert after(listed, "set", "n[a].id", "z") == listed.replace("{id: a", "{id: z")
    assert "&a shares this with n[2]\n" in str(refusal(listed, "set", "n[a].x", 2))


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


def test_several_documents_are_not_edited() -> None:
    text = "a: 1\n---\na: 2\n"
    assert [problem.code for problem in refusal(text, "set", "a", 5).problems] == [
        "multiple-documents"
    ]


def test_an_edit_that_cannot_be_proved_is_refused() -> None:
    assert "would change more than it is about" in str(
        refusal("a: 1\n", "set", "b", {"k" * 2_000: 1})
    )  # YAML takes no key of that length
    assert "a key of more than 1,000 characters" in str(refusal("a: 1\n", "set", ("k" * 2_000,), 1))
    text = "a:\n  - |\n    x"  # the end of the file is the end of this text
    assert "would change more than it is about" in str(refusal(text, "append", "a", 1))


@pytest.mark.parametrize(
    ("method", "arguments", "options"),
    [
        ("set", ["a", "CYCLE"], {}),
        ("set", ["a", "DEEP"], {}),
        ("append", ["b", "CYCLE"], {}),
        ("add_node", ["CYCLE"], {}),
        ("add_node", [RuntimeSpec(image="x")], {}),
        ("add_node", [{"id": "x"}], {"like": 0}),
        ("add_node", [{"id": "x"}], {"before": 0}),
        ("remove_node", [0], {}),
        ("remove_node", [None], {}),
        ("insert", ["b", None, 1], {}),
        ("insert", ["b", True, 1], {}),
        ("insert", ["b", "0", 1], {}),
        ("rename", ["a", "\0"], {}),
        ("apply", [None], {}),
        ("apply", [GatewayNodeConfig(id="x")], {}),
        ("save", ["a\0b"], {}),
        ("save", [5], {}),
    ],
)
def test_wrong_arguments_are_refused_as_such(
    method: str, arguments: list[Any], options: dict[str, Any]
) -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    deep: dict[str, Any] = {}
    for _ in range(5_000):
        deep = {"a": deep}
    special = {"CYCLE": cycle, "DEEP": deep}
    given = [special.get(each, each) if isinstance(each, str) else each for each in arguments]
    refusal("a: 1\nb: []\ngateway: {nodes: [{id: a}]}\n", method, *given, **options)


@pytest.mark.parametrize("arguments", [[None], [5], [["a"]], ["a: 1", 5]])
def test_a_document_is_parsed_from_a_text(arguments: list[Any]) -> None:
    assert [
        problem.code for problem in refused(lambda: TopologyDocument.parse(*arguments)).problems
    ] == ["invalid-argument"]


def test_threads_that_edit_one_document_lose_nothing() -> None:
    document = TopologyDocument.parse("a: 1\n")

    def work(name: int) -> None:
        for number in range(20):
            document.set(f"k{name}_{number}", number)

    threads = [threading.Thread(target=work, args=[name]) for name in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(document.get(())) == 81


# --- texts of every kind ----------------------------------------------------------------------------------------------


def test_line_ends_byte_order_mark_and_final_newline_stay() -> None:
    assert after("\ufeffa: 1\r\nb: 2", "set", "c", {"x": 1}) == "\ufeffa: 1\r\nb: 2\r\nc:\r\n  x: 1"
    assert after("a: 1\rb: 2\r", "set", "a", 3) == "a: 3\rb: 2\r"
    assert after("a: 1\r\nb: 2\nc: 3\n", "remove", "b") == "a: 1\r\nc: 3\n"
    assert after("a: 1\t# tab\nb:\t2\n", "set", "b", 3) == "a: 1\t# tab\nb:\t3\n"
    assert after("%YAML 1.2\n---\na: 1\n", "set", "a", 2) == "%YAML 1.2\n---\na: 2\n"
    assert after("a: é # \xa0\nb: 😀\nc: 1\n", "set", "c", 2) == "a: é # \xa0\nb: 😀\nc: 2\n"


@pytest.mark.parametrize("separator", ["\x85", "\u2028", "\u2029"])
def test_line_endings_of_yaml_1_1_are_written_as_escapes_in_double_quotes(separator: str) -> None:
    value = {
        f"k{separator}": [f"a{separator}b", f"it's\n{separator}\n"],
        separator: {"a": separator},
    }
    for text in ("a: 'x'\nb: {c: 'y'}\n", 'a: "x"\nb: {c: "y"}\n', "a: |\n  x\nb: {c: y}\n"):
        document = TopologyDocument.parse(text)
        for path in ("a", "b.c", "d"):
            document.set(path, value)
            assert document.get(path) == value
        document.set("a", f"{separator}a")
        assert document.get("a") == f"{separator}a"
        assert separator not in document.text
        assert TopologyDocument.parse(document.text).get(()) == document.get(())


def test_new_entries_take_the_habits_of_the_text() -> None:
    four = "a:\n    x: 1\n    l:\n    - 1\n"
    assert (
        after(four, "set", "b", {"y": {"z": 1}, "m": [1, {"k": 2}]})
        == four + "b:\n    y:\n        z: 1\n    m:\n    - 1\n    - k: 2\n"
    )
    assert after("a:\n  b: &n\n    - 1\n", "set", "c", [1]) == "a:\n  b: &n\n    - 1\nc:\n  - 1\n"
    assert after("a: 1\n\nb: 2\n", "set", "c", {"x": 1}) == "a: 1\n\nb: 2\n\nc:\n  x: 1\n"
    assert after("a: 1\n\nb: 2\n", "set", "c", 3) == "a: 1\n\nb: 2\nc: 3\n"
    assert (
        after("a:\n  - id: a  # A\n\n  - id: b\n", "set", "a", [{"id": "q"}, {"id": "r"}])
        == "a:\n  - id: q\n\n  - id: r\n"
    )
    assert (
        after("a:\n  - id: a\n\n  - id: b\n\n  - id: c\nx: 1\n", "remove", "a[*]")
        == "a: []\nx: 1\n"
    )
    spaced = "a: 1\n\nb: 2\n\nc: 3\n"
    assert after(spaced, "set", "d", 4) == spaced + "\nd: 4\n"
