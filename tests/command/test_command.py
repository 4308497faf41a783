"""`polar-config check`: what it prints, where, and the exit status."""

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
from shell import COMMAND, run

GOOD = "gateway:\n  nodes:\n    - id: a\n    - id: b\n      port: 8082\n"
BAD = "gateway:\n  nodes:\n    - id: a\n      prot: 1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "topology.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(BAD, encoding="utf-8")
    return tmp_path


def test_a_file_that_is_fine_is_one_line(folder: Path) -> None:
    done = run(folder, "check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "topology.yaml: ok, 2 nodes\n", "")
    (folder / "one.yaml").write_text("gateway: {nodes: [{id: a}]}", encoding="utf-8")
    assert run(folder, "check", "one.yaml").stdout == "one.yaml: ok, 1 node\n"


def test_all_problems_of_all_files_are_printed(folder: Path) -> None:
    done = run(folder, "check", "bad.yaml", "topology.yaml", "bad.yaml")
    assert done.returncode == 1
    assert done.stdout.count("bad.yaml:4:7: gateway.nodes[0] (a).prot: unknown key") == 2
    assert "topology.yaml: ok, 2 nodes\n" in done.stdout
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


def test_standard_input_is_a_dash(folder: Path) -> None:
    assert run(folder, "check", "-", stdin=GOOD.encode()).stdout == "<stdin>: ok, 2 nodes\n"
    assert run(folder, "check", "-", stdin=BAD.encode()).stdout.startswith("<stdin>:4:7: ")
    done = run(folder, "check", "-", stdin=b"\xff")
    assert (done.returncode, done.stderr) == (1, "")
    assert "not UTF-8" in done.stdout


def test_what_cannot_be_read_is_a_wrong_call_and_the_other_files_are_checked_all_the_same(
    folder: Path,
) -> None:
    done = run(folder, "check", "none.yaml", "bad.yaml")
    assert done.returncode == 2
    assert done.stderr == "polar-config: none.yaml: No such file or directory\n"
    assert "unknown key" in done.stdout
    assert run(folder, "check", "x" * 5000).returncode == 2
    assert run(folder, "check", ".").returncode == 2
    os.mkfifo(folder / "pipe")
    done = run(folder, "check", "pipe")
    assert (done.returncode, done.stdout) == (2, "")
    assert "polar-config check -" in done.stderr


def test_a_file_that_this_user_may_not_read_is_a_wrong_call(folder: Path) -> None:
    (folder / "secret.yaml").write_text(GOOD, encoding="utf-8")
    (folder / "secret.yaml").chmod(0)
    script = (
        "import os, sys\n"
        "from polar_config.cli import main\n"
        "main(['check'])\n"
        "if os.getuid() == 0:\n"
        "    os.setgid(65534)\n"
        "    os.setuid(65534)\n"
        "status = main(['check', 'secret.yaml'])\n"
        "sys.stderr.flush()\n"
        "os._exit(status)  # whatever measures the tests may not write as this user either\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "polar-config: secret.yaml: Permission denied\n")


@pytest.mark.parametrize("arguments", [(), ("frobnicate",), ("check", "--frobnicate")])
def test_a_wrong_call_says_how_to_call(folder: Path, arguments: tuple[str, ...]) -> None:
    done = run(folder, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: polar-config")


@pytest.mark.parametrize("arguments", [("--help",), ("check", "--help")])
def test_help_has_an_example_and_the_exit_status(folder: Path, arguments: tuple[str, ...]) -> None:
    done = run(folder, *arguments)
    assert done.returncode == 0
    assert "polar-config check a.yaml b.yaml" in done.stdout
    assert "exit status" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 80


def test_color_is_for_terminals_only(folder: Path) -> None:
    def on_terminal(**environment: str) -> bytes:
        main, worker = pty.openpty()
        with subprocess.Popen(
            [*COMMAND, "check", "bad.yaml"],
            cwd=folder,
            stdout=worker,
            env={**os.environ, "TERM": "xterm", **environment},
        ) as child:
            os.close(worker)
            output = b""
            with suppress(OSError):  # which is how a terminal says that its other end was closed
                while piece := os.read(main, 1000):
                    output += piece
            child.wait()
        os.close(main)
        return output

    assert b"\x1b[" in on_terminal()
    assert b"\x1b[" not in on_terminal(NO_COLOR="1")
    assert b"\x1b[" not in on_terminal(TERM="dumb")


def test_a_closed_output_ends_quietly(folder: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "check", *["bad.yaml"] * 2000],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""


@pytest.mark.parametrize(
    ("call", "status", "words"),
    [
        ("check - <&-", 2, "standard input is closed"),
        ("check topology.yaml >&-", 0, ""),
        ("check bad.yaml 2>&- >/dev/null", 1, ""),
        ("check none.yaml 2>&-", 2, ""),
        ("check topology.yaml >/dev/full", 2, "No space left"),
        ("check topology.yaml | true", 0, ""),
    ],
)
def test_closed_and_full_streams_end_without_a_traceback(
    folder: Path, call: str, status: int, words: str
) -> None:
    script = f"set -o pipefail; {shlex.join(COMMAND)} {call}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert words in done.stderr


def test_an_interrupt_ends_quietly(folder: Path) -> None:
    script = (
        "import signal, sys\n"
        "from polar_config.cli import main\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs the tests may have switched it off\n"
        "signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])\n"
        "print('ready', flush=True)\n"
        "sys.exit(main(['check', '-']))\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        time.sleep(0.5)  # until it waits for its input
        child.send_signal(signal.SIGINT)
        assert child.stderr.read() == b""
        assert child.wait() == 130


def test_an_output_that_is_no_utf_8_shows_escapes(folder: Path) -> None:
    (folder / "t.yaml").write_text("図: 1\n", encoding="utf-8")
    done = subprocess.run(
        [*COMMAND, "check", "t.yaml"],
        cwd=folder,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1
    assert rb"\u56f3" in done.stdout
