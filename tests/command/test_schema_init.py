"""`polar-config schema` and `init`: what is written for editors and to start from."""

import json
from pathlib import Path

import pytest
from shell import TOPOLOGY, Call, content

from polar_config import TopologyConfig, json_schema


def test_schema_prints_the_schema(call: Call) -> None:
    assert call("schema") == 0
    assert json.loads(call.out) == json_schema()


@pytest.mark.parametrize("nodes", [1, 3, 200])
def test_init_writes_a_valid_file_without_warnings(call: Call, nodes: int) -> None:
    assert call("init", "new.yaml", "--nodes", str(nodes)) == 0
    assert (call.out, call.err) == ("", "polar-config: wrote new.yaml\n")
    assert call("check", "--strict", "new.yaml") == 0
    assert call.out == f"new.yaml: ok, {nodes} node{'s' * (nodes > 1)}\n"
    assert call("init", "-", "--nodes", str(nodes)) == 0
    assert call.out == Path("new.yaml").read_text(encoding="utf-8")


def test_the_most_nodes_have_ports_of_their_own(call: Call) -> None:
    assert call("init", "-", "--nodes", "20000") == 0
    assert "http://127.0.0.1:50000\n" in call.out
    assert "port: 30000\n" in call.out


def test_init_never_overwrites(call: Call) -> None:
    assert call("init") == 2
    assert "\n  choose another name\n" in call.err
    assert content() == TOPOLOGY
    Path("topology.yaml").unlink()
    assert call("init") == 0
    assert len(TopologyConfig.load("topology.yaml").gateway.nodes) == 1
