"""Loading and `TopologyDocument.get` give the same data for the same text, the mistakes in it included."""

import random

import pytest
from documents import Scribe, at, paths, roots
from helpers import node_text, only, problems
from hypothesis import given
from hypothesis import strategies as st

from polar_config import TopologyConfig, TopologyDocument

KWARGS = ("gateway", "nodes", 0, "default_runtime", "kwargs")


@given(roots, st.randoms(use_true_random=False))
def test_a_document_says_what_is_loaded(value: dict[str, object], chance: random.Random) -> None:
    node = {"id": "a", "default_runtime": {"image": "x", "kwargs": value}}
    text = Scribe(chance).text({"gateway": {"nodes": [node]}})
    loaded = TopologyConfig.loads(text).to_dict()
    document = TopologyDocument.parse(text)
    assert repr(at(loaded, KWARGS)) == repr(document.get(KWARGS)) == repr(value)
    assert document.config.to_dict() == loaded  # its tree is read, the other way


@given(roots, st.randoms(use_true_random=False))
def test_every_key_path_leads_to_its_part_of_the_whole(
    value: dict[str, object], chance: random.Random
) -> None:
    document = TopologyDocument.parse(Scribe(chance).text(value))
    whole = document.get(())
    for path in paths(whole):
        assert repr(document.get(path)) == repr(at(whole, path))


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("8080: x\n", {"8080": "x"}),
        ("0x10: {true: 1, ~: 2}\n", {"0x10": {"true": 1, "~": 2}}),
        ("? [a]\n: x\nb: 1\n", {"": "x", "b": 1}),
        ("8080: x\n'8080': y\n", {"8080": "y"}),
        ("!!int 1: x\n!!str 2: y\n", {"1": "x", "2": "y"}),
        ("a: 1\na: 2\n", {"a": 1}),
        ("a: !x 1\nb: !!int x\nc: !!str 1\n", {"a": "1", "b": "x", "c": "1"}),
        ("a: &a {x: 1}\nb: {<<: [*a, 3], y: 2}\n", {"a": {"x": 1}, "b": {"x": 1, "y": 2}}),
        (
            "a: &a {x: 1}\nb: &b {z: 3}\nc: {<<: *a, <<: *b}\n",
            {"a": {"x": 1}, "b": {"z": 3}, "c": {"x": 1, "z": 3}},
        ),
        ("a: &a [0x10]\nb: *a\n", {"a": [16], "b": [16]}),
    ],
)
def test_what_a_topology_does_not_accept_gives_its_nearest_meaning(text: str, data: object) -> None:
    document = TopologyDocument.parse(text)
    assert repr(document.get(())) == repr(data)


def test_what_a_document_gives_is_fresh() -> None:
    document = TopologyDocument.parse("a: &a {x: [1]}\nb: *a\nc: {<<: *a}\n")
    data = document.get(())
    data["a"]["x"].append(2)
    assert data["b"] == data["c"] == {"x": [1]}
    assert document.get("a") == {"x": [1]}


def test_a_key_that_is_no_string_is_one_problem_and_what_is_under_it_is_checked() -> None:
    assert only(node_text("8080: {a: 1}")).code == "non-string-key"
    found = problems(node_text("default_runtime: {image: x, kwargs: {8080: {<<: 3}}}"))
    assert [each.code for each in found] == ["non-string-key", "bad-merge"]
