"""What several tests share: one way of asking what is wrong."""

from collections.abc import Callable
from typing import Any

import pytest

from polar_config import Problem, TopologyConfig, TopologyError


def refused(build: Callable[[], Any]) -> TopologyError:
    """The error that `build` raises."""
    with pytest.raises(TopologyError) as caught:
        build()
    return caught.value


def problems(text: "str | bytes") -> tuple[Problem, ...]:
    """What is wrong with a file of this content."""
    return refused(lambda: TopologyConfig.loads(text)).problems


def only(text: str) -> Problem:
    """The one thing that is wrong with it."""
    (problem,) = problems(text)
    return problem


def node_text(line: str) -> str:
    """A file whose one node has this line besides its id; the line is number 4, its text begins in column 7."""
    return f"gateway:\n  nodes:\n    - id: a\n      {line}\n"
