"""The command: what each subcommand prints, where, and its exit status."""

import io
import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from files import FILES
from hypothesis import HealthCheck, given, settings
from shell import run
from strategies import topologies

from polar_config import TopologyConfig, TopologyDocument
from polar_config.cli import main
from polar_config.views import differences, effective_text

TEXT = """\
# two machines
rollout:
  port: 8080
  save_dir: ./results
gateway:
  nodes:
    - id: gpu-1  # first
      port: 8101
      model_served: m
      default_runtime: {image: i, env: {TOKEN: hunter2}}
    # second
    - id: "0002"
      port: 8102
      public_url: http://me:hunter2@localhost:8102
"""
SECRET = "hunter2"


class Call:
    """Runs the command in a folder that has a topology."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        try:
            status = main(arguments)
        except SystemExit as stop:
            status = int(stop.code or 0)
        self.out, self.err = self._capsys.readouterr()
        return status


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    (tmp_path / "topology.yaml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Call(capsys)


def text() -> str:
    return Path("topology.yaml").read_text(encoding="utf-8")


def write(name: str, content: str) -> None:
    Path(name).write_text(content, encoding="utf-8")


# --- check ------------------------------------------------------------------------------------------------------------


def test_check_prints_advice_and_strict_counts_it(call: Call) -> None:
    write(
        "advice.yaml",
        TEXT.replace(
            "port: 8101", "port: 8101\n      inference: {base_url: http://127.0.0.1:8000/v1}"
        ),
    )
    assert call("check", "advice.yaml") == 0
    assert call.out == (
        "advice.yaml:9:29: gateway.nodes[0] (gpu-1).inference.base_url: advice: the engine's path, which begins with /v1, is appended to this URL (base-url-v1)\n"
        '  write "http://127.0.0.1:8000"\n'
        "advice.yaml: ok, 2 nodes, 1 piece of advice\n"
    )
    assert call("check", "--strict", "advice.yaml") == 1
    assert call("check", "--strict") == 0
    assert call.out == "topology.yaml: ok, 2 nodes\n"


def test_check_prints_so_much_advice_and_counts_the_rest(call: Call) -> None:
    write(
        "many.yaml",
        "gateway:\n  nodes:\n" + "".join(f"    - id: n{number}\n" for number in range(600)),
    )
    assert call("check", "many.yaml") == 0
    assert call.out.endswith(
        "and 1,148 more pieces of advice\nmany.yaml: ok, 600 nodes, 1198 pieces of advice\n"
    )
    assert call("check", "--format", "json", "many.yaml") == 0
    assert len(json.loads(call.out)["files"][0]["problems"]) == 1_198


def test_check_as_json(call: Call) -> None:
    write("bad.yaml", "gateway: {nodes: [{id: a, prot: 1}]}")
    assert call("check", "--format", "json", "topology.yaml", "bad.yaml", "none.yaml") == 2
    data = json.loads(call.out)
    assert data["version"] == 1
    assert data["files"][0] == {
        "file": "topology.yaml",
        "ok": True,
        "nodes": 2,
        "problems": [],
        "omitted": 0,
    }
    assert data["files"][1]["problems"] == [
        {
            "severity": "error",
            "code": "unknown-key",
            "key_path": "gateway.nodes[0].prot",
            "message": "unknown key",
            "hint": "did you mean port?",
            "line": 1,
            "column": 27,
        }
    ]
    assert data["files"][2]["problems"][0]["code"] == "unreadable"
    assert [each["ok"] for each in data["files"]] == [True, False, False]


def test_check_as_annotations(call: Call) -> None:
    write("a,b.yaml", "gateway: {nodes: [{id: a, prot: 1}, {id: A, port: 1}]}")
    assert call("check", "--format", "github", "a,b.yaml", "none.yaml") == 2
    assert call.out == (
        "::error file=a%2Cb.yaml,line=1,col=27,title=unknown-key::gateway.nodes[0].prot: unknown key (did you mean port?)\n"
        "::error file=none.yaml,title=unreadable::No such file or directory\n"
    )
    write("x.yaml", "gateway: {nodes: [{id: a}, {id: A, port: 1}]}")
    assert call("check", "--format", "github", "x.yaml") == 0
    assert call.out.startswith(
        "::warning file=x.yaml,line=1,col=33,title=look-alike-id::gateway.nodes[1].id: "
    )


# --- show, get, diff --------------------------------------------------------------------------------------------------


def test_show_marks_where_values_come_from(call: Call) -> None:
    assert call("show") == 0
    assert "  host: 0.0.0.0  # default\n" in call.out
    assert "  public_url: http://127.0.0.1:8080  # derived from host and port\n" in call.out
    assert (
        "  rollout_server_url: http://127.0.0.1:8080  # derived from rollout.public_url\n"
        in call.out
    )
    assert '    - id: "0002"\n' in call.out
    assert "      port: 8101\n" in call.out
    write("topology.yaml", "gateway:\n  completion_persistence:\n  nodes:\n    - {}\n")
    assert call("show") == 0
    assert "# default: this machine's name\n" in call.out
    assert "queue_size: 1024  # default\n" in call.out


def test_show_one_node(call: Call) -> None:
    assert call("show", "--node", "0002") == 0
    assert call.out.startswith('id: "0002"\n')
    assert call("show", "--node", "gpu-9") == 2
    assert "there is no node gpu-9" in call.err
    assert call("show", "--node", "gpu-1", "--format", "json") == 0
    assert (
        json.loads(call.out)["fingerprint"]
        == TopologyConfig.loads(TEXT).gateway.nodes[0].fingerprint()
    )
    assert call("show", "--node", "gpu-1", "--format", "tree") == 0
    assert call.out.count("gateway") == 1


@pytest.mark.parametrize("format_", ["yaml", "json", "tree", "mermaid"])
def test_show_hides_secrets_unless_told(call: Call, format_: str) -> None:
    assert call("show", "--format", format_) == 0
    assert SECRET not in call.out
    assert call("show", "--format", format_, "--secrets") == 0
    assert SECRET in call.out


def test_show_as_json_is_all_that_holds_and_the_fingerprint(call: Call) -> None:
    assert call("show", "--format", "json", "--secrets") == 0
    data = json.loads(call.out)
    config = TopologyConfig.loads(TEXT)
    assert data.pop("fingerprint") == config.fingerprint()
    assert data == config.to_dict(effective=True)


def test_a_diagram_takes_any_name(call: Call) -> None:
    write("topology.yaml", "gateway: {nodes: [{id: 'a\"#<b>'}]}".replace("<b>", "(b)"))
    assert call("show", "--format", "mermaid") == 0
    assert 'gateway0["a#quot;#35;(b)<br/>' in call.out


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(topologies)
def test_what_show_prints_is_an_equal_topology(topology: TopologyConfig) -> None:
    shown = effective_text(topology, topology.to_dict(), secrets=True)
    assert TopologyConfig.loads(shown) == topology


def test_what_show_prints_of_each_file_is_an_equal_topology(call: Call) -> None:
    for file in FILES:
        if call("show", "-c", str(file), "--secrets") == 0:
            assert TopologyConfig.loads(call.out) == TopologyConfig.load(file)


def test_get_prints_one_value_or_one_a_line(call: Call) -> None:
    for path, printed in (
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
    ):
        assert (call("get", path), call.out) == (0, printed)
    for path in (
        "rollout.prt",
        "gateway.nodes[9]",
        "gateway.nodes[x].id",
        "rollout.port.x",
        "a..b",
        "rollout[*]",
    ):
        assert (call("get", path), call.out) == (2, "")
        assert "Traceback" not in call.err


def test_diff_says_what_differs_and_what_must_restart(call: Call) -> None:
    write("same.yaml", TopologyConfig.loads(TEXT).dumps(effective=True))
    assert (call("diff", "topology.yaml", "same.yaml"), call.out) == (0, "")
    new = (
        TEXT.replace("8101", "8103")
        .replace("hunter2}", "hunter3}")
        .replace('"0002"', "gpu-3")
        .replace("save_dir: ./results", "host: ::1")
    )
    write("new.yaml", new)
    assert call("diff", "topology.yaml", "new.yaml") == 1
    assert call.out == (
        'rollout.host: "0.0.0.0" -> "::1"\n'
        'rollout.public_url: "http://127.0.0.1:8080" -> "http://[::1]:8080"\n'
        'rollout.save_dir: "./results" -> null\n'
        'gateway.rollout_server_url: "http://127.0.0.1:8080" -> "http://[::1]:8080"\n'
        "gateway.nodes[gpu-1].port: 8101 -> 8103\n"
        'gateway.nodes[gpu-1].public_url: "http://127.0.0.1:8101" -> "http://127.0.0.1:8103"\n'
        'gateway.nodes[gpu-1].default_runtime.env.TOKEN: "*******" -> "*******"\n'
        "gateway.nodes[0002]: removed\n"
        "gateway.nodes[gpu-3]: added\n"
        "restart: rollout, gateway gpu-1\n"
        "start: gateway gpu-3\n"
        "stop: gateway 0002\n"
    )
    true = {
        each.key_path: each
        for each in differences(TopologyConfig.loads(TEXT), TopologyConfig.loads(new), secrets=True)
    }
    assert true["gateway.nodes[gpu-1].default_runtime.env.TOKEN"][1:] == ('"hunter2"', '"hunter3"')
    first, second = TEXT.split("    # second\n")
    head, node = first.split("    - id: gpu-1")
    write("turned.yaml", f"{head}{second}    - id: gpu-1{node}")
    assert (call("diff", "topology.yaml", "turned.yaml"), call.out) == (
        1,
        "gateway.nodes: in this order -> in another order\n",
    )
    write("heart.yaml", TEXT.replace("gateway:\n", "gateway:\n  heartbeat_interval_seconds: 5\n"))
    assert call("diff", "topology.yaml", "heart.yaml") == 1
    assert "restart: rollout, gateway gpu-1, gateway 0002\n" in call.out
    assert (call("diff", "-", "-"), call.out) == (2, "")
    write("bad.yaml", "gateway: {}")
    assert (call("diff", "topology.yaml", "bad.yaml"), call.out) == (2, "")
    assert call("diff", "topology.yaml", "none.yaml") == 2


# --- set, unset, add-node, remove-node --------------------------------------------------------------------------------


def test_set_edits_in_place_and_prints_the_difference(call: Call) -> None:
    assert (
        call("set", "gateway.nodes[gpu-1].port=9000", "--dry-run", "gateway.nodes[gpu-1].id=0005")
        == 0
    )
    assert call.out.endswith(
        '-    - id: gpu-1  # first\n-      port: 8101\n+    - id: "0005"  # first\n+      port: 9000\n       model_served: m\n       default_runtime: {image: i, env: {TOKEN: *******}}\n     # second\n'
    )
    assert text() == TEXT
    assert call("set", "gateway.nodes[gpu-1].port=9000", "gateway.nodes[gpu-1].id=0005") == 0
    assert text() == TEXT.replace("8101", "9000").replace("gpu-1", '"0005"')
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


def test_what_is_not_valid_is_not_saved_unless_told(call: Call) -> None:
    for assignment in (
        "rollout.port=abc",
        "rollout.prot=1",
        "gateway.nodes[0].id=0002",
        "rollout.port=[a",
        "rollout.port=",
    ):
        assert (call("set", "rollout.save_dir=x", assignment), call.out) == (1, "")
        assert "1 problem in topology.yaml" in call.err
        assert text() == TEXT
        assert call("set", "--dry-run", assignment) == 1
    for placeholder in ("${PORT}", "${PORT:-8080}"):
        assert call("set", "--no-check", f"rollout.port={placeholder}") == 0
        assert f"  port: {placeholder}\n" in text()
    assert call("render", "topology.yaml", "PORT=90") == 0
    assert "  port: 90\n" in call.out


@pytest.mark.parametrize("value", ["", " ", "# x", "08", "0o17", "1\n---\n2", "[a"])
def test_a_value_that_is_none_is_told(call: Call, value: str) -> None:
    for path in (
        "rollout.port",
        "gateway.completion_persistence.enabled",
        "gateway.nodes[0].max_run_workers",
    ):
        assert call("set", f"{path}={value}") == 1, value
    assert call("add-node", "n3", f"port={value}") == 1
    assert text() == TEXT


@pytest.mark.parametrize("value", ["{port: 1, port: 2}", "!foo 3", "{<<: 3}"])
def test_a_value_is_read_as_strictly_as_a_file(call: Call, value: str) -> None:
    assert (call("set", f"rollout={value}"), call.out) == (2, "")
    assert call.err.startswith("rollout: ")


def test_edits_of_one_call_are_made_at_once_or_one_after_the_other(call: Call) -> None:
    assert (
        call(
            "set",
            "gateway.completion_persistence.enabled=true",
            "gateway.completion_persistence.queue_size=5",
            "gateway.nodes[0].port=1",
        )
        == 0
    )
    assert text().endswith("  completion_persistence:\n    enabled: true\n    queue_size: 5\n")
    assert call("set", "gateway.nodes[gpu-1].id=new", "gateway.nodes[new].port=2") == 0
    assert TopologyConfig.load("topology.yaml").select_gateway_node("new").port == 2


def test_what_is_said_of_a_call_is_in_the_words_of_a_shell_and_without_secrets(call: Call) -> None:
    assert call("show", "--node", "x") == 2
    assert "with --node:" in call.err
    assert call("init", "topology.yaml") == 2
    assert "overwrite" not in call.err
    for arguments in (
        ["set", "http://u:hunter2@h"],
        ["render", "topology.yaml", "http://u:hunter2@h"],
    ):
        assert call(*arguments) == 2
        assert "hunter2" not in call.err
    assert call("check", "") == 2
    assert call("set", "-c", "", "rollout.port=1") == 2
    assert "the name of a file is empty" in call.err
    assert call("add-node", "n3", "id=n4") == 2
    assert "the id of the new node is given already" in call.err


def test_a_tree_shows_control_characters_escaped(call: Call) -> None:
    write("topology.yaml", 'gateway: {nodes: [{id: "a\\u202eb", model_served: "\\e]0;x\\a\\n"}]}')
    assert call("show", "--format", "tree") == 0
    assert "gateway a\\u202eb" in call.out
    assert "\x1b" not in call.out
    assert call("show", "--format", "mermaid") == 0
    assert "\u202e" not in call.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["set", "rollout.port"],
        ["set", "=5"],
        ["set", "a..b=5"],
        ["unset", "rollout.prt"],
        ["remove-node", "x"],
        ["add-node", "gpu-1"],
    ],
)
def test_a_wrong_edit_is_a_wrong_call(call: Call, arguments: list[str]) -> None:
    assert (call(*arguments), call.out) == (2, "")
    assert call.err
    assert text() == TEXT


def test_unset_and_remove_node(call: Call) -> None:
    assert call("unset", "rollout.save_dir", "gateway.nodes[0].default_runtime") == 0
    assert text() == TEXT.replace("  save_dir: ./results\n", "").replace(
        "      default_runtime: {image: i, env: {TOKEN: hunter2}}\n", ""
    )
    assert call("remove-node", "0002") == 0
    assert "# second" not in text()
    assert call("remove-node", "gpu-1") == 1
    assert "expected at least 1" in call.err


def test_add_node(call: Call) -> None:
    assert (
        call(
            "add-node",
            "gpu-3",
            "port=8103",
            "--after",
            "gpu-1",
            "inference.engine=vllm",
            "--dry-run",
        )
        == 0
    )
    assert text() == TEXT
    assert (
        call(
            "add-node",
            "3",
            "--like",
            "gpu-1",
            "port=8103",
            "default_runtime.env.TOKEN=x",
            "--before",
            "gpu-1",
        )
        == 0
    )
    node = TopologyConfig.load("topology.yaml").gateway.nodes[0]
    assert (node.id, node.port, node.model_served) == ("3", 8103, "m")
    assert text().count("# first") == 2
    assert call("add-node", "x", "--before", "a", "--after", "b") == 2
    assert call("add-node", 'we"ird', "port=1") == 0


def test_shared_blocks_need_a_word(call: Call) -> None:
    write(
        "topology.yaml",
        "gateway:\n  nodes:\n    - &a\n      id: a\n      port: 1\n      model_served: x\n    - <<: *a\n      id: b\n      port: 2\n",
    )
    assert call("set", "gateway.nodes[a].model_served=y") == 2
    assert "shares this with gateway.nodes[1]\n  say --shared if all of them are meant" in call.err
    assert call("set", "--shared", "gateway.nodes[a].model_served=y") == 0


def test_what_cannot_be_edited_in_place_is_a_wrong_call(call: Call) -> None:
    assert call("set", "-c", "-", "rollout.port=1") == 2
    assert call("set", "-c", "none.yaml", "rollout.port=1") == 2
    assert call.err == "polar-config: none.yaml: No such file or directory\n"
    Path("topology.yaml").chmod(0o444)
    assert call("set", "rollout.port=1") == 2
    assert "may not be written" in call.err


# --- render, schema, init ---------------------------------------------------------------------------------------------


def test_render_takes_the_environment_then_a_file_then_the_call(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("t.yaml", "gateway:\n  nodes:\n    - id: ${A}-${B}-${C}\n      model_served: ${D}\n")
    write("vars.env", "# comment\n\nexport B='file'\nC=file\nD=\"a = b\"\nE='\n")
    for name in "ABC":
        monkeypatch.setenv(name, "env")
    assert call("render", "t.yaml", "--env-file", "vars.env", "C=call") == 0
    assert call.out == "gateway:\n  nodes:\n    - id: env-file-call\n      model_served: a = b\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"D=in\nB=in\n")))
    assert call("render", "t.yaml", "--env-file", "-", "-o", "-") == 0
    assert call.out == "gateway:\n  nodes:\n    - id: env-in-env\n      model_served: in\n"
    assert call("render", "t.yaml", "D=x", "-o", "out.yaml", "C=call") == 0
    assert (call.out, TopologyConfig.load("out.yaml").gateway.nodes[0].id) == ("", "env-env-call")
    assert call("render", "t.yaml", "D=y", "-o", "out.yaml") == 0
    assert TopologyConfig.load("out.yaml").gateway.nodes[0].model_served == "y"


def test_render_refuses(call: Call) -> None:
    write("t.yaml", "gateway:\n  nodes:\n    - id: a\n      port: ${POLAR_TEST_PORT}\n")
    assert (call("render", "t.yaml"), call.out) == (1, "")
    assert (
        "t.yaml:4:13: gateway.nodes[0].port: there is no value for ${POLAR_TEST_PORT}" in call.err
    )
    assert call("render", "t.yaml", "POLAR_TEST_PORT=x", "-o", "out.yaml") == 1
    assert not Path("out.yaml").exists()
    assert call("render", "t.yaml", "POLAR_TEST_PORT=1", "-o", "./t.yaml") == 2
    assert "the template would be overwritten" in call.err
    for wrong in ("A", "1A=x", "=x"):
        assert call("render", "t.yaml", wrong) == 2
    write("bad.env", "A=1\nnonsense\n")
    assert call("render", "t.yaml", "--env-file", "bad.env") == 2
    assert "bad.env:2: expected NAME=VALUE" in call.err
    Path("latin.env").write_bytes(b"A=\xe9\n")
    assert call("render", "t.yaml", "--env-file", "latin.env") == 2
    assert call("render", "t.yaml", "--env-file", "none.env") == 2


def test_schema_prints_the_schema(call: Call) -> None:
    assert call("schema") == 0
    assert json.loads(call.out)["title"] == "Polar topology"


@pytest.mark.parametrize("nodes", [1, 3, 200])
def test_init_writes_a_file_that_is_fine(call: Call, nodes: int) -> None:
    assert call("init", "new.yaml", "--nodes", str(nodes)) == 0
    assert (call.out, call.err) == ("", "polar-config: wrote new.yaml\n")
    assert call("check", "--strict", "new.yaml") == 0
    assert call.out == f"new.yaml: ok, {nodes} node{'s' * (nodes > 1)}\n"
    assert call("init", "new.yaml") == 2
    assert "there is a file of this name already" in call.err
    assert call("init", "-", "--nodes", str(nodes)) == 0
    assert len(TopologyConfig.loads(call.out).gateway.nodes) == nodes


@pytest.mark.parametrize(
    "arguments",
    [
        ["init", "--nodes", "0"],
        ["init", "--nodes", "x"],
        ["init", "--nodes", "1000000"],
        ["check", "--what"],
        ["schema", "x"],
    ],
)
def test_wrong_options_are_wrong_calls(call: Call, arguments: list[str]) -> None:
    assert call(*arguments) == 2
    assert call.err.startswith("usage: polar-config")


# --- never a traceback ------------------------------------------------------------------------------------------------

EVERY = [
    ["check"], ["check", "--format", "json"], ["check", "--format", "github"], ["show", "-c"], ["show", "--format", "tree", "-c"], ["get", "rollout.port", "-c"],
    ["set", "rollout.port=1", "-c"], ["unset", "rollout.port", "-c"], ["add-node", "new", "-c"], ["remove-node", "a", "-c"], ["render"], ["diff", "topology.yaml"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", EVERY, ids=" ".join)
def test_every_command_takes_every_file(call: Call, arguments: list[str]) -> None:
    Path("folder").mkdir()
    os.mkfifo("pipe")
    for file in FILES:
        shutil.copy(file, "copy.yaml")
        assert call(*arguments, "copy.yaml") in {0, 1, 2}
        assert call.err == "" or not call.err.startswith("Traceback")
    for name in ("none.yaml", "folder", "pipe", "no/folder/x.yaml", "topology.yaml/x"):
        assert call(*arguments, name) == 2, name


@pytest.mark.parametrize("command", ["show", "render", "get"])
def test_standard_input_is_read_where_nothing_is_saved(
    call: Call, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    arguments = {
        "show": ["show", "-c", "-"],
        "render": ["render", "-"],
        "get": ["get", "-c", "-", "rollout.port"],
    }[command]
    assert call(*arguments) == 0
    assert "8080" in call.out
    monkeypatch.setattr(sys, "stdin", None)
    assert call(*arguments) == 2
    assert "standard input is closed" in call.err


def test_every_help_fits_a_terminal_and_has_an_example(call: Call) -> None:
    for command in (
        "check",
        "show",
        "get",
        "set",
        "unset",
        "add-node",
        "remove-node",
        "render",
        "diff",
        "schema",
        "init",
    ):
        assert call(command, "--help") == 0
        assert f"  polar-config {command}" in call.out or command == "get"
        assert max(map(len, call.out.splitlines())) <= 80, command


def test_a_closed_output_ends_quietly(tmp_path: Path) -> None:
    (tmp_path / "topology.yaml").write_text(TEXT, encoding="utf-8")
    done = run(tmp_path, "get", "rollout.port")
    assert (done.returncode, done.stdout, done.stderr) == (0, "8080\n", "")
