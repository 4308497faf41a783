"""Edits of one batch that need each other, written out."""

import pytest
from edits import Batch, Edit, expected, outcome

from polar_config import TopologyDocument


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
    assert words in str(made.error[1])
    assert made.text == text
    assert outcome(Batch(text, edits), at_once=True) == made


def test_a_batch_without_edits_changes_nothing() -> None:
    for text in ("", "a: 1\n", "a: 1\n---\nb: 1\n"):
        document = TopologyDocument.parse(text)
        with document.batch():
            pass
        assert document.text == text
