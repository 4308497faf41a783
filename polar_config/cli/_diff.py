"""`diff`: two topologies compared by their effective values, and the processes to restart."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from polar_config import TopologyConfig, TopologyError
from polar_config.cli._command import Command
from polar_config.cli._errors import SUCCESS, USAGE, usage_error
from polar_config.cli._input import STDIN, opened
from polar_config.cli._output import print_report, print_result
from polar_config.errors._words import escaped
from polar_config.views import differences, restarts

_DIFFERENT = 1  # the exit status, as `diff` and `cmp` have it


def diff(arguments: Namespace) -> int:
    """Print the effective values that differ."""
    if arguments.old == arguments.new == STDIN:
        raise usage_error("only one of the two files can be standard input")
    try:
        old, new = opened(arguments.old).config, opened(arguments.new).config
    except TopologyError as error:
        # Not the exit status of an invalid file, which here says that the two differ.
        print_report(error, sys.stderr)
        return USAGE
    lines = list(_lines(old, new))
    print_result("\n".join(lines))
    return _DIFFERENT if lines else SUCCESS


def _lines(old: TopologyConfig, new: TopologyConfig) -> Iterator[str]:
    found = list(differences(old, new))
    for each in found:
        yield f"{each.key_path}: {each.summary}"
    if found:
        for action, processes in restarts(old, new).items():
            if processes:
                yield escaped(f"{action}: {', '.join(processes)}")


# --- the command line -----------------------------------------------------------------------------


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="a topology file; - is standard input")
    parser.add_argument("new", metavar="NEW", help="the topology file to compare it with")


COMMANDS = (
    Command(
        "diff",
        diff,
        _add_arguments,
        "show the effective values that differ, and the processes to restart",
        "  polar-config diff old.yaml new.yaml\n"
        "  git show HEAD:topology.yaml | polar-config diff - topology.yaml\n",
        "0: no difference. 1: they differ. 2: usage error, invalid or unreadable file.",
    ),
)
