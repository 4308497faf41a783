"""Items of lists and names of keys: added, removed, renamed."""

from helpers import TWO_NODES, after, refusal


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
    assert "no key model_served" in str(
        refusal(TWO_NODES, "remove", "gateway.nodes[*].model_served")
    )
    assert after("a: [1, 2]\n", "remove", "a[*]") == "a: []\n"
    assert "empty" in str(refusal("a: []\n", "set", "a[*]", 1))
    refusal("a: []\n", "remove", "a[*]")


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
    assert "no position 3 in a list of 1" in str(refusal("a: [1]\n", "insert", "a", 3, 1))
    refusal("a: [1]\n", "insert", "a", -1, 1)
    assert "no item with id x" in str(refusal("a: [1]\n", "append", "a[x].b", 1))


def test_rename_keeps_the_value_and_the_quotes() -> None:
    assert after("'a': 1  # x\n", "rename", "a", "b c") == "'b c': 1  # x\n"
    assert after("x: {a: 1}\n", "rename", "x.a", "no") == 'x: {"no": 1}\n'
    assert after('x: {"a": 1}\n', "rename", "x.a", "b") == 'x: {"b": 1}\n'
    assert after("&k a: 1\n", "rename", "a", "b") == "&k b: 1\n"
    assert after("a: 1\n", "rename", "a", "a") == "a: 1\n"
    assert "this key is an alias" in str(refusal("a: &k b\n*k : 1\n", "rename", "b", "c"))
    assert "duplicate key b" in str(refusal("a: 1\nb: 2\n", "rename", "a", "b"))
    assert "no key x" in str(refusal("a: 1\n", "rename", "x", "b"))
    assert "only a key" in str(refusal("a: [1]\n", "rename", "a[0]", "b"))
    refusal("a: 1\n", "rename", "a", 5)


def test_complex_keys_are_left_alone() -> None:
    text = "? [a, b]\n: 1\n? plain\n: 2\nother: 3\n"
    assert after(text, "set", "plain", 4) == text.replace("2", "4")
    assert after(text, "remove", "plain") == text.replace("? plain\n: 2\n", "")
    assert after(text, "set", "new", 1) == text + "new: 1\n"
    assert after("a: {? x : 1, y: 2}\n", "remove", "a.x") == "a: {y: 2}\n"
