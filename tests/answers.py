"""What the library says of a text, with and without the C parser: the whole report, or the topology."""

import json
import subprocess
import sys

from polar_config import TopologyConfig, TopologyError

_CHILD = """
import sys, json
sys.modules["_ruamel_yaml"] = None
import ruamel.yaml.main
assert ruamel.yaml.main.CParser is None
from polar_config import TopologyConfig, TopologyError
for line in sys.stdin:
    try:
        answer = TopologyConfig.loads(json.loads(line)).dumps()
    except TopologyError as error:
        answer = str(error)
    print(json.dumps(answer))
"""


def answer(text: str) -> str:
    try:
        return TopologyConfig.loads(text).dumps()
    except TopologyError as error:
        return str(error)


def answers_without_c_parser(texts: list[str]) -> list[str]:
    """The same in a process that has no C parser."""
    given_lines = "".join(json.dumps(text) + "\n" for text in texts)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD],
        input=given_lines,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
