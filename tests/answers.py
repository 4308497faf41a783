"""What the library says of a text, with and without the C parser."""

import json
import subprocess
import sys
from collections.abc import Callable

from documents import paths
from files import ROOT

from polar_config import TopologyConfig, TopologyDocument, TopologyError

_CHILD = """
import sys, json
sys.modules["_ruamel_yaml"] = None
import ruamel.yaml.main
assert ruamel.yaml.main.CParser is None
sys.path.insert(0, sys.argv[1])
import answers
ask = getattr(answers, sys.argv[2])
for line in sys.stdin:
    print(json.dumps(ask(json.loads(line))))
"""


def answer(text: str) -> str:
    """The topology as text, or the whole report."""
    try:
        return TopologyConfig.loads(text).dumps()
    except TopologyError as error:
        return str(error)


def answer_with_positions(text: str) -> str:
    """Every value with its position, whatever the keys are, or why there is none."""
    try:
        document = TopologyDocument.parse(text)
        data = document.get(())
        return repr((data, [document.position(path) for path in paths(data)]))
    except TopologyError as error:
        return str(error)


def answers_without_c_parser(texts: list[str], ask: Callable[[str], str] = answer) -> list[str]:
    """The same in a process that has no C parser."""
    given_lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(ROOT / "tests"), ask.__name__],
        input=given_lines,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
