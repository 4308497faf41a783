"""The command, run in a process of its own."""

import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-m", "polar_config"]


def run(
    folder: Path, *arguments: str, stdin: bytes | None = None
) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=folder, input=stdin or b"", capture_output=True, check=False
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )
