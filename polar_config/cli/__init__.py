"""The command `polar-config`: everything it knows comes from the public names."""

import sys
from collections.abc import Sequence

from polar_config import TopologyError
from polar_config.cli._output import CALL, STDOUT, mute, print_error, print_report, status_of
from polar_config.cli._parser import parsed_arguments

__all__ = ["main"]

_INTERRUPTED = 130  # what a shell says of a process that was stopped by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (by default the process's own) and give its exit status."""
    try:
        parsed = parsed_arguments(arguments)
        return int(parsed.run(parsed))
    except KeyboardInterrupt:
        return _INTERRUPTED
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
