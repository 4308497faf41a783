"""A batch gives exactly what its edits give one after the other, byte for byte, or raises what they raise.

`POLAR_CONFIG_BATCHES` says how many batches are tried (150 otherwise), `POLAR_CONFIG_SEED` which. 20,000 take about
five minutes in two processes that have a core each, and as long again for the command:

    POLAR_CONFIG_BATCHES=20000 POLAR_CONFIG_SEED=mine pytest -n 2 tests/batch

A failure prints the smallest batches that differ, as code: `outcome(Batch(…), at_once=True)` repeats one.
"""

import os

import pytest
from edits import Batch, drawn_batch, is_exact

_COUNT = int(os.environ.get("POLAR_CONFIG_BATCHES", "150"))
_SEED = os.environ.get("POLAR_CONFIG_SEED", "polar")
_PARTS = 10  # for as many processes


@pytest.mark.parametrize("part", range(_PARTS))
def test_a_batch_is_what_its_edits_are_one_after_the_other(part: int) -> None:
    drawn = (drawn_batch(f"{_SEED} {number}") for number in range(part, _COUNT, _PARTS))
    different: list[Batch] = [batch for batch in drawn if not is_exact(batch)]
    smallest = sorted(map(repr, different), key=len)[:3]
    assert not different, "\n\n".join([f"{len(different)} batches differ", *smallest])
