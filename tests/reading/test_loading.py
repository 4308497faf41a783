"""A file, a text or plain data becomes one complete topology."""

import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from helpers import problems, refused
from hypothesis import given
from strategies import ONE_NODE, topologies

from polar_config import GatewayConfig, GatewayNodeConfig, InferenceConfig, TopologyConfig

FULL = """\
rollout:
  host: 127.0.0.1
  port: 8080
  save_dir: ./rollout_results
gateway:
  heartbeat_interval_seconds: 15
  nodes:
    - id: gpu-1            # the only one
      port: 8100
      model_served: Qwen/Qwen3.5-4B
      inference: {engine: vllm, base_url: "http://127.0.0.1:8000"}
      default_runtime:
        image: python:3.11
        prepare:
          - {type: exec, command: "make deps"}
        kwargs: {volumes: [a:b], nested: {deep: 1.5}}
"""


def test_a_file_becomes_one_complete_topology(tmp_path: Path) -> None:
    file = tmp_path / "topology.yaml"
    file.write_text(FULL, encoding="utf-8")
    topology = TopologyConfig.load(file)
    assert topology.path == file
    assert topology.rollout.save_dir == "./rollout_results"
    assert topology.rollout.callback_grace_seconds == 120.0
    node = topology.gateway.nodes[0]
    assert (node.engine, node.inference_base_url) == ("vllm", "http://127.0.0.1:8000")
    assert node.inference == InferenceConfig(engine="vllm")
    assert node.default_runtime is not None
    assert node.default_runtime.prepare[0].command == "make deps"
    assert node.default_runtime.kwargs == {"volumes": ["a:b"], "nested": {"deep": 1.5}}
    assert topology.gateway.completion_persistence.queue_size == 1024


def test_the_default_file_is_topology_yaml_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("topology.yaml").write_text(FULL, encoding="utf-8")
    assert TopologyConfig.load() == TopologyConfig.loads(FULL)
    assert TopologyConfig.load().path == Path("topology.yaml")


def test_where_it_was_read_from_does_not_count_in_equality(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(FULL, encoding="utf-8")
    assert TopologyConfig.load(str(file)) == TopologyConfig.loads(FULL)
    assert hash(TopologyConfig.load(file)) == hash(TopologyConfig.loads(FULL))


def test_a_missing_file_is_file_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        TopologyConfig.load(tmp_path / "none.yaml")


def test_an_unreadable_file_raises_the_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long"):
        TopologyConfig.load(tmp_path / ("x" * 5000))


def test_only_a_regular_file_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for path, word in (
            (tmp_path, "directory"),
            (pipe, "pipe"),
            (tmp_path / "socket", "socket"),
            (Path("/dev/zero"), "device"),
        ):
            error = refused(lambda path=path: TopologyConfig.load(path))  # type: ignore[misc]
            assert [problem.code for problem in error.problems] == ["not-a-file"]
            assert word in str(error)


def test_a_symbolic_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text(FULL, encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    assert TopologyConfig.load(tmp_path / "link.yaml").gateway.nodes[0].id == "gpu-1"


def test_a_byte_order_mark_is_fine_and_other_encodings_are_refused_with_the_place() -> None:
    assert TopologyConfig.loads(b"\xef\xbb\xbf" + FULL.encode()) == TopologyConfig.loads(FULL)
    (latin,) = problems("gateway:\n  nodes:\n    - id: café\n".encode("latin-1"))
    assert (latin.code, latin.line, latin.column) == ("not-utf-8", 3, 14)
    assert "offset 31" in latin.message
    (utf16,) = problems(FULL.encode("utf-16"))
    assert (utf16.code, utf16.line) == ("not-utf-8", 1)


def test_line_ends_of_every_kind_read_the_same() -> None:
    for newline in ("\r\n", "\r"):
        assert TopologyConfig.loads(FULL.replace("\n", newline)) == TopologyConfig.loads(FULL)


@given(topologies)
def test_what_is_written_reads_back_equal(topology: TopologyConfig) -> None:
    for effective in (False, True):
        assert TopologyConfig.loads(topology.dumps(effective)) == topology
        assert TopologyConfig.from_dict(topology.to_dict(effective)) == topology


@given(topologies)
def test_writing_back_is_stable_and_fresh(topology: TopologyConfig) -> None:
    written = topology.to_dict()
    assert TopologyConfig.loads(topology.dumps()).to_dict() == written
    written["gateway"]["nodes"].clear()
    assert topology.to_dict()["gateway"]["nodes"]


def test_writing_back_leaves_out_defaults_and_derived_values_but_keeps_ids_and_written_urls() -> (
    None
):
    topology = TopologyConfig.from_dict(
        {
            "rollout": {"port": 8080, "public_url": "http://127.0.0.1:8080"},
            "gateway": {
                "nodes": [
                    {
                        "public_url": "http://127.0.0.1:8081/",
                        "inference": {"engine": "sglang"},
                        "max_run_workers": 2,
                    }
                ]
            },
        }
    )
    assert topology.to_dict() == {
        "rollout": {"public_url": "http://127.0.0.1:8080"},
        "gateway": {"nodes": [{"id": socket.gethostname(), "public_url": "http://127.0.0.1:8081"}]},
    }
    everything = topology.to_dict(effective=True)
    assert everything["gateway"]["rollout_server_url"] == "http://127.0.0.1:8080"
    assert everything["gateway"]["nodes"][0]["default_runtime"] is None
    assert list(everything["rollout"]) == [
        "host",
        "port",
        "public_url",
        "save_dir",
        "dispatch_poll_interval_seconds",
        "callback_grace_seconds",
    ]


def test_a_file_without_public_urls_never_gains_one() -> None:
    assert "url" not in TopologyConfig.loads("gateway: {nodes: [{id: a, port: 8100}]}").dumps()


def test_what_is_written_reads_the_same_in_yaml_1_1() -> None:
    """Each of these is something other than text to a YAML 1.1 parser, or ends a plain scalar."""
    for text in (
        "no",
        "ON",
        "010",
        "0o7",
        "22:22",
        "1_000",
        "2024-01-05",
        "1e3",
        "~",
        "null",
        "<<",
        "=",
        ".5",
        "0x1",
        "a: b",
        "a #b",
    ):
        dumped = TopologyConfig.from_dict({"gateway": {"nodes": [{"id": text}]}}).dumps()
        assert dumped.endswith(f'- id: "{text}"\n')


def test_select_gateway_node() -> None:
    one = TopologyConfig.from_dict(ONE_NODE)
    two = TopologyConfig.loads("gateway: {nodes: [{id: a}, {id: b, port: 8082}]}")
    assert one.select_gateway_node() is one.gateway.nodes[0]
    assert one.select_gateway_node("") is one.gateway.nodes[0]
    assert two.select_gateway_node("b").port == 8082
    for ask in (None, "", "c"):
        error = refused(lambda ask=ask: two.select_gateway_node(ask))  # type: ignore[misc]
        assert "a, b" in str(error)
        assert "--node-id" in str(error)
    many = TopologyConfig.from_dict(
        {"gateway": {"nodes": [{"id": f"n{number}"} for number in range(30)]}}
    )
    assert "n19 and 10 more" in str(refused(many.select_gateway_node))
    assert 'no node with id "z"' in str(refused(lambda: one.select_gateway_node("z")))


def test_a_path_is_a_path() -> None:
    gateway = GatewayConfig(nodes=[GatewayNodeConfig(id="a")])
    text: Any = "t.yaml"
    wrong: Any = 5
    assert TopologyConfig(gateway=gateway, path=text).path == Path("t.yaml")
    assert (
        refused(lambda: TopologyConfig(gateway=gateway, path=wrong)).problems[0].key_path == "path"
    )


def test_bootstrap_nodes() -> None:
    topology = TopologyConfig.loads(
        "gateway: {heartbeat_interval_seconds: 7, nodes: [{id: a, port: 8100, max_run_workers: 3}]}"
    )
    expected = {
        "node_id": "a",
        "gateway_url": "http://127.0.0.1:8100",
        "max_init_workers": 4,
        "max_run_workers": 3,
        "max_postrun_workers": 4,
        "heartbeat_interval_seconds": 7,
    }
    assert topology.bootstrap_nodes == [expected]
    topology.bootstrap_nodes[0].clear()
    assert topology.bootstrap_nodes == [expected]


def test_the_classes_alone_pay_for_neither_yaml_nor_cattrs() -> None:
    script = (
        "import sys, polar_config as p\n"
        "p.TopologyConfig(gateway=p.GatewayConfig(nodes=[p.GatewayNodeConfig(id='a')]))\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'ruamel', '_ruamel_yaml', 'cattrs', 'argparse'}))"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_the_same_text_gives_the_same_topology_in_many_threads() -> None:
    def load(_: Any) -> TopologyConfig:
        return TopologyConfig.loads("%YAML 1.1\n---\n" + FULL)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(load, range(50))) == {TopologyConfig.loads(FULL)}
