"""The arguments of a command line become a namespace; `--help` comes from the same tables."""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from polar_config.cli import _check, _diff, _edit, _generate, _render, _show
from polar_config.cli._command import EXIT_STATUS, Command

_COMMANDS: tuple[Command, ...] = (
    *_check.COMMANDS,
    *_show.COMMANDS,
    *_diff.COMMANDS,
    *_edit.COMMANDS,
    *_render.COMMANDS,
    *_generate.COMMANDS,
)
_EXAMPLES = """\
  polar-config init                   write topology.yaml to start from
  polar-config check a.yaml b.yaml    validate several files
  polar-config set rollout.port=9000  edit topology.yaml in place
"""


def parsed_arguments(arguments: Sequence[str] | None) -> Namespace:
    """The arguments of a command line; `run` is the function of its subcommand."""
    parser = _parser()
    parsed, rest = parser.parse_known_args(arguments)
    # argparse ends a list of operands at the first option and hands back those after it.
    has_list = hasattr(parsed, "list_name")
    if rest and (not has_list or any(each.startswith("-") for each in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        getattr(parsed, parsed.list_name).extend(rest)
    return parsed


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="polar-config",
        description="Validate, show, edit and generate topology files of Polar deployments.",
        epilog=(
            _epilog(_EXAMPLES, EXIT_STATUS)
            + "\nUse polar-config COMMAND --help for the options of a command."
        ),
        formatter_class=RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        subparser = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=_epilog(command.examples, command.exit_status),
            formatter_class=RawDescriptionHelpFormatter,
        )
        subparser.set_defaults(run=command.run)
        command.add_arguments(subparser)
    return parser


def _epilog(examples: str, exit_status: str) -> str:
    return f"examples:\n{examples}\nexit status:\n  {exit_status}\n"
