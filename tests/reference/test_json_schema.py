"""The JSON Schema says what the loader says, as far as it can."""

import copy
import json
import os
import random
from typing import Any

import jsonschema
from documents import paths
from files import FILES, ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import plain_data, topologies

from polar_config import TopologyConfig, TopologyDocument, TopologyError, json_schema

VALIDATOR: Any = jsonschema.Draft7Validator(json_schema())
BEYOND = {
    "duplicate-id",
    "bad-host",
    "bad-url",
    "url-required",
    "unexpected-key",
    "missing-key",
    "empty",
    "bad-character",
    "wrong-type",
    "out-of-range",
}
"""What the loader may refuse of a document that the schema takes: rules across keys, details of texts, and some numbers."""

ODD: list[Any] = [
    None, "", " ", "x", "0", "8080", "${X}", "@X@", "<x>", "a b", "http://h", "HTTPS://h:1/", "ftp://h", "http://", "http://h:0", "h:1", "true", "sglang",
    "vllm ", "exec", "docker", "::1", "[::1]", "1.2.3", "*", -1, 0, 1, 2, 65_535, 65_536, 2**63, 2**64, -0.5, 0.5, 1.0, 8080.0, 1e400, True, False,
    [], {}, [None], [{}], [[]], {"a": 1}, {"a": "b"}, {"a": None}, {"id": "a"}, {"image": "i"}, {"type": "exec", "command": "c"}, "\n", "\0", "é",
]  # fmt: skip


def mutated(document: Any, chance: random.Random, other: Any) -> Any:
    """A document with a few values replaced, removed, added or moved."""
    whole = {"root": json.loads(json.dumps(document))}
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        path = chance.choice(list(paths(whole)))
        holder: Any = whole
        for part in path[:-1]:
            holder = holder[part]
        what = chance.random()
        if what < 0.6:
            holder[path[-1]] = copy.deepcopy(chance.choice((*ODD, other)))
        elif what < 0.75 and len(path) > 1:
            del holder[path[-1]]
        elif isinstance(holder, dict):
            holder[
                chance.choice(
                    (
                        "port",
                        "id",
                        "host",
                        "engine",
                        "x",
                        "nodes",
                        "image",
                        "env",
                        "command",
                        "source",
                        "public_url",
                    )
                )
            ] = chance.choice(ODD)
        else:
            holder.append(copy.deepcopy(chance.choice(ODD)))
    return whole["root"]


def _codes(document: Any) -> set[str]:
    try:
        TopologyConfig.from_dict(document)
    except TopologyError as error:
        return {problem.code for problem in error.problems}
    return set()


@settings(max_examples=40)
@given(topologies, st.integers(0, 2**32), plain_data, st.booleans())
def test_what_the_schema_refuses_the_loader_refuses(
    topology: TopologyConfig, seed: int, other: Any, effective: bool
) -> None:
    """`POLAR_CONFIG_DOCUMENTS` says how many documents are made of each of the 40 topologies."""
    chance = random.Random(seed)
    for _ in range(int(os.environ.get("POLAR_CONFIG_DOCUMENTS", "15"))):
        document = mutated(topology.to_dict(effective), chance, other)
        codes = _codes(document)
        if VALIDATOR.is_valid(document):
            assert codes <= BEYOND, document
        else:
            assert codes, document


def test_what_the_schema_cannot_say_is_known() -> None:
    """Each of these is in the documentation's list."""

    def node(**keys: Any) -> dict[str, Any]:
        return {"gateway": {"nodes": [{"id": "a", **keys}]}}

    runtime = {"image": "i", "prepare": [{"type": "exec"}]}
    beyond = [
        {"gateway": {"nodes": [{"id": "a"}, {"id": "a"}]}},
        node(host="h:1"),
        node(inference={"base_url": "http://h:0"}),
        node(host="fe80::1%eth0"),
        node(default_runtime=runtime),
        node(
            default_runtime={
                "image": "i",
                "prepare": [{"type": "exec", "command": "c", "source": "s"}],
            }
        ),
        node(port=8080.0),
        node(id="a\nb"),
        {**node(), "rollout": {"callback_grace_seconds": float("inf")}},
        {**node(), "rollout": {"callback_grace_seconds": 2**70}},
    ]
    for document in beyond:
        assert VALIDATOR.is_valid(document), document
        assert _codes(document) <= BEYOND, document
        assert _codes(document), document


def test_the_schema_says_everything_of_a_key() -> None:
    schema = json_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    node = schema["definitions"]["GatewayNodeConfig"]
    assert node["additionalProperties"] is False
    assert node["properties"]["port"] == {
        "description": "The port that the node binds.",
        "type": "integer",
        "minimum": 1,
        "maximum": 65_535,
        "default": 8081,
    }
    assert node["properties"]["inference"]["default"] == {}
    assert "default" not in node["properties"]["id"]
    assert schema["required"] == ["gateway"]
    assert schema["definitions"]["InferenceConfig"]["properties"]["engine"]["enum"] == [
        "sglang",
        "vllm",
    ]
    for block in (schema, *schema["definitions"].values()):
        assert all(each["description"] for each in block["properties"].values())
    schema["properties"].clear()
    assert json_schema()["properties"]


def test_the_schema_in_the_documentation_is_this_one() -> None:
    """`polar-config schema > docs/topology.schema.json` writes it anew."""
    page = ROOT / "docs" / "topology.schema.json"
    assert json.loads(page.read_text(encoding="utf-8")) == json_schema()


def test_schema_and_loader_agree_on_the_corpus() -> None:
    for file in FILES:
        document = TopologyDocument.open(file)
        codes = {*_codes(document.get(()))}
        assert VALIDATOR.is_valid(document.get(())) or codes, file.name
        assert codes <= BEYOND or not VALIDATOR.is_valid(document.get(())), file.name
