"""What the command does with its streams: color, encodings, closed pipes, Ctrl-C."""

import io
import os
import pty
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from shell import COMMAND, TOPOLOGY, Call


@pytest.mark.parametrize(
    ("environment", "has_color"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_color_on_a_terminal(directory: Path, environment: dict[str, str], has_color: bool) -> None:
    main, worker = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "check", "bad.yaml"],
        cwd=directory,
        stdout=worker,
        env={**os.environ, "TERM": "xterm", **environment},
    ) as child:
        os.close(worker)
        output = b""
        with suppress(OSError):  # a terminal raises it when its other end was closed
            while piece := os.read(main, 1000):
                output += piece
        child.wait()
    os.close(main)
    assert b"unknown key" in output
    assert (b"\x1b[" in output) is has_color


def test_no_color_elsewhere(directory: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "check", "bad.yaml"], cwd=directory, capture_output=True, check=False
    )
    assert b"unknown key" in done.stdout
    assert b"\x1b" not in done.stdout


def test_characters_that_the_output_cannot_show_are_escaped(directory: Path) -> None:
    (directory / "t.yaml").write_text("図: 1\n", encoding="utf-8")
    done = subprocess.run(
        [*COMMAND, "check", "t.yaml"],
        cwd=directory,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1
    assert rb"\u56f3" in done.stdout


def test_a_reader_that_stops_early_ends_it_quietly(directory: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", *["bad.yaml"] * 2000],
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""


@pytest.mark.parametrize(
    ("call", "status", "error"),
    [
        ("check - <&-", 2, "standard input is closed\n"),
        ("check topology.yaml >&-", 0, ""),
        ("check bad.yaml 2>&- >/dev/null", 1, ""),
        ("check none.yaml 2>&-", 2, ""),
        (
            "check topology.yaml >/dev/full",
            2,
            "polar-config: cannot write: No space left on device\n",
        ),
        ("check topology.yaml | true", 0, ""),
    ],
)
def test_closed_and_full_streams_end_it_without_a_traceback(
    directory: Path, call: str, status: int, error: str
) -> None:
    # Buffered, as outside of tests: what could not be written is tried again at exit.
    python = f"env -u PYTHONUNBUFFERED {shlex.join(COMMAND)}"
    script = f"set -o pipefail; {python} {call}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=directory, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert done.stderr == error


def test_an_interrupt_ends_it_quietly(directory: Path) -> None:
    script = (
        "import signal, sys\n"
        "from polar_config.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # may have been switched off\n"
        "signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])\n"
        "print('ready', flush=True)\n"
        "sys.exit(main(['check', '-']))\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=directory, stdin=pipe, stdout=pipe, stderr=pipe
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        time.sleep(0.5)  # until it waits for its input
        child.send_signal(signal.SIGINT)
        assert child.stderr.read() == b""
        assert child.wait() == 130


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "-"],
        ["show", "-c", "-"],
        ["render", "-"],
        ["get", "-c", "-", "rollout.port"],
        ["diff", "-", "topology.yaml"],
    ],
    ids=" ".join,
)
def test_standard_input_is_read_where_nothing_is_saved(
    call: Call, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    stdin = TOPOLOGY.replace("8080", "9090").encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
    assert call(*arguments) == (1 if arguments[0] == "diff" else 0)
    assert ("<stdin>" if arguments[0] == "check" else "9090") in call.out
    monkeypatch.setattr(sys, "stdin", None)
    assert call(*arguments) == 2
    assert "standard input is closed" in call.err
