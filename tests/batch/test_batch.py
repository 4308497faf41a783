"""Edits of one batch that need each other, written out."""

import threading
from typing import Any

import pytest
from edits import Batch, Edit, expected, outcome
from helpers import TWO_NODES, refused

from polar_config import TopologyDocument, TopologyError


def _set(path: str, value: object) -> Edit:
    return Edit("set", (path, value))


@pytest.mark.parametrize(
    ("text", "edits", "after"),
    [
        pytest.param(
            "rollout:\n",
            [_set("rollout.port", 9000), _set("rollout.host", "h")],
            "rollout:\n  port: 9000\n  host: h\n",
            id="two keys of a null section",
        ),
        pytest.param(
            "",
            [_set("a", 1), _set("b", 2), _set("c", 3)],
            "a: 1\nb: 2\nc: 3\n",
            id="three keys of an empty document",
        ),
        pytest.param(
            "a: [0]\n",
            [_set("a", [0, 1]), _set("a", [0, 1])],
            "a: [0, 1]\n",
            id="a list that grows, set twice",
        ),
        pytest.param(
            "a:\n  - id: x\n",
            [_set("a", [{"id": "y"}]), _set("a", [{"id": "y"}])],
            "a:\n  - id: y\n",
            id="a list of one other item, set twice",
        ),
        pytest.param(
            "a:\n",
            [Edit("append", ("a", 1)), Edit("append", ("a", 2))],
            "a:\n  - 1\n  - 2\n",
            id="two items of a null list",
        ),
        pytest.param(
            "a: 1\n",
            [Edit("rename", ("a", "b")), _set("b", 2), _set("a", 3)],
            "b: 2\na: 3\n",
            id="a renamed key by its new name, then another by the old one",
        ),
        pytest.param(
            "a: [x, y, z]\n",
            [Edit("remove", ("a[0]",)), Edit("remove", ("a[0]",)), _set("a[0]", 1)],
            "a: [1]\n",
            id="indexes that the edits before moved",
        ),
        pytest.param(
            "a:\n  - x\n",
            [Edit("insert", ("a", 0, {"id": "n"})), _set("a[n].port", 1), _set("a[0].port", 2)],
            "a:\n  - id: n\n    port: 2\n  - x\n",
            id="an item that was inserted",
        ),
        pytest.param(
            "a:\n  x: 1\n",
            [_set("a.x", 2), _set("a", {"y": 1}), _set("a.z", 3)],
            "a:\n  y: 1\n  z: 3\n",
            id="a key, the section that holds it, another key of that",
        ),
        pytest.param(
            "gateway:\n  nodes:\n    - id: a\n",
            [
                Edit("add_node", ({"id": "b", "port": 1},)),
                Edit("add_node", ({"id": "c"},), {"like": "b", "before": "b"}),
                _set("gateway.nodes[*].port", 2),
                Edit("remove_node", ("a",)),
            ],
            "gateway:\n  nodes:\n    - id: c\n      port: 2\n    - id: b\n      port: 2\n",
            id="nodes that were added",
        ),
    ],
)
def test_an_edit_sees_what_the_edits_before_it_left(
    text: str, edits: list[Edit], after: str
) -> None:
    batch = Batch(text, edits)
    assert expected(batch) == (after, None)
    assert outcome(batch, at_once=True) == (after, None)


_INNER_COMMENT = "gateway:\n  nodes:\n      # c\n    - id: a\n\n    - id: b\n"
_FIVE_NODES = "gateway:\n  nodes:\n" + "".join(f"    - id: {name}\n" for name in "abcde")
_REVEALED = "d: &a {id: a}\nn:\n- <<: *a\n- <<: *a\n  id: z\n"


def _add(node: dict[str, Any], **options: str) -> Edit:
    return Edit("add_node", (node,), options)


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("n:\n- id: a\n- id: b\n", [Edit("append", ("n", {"id": "q"})), _set("n[b].id", "q"), _set("n[q].x", 1)]),
        ("n:\n- id: a\n- id: b\n", [_set("n[b].id", "q"), Edit("append", ("n", {"id": "q"})), _set("n[q].x", 1)]),
        ('n: [{id: "true"}, {id: b}]\n', [_set("n[b].id", True), _set("n[true].port", 1)]),
        ("n:\n- {id: a}\n- {id: '1.0e+30'}\n", [_set("n[a].id", 1e30), Edit("set", (("n", "1.0e+30", "x"), 1))]),
        (_REVEALED, [Edit("remove", ("n[z].id",)), _set("n[a].x", 1)]),
        ("gateway:\n  nodes:\n  - id: a\n    inference: {id: z}\n", [_add({"id": "q", "inference": {"id": "w"}}, like="a"), _set("gateway.nodes[w].port", 5)]),
        ('{"a": 1, b: {c: 1}}\n', [Edit("remove", ("a",)), _set("b.c", "x")]),
        ('{"a": 1, b: {c: 1}}\n', [Edit("remove", ("a",)), _set("b.d", "x")]),
        ("x:\n- a: 1\nl:\n-   a: 1\n    # c\n    b: 2\n", [Edit("remove", ("l[0].a",)), Edit("append", ("l", {"q": 1}))]),
        ("x:\n- a: 1\nl:\n-   a: 1\n    # c\n    b: 2\n", [Edit("append", ("l", {"q": 1})), Edit("remove", ("l[0].a",)), Edit("append", ("l", {"q": 2}))]),
        ("gateway:\n  nodes:\n  - xxxxxxxx  # c\n  - {id: a}  # d\n", [_add({"id": "qq"}, like="a"), _set("gateway.nodes[0]", "y")]),
        (_INNER_COMMENT, [_add({"id": "q"}, like="a"), _add({"id": "r"})]),
        ("gateway:\n\n  nodes:\nrollout:\n", [Edit("remove", ("gateway.nodes",)), _set("host.inference", True)]),
        ("inference: # c\nhost: 1\n", [Edit("append", ("inference", 1)), _set("inference", None)]),
        ("a: {x: 1, x: 2}\nb: 1\n", [_set("b", 2), _set("a.x", 3)]),
        (_FIVE_NODES, [Edit("remove_node", ("b",)), Edit("remove_node", ("d",))]),
        ("d: &d {x: 1}\nn: [*d]\nb: 1\n", [_set("b", 2), _set("n[0].y", 1)]),
        ("a: [{x: 1}]\n", [Edit("append", ("a", {"x": 2})), _set("a[1].y", 3)]),
        (TWO_NODES, [_add({"id": "q"}, like="gpu-1"), _set("gateway.nodes[q].port.x", 1)]),
        (TWO_NODES, [_add({"id": "q"}, like="gpu-1"), _set("gateway.nodes[q].id", "r")]),
        (TWO_NODES, [_add({"id": "q"}, like="gpu-1"), _set("gateway.nodes[q].new", 1)]),
        ("tags: [edge, tls]   # labels\npeer: {a: 1, b: 2}  # pair\nlast: 1\n", [_set("peer.c", {"id": "n"}), _set("tags", 1)]),
    ],
)  # fmt: skip
def test_edits_that_meet_where_it_is_easily_missed(text: str, edits: list[Edit]) -> None:
    batch = Batch(text, edits)
    assert outcome(batch, at_once=True) == expected(batch)


@pytest.mark.parametrize(
    ("text", "edits", "words"),
    [
        pytest.param(
            "a: 1\nb: 2\n",
            [Edit("rename", ("a", "c")), Edit("rename", ("b", "c"))],
            "duplicate-key",
            id="two renames to one name",
        ),
        pytest.param(
            "a: 1\nb: 2\n",
            [Edit("remove", ("a",)), Edit("remove", ("a",))],
            "no key a",
            id="a key removed twice",
        ),
        pytest.param(
            "gateway: {nodes: [{id: a}]}\n",
            [Edit("remove_node", ("a",)), Edit("add_node", ({"id": "b"},), {"like": "a"})],
            "a",
            id="like a node that was removed",
        ),
        pytest.param(
            "a: 1\n",
            [_set("a", 2), _set("b.c", 3), _set("b.c.d", 4)],
            "b.c",
            id="a key below a number",
        ),
    ],
)
def test_a_batch_raises_what_its_edits_raise_and_changes_nothing(
    text: str, edits: list[Edit], words: str
) -> None:
    made = expected(Batch(text, edits))
    assert made.error is not None
    assert words in str(made.error)
    assert made.text == text
    assert outcome(Batch(text, edits), at_once=True) == made


def test_a_batch_without_edits_changes_nothing() -> None:
    for text in ("", "a: 1\n", "a: 1\n---\nb: 1\n"):
        document = TopologyDocument.parse(text)
        with document.batch():
            pass
        assert document.text == text


def test_a_batch_of_many_edits_is_put_in() -> None:
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
    assert document.get("x") == {"a": {"b": 1, "c": 2}}
    assert document.get("y") == [1, 2]
    assert document.get("gateway.nodes[*].id") == ["gpu-2", "gpu-3", "gpu-4"]
    assert document.text.count("# behind the proxy") == 2


def test_inside_of_a_batch_the_document_reads_as_the_edits_so_far_left_it() -> None:
    document = TopologyDocument.parse("gateway:\n  nodes:\n    - id: a\n", "t.yaml")
    with document.batch():
        document.add_node({"id": "b", "port": 1})
        document.set("gateway.nodes[b].port", 2)
        added = "gateway:\n  nodes:\n    - id: a\n    - id: b\n      port: 2\n"
        assert document.text == str(document) == added
        assert document.get("gateway.nodes[b].port") == 2
        assert document.position("gateway.nodes[b].port") == (5, 13)
        assert document.config.gateway.nodes[1].port == 2
        assert document.diff().endswith("+    - id: b\n+      port: 2\n")
        document.set("gateway.nodes[*].port", 3)
    assert document.get("gateway.nodes[*].port") == [3, 3]


def test_for_another_thread_the_document_changes_at_the_end_of_a_batch() -> None:
    document = TopologyDocument.parse(TWO_NODES)
    seen: list[object] = []

    def read() -> None:
        seen.append((document.text, document.config.rollout.port, document.diff()))

    with document.batch():
        document.set("rollout.port", 1)
        assert document.get("rollout.port") == 1
        reader = threading.Thread(target=read)
        reader.start()
        reader.join(10)
        assert seen == [(TWO_NODES, 8080, "")]
    assert document.get("rollout.port") == 1


def test_what_was_read_inside_of_a_batch_that_is_refused_is_gone() -> None:
    document = TopologyDocument.parse(TWO_NODES)

    def edits() -> None:
        with document.batch():
            document.set("rollout.port", 1)
            assert document.config.rollout.port == 1
            document.remove("nowhere")

    assert "no key nowhere" in str(refused(edits))
    assert document.text == TWO_NODES
    assert document.config.rollout.port == 8080
    assert document.diff() == ""


def test_a_refusal_that_is_caught_inside_of_a_batch_refuses_the_batch() -> None:
    document = TopologyDocument.parse(TWO_NODES)

    def edits() -> None:
        with document.batch():
            document.set("rollout.port", 1)
            with pytest.raises(TopologyError):
                document.remove("nowhere")

    assert "an edit of this batch was refused" in str(refused(edits))
    assert document.text == TWO_NODES
    document.set("rollout.port", 2)
    assert document.get("rollout.port") == 2


def test_another_error_inside_of_a_batch_leaves_the_document_as_it_was() -> None:
    document = TopologyDocument.parse(TWO_NODES)

    def edits() -> None:
        with document.batch():
            document.set("rollout.port", 1)
            document.set("rollout.port", 1 // 0)

    with pytest.raises(ZeroDivisionError):
        edits()
    assert document.text == TWO_NODES


def test_a_batch_cannot_be_saved_or_nested() -> None:
    document = TopologyDocument.parse(TWO_NODES)
    with document.batch():
        for other in (document.save, lambda: document.batch().__enter__()):
            assert "not possible inside of a batch" in str(refused(other))
    assert document.text == TWO_NODES
