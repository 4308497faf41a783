"""One run of the command: from its arguments to its exit status."""

import sys
from collections.abc import Sequence

from polar_config import TopologyError
from polar_config.cli._errors import USAGE, status_of
from polar_config.cli._output import STDOUT, mute, print_error, print_report
from polar_config.cli._parser import parsed_arguments


def run(arguments: Sequence[str] | None) -> int:
    """Run the command and return its exit status; errors are printed."""
    try:
        parsed = parsed_arguments(arguments)
        return int(parsed.run(parsed))
    except TopologyError as error:
        print_report(error, sys.stderr)
        return status_of(error)
    except OSError as error:
        _print_os_error(error)
        return USAGE


def _print_os_error(error: OSError) -> None:
    if error.filename is not None:
        print_error(f"{error.filename}: {error.strerror}")
    else:
        # Only writing to standard output has no file name; it must not be tried again.
        mute(STDOUT)
        print_error(f"cannot write: {error.strerror}")
