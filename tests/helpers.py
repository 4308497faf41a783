"""What several tests share: ways of asking what is wrong or what an edit gives, and two topologies."""

from collections.abc import Callable
from typing import Any

import pytest

from polar_config import Problem, TopologyConfig, TopologyDocument, TopologyError

TWO_NODES = """\
# our two machines
rollout:
  port: 8080

gateway:
  nodes:
    # rack A
    - id: gpu-1
      port: 8100      # behind the proxy
      inference: {engine: vllm, base_url: "http://127.0.0.1:8000"}

    # rack B
    - id: gpu-2
      port: 8100
      max_run_workers: 8   # two cards
"""

SHARED = """\
gateway:
  nodes:
    - &proto
      id: a
      max_run_workers: 2  # of all
      inference: &engine {engine: vllm}
    - <<: *proto
      id: b
    - <<: *proto
      id: c
      inference: *engine
"""


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


def after(text: str, method: str, *arguments: Any, **options: Any) -> str:
    """A text after one edit."""
    document = TopologyDocument.parse(text)
    getattr(document, method)(*arguments, **options)
    return document.text


def refusal(text: str, method: str, *arguments: Any, **options: Any) -> TopologyError:
    """The error of an edit or a question that is refused, which leaves the text as it was."""
    document = TopologyDocument.parse(text)
    error = refused(lambda: getattr(document, method)(*arguments, **options))
    assert document.text == text
    return error
