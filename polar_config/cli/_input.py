"""What the command reads: names of files, `-` for standard input, and `NAME=VALUE` arguments."""

import sys

from polar_config import TopologyConfig, TopologyDocument
from polar_config.cli._errors import usage_error

DEFAULT_FILE = "topology.yaml"
STDIN = "-"
_STDIN_NAME = "<stdin>"
_MAX_BYTES = 16 * 1024 * 1024  # longer files are refused, so no more needs to be read


def opened(name: str) -> TopologyDocument:
    """The document in a file or in standard input."""
    if name == STDIN:
        return TopologyDocument.parse(stdin_bytes(), _STDIN_NAME)
    return TopologyDocument.open(_required(name))


def opened_to_edit(name: str) -> TopologyDocument:
    """The document in a file that will be saved."""
    if name == STDIN:
        raise usage_error("standard input cannot be edited in place", "name a file")
    return TopologyDocument.open(_required(name))


def validated(document: TopologyDocument) -> TopologyConfig:
    """The topology in a document; raises the report if it is invalid."""
    return document.config


def stdin_bytes() -> bytes:
    """The content of standard input, as much as a topology file may have."""
    if sys.stdin is None:
        raise usage_error("standard input is closed")
    return sys.stdin.buffer.read(_MAX_BYTES + 1)


def _required(name: str) -> str:
    if not name:
        raise usage_error("the file name is empty")
    return name


def shown_name(name: str) -> str:
    """The name of a file in messages."""
    return _STDIN_NAME if name == STDIN else name
