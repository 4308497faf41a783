"""The command `polar-config`: arguments, printing and exit status; everything it knows comes from the public names."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from polar_config import TopologyConfig, TopologyError

FINE, CONTENT, CALL = 0, 1, 2
_STDOUT = 1  # its file descriptor
MAX_BYTES = 16 * 1024 * 1024  # more is refused, so more need not be read

_EPILOG = """\
examples:
  polar-config check                  check topology.yaml in this folder
  polar-config check a.yaml b.yaml    check several files
  envsubst < t.yaml | polar-config check -
                                      check what a script has made

exit status:
  0 fine, 1 something is wrong in a file, 2 a file cannot be read or the call
  is wrong
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (by default the process's own) and give its exit status."""
    try:
        status = _check(_parser().parse_args(arguments).files)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _mute(_STDOUT)
        _print(f"polar-config: cannot write: {error.strerror}\n", sys.stderr)
        return CALL
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="polar-config",
        description="Check the topology file of a Polar deployment.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    check = commands.add_parser(
        "check",
        help="say everything that is wrong in topology files",
        description="Say everything that is wrong in topology files, with its place and the mend.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        default=["topology.yaml"],
        help="a topology file, or - for standard input (default: topology.yaml)",
    )
    return parser


def _check(files: Sequence[str]) -> int:
    return max(_check_one(name) for name in files)


def _check_one(name: str) -> int:
    try:
        topology = _read_stdin() if name == "-" else TopologyConfig.load(name)
    except TopologyError as error:
        unread = any(problem.code == "not-a-file" for problem in error.problems)
        stream = sys.stderr if unread else sys.stdout
        _print(error.report(color=_has_color(stream)) + "\n", stream)
        return CALL if unread else CONTENT
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        _print(f"polar-config: {name}: {reason}\n", sys.stderr)
        return CALL
    count = len(topology.gateway.nodes)
    _print(f"{'<stdin>' if name == '-' else name}: ok, {count} node{'s' * (count != 1)}\n", sys.stdout)
    return FINE


def _read_stdin() -> TopologyConfig:
    if sys.stdin is None:
        raise ValueError("standard input is closed")
    return TopologyConfig.loads(sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>")


def _print(text: str, stream: TextIO | None) -> None:
    """Write to a stream; if it is closed, or whoever reads it has had enough, go on without."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _mute(stream.fileno())


def _mute(descriptor: int) -> None:
    """Let nothing complain about an output that is gone, not even Python's own flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _has_color(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
