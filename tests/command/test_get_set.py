"""`polar-config get`, `set`, `unset`: one effective value, and explicit values edited in place."""

import shutil
from pathlib import Path

import pytest
from shell import TOPOLOGY, Call, content, run, write

from polar_config import TopologyConfig, TopologyDocument

# --- get ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ("rollout.port", "8080\n"),
        ("rollout.host", "0.0.0.0\n"),
        ("gateway.nodes[*].id", "gpu-1\n0002\n"),
        ('gateway.nodes["0002"].public_url', "http://me:hunter2@localhost:8102\n"),
        ("gateway.nodes[0].default_runtime.env.TOKEN", "hunter2\n"),
        ("gateway.nodes[0].default_runtime.workdir", "\n"),
        ("gateway.nodes[0].default_runtime.allow_internet", "true\n"),
        (
            "gateway.nodes[0].inference",
            '{"engine": "sglang", "base_url": "http://127.0.0.1:8000"}\n',
        ),
        ("gateway.nodes[0].default_runtime.prepare", "[]\n"),
        ("gateway.nodes[*].inference.engine", "sglang\nsglang\n"),
    ],
)
def test_get_prints_one_value_or_one_a_line(call: Call, path: str, printed: str) -> None:
    assert (call("get", path), call.out, call.err) == (0, printed, "")


@pytest.mark.parametrize(
    "path", ["rollout.prt", "gateway.nodes[9]", "gateway.nodes[x].id", "rollout.port.x", "a..b", "rollout[*]"]
)  # fmt: skip
def test_get_of_what_is_not_there_is_a_usage_error(call: Call, path: str) -> None:
    assert (call("get", path), call.out) == (2, "")
    assert call.err.count("\n") == 2  # the problem and its hint


def test_get_in_a_process_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "topology.yaml").write_text(TOPOLOGY, encoding="utf-8")
    done = run(tmp_path, "get", "rollout.port")
    assert (done.returncode, done.stdout, done.stderr) == (0, "8080\n", "")


# --- set ------------------------------------------------------------------------------------------


def test_set_edits_in_place_and_prints_the_difference(call: Call) -> None:
    edits = ("gateway.nodes[gpu-1].port=9000", "gateway.nodes[gpu-1].id=0005")
    assert call("set", edits[0], "--dry-run", edits[1]) == 0
    difference = (
        "-    - id: gpu-1  # first\n"
        "-      port: 8101\n"
        '+    - id: "0005"  # first\n'
        "+      port: 9000\n"
        "       model_served: m\n"
        "       default_runtime: {image: i, env: {TOKEN: *******}}\n"
        "     # second\n"
    )
    assert call.out.endswith(difference)
    assert content() == TOPOLOGY
    assert call("set", *edits) == 0
    assert call.out.endswith(difference)
    assert content() == TOPOLOGY.replace("8101", "9000").replace("gpu-1", '"0005"')
    assert (call("set", "rollout.port=8080"), call.out) == (0, "")


@pytest.mark.parametrize(
    ("assignment", "path", "value"),
    [
        ("rollout.save_dir=null", "rollout.save_dir", None),
        ("rollout.save_dir=007", "rollout.save_dir", "007"),
        ("rollout.save_dir=a=b # c\nd", "rollout.save_dir", "a=b # c\nd"),
        ("rollout.public_url=null", "rollout.public_url", None),
        ("gateway.nodes[0].model_served=null", "gateway.nodes[0].model_served", "null"),
        ("gateway.nodes[0].model_served=", "gateway.nodes[0].model_served", ""),
        (
            "gateway.completion_persistence.enabled=false",
            "gateway.completion_persistence.enabled",
            False,
        ),
        ("rollout.callback_grace_seconds=0.5", "rollout.callback_grace_seconds", 0.5),
        (
            "gateway.nodes[0].inference={engine: vllm}",
            "gateway.nodes[0].inference",
            {"engine": "vllm"},
        ),
        (
            'gateway.nodes[0].default_runtime.env["A=B"]=5',
            ("gateway", "nodes", 0, "default_runtime", "env", "A=B"),
            "5",
        ),
        (
            "gateway.nodes[0].default_runtime.kwargs.x=5",
            "gateway.nodes[0].default_runtime.kwargs.x",
            5,
        ),
        (
            "gateway.nodes[0].default_runtime.kwargs.x=[a, {b: no}]",
            "gateway.nodes[0].default_runtime.kwargs.x",
            ["a", {"b": "no"}],
        ),
        ("gateway.nodes[*].max_run_workers=5", "gateway.nodes[*].max_run_workers", [5, 5]),
    ],
)
def test_a_value_is_read_as_the_type_of_its_key(
    call: Call, assignment: str, path: str, value: object
) -> None:
    assert call("set", assignment) == 0, call.err
    assert TopologyDocument.open("topology.yaml").get(path) == value


@pytest.mark.parametrize(
    "assignment",
    [
        "rollout.port=abc",
        "rollout.prot=1",
        "gateway.nodes[0].id=0002",
        "rollout.port=[a",
        "rollout.port=",
    ],
)
def test_an_invalid_value_is_not_saved(call: Call, assignment: str) -> None:
    assert (call("set", "rollout.save_dir=x", assignment), call.out) == (1, "")
    assert "1 problem in topology.yaml" in call.err
    assert call("set", "--dry-run", assignment) == 1
    assert content() == TOPOLOGY


@pytest.mark.parametrize("placeholder", ["${PORT}", "${PORT:-8080}"])
def test_a_placeholder_is_saved_without_the_check(call: Call, placeholder: str) -> None:
    assert call("set", f"rollout.port={placeholder}") == 1
    assert call("set", "--no-check", f"rollout.port={placeholder}") == 0
    assert content() == TOPOLOGY.replace("port: 8080", f"port: {placeholder}")
    assert call("render", "topology.yaml", "PORT=90") == 0
    assert "  port: 90\n" in call.out


@pytest.mark.parametrize("value", ["", " ", "# x", "08", "0o17", "1\n---\n2", "[a"])
def test_what_is_not_a_value_is_refused_where_an_integer_is_expected(
    call: Call, value: str
) -> None:
    for path in (
        "rollout.port",
        "gateway.completion_persistence.enabled",
        "gateway.nodes[0].max_run_workers",
    ):
        assert call("set", f"{path}={value}") == 1, value
        assert f"{path.rpartition('.')[2]}: expected " in call.err
    assert call("add-node", "n3", f"port={value}") == 1
    assert content() == TOPOLOGY


@pytest.mark.parametrize("value", ["{port: 1, port: 2}", "!foo 3", "{<<: 3}"])
def test_a_value_is_read_as_strictly_as_a_file(call: Call, value: str) -> None:
    assert (call("set", f"rollout={value}"), call.out) == (2, "")
    assert call.err.startswith("rollout: ")
    assert content() == TOPOLOGY


def test_edits_of_one_call_may_need_each_other(call: Call) -> None:
    assert (
        call(
            "set",
            "gateway.completion_persistence.enabled=true",
            "gateway.completion_persistence.queue_size=5",
            "gateway.nodes[0].port=1",
        )
        == 0
    )
    assert content().endswith("  completion_persistence:\n    enabled: true\n    queue_size: 5\n")
    assert call("set", "gateway.nodes[gpu-1].id=new", "gateway.nodes[new].port=2") == 0
    assert TopologyConfig.load("topology.yaml").select_gateway_node("new").port == 2


def test_unset_removes_keys(call: Call) -> None:
    assert call("unset", "rollout.save_dir", "gateway.nodes[0].default_runtime") == 0
    assert content() == TOPOLOGY.replace("  save_dir: ./results\n", "").replace(
        "      default_runtime: {image: i, env: {TOKEN: hunter2}}\n", ""
    )


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["set", "rollout.port"], "expected PATH=VALUE"),
        (["set", "=5"], "expected PATH=VALUE"),
        (["set", "a..b=5"], "a..b"),
        (["unset", "rollout.prt"], "rollout.prt"),
        (["remove-node", "x"], "x"),
        (["add-node", "gpu-1"], "gpu-1"),
    ],
)
def test_an_edit_of_what_is_not_there_is_a_usage_error(
    call: Call, arguments: list[str], words: str
) -> None:
    assert (call(*arguments), call.out) == (2, "")
    assert words in call.err
    assert content() == TOPOLOGY


def test_a_shared_value_is_changed_with_an_option_only(call: Call) -> None:
    write(
        "topology.yaml",
        "gateway:\n  nodes:\n    - &a\n      id: a\n      port: 1\n      model_served: x\n    - <<: *a\n      id: b\n      port: 2\n",
    )
    assert call("set", "gateway.nodes[a].model_served=y") == 2
    assert "gateway.nodes[1]" in call.err
    assert call.err.endswith(
        "\n  to change all of them, use --shared with the key that has the anchor; or override the key in each node\n"
    )
    assert call("unset", "gateway.nodes[a].model_served") == 2
    assert call("set", "--shared", "gateway.nodes[a].model_served=y") == 0
    assert TopologyConfig.load("topology.yaml").gateway.nodes[1].model_served == "y"


def test_only_files_are_edited_in_place(call: Call) -> None:
    assert call("set", "-c", "-", "rollout.port=1") == 2
    assert call.err == "standard input cannot be edited in place\n  name a file\n"
    assert call("set", "-c", "none.yaml", "rollout.port=1") == 2
    assert call.err == "polar-config: none.yaml: No such file or directory\n"
    shutil.copy("topology.yaml", "fixed.yaml")
    Path("fixed.yaml").chmod(0o444)
    assert call("set", "-c", "fixed.yaml", "rollout.port=1") == 2
    assert Path("fixed.yaml").read_text(encoding="utf-8") == TOPOLOGY
