"""One call of the command: what it asks for, and what is said of an error."""

import sys
from collections.abc import Sequence

from polar_config import TopologyError
from polar_config.cli._output import CALL, STDOUT, mute, print_error, print_report, status_of
from polar_config.cli._parser import parsed_arguments


def run(arguments: Sequence[str] | None) -> int:
    """Do what is asked for and give the exit status."""
    try:
        parsed = parsed_arguments(arguments)
        return int(parsed.run(parsed))
    except TopologyError as error:
        print_report(error, sys.stderr)
        return status_of(error)
    except OSError as error:
        if error.filename is None:
            mute(STDOUT)
            print_error(f"cannot write: {error.strerror}")
        else:
            print_error(f"{error.filename}: {error.strerror}")
        return CALL
