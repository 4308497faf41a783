"""How strings are written: quoted where they must be, like the string before them, in lines."""

import pytest
from helpers import after

from polar_config import TopologyDocument


def test_a_string_reads_the_same_in_yaml_1_1() -> None:
    for value in ("NO", "010", "22:22", "1_000", "2024-01-05", "1e3", "~", "", "a: b", "- a"):
        assert after("a: x\n", "set", "a", value) == f'a: "{value}"\n'
        assert after("a: 'x'\n", "set", "a", value) == f"a: '{value}'\n"
        assert after("a: x\nb: 'y'\n", "set", "a", value) == f"a: '{value}'\nb: 'y'\n"


def test_the_quotes_of_a_value_stay_and_a_number_has_none() -> None:
    assert after("a: 'x'\n", "set", "a", "it's") == "a: 'it''s'\n"
    assert after('a: "x"\n', "set", "a", "y") == 'a: "y"\n'
    assert after("a: '8080'\n", "set", "a", 8081) == "a: 8081\n"
    assert after("a: 'x'\n", "set", "a", "tab\t") == 'a: "tab\\t"\n'


def test_a_string_of_several_lines_is_a_block_scalar() -> None:
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


def test_a_block_scalar_keeps_its_indent_and_its_comment() -> None:
    text = "a: |  # why\n      x\n      y\nb: 1\n"
    assert after(text, "set", "a", "x\ny\nz\n") == text.replace("y\nb", "y\n      z\nb")
    assert after(text, "set", "a", "q") == "a: q  # why\nb: 1\n"
    assert after("a: |\nb: 1\n", "set", "a", "x\ny\n") == "a: |\n  x\n  y\nb: 1\n"
    going_on = "a: x  # e\n      # f\nb: 1\n"
    assert after(going_on, "set", "a", "x\ny") == going_on.replace("a: x", 'a: "x\\ny"')
    assert after(going_on, "set", "a", {"k": 1}) == "a:  # e\n      # f\n  k: 1\nb: 1\n"
    assert after("a: x\n  # f\nb: 1\n", "set", "a", "x\ny") == 'a: "x\\ny"\n  # f\nb: 1\n'


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
