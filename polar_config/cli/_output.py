"""What the command prints: results to standard output, everything else to standard error."""

import os
import sys
from typing import TextIO

from polar_config import TopologyError
from polar_config.cli._errors import with_options
from polar_config.errors._words import escaped

STDOUT = 1  # its file descriptor


def print_result(text: str) -> None:
    """Print to standard output, ending with a newline."""
    if text and not text.endswith("\n"):
        text += "\n"
    write(text, sys.stdout)


def print_error(message: str) -> None:
    """Print to standard error."""
    write(f"polar-config: {escaped(message)}\n", sys.stderr)


def print_report(error: TopologyError, stream: TextIO | None) -> None:
    """Print a report, in color on a terminal."""
    write(with_options(error).report(color=_has_color(stream)) + "\n", stream)


def counted(count: int, noun: str) -> str:
    """A number and its noun: ``1 node``, ``1,200 nodes``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun}s"


def write(text: str, stream: TextIO | None) -> None:
    """Write to a stream; a closed one is ignored."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        # Characters that the stream cannot show are escaped instead of ending in an error.
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        mute(stream.fileno())


def mute(descriptor: int) -> None:
    """Send further output of a closed stream nowhere: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _has_color(stream: TextIO | None) -> bool:
    if stream is None or not stream.isatty():
        return False
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
