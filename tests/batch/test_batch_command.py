"""`polar-config set A=1 B=2` is a batch: what one call saves or says is what a call for each would."""

import os
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from edits import Batch, drawn_assignments

from polar_config.cli import main

_COUNT = int(os.environ.get("POLAR_CONFIG_BATCHES", "150"))
_SEED = os.environ.get("POLAR_CONFIG_SEED", "polar")
_PARTS = 10  # for as many processes


def _said(file: Path, *assignments: str) -> tuple[int, str]:
    """The exit status and the problem of a call that sets keys."""
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors):
        status = main(["set", "--no-check", "-c", str(file), *assignments])
    return status, errors.getvalue()


def _is_exact(file: Path, batch: Batch) -> bool:
    text = batch.text.encode()
    assignments = [f"{edit.arguments[0]}={edit.arguments[1]}" for edit in batch.edits]
    file.write_bytes(text)
    wanted = 0, ""
    for each in assignments:
        wanted = _said(file, each)
        if wanted != (0, ""):
            break
    after = file.read_bytes() if wanted == (0, "") else text
    file.write_bytes(text)
    return _said(file, *assignments) == wanted and file.read_bytes() == after


@pytest.mark.parametrize("part", range(_PARTS))
def test_a_call_with_assignments_is_a_call_for_each_or_changes_nothing(
    part: int, tmp_path: Path
) -> None:
    drawn = (drawn_assignments(f"{_SEED} {number}") for number in range(part, _COUNT, _PARTS))
    file = tmp_path / "topology.yaml"
    different: list[Batch] = [batch for batch in drawn if not _is_exact(file, batch)]
    smallest = sorted(map(repr, different), key=len)[:3]
    assert not different, "\n\n".join([f"{len(different)} calls differ", *smallest])


def test_a_section_with_nothing_in_it_gets_all_keys(tmp_path: Path) -> None:
    file = tmp_path / "topology.yaml"
    file.write_text("rollout:\ngateway: {nodes: [{id: a}]}\n", encoding="utf-8")
    assert _said(file, "rollout.port=9000", "rollout.host=h") == (0, "")
    assert file.read_text(encoding="utf-8").startswith("rollout:\n  port: 9000\n  host: h\n")
