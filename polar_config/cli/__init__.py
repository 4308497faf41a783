"""The command `polar-config`: everything it knows comes from the public names."""

from collections.abc import Sequence

__all__ = ["main"]

_INTERRUPTED = 130  # what a shell says of a process that was stopped by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (by default the process's own) and give its exit status."""
    try:
        from polar_config.cli._run import run  # noqa: PLC0415  (while it is imported, Ctrl-C ends quietly as well)

        return run(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED
