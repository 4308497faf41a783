"""Bytes that no edit is about, and new text that is written like the rest."""

from helpers import after


def test_line_endings_byte_order_mark_and_final_newline_stay() -> None:
    assert after("\ufeffa: 1\r\nb: 2", "set", "c", {"x": 1}) == "\ufeffa: 1\r\nb: 2\r\nc:\r\n  x: 1"
    assert after("a: 1\rb: 2\r", "set", "a", 3) == "a: 3\rb: 2\r"
    assert after("a: 1\r\nb: 2\nc: 3\n", "remove", "b") == "a: 1\r\nc: 3\n"
    assert after("a: 1\t# tab\nb:\t2\n", "set", "b", 3) == "a: 1\t# tab\nb:\t3\n"
    assert after("%YAML 1.2\n---\na: 1\n", "set", "a", 2) == "%YAML 1.2\n---\na: 2\n"
    assert after("a: é # \xa0\nb: 😀\nc: 1\n", "set", "c", 2) == "a: é # \xa0\nb: 😀\nc: 2\n"


def test_new_text_is_written_like_the_rest() -> None:
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
