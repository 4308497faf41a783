"""What is accepted, and what a report says, does not depend on whether the C parser is installed."""

import os
import random

from answers import answer, answer_with_positions, answers_without_c_parser
from files import INVALID
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from strategies import topologies

from polar_config import TopologyConfig

SEEDS = [file.read_text(encoding="utf-8") for file in INVALID] + [
    "rollout: {host: 127.0.0.1, port: 8080}\ngateway:\n  nodes:\n  - id: a\n    inference: {engine: vllm, base_url: http://h:1}\n  - id: b\n",
    "gateway:\n  nodes:\n    - &a\n      id: a\n      inference: &i {engine: vllm}\n    - <<: *a\n      id: b\n    - {id: c, inference: *i}\n",
    "gateway:\n  nodes:\n    - id: 'it''s'\n      model_served: \"a\\tb\"\n      default_runtime:\n        image: plain text\n          folded\n",
    "# head\n\ngateway:   # c\n\n  nodes:\n\n  -\n    id: a\n\n  - id: b\n    port: 0x10   # d\n\n  - {id: c, default_runtime: {image: x, kwargs: {a: [], b: {}}}}\n",
    "gateway:\n  nodes:\n    - id: a\n      default_runtime:\n        image: x\n        kwargs:\n          - - a\n            - b\n          - c: d\n            e:\n",
]
PIECES = (
    "\n", " ", "  ", ":", ": ", "- ", "-", "#", " #", "{", "}", "[", "]", ",", "'", '"', "a", "b: c", "&a ", "*a", "!x ", "!!str ", "|", "|\n  x\n", ">-\n",
    "? ", "%", "@", "`", "~", "null", "<<: *a\n", "<<", "\t", "\r\n", "\r", "é", "図", "😀", "---\n", "...\n", "\\", "\ufeff", "=", "0x1",
    "1e3", "a:b", "http://h:1", "'x'", '"y"', "a, b", "{a: b}", "[a, b]", "- - ", "? a\n: b\n", "&a\n", "*a :", "\xa0", "%YAML 1.1\n---\n",
)  # fmt: skip

FLOW_SEEDS = [
    "a: [[x], y:z, {k: v}, http://h:1, {j: w}]\nb: {c: {d: e}, f: http://h:1, g: [1], h: [2]\n  , i: 3}\n",
    "rollout: {host: 127.0.0.1, public_url: http://h:1/x}\ngateway:\n  nodes:\n  - id: a\n    inference: {engine: vllm, base_url: http://h:1}\n  - {id: b, public_url: https://b.c:80 }\n",
    "a: [http://h:1, 'http://h:2', \"http://h:3\",https://x]\nb: {http://h:1: x, y:z: 1}\n# {http://h:1}\nc: |\n  {http://h:1}\nd: x {http://h:1} y\n",
    "gateway: {nodes: [{id: a, inference: {base_url: http://u:p@h:1/v}, default_runtime: {image: docker.io/x:1.2, kwargs: {a: 12:30, b: x:y}}}]}\n",
    "&a http://h:1: {b: *a}\nc: &u http://h:1/x\nd: [*u, &v http://y:2, !!str http://z:3]\n",
    "{\n  a: http://h:1,\n  # c http://h:1\n  b: [http://h:1\n, x],\n  'k': http://h:2\n}\n",
    "a:\n  - {u: http://h:1}\n  - u: http://h:1\n  - >-\n   http://h:1\n   {a}\n",
]
FLOW_PIECES = (
    *PIECES, "{a: http://h:1}", "[http://h:1, x:y]", "{x:y: z}", "::", "/:", ":/", "h:1:", "a:b:c", "*a:b", "&a:b ", "1:2", ":1", "x:", "http:", "//",
    "https://é:1/x", "http://[::1]:80", "}:1", "]:", " :", "}, x:", "] , y", "'x':y",
)  # fmt: skip


def _mutated(text: str, chance: random.Random, pieces: tuple[str, ...] = PIECES) -> str:
    lines = text.split("\n")
    if chance.random() < 0.7:  # a part of a file is as good as a whole one, and read sooner
        start = chance.randrange(len(lines))
        lines = lines[start : start + chance.randrange(1, 14)]
    text = "\n".join(lines)
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3, 5))):
        place = chance.randrange(len(text) + 1)
        if chance.random() < 0.65:
            text = text[:place] + chance.choice(pieces) + text[place:]
        else:
            text = text[:place] + text[place + chance.choice((1, 1, 2, 4, 20)) :]
    return text


def test_both_parsers_agree_on_mutated_texts() -> None:
    """`POLAR_CONFIG_TEXTS` says how many texts are compared, `POLAR_CONFIG_SEED` which."""
    count = int(os.environ.get("POLAR_CONFIG_TEXTS", "3000"))
    chance = random.Random(os.environ.get("POLAR_CONFIG_SEED", "polar"))
    for start in range(0, count, 5_000):
        texts = [_mutated(chance.choice(SEEDS), chance) for _ in range(min(5_000, count - start))]
        for text, without in zip(texts, answers_without_c_parser(texts), strict=True):
            assert answer(text) == without, repr(text)


def test_both_parsers_agree_on_colons_in_flow_style() -> None:
    """In values and their positions; the C parser reads such texts with other characters in the place of the colons."""
    count = int(os.environ.get("POLAR_CONFIG_TEXTS", "3000"))
    chance = random.Random(os.environ.get("POLAR_CONFIG_SEED", "polar"))
    for start in range(0, count, 5_000):
        texts = [
            _mutated(chance.choice(FLOW_SEEDS), chance, FLOW_PIECES)
            for _ in range(min(5_000, count - start))
        ]
        others = answers_without_c_parser(texts, answer_with_positions)
        for text, without in zip(texts, others, strict=True):
            assert answer_with_positions(text) == without, repr(text)


@settings(max_examples=15, phases=[Phase.generate])
@given(st.lists(topologies, min_size=8, max_size=8))
def test_both_parsers_agree_on_generated_topologies(given_topologies: list[TopologyConfig]) -> None:
    texts = [topology.dumps() for topology in given_topologies]
    assert answers_without_c_parser(texts) == texts
