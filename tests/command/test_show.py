"""`polar-config show`: the effective configuration, where its values come from, and secrets."""

import json

import pytest
from files import FILES
from hypothesis import HealthCheck, given, settings
from shell import SECRET, TOPOLOGY, Call, write
from strategies import topologies

from polar_config import TopologyConfig
from polar_config.views import effective_text


def test_yaml_marks_defaults_and_derived_values(call: Call) -> None:
    assert call("show") == 0
    for line in (
        "  host: 0.0.0.0  # default",
        "  public_url: http://127.0.0.1:8080  # derived from host and port",
        "  rollout_server_url: http://127.0.0.1:8080  # derived from rollout.public_url",
        '    - id: "0002"',
        "      port: 8101",
    ):
        assert f"{line}\n" in call.out
    write("topology.yaml", "gateway:\n  completion_persistence:\n  nodes:\n    - {}\n")
    assert call("show") == 0
    assert "# default: the hostname\n" in call.out
    assert "queue_size: 1024  # default\n" in call.out


@pytest.mark.parametrize("value", ["", '""', "null", '" "'])
def test_an_empty_url_is_marked_as_derived(call: Call, value: str) -> None:
    write("topology.yaml", f"gateway:\n  nodes:\n    - id: a\n      public_url: {value}\n")
    assert call("show") == 0
    assert "public_url: http://127.0.0.1:8081  # derived from host and port\n" in call.out


def test_an_explicit_null_is_not_marked_as_a_default(call: Call) -> None:
    write("topology.yaml", "gateway: {nodes: [{id: a, default_runtime: null}]}")
    assert call("show") == 0
    assert "      default_runtime: null\n" in call.out


def test_one_node(call: Call) -> None:
    assert call("show", "--node", "0002") == 0
    assert call.out.startswith(
        'id: "0002"\n'
        "host: 0.0.0.0  # default\n"
        "port: 8102\n"
        'public_url: "http://**********@localhost:8102"\n'
        'model_served: ""  # default\n'
    )
    assert call("show", "--node", "gpu-1", "--format", "json") == 0
    node = TopologyConfig.loads(TOPOLOGY).gateway.nodes[0]
    assert json.loads(call.out)["fingerprint"] == node.fingerprint()
    assert call("show", "--node", "gpu-1", "--format", "tree") == 0
    assert call.out.count("gateway") == 1


def test_a_node_that_does_not_exist_is_a_usage_error(call: Call) -> None:
    for format_ in ("yaml", "json", "tree", "mermaid"):
        assert (call("show", "--node", "gpu-9", "--format", format_), call.out) == (2, "")
        assert call.err == (
            'gateway.nodes: no node with id "gpu-9"; existing ids: gpu-1, 0002\n'
            "  choose one with --node\n"
        )


def test_an_empty_id_selects_the_only_node(call: Call) -> None:
    assert (call("show", "--node", ""), call.out) == (2, "")
    assert "multiple gateway nodes: gpu-1, 0002\n  choose one with --node\n" in call.err
    write("topology.yaml", "gateway: {nodes: [{id: a, port: 9000}]}")
    assert call("show", "--node", "") == 0
    assert "\nport: 9000\n" in call.out


def test_json_is_the_effective_configuration_and_the_fingerprint(call: Call) -> None:
    assert call("show", "--format", "json", "--secrets") == 0
    data = json.loads(call.out)
    config = TopologyConfig.loads(TOPOLOGY)
    assert data.pop("fingerprint") == config.fingerprint()
    assert data == config.to_dict(effective=True)


def test_the_tree_has_every_process(call: Call) -> None:
    assert call("show", "--format", "tree") == 0
    assert call.out == (
        "rollout  http://127.0.0.1:8080\n"
        "├─ results  ./results\n"
        "├─ gateway gpu-1  http://127.0.0.1:8101\n"
        "│  ├─ SGLang  http://127.0.0.1:8000, serving m\n"
        "│  └─ workers: init 4, run 2, postrun 4\n"
        "└─ gateway 0002  http://**********@localhost:8102\n"
        "   ├─ SGLang  http://127.0.0.1:8000\n"
        "   └─ workers: init 4, run 2, postrun 4\n"
    )
    write("topology.yaml", "gateway: {nodes: [{id: a, inference: {engine: vllm}}]}")
    assert call("show", "--format", "tree") == 0
    assert "vLLM  http://127.0.0.1:8000\n" in call.out


def test_a_diagram_accepts_any_id(call: Call) -> None:
    write("topology.yaml", "gateway: {nodes: [{id: 'a\"#(b)'}]}")
    assert call("show", "--format", "mermaid") == 0
    assert 'gateway0["a#quot;#35;(b)<br/>' in call.out


def test_pictures_escape_control_characters(call: Call) -> None:
    write("topology.yaml", 'gateway: {nodes: [{id: "a\\u202eb", model_served: "\\e]0;x\\a\\n"}]}')
    assert call("show", "--format", "tree") == 0
    assert "gateway a\\u202eb" in call.out
    assert "\x1b" not in call.out
    assert call("show", "--format", "mermaid") == 0
    assert "\u202e" not in call.out


@pytest.mark.parametrize("format_", ["yaml", "json", "tree", "mermaid"])
def test_secrets_are_masked_unless_asked_for(call: Call, format_: str) -> None:
    assert call("show", "--format", format_) == 0
    assert SECRET not in call.out
    assert call("show", "--format", format_, "--secrets") == 0
    assert SECRET in call.out


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(topologies)
def test_the_yaml_of_any_topology_is_an_equal_one(topology: TopologyConfig) -> None:
    shown = effective_text(topology, topology.to_dict(), secrets=True)
    assert TopologyConfig.loads(shown) == topology


def test_the_yaml_of_each_file_is_an_equal_topology(call: Call) -> None:
    shown = 0
    for file in FILES:
        if call("show", "-c", str(file), "--secrets") == 0:
            assert TopologyConfig.loads(call.out) == TopologyConfig.load(file)
            shown += 1
    assert shown > 0
