"""Edits that are refused, after which the text is as it was."""

from typing import Any

import pytest
from helpers import after, refusal

from polar_config import GatewayNodeConfig, RuntimeSpec


def test_a_duplicate_key_or_id_on_the_path_is_refused() -> None:
    assert "duplicate key a (lines 1 and 3)" in str(
        refusal("a: {x: 1}\nb: 2\na: {x: 2}\n", "set", "a.x", 5)
    )
    assert after("a: {x: 1}\nb: 2\na: {x: 2}\n", "set", "b", 5) == "a: {x: 1}\nb: 5\na: {x: 2}\n"
    assert "2 items have the id a" in str(refusal("n: [{id: a}, {id: a}]\n", "set", "n[a].x", 5))


def test_an_edit_that_cannot_be_verified_is_refused() -> None:
    assert "this edit cannot be verified: other parts of the file would change" in str(
        refusal("a: 1\n", "set", "b", {"k" * 2_000: 1})
    )  # YAML takes no key of that length
    assert "a key of more than 1,000 characters" in str(refusal("a: 1\n", "set", ("k" * 2_000,), 1))
    text = "a:\n  - |\n    x"  # the end of the file is the end of this text
    assert "this edit cannot be verified: other parts of the file would change" in str(
        refusal(text, "append", "a", 1)
    )


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
