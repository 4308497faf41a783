"""The command: run in a process of its own, or in this one, in a directory that has a topology."""

import subprocess
import sys
from pathlib import Path

import pytest

from polar_config.cli import main

COMMAND = [sys.executable, "-m", "polar_config"]
SUBCOMMANDS = ("check", "show", "get", "diff", "set", "unset", "add-node", "remove-node", "render", "schema", "init")  # fmt: skip

SECRET = "hunter2"
TOPOLOGY = """\
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
"""The file `topology.yaml` of the fixture `call`."""


def run(
    directory: Path, *arguments: str, stdin: bytes | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=directory, input=stdin or b"", capture_output=True, check=False
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


class Call:
    """Runs the command in this process and keeps what it printed."""

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


def content() -> str:
    """What `topology.yaml` has now."""
    return Path("topology.yaml").read_text(encoding="utf-8")


def write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")
