"""What a subcommand is: its name, its help, its arguments, and the function that runs it."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple

from polar_config.cli._input import DEFAULT_FILE

EXIT_STATUS = "0: success. 1: invalid file. 2: usage error or unreadable file."


class Command(NamedTuple):
    """One subcommand."""

    name: str
    run: Callable[[Namespace], int]
    """Does what the arguments say and returns the exit status."""
    add_arguments: Callable[[ArgumentParser], None]
    summary: str
    """What it does, in one line; begins in lower case and has no period."""
    examples: str
    """Lines of a shell, each indented by two spaces."""
    exit_status: str = EXIT_STATUS


def add_file_to_read(parser: ArgumentParser) -> None:
    """Add the option that names the topology, where standard input can be one."""
    _add_file(parser, f"topology file (default: {DEFAULT_FILE}); - is standard input")


def add_file_to_edit(parser: ArgumentParser) -> None:
    """Add the option that names the topology, where it is edited in place."""
    _add_file(parser, f"topology file (default: {DEFAULT_FILE})")


def _add_file(parser: ArgumentParser, text: str) -> None:
    parser.add_argument("-c", dest="file", metavar="FILE", default=DEFAULT_FILE, help=text)


def add_list(parser: ArgumentParser, name: str, metavar: str, text: str, *, least: int = 0) -> None:
    """Add a list of operands, which options may interrupt."""
    nargs = "+" if least else "*"
    parser.add_argument(name, nargs=nargs, metavar=metavar, default=[], help=text)
    parser.set_defaults(list_name=name)
