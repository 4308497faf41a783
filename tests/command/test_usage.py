"""Help, usage errors, and the promise that no call ends in a traceback."""

import os
import shutil
from pathlib import Path

import pytest
from files import FILES
from shell import SUBCOMMANDS, Call, run


def test_help_lists_every_command(call: Call) -> None:
    assert call("--help") == 0
    for command in SUBCOMMANDS:
        assert f"\n    {command} " in call.out or f"\n    {command}\n" in call.out


@pytest.mark.parametrize("command", [[], *([each] for each in SUBCOMMANDS)], ids=" ".join)
def test_every_help_has_an_example_and_the_exit_status_and_fits_a_terminal(
    call: Call, command: list[str]
) -> None:
    assert call(*command, "--help") == 0
    assert f"\n  {' '.join(['polar-config', *command])} " in call.out
    assert "\nexit status:\n  0: " in call.out
    assert max(map(len, call.out.splitlines())) <= 80


def test_the_command_alone_in_a_process_of_its_own(directory: Path) -> None:
    done = run(directory)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: polar-config")


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["check", "--what"],
        ["check", "topology.yaml", "--what", "x"],
        ["get"],
        ["set"],
        ["schema", "x"],
    ],
)
def test_wrong_options_are_usage_errors(call: Call, arguments: list[str]) -> None:
    assert (call(*arguments), call.out) == (2, "")
    assert call.err.startswith("usage: polar-config")


@pytest.mark.parametrize("number", ["0", "x", "", "-1", "20001", "9" * 5000, "\u0663"])
def test_a_number_of_nodes_is_an_integer_in_bounds(call: Call, number: str) -> None:
    assert (call("init", "--nodes", number), call.out) == (2, "")
    assert "--nodes: expected " in call.err
    assert len(call.err) < 500


def test_options_may_interrupt_a_list(call: Call) -> None:
    assert call("check", "topology.yaml", "--strict", "topology.yaml") == 0
    assert call.out == "topology.yaml: ok, 2 nodes\n" * 2


@pytest.mark.parametrize(
    "arguments",
    [["check", ""], ["set", "-c", "", "rollout.port=1"], ["show", "-c", ""], ["diff", "", "x"]],
)
def test_an_empty_file_name_is_a_usage_error(call: Call, arguments: list[str]) -> None:
    assert (call(*arguments), call.out) == (2, "")
    assert call.err == "the file name is empty\n"


def test_a_usage_error_does_not_quote_a_value(call: Call) -> None:
    assert call("set", "http://u:hunter2@h") == 2
    assert "hunter2" not in call.err


EVERY = [
    ["check"], ["check", "--format", "json"], ["check", "--format", "github"], ["show", "-c"], ["show", "--format", "tree", "-c"], ["get", "rollout.port", "-c"],
    ["set", "rollout.port=1", "-c"], ["unset", "rollout.port", "-c"], ["add-node", "new", "-c"], ["remove-node", "a", "-c"], ["render"], ["diff", "topology.yaml"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", EVERY, ids=" ".join)
def test_every_command_takes_every_file(call: Call, arguments: list[str]) -> None:
    for file in FILES:
        shutil.copy(file, "copy.yaml")
        status = call(*arguments, "copy.yaml")
        assert status in {0, 1, 2}, file.name
        assert status == 0 or call.out or call.err, file.name
    Path("directory").mkdir()
    os.mkfifo("pipe")
    for name in ("none.yaml", "directory", "pipe", "no/directory/x.yaml", "topology.yaml/x"):
        assert call(*arguments, name) == 2, name
        assert call.out or call.err, name
