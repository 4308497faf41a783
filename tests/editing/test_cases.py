"""Edits as a person would make them, case by case; `accepted` lists the ideal text first."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers import refused

from polar_config import TopologyDocument

CASES: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "cases.json").read_text(encoding="utf-8")
)
NOT_IDEAL = {"append_no_final_newline"}
"""Cases that give another accepted text."""
NOTHING = {"comment_only_file", "multi_document"}
"""Texts without a mapping."""


@pytest.mark.parametrize("case", CASES["edits"], ids=lambda case: case["name"])
def test_an_edit_gives_the_ideal_text_or_a_known_other(case: dict[str, Any]) -> None:
    document = TopologyDocument.parse(case["source"])
    for step in case["ops"]:
        options = {key: value for key, value in step.items() if key not in {"op", "path"}}
        getattr(document, step["op"])(tuple(step["path"]), **options)
    ideal, *others = case["accepted"]
    assert document.text in (others if case["name"] in NOT_IDEAL else [ideal])


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(case["source"], id=case["name"])
        for case in CASES["unchanged"]
        if case["name"] not in NOTHING
    ],
)
def test_a_key_that_is_added_moves_no_other_byte_and_goes_again(source: str) -> None:
    document = TopologyDocument.parse(source)
    document.set("zz_new", 1)
    added = len(document.text) - len(source)
    assert added > 0
    assert any(
        document.text[:place] + document.text[place + added :] == source
        for place in range(len(source) + 1)
    )
    document.remove("zz_new")
    assert document.text == source


def test_a_comment_stays_where_there_is_nothing_else() -> None:
    document = TopologyDocument.parse("# nothing here yet\n# really\n")
    document.set("zz_new", 1)
    assert document.text == "# nothing here yet\n# really\nzz_new: 1\n"
    document.remove("zz_new")
    assert document.text == "# nothing here yet\n# really\n{}\n"


def test_none_of_several_documents_is_edited() -> None:
    source = "---\na: 1\n---\n# second\na: 2\n...\n"
    document = TopologyDocument.parse(source)
    error = refused(lambda: document.set("zz_new", 1))
    assert [problem.code for problem in error.problems] == ["multiple-documents"]
    assert document.text == source
