"""Values and texts, drawn by a `random.Random`: quickly, for properties that try thousands."""

import json
import random
from pathlib import Path
from typing import Any

from documents import Scribe
from files import CORPUS
from helpers import TWO_NODES

from polar_config import TopologyDocument, TopologyError

_CASES = json.loads((Path(__file__).parent / "editing" / "cases.json").read_text(encoding="utf-8"))
_SOURCES = [case["source"] for group in _CASES.values() for case in group]
_FILES = [file.read_text(encoding="utf-8") for file in sorted(CORPUS.glob("*.yaml"))[:20]]

_SCALARS: tuple[Any, ...] = (
    *(
        None,
        None,
        True,
        0,
        7,
        9000,
        0.5,
        1e30,
        "x",
        "y",
        "gpu-1",
        "a b",
        "http://h:1/x",
        "a: b # c",
    ),
    *("it's", 'say "x"', "", " ", "NO", "010", "1e3", "- x", "é図😀", "x\\y", "a\tb", "${A}"),
    *("two\nlines\n", "one\n\ntwo", "  indented\nmore", "trailing \nblank", "\n"),
)
_KEYS = ("a", "b", "x", "y", "port", "host", "id", "env", "inference", "new", "a_b", "rollout")


def drawn_value(chance: random.Random, depth: int = 3) -> Any:
    """Plain data as a file may hold it."""
    kind = chance.random()
    if depth == 0 or kind < 0.6:
        return chance.choice(_SCALARS)
    count = chance.choice((0, 1, 1, 2, 2, 3))
    if kind < 0.8:
        return [drawn_value(chance, depth - 1) for _ in range(count)]
    return {chance.choice(_KEYS): drawn_value(chance, depth - 1) for _ in range(count)}


def _topology(chance: random.Random) -> dict[str, Any]:
    """A topology, or almost: sections may be null, and keys may be what they must not be."""
    nodes = [_node(chance, name) for name in chance.sample("abcdef", chance.choice((0, 1, 2, 3)))]
    rollout: dict[str, Any] = {"host": "10.0.0.1", "port": 8080, "save_dir": "./results"}
    gateway: dict[str, Any] = {"heartbeat_interval_seconds": 5, "nodes": nodes or None}
    whole = {"rollout": _some(chance, rollout) or None, "gateway": _some(chance, gateway, 0.9)}
    return _some(chance, whole, 0.9) or whole


def _node(chance: random.Random, name: str) -> dict[str, Any]:
    runtime = {"image": "i", "env": {"A": "1", "B": "two\nlines\n"}, "prepare": None}
    keys: dict[str, Any] = {
        "host": "0.0.0.0",
        "port": chance.randint(8100, 8109),
        "model_served": "m: x",
        "inference": {"engine": "vllm", "base_url": "http://127.0.0.1:8000"},
        "default_runtime": chance.choice((None, _some(chance, runtime))),
    }
    return {"id": name, **_some(chance, keys)}


def _some(chance: random.Random, keys: dict[str, Any], share: float = 0.6) -> dict[str, Any]:
    return {key: item for key, item in keys.items() if chance.random() < share}


_WRITTEN = (
    TWO_NODES,
    """\
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
""",
    """\
x-common: &common
  host: 0.0.0.0
  inference: &i
    engine: sglang   # the usual
    base_url: &url http://h:1
rollout: {public_url: *url}
gateway:
  nodes:
  - {<<: *common, id: a, port: 1}
  - <<: [*common]
    id: b
    inference: *i
""",
    """\
rollout:   # nothing yet

gateway:
    nodes:
    -   id: "0"
        port:     # later
        default_runtime:
            image: i
            prepare:
            -   {type: exec, command: "a b"}
            # the last one
            -   type: exec
                command: |
                    one

                    two
            env: {}
    -   id: b
        default_runtime: ~
""",
    """\
{
  "rollout": {"port": 8080, "host": null},
  "gateway": {
    "nodes": [
      {"id": "a", "port": 1},
      {
        "id": "b",
        "port": 2
      }
    ]
  }
}
""",
    """\
rollout: {host: a, port: 1,}
gateway: {nodes: [{id: a, port: 1}, {id: b, env: {}}], new: []}
""",
    """\
rollout:
  host: a        # one

  port: 22222    # two

  save_dir: x    # three
                 # goes on

gateway:

  nodes:

    - id: a

    - id: b

    # tail
""",
    "a: &n 1\nb: *n\nc: [*n, &m {x: 1}, *m]\nd: {y: *m, x: *n}\n",
    "a: &s\n  x: 1\n  y: [1]\nb: *s\nc:\n  <<: *s\n  y: 2\n",
    "a:\n  - - 1\n    - 2\n  -\n  - []\n  - {}\n  - x: 1\n    y: 2\nb: |+\n  x\n\nx: 1\n",
    "? [a, b]\n: 1\n? x\n: 2\n'y': !!str 3\na: 1\n",
    "a: 1\nb: 2\na: 3\n",
    "gateway:\n  nodes:\nrollout:\n",
    "gateway:\n  nodes: []\nrollout: {}\n",
    "gateway: {nodes: }\nrollout: ~\n",
    *("", "", "# only a comment\n", "# c", "---\n", "%YAML 1.1\n---\n", "--- # c\n...\n", "\n\n"),
    *("null\n", "# c\n~\n", "{}\n", "[]\n", "[0]\n", "{a: }", "x\n", "- a\n- b: 1\n", "-\n", "a:"),
    *("rollout:\n", "rollout:  # c\n", "rollout:", "a:\nb:\n", "a: [x]\n", "a: 1\n---\nb: 2\n"),
)


def drawn_text(chance: random.Random) -> str:
    """A text that is YAML: drawn or written by hand, with lines lost and added, and line ends of every kind."""
    kind = chance.random()
    if kind < 0.25:
        keys = chance.sample(_KEYS, chance.choice((1, 2, 3)))
        text = Scribe(chance).text({key: drawn_value(chance) for key in keys})
    elif kind < 0.5:
        text = Scribe(chance).text(_topology(chance))
    else:
        text = chance.choice(_WRITTEN if kind < 0.85 else (*_SOURCES, *_FILES))
    changed = _changed(chance, text)
    try:
        TopologyDocument.parse(changed)
    except TopologyError:
        return text
    return changed


def _changed(chance: random.Random, text: str) -> str:
    lines = text.split("\n")
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        place = chance.randrange(len(lines))
        if chance.random() < 0.5 and len(lines) > 2:
            del lines[place]
        else:
            indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
            lines.insert(place, chance.choice(("", f"{indent}# added", "# at the margin")))
    text = "\n".join(lines)
    if chance.random() < 0.1:
        text = text.rstrip("\n")
    if chance.random() < 0.1 and "\r" not in text:
        text = text.replace("\n", "\r\n")
    has_mark = chance.random() < 0.1 and not text.startswith("\ufeff")
    return f"\ufeff{text}" if has_mark else text
