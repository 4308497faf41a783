"""`polar-config check`: all errors and warnings of all files, in three formats."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from files import FILES
from shell import TOPOLOGY, Call, run, write

from polar_config import TopologyConfig, TopologyError

UNKNOWN_KEY = "gateway: {nodes: [{id: a, prot: 1}]}"


def test_a_valid_file_is_one_line(directory: Path) -> None:
    done = run(directory, "check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "topology.yaml: ok, 2 nodes\n", "")
    (directory / "one.yaml").write_text("gateway: {nodes: [{id: a}]}", encoding="utf-8")
    assert run(directory, "check", "one.yaml").stdout == "one.yaml: ok, 1 node\n"


def test_all_problems_of_all_files_are_printed(directory: Path) -> None:
    done = run(directory, "check", "bad.yaml", "topology.yaml", "bad.yaml")
    assert done.returncode == 1
    assert done.stdout.count("bad.yaml:4:7: gateway.nodes[0] (a).prot: unknown key") == 2
    assert "topology.yaml: ok, 2 nodes\n" in done.stdout
    assert done.stderr == ""


def test_the_exit_status_says_whether_a_file_is_valid(call: Call) -> None:
    for file in FILES:
        try:
            TopologyConfig.load(file)
            status = 0
        except TopologyError:
            status = 1
        assert call("check", str(file)) == status, file.name


def test_standard_input_is_a_dash(directory: Path) -> None:
    good = (directory / "topology.yaml").read_bytes()
    bad = (directory / "bad.yaml").read_bytes()
    assert run(directory, "check", "-", stdin=good).stdout == "<stdin>: ok, 2 nodes\n"
    assert run(directory, "check", "-", stdin=bad).stdout.startswith("<stdin>:4:7: ")
    done = run(directory, "check", "-", stdin=b"\xff")
    assert (done.returncode, done.stderr) == (1, "")
    assert "UTF-8" in done.stdout


def test_a_document_that_is_too_large_is_invalid_content(directory: Path) -> None:
    done = run(directory, "check", "-", stdin=b"#" * (16 * 1024 * 1024 + 1))
    assert (done.returncode, done.stderr) == (1, "")


def test_an_unreadable_file_is_exit_status_2_and_the_other_files_are_checked(
    directory: Path,
) -> None:
    done = run(directory, "check", "none.yaml", "bad.yaml")
    assert done.returncode == 2
    assert done.stderr == "polar-config: none.yaml: No such file or directory\n"
    assert "unknown key" in done.stdout
    assert run(directory, "check", "x" * 5000).returncode == 2
    assert run(directory, "check", ".").returncode == 2
    os.mkfifo(directory / "pipe")
    done = run(directory, "check", "pipe")
    assert (done.returncode, done.stdout) == (2, "")
    assert "polar-config check -" in done.stderr


def test_a_file_that_this_user_may_not_read_is_exit_status_2(directory: Path) -> None:
    (directory / "secret.yaml").write_text(TOPOLOGY, encoding="utf-8")
    (directory / "secret.yaml").chmod(0)
    script = (
        "import os, sys\n"
        "from polar_config.cli import main\n"
        "main(['check'])\n"
        "if os.getuid() == 0:\n"
        "    os.setgid(65534)\n"
        "    os.setuid(65534)\n"
        "status = main(['check', 'secret.yaml'])\n"
        "sys.stderr.flush()\n"
        "os._exit(status)  # this user cannot write the files of coverage either\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=directory, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "polar-config: secret.yaml: Permission denied\n")


# --- warnings -------------------------------------------------------------------------------------


def test_warnings_are_printed_and_strict_makes_them_errors(call: Call) -> None:
    url = "port: 8101\n      inference: {base_url: http://127.0.0.1:8000/v1}"
    write("warned.yaml", TOPOLOGY.replace("port: 8101", url))
    assert call("check", "warned.yaml") == 0
    assert call.out == (
        "warned.yaml:9:29: gateway.nodes[0] (gpu-1).inference.base_url: warning: this URL ends in /v1, and Polar appends /v1 to it (base-url-v1)\n"
        '  write "http://127.0.0.1:8000"\n'
        "warned.yaml: ok, 2 nodes, 1 warning\n"
    )
    assert call("check", "--strict", "warned.yaml") == 1
    assert call("check", "--strict") == 0
    assert call.out == "topology.yaml: ok, 2 nodes\n"


def test_fifty_warnings_are_printed_and_the_rest_is_counted(call: Call) -> None:
    nodes = "".join(f"    - id: n{number}\n" for number in range(600))
    write("many.yaml", f"gateway:\n  nodes:\n{nodes}")
    assert call("check", "many.yaml") == 0
    assert call.out.count(": warning: ") == 50
    assert call.out.endswith("and 1,148 more warnings\nmany.yaml: ok, 600 nodes, 1,198 warnings\n")
    assert call("check", "--format", "json", "many.yaml") == 0
    assert len(json.loads(call.out)["files"][0]["problems"]) == 1_198


def test_control_characters_of_names_and_ids_are_escaped(call: Call) -> None:
    write("a\u202eb.yaml", 'gateway: {nodes: [{id: a}, {id: "\\u202e"}]}')
    assert call("check", "a\u202eb.yaml") == 0
    assert "\u202e" not in call.out
    assert "a\\u202eb.yaml:1:28: gateway.nodes[1] (\\u202e).port: warning: " in call.out
    assert call("check", "none\u202e.yaml") == 2
    assert "none\\u202e.yaml" in call.err


# --- other formats --------------------------------------------------------------------------------


def test_json_has_every_file_with_its_problems(call: Call) -> None:
    write("bad.yaml", UNKNOWN_KEY)
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


def test_json_counts_the_problems_that_it_leaves_out(call: Call) -> None:
    nodes = ", ".join(f"{{id: n{number}, x: 1}}" for number in range(1_005))
    write("bad.yaml", f"gateway: {{nodes: [{nodes}]}}")
    assert call("check", "--format", "json", "bad.yaml") == 1
    (file,) = json.loads(call.out)["files"]
    assert (len(file["problems"]), file["omitted"], file["nodes"]) == (1_000, 5, None)


def test_github_annotations(call: Call) -> None:
    write("a,b.yaml", UNKNOWN_KEY)
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


@pytest.mark.parametrize("format_", ["text", "json", "github"])
def test_every_format_has_every_problem(call: Call, format_: str) -> None:
    write("bad.yaml", "rollout: {prot: 1, hots: x}\ngateway: {nodes: []}\n")
    assert call("check", "--format", format_, "bad.yaml") == 1
    for key_path in ("rollout.prot", "rollout.hots", "gateway.nodes"):
        assert key_path in call.out
