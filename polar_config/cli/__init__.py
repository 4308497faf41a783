"""The command `polar-config`: arguments become calls of the library, results become output."""

from collections.abc import Sequence

__all__ = ["main"]

_INTERRUPTED = 130  # the exit status that a shell reports for a process stopped by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (by default the process's own); return its exit status.

    The exit status is 0 for success, 1 for an invalid file, 2 for a usage error or an unreadable
    file. Wrong options end the process with `SystemExit`, as `argparse` does it.
    """
    try:
        # Imported inside the `try`: Ctrl-C during the imports ends quietly as well.
        from polar_config.cli._run import run

        return run(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED
