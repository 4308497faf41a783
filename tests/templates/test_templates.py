"""Templates: what is filled, as what, and what is told of the rest."""

import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from documents import texts
from helpers import refused
from hypothesis import assume, given
from hypothesis import strategies as st

from polar_config import TopologyConfig, TopologyDocument


def rendered(text: str, **variables: str) -> str:
    return TopologyDocument.parse(text).render(variables).text


AWKWARD = [
    "a: b # c",
    '"',
    "'",
    "two\nlines",
    "yes",
    "010",
    "",
    " ",
    "null",
    "~",
    "1e3",
    "0x10",
    "- a",
    "{a: b}",
    "*a",
    "&a",
    "!!x",
    "%",
    "@x@",
    "${X}",
    "\\n",
    "é図😀",
    "a\tb",
    "a\x85b",
    "\u2028",
    "a\u2029",
]


@pytest.mark.parametrize("value", AWKWARD)
@pytest.mark.parametrize("scalar", ["${X}", "'${X}'", '"${X}"'])
def test_a_value_comes_out_as_exactly_that_text(value: str, scalar: str) -> None:
    text = f"gateway:\n  nodes:\n    - id: a  # ${{X}}\n      default_runtime:\n        image: i\n        env:\n          A: {scalar}  # why\n"
    document = TopologyDocument.parse(text).render({"X": value})
    assert document.get("gateway.nodes[0].default_runtime.env.A") == value
    assert document.config.gateway.nodes[0].default_runtime.env["A"] == value  # type: ignore[union-attr]
    assert "# ${X}\n" in document.text
    assert "# why" in document.text


@pytest.mark.parametrize("value", [each for each in AWKWARD if "\n" not in each and each != " "])
def test_a_value_in_the_middle_of_a_text_or_of_lines_or_in_flow_style(value: str) -> None:
    text = "a: x${X}y\nb: |\n    one\n      ${X} two\n    three\nc: {d: 'x${X}', e: [\"${X}\"]}\n"
    document = TopologyDocument.parse(text).render({"X": value})
    assert document.get(()) == {
        "a": f"x{value}y",
        "b": f"one\n  {value} two\nthree\n",
        "c": {"d": f"x{value}", "e": [value]},
    }
    assert "    one\n" in document.text or "\t" in value or not value.isprintable()


def test_numbers_go_where_the_key_takes_one_and_texts_where_it_takes_that() -> None:
    text = 'rollout: {port: x}\ngateway:\n  nodes:\n    - id: ${N}\n      port: ${N}\n      model_served: ${N}\n      default_runtime:\n        image: ${N}\n        allow_internet: ${B}\n        env: {A: "${N}"}\n        kwargs: {n: "${N}"}\n'
    block = text.replace('env: {A: "${N}"}', "env:\n          A: ${N}").replace(
        'kwargs: {n: "${N}"}', "kwargs:\n          n: ${N}\n          z: ${Z}"
    )
    document = TopologyDocument.parse(block).render({"N": "8100", "B": "true", "Z": "007"})
    node = document.get("gateway.nodes[0]")
    assert (node["id"], node["port"], node["model_served"]) == ("8100", 8100, "8100")
    runtime = node["default_runtime"]
    assert (runtime["image"], runtime["allow_internet"], runtime["env"]) == (
        "8100",
        True,
        {"A": "8100"},
    )
    assert runtime["kwargs"] == {"n": 8100, "z": "007"}
    for value, found in (("010", "010"), ("x", "x"), ("", ""), ("true", "true"), ("0x10", 16)):
        assert (
            TopologyDocument.parse("rollout:\n  port: ${N}\n")
            .render({"N": value})
            .get("rollout.port")
            == found
        )
    assert (
        TopologyDocument.parse("rollout:\n  port: '${N}'\n").render({"N": "1"}).get("rollout.port")
        == "1"
    )
    assert (
        TopologyDocument.parse("rollout:\n  callback_grace_seconds: ${N}\n")
        .render({"N": "1.5"})
        .get("rollout.callback_grace_seconds")
        == 1.5
    )
    assert TopologyDocument.parse("x:\n  - ${N}\n  - ${B}\n").render({"N": "5", "B": "true"}).get(
        "x"
    ) == [5, "true"]


@pytest.mark.parametrize("value", ["1.10", "0.10000000000000000555", "9" * 400, "-0", "12.50"])
def test_a_number_stays_as_it_was_spelled(value: str) -> None:
    text = "gateway:\n  nodes:\n    - id: a\n      default_runtime:\n        image: i\n        kwargs:\n          v: ${V}\n"
    assert rendered(text, V=value) == text.replace("${V}", value)
    assert rendered("rollout:\n  port: ${P}\n", P=value) == f"rollout:\n  port: {value}\n"
    assert rendered("rollout:\n  port: ${P}\n", P="0x1F") == "rollout:\n  port: 0x1F\n"
    for odd in (".inf", "1e400"):
        document = TopologyDocument.parse(
            "rollout:\n  callback_grace_seconds: ${P}\ngateway: {nodes: [{id: a}]}\n"
        ).render({"P": odd})
        assert [each.code for each in refused(partial(getattr, document, "config")).problems] == [
            "out-of-range"
        ]


def test_everything_else_stays() -> None:
    text = "\ufeff# ${A}\r\na: ${A} # ${A}\r\n'${A}': &n ${A}\r\nb: *n\r\nc: $A $$ $(A) {A}\r\n"
    assert rendered(text, A="x") == text.replace("a: ${A} ", "a: x ").replace("&n ${A}", "&n x")
    assert rendered("a: 1\n") == "a: 1\n"
    assert rendered("") == ""
    assert rendered("${X}", X="1") == "${X}"


def test_defaults_literals_and_several_in_one_text() -> None:
    assert rendered("a: ${A:-x y}-${B:-}-$${C}-$$${D}\n", D="d") == "a: x y--${C}-$${D}\n".replace(
        "a: x y--${C}-$${D}", 'a: "x y--${C}-$${D}"'
    )
    assert rendered("a: ${A}${A}${B}\n", A="1", B="") == 'a: "11"\n'.replace('"11"', "11")


def test_all_that_is_missing_is_told_at_once_each_with_its_line() -> None:
    text = "a: ${A} ${A}\nb:\n  - ${B}\n  - ok\nc: ${1} ${x y} ${\nd: ${D:-d}\n"
    error = refused(lambda: TopologyDocument.parse(text, "t.yaml").render({}))
    assert [(each.code, each.key_path, each.line, each.column) for each in error.problems] == [
        ("missing-variable", "a", 1, 4),
        ("missing-variable", "b[0]", 3, 5),
        ("bad-placeholder", "c", 5, 4),
    ]
    lines = 'a: |\n  one ${A}\n  ${B} two\nb: "x\\x24{C}"\n'
    assert [
        (each.line, each.column)
        for each in refused(lambda: TopologyDocument.parse(lines).render({})).problems
    ] == [
        (2, 7),
        (3, 3),
        (4, 4),
    ]
    for nested in ("${A:-${B}}", "${A:-$${B}}"):
        problems = refused(partial(TopologyDocument.parse(f"a: x{nested}\n").render, {})).problems
        assert problems[0].code == "bad-placeholder"
    assert str(error).startswith(
        "t.yaml:1:4: a: undefined variable ${A}\n  set A, or write ${A:-default}\n"
    )


@pytest.mark.parametrize("variables", [None, [("A", "x")], {"A": 5}, {"A": None}])
def test_variables_are_texts_by_their_names(variables: Any) -> None:
    refused(lambda: TopologyDocument.parse("a: ${A}\n").render(variables))


def test_what_is_no_yaml_is_told_to_be_quoted() -> None:
    assert "put it in quotes" in str(refused(lambda: TopologyDocument.parse("{a: ${X}}\n")))


def test_a_rendered_document_has_no_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text("gateway:\n  nodes:\n    - id: ${ID}\n", encoding="utf-8")
    document = TopologyDocument.open(file).render({"ID": "a"})
    assert "the document has no file" in str(refused(document.save))
    document.save(tmp_path / "topology.yaml")
    assert TopologyConfig.load(tmp_path / "topology.yaml").gateway.nodes[0].id == "a"
    assert "${ID}" in file.read_text(encoding="utf-8")


def test_load_fills_a_template_on_the_way_and_looks_nothing_up_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(
        "gateway:\n  nodes:\n    - id: ${NODE_ID}\n      port: ${PORT:-8100}\n", encoding="utf-8"
    )
    monkeypatch.setenv("NODE_ID", "gpu-1")
    topology = TopologyConfig.load(file, variables=os.environ)
    assert (topology.gateway.nodes[0].id, topology.gateway.nodes[0].port, topology.path) == (
        "gpu-1",
        8100,
        file,
    )
    assert [each.code for each in refused(lambda: TopologyConfig.load(file)).problems] == [
        "placeholder",
        "placeholder",
    ]
    bad = refused(lambda: TopologyConfig.load(file, variables={"NODE_ID": "a", "PORT": "x"}))
    assert str(bad).startswith(f"{file}:4:13: ")
    assert [
        each.code for each in refused(lambda: TopologyConfig.load(file, variables={})).problems
    ] == ["missing-variable"]


@given(texts(), st.dictionaries(st.sampled_from("ABC"), st.text(max_size=5), max_size=3))
def test_a_text_without_placeholders_is_the_same(
    document: tuple[str, dict[str, Any]], variables: dict[str, str]
) -> None:
    text, _ = document
    assume("${" not in text)
    assert rendered(text, **variables) == text
