"""What the command prints, and its exit status: results to standard output, everything else to standard error."""

import os
import sys
from typing import TextIO

import attrs

from polar_config import Problem, TopologyDocument, TopologyError

FINE, CONTENT, CALL = 0, 1, 2
"""The exit statuses: all is well, something is wrong in a file, the call is wrong or a file cannot be read."""

STDOUT = 1  # its file descriptor
STDIN_NAME = "<stdin>"
_WORDS = (
    ("shared=True", "--shared"),
    (", or say overwrite=True", ""),
    ("--node-id", "--node"),
)  # in Python, in a shell
_MAX_BYTES = 16 * 1024 * 1024  # more is refused, so more need not be read


def print_result(text: str) -> None:
    """Print to standard output, ending with a newline."""
    write(text if text.endswith("\n") or not text else f"{text}\n", sys.stdout)


def print_error(message: str) -> None:
    """Print to standard error."""
    write(f"polar-config: {message}\n", sys.stderr)


def print_report(error: TopologyError, stream: TextIO | None) -> None:
    """Print a report, in colors on a terminal."""
    write(_in_shell(error).report(color=has_color(stream)) + "\n", stream)


def _in_shell(error: TopologyError) -> TopologyError:
    """The same error, with hints in the words of the command where it is about a call."""
    if all(problem.line is not None for problem in error.problems):
        return error
    problems: list[Problem] = []
    for problem in error.problems:
        hint = problem.hint or ""
        for python, shell in _WORDS:
            hint = hint.replace(python, shell)
        problems.append(attrs.evolve(problem, hint=hint or None))
    return TopologyError(problems, error.source, omitted=error.omitted)


def write(text: str, stream: TextIO | None) -> None:
    """Write to a stream; if it is closed, or whoever reads it has had enough, go on without."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        mute(stream.fileno())


def mute(descriptor: int) -> None:
    """Let nothing complain about an output that is gone, not even Python's own flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def has_color(stream: TextIO | None) -> bool:
    """Whether a stream takes colors."""
    return (
        stream is not None
        and stream.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def status_of(error: TopologyError) -> int:
    """Whether a text is at fault, in which something has a place, or the call."""
    return (
        CONTENT
        if any(
            problem.line is not None or problem.code == "too-large" for problem in error.problems
        )
        else CALL
    )


def opened(name: str) -> TopologyDocument:
    """The document in a file, or in standard input if the name is ``-``."""
    return (
        TopologyDocument.parse(stdin_bytes(), STDIN_NAME)
        if name == "-"
        else TopologyDocument.open(_named(name))
    )


def to_edit(name: str) -> TopologyDocument:
    """The document in a file that is to be saved."""
    if name == "-":
        raise bad_call("standard input cannot be edited in place", "name a file")
    return TopologyDocument.open(_named(name))


def stdin_bytes() -> bytes:
    """What standard input holds."""
    if sys.stdin is None:
        raise bad_call("standard input is closed")
    return sys.stdin.buffer.read(_MAX_BYTES + 1)


def bad_call(message: str, hint: str | None = None) -> TopologyError:
    """The error for a call that is wrong."""
    return TopologyError(
        [Problem(code="invalid-argument", key_path="", message=message, hint=hint)]
    )


def _named(name: str) -> str:
    if not name:
        raise bad_call("the name of a file is empty")
    return name


def shown_name(name: str) -> str:
    """The name of a file as it is printed."""
    return STDIN_NAME if name == "-" else name
