"""`polar-config set A=1 B=2` is a batch: it saves what its edits give one after the other, or nothing.

`POLAR_CONFIG_BATCHES` and `POLAR_CONFIG_SEED` as in `test_batch_properties.py`.
"""

import os
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from edits import Batch, drawn_assignments, expected

from polar_config import TopologyDocument
from polar_config.cli import main

_COUNT = int(os.environ.get("POLAR_CONFIG_BATCHES", "150"))
_SEED = os.environ.get("POLAR_CONFIG_SEED", "polar")
_PARTS = 10  # for as many processes
_FINE = (0, "")


def _said(file: Path, *assignments: str) -> tuple[int, str]:
    """The exit status and the problem of a call that sets keys."""
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors):
        status = main(["set", "--no-check", "-c", str(file), *assignments])
    return status, errors.getvalue()


def _is_exact(file: Path, batch: Batch) -> bool:
    """Whether a call saves the bytes that a document's edits give, and says what single calls say.

    Single calls may write new text otherwise: each follows the style of the file that it opens.
    """
    text = batch.text.encode()
    assignments = [f"{edit.arguments[0]}={edit.arguments[1]}" for edit in batch.edits]
    file.write_bytes(text)
    said_of_last = _FINE
    for each in assignments:
        said_of_last = _said(file, each)
        if said_of_last != _FINE:
            break
    values = TopologyDocument.open(file).get(())
    file.write_bytes(text)
    said = _said(file, *assignments)
    has_values = said != _FINE or repr(TopologyDocument.open(file).get(())) == repr(values)
    after = expected(batch).text.encode()
    return said == said_of_last and has_values and file.read_bytes() == after


@pytest.mark.parametrize("part", range(_PARTS))
def test_a_call_sets_what_calls_for_each_would_or_changes_nothing(
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
    assert _said(file, "rollout.port=9000", "rollout.host=h") == _FINE
    assert file.read_text(encoding="utf-8").startswith("rollout:\n  port: 9000\n  host: h\n")
