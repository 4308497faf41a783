"""The arguments of the command, and what `--help` says of them."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from polar_config.cli import _change, _look, _make

_MOST_NODES = 20_000  # that `init` has ports for
_FILE = "the topology (default: topology.yaml; - is standard input where it is only read)"
_EXAMPLES = """\
  polar-config init                   write topology.yaml to start from
  polar-config check a.yaml b.yaml    check several files
  polar-config set rollout.port=9000  edit topology.yaml in place
"""
_STATUS = """
exit status:
  0 fine, 1 something is wrong in a file, 2 the call is wrong or a file cannot
  be read
"""


def parsed_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of a call; `run` is what it asks for.

    A list of arguments may be interrupted by options: argparse gives back what comes after them.
    """
    whole = _parser()
    parsed, rest = whole.parse_known_args(arguments)
    if rest and (not hasattr(parsed, "more") or any(each.startswith("-") for each in rest)):
        whole.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        getattr(parsed, parsed.more).extend(rest)
    return parsed


def _parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="polar-config",
        description="Check, show, edit and make topology files of Polar deployments.",
        epilog=f"examples:\n{_EXAMPLES}{_STATUS}\npolar-config COMMAND --help says more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(
        name: str, run: Callable[[Any], int], does: str, examples: str, *, file: bool = True
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name,
            help=does,
            description=f"{does[0].upper()}{does[1:]}.",
            epilog=f"examples:\n{examples}{_STATUS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(run=run)
        if file:
            added.add_argument(
                "-c", dest="file", metavar="FILE", default="topology.yaml", help=_FILE
            )
        return added

    _add_looking(command)
    _add_showing(command)
    _add_changing(command)
    _add_making(command)
    return whole


_Command = Callable[..., argparse.ArgumentParser]


def _add_looking(command: _Command) -> None:
    check = command(
        "check",
        _look.check,
        "say everything that is wrong in topology files, and what is probably not meant",
        "  polar-config check                  check topology.yaml in this folder\n"
        "  polar-config check a.yaml b.yaml    check several files\n"
        "  envsubst < t.yaml | polar-config check -\n"
        "                                      check what a script has made\n",
        file=False,
    )
    check.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        default=[],
        help="topology files (default: topology.yaml); - is standard input",
    )
    check.set_defaults(more="files")
    check.add_argument("--strict", action="store_true", help="let advice count as a fault")
    check.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="github: annotations of a workflow",
    )


def _add_showing(command: _Command) -> None:
    show = command(
        "show",
        _look.show,
        "show all that holds: what is written, defaults and derived values",
        "  polar-config show                   as YAML that says what is a default\n"
        "  polar-config show --node gpu-1      one node\n"
        "  polar-config show --format tree     who calls whom, for eyes\n"
        "  polar-config show --format mermaid  the picture for a README\n",
    )
    show.add_argument("--node", metavar="ID", help="only this node")
    show.add_argument("--format", choices=("yaml", "json", "tree", "mermaid"), default="yaml")
    show.add_argument(
        "--secrets",
        action="store_true",
        help="show credentials in URLs and values of env as they are",
    )

    get = command(
        "get",
        _look.get,
        "print one value that holds, for a shell script",
        "  polar-config get rollout.port\n"
        "  polar-config get 'gateway.nodes[gpu-1].public_url'\n"
        "  for id in $(polar-config get 'gateway.nodes[*].id'); do echo $id; done\n",
    )
    get.add_argument(
        "path",
        metavar="PATH",
        help="a key path; [*] stands for every node and prints one value a line",
    )

    diff = command(
        "diff",
        _look.diff,
        "say what differs between two topologies, and which processes must restart",
        "  polar-config diff old.yaml new.yaml\n  git show HEAD:topology.yaml | polar-config diff - topology.yaml\n",
        file=False,
    )
    diff.add_argument("old", metavar="OLD")
    diff.add_argument("new", metavar="NEW")
    diff.epilog = (diff.epilog or "").replace(
        _STATUS,
        "\nexit status:\n  0 no difference, 1 they differ, 2 one cannot be read or is not valid\n",
    )


def _add_changing(command: _Command) -> None:
    def editing(
        name: str, run: Callable[[Any], int], does: str, examples: str
    ) -> argparse.ArgumentParser:
        added = command(name, run, does, examples)
        added.add_argument("--dry-run", action="store_true", help="only print the difference")
        added.add_argument(
            "--shared",
            action="store_true",
            help="change blocks that others share, and mean all of them",
        )
        added.add_argument(
            "--no-check",
            action="store_true",
            help="save what is not valid as well, such as a template",
        )
        return added

    _add_editing_values(editing)
    _add_editing_nodes(editing)


_Editing = Callable[[str, Callable[[Any], int], str, str], argparse.ArgumentParser]


def _add_editing_values(editing: _Editing) -> None:
    one = editing(
        "set",
        _change.set_values,
        "set values in place, and print the difference",
        "  polar-config set rollout.port=9000 rollout.save_dir=./results\n"
        "  polar-config set 'gateway.nodes[*].inference.engine=vllm'\n"
        "  polar-config set 'gateway.nodes[gpu-1].port=8200' --dry-run\n",
    )
    one.add_argument(
        "assignments",
        nargs="+",
        metavar="PATH=VALUE",
        help="the value is read as the type that the key has",
    )
    one.set_defaults(more="assignments")
    unset = editing(
        "unset",
        _change.unset,
        "remove keys or entries in place, with their comments",
        "  polar-config unset rollout.public_url\n  polar-config unset 'gateway.nodes[*].model_served'\n",
    )
    unset.add_argument("paths", nargs="+", metavar="PATH")
    unset.set_defaults(more="paths")


def _add_editing_nodes(editing: _Editing) -> None:
    add = editing(
        "add-node",
        _change.add_node,
        "add a gateway node",
        "  polar-config add-node gpu-3 port=8102\n"
        "  polar-config add-node gpu-3 --like gpu-1 --after gpu-2 \\\n"
        "      public_url=http://gpu-3:8100 inference.engine=vllm\n",
    )
    add.add_argument("id", metavar="ID")
    add.add_argument(
        "assignments", nargs="*", metavar="KEY=VALUE", default=[], help="keys of the node"
    )
    add.set_defaults(more="assignments")
    add.add_argument("--like", metavar="ID", help="copy the text of this node, comments and all")
    place = add.add_mutually_exclusive_group()
    place.add_argument("--before", metavar="ID")
    place.add_argument("--after", metavar="ID")
    remove = editing(
        "remove-node",
        _change.remove_nodes,
        "remove gateway nodes, with their comments",
        "  polar-config remove-node gpu-3 gpu-4\n",
    )
    remove.add_argument("ids", nargs="+", metavar="ID")
    remove.set_defaults(more="ids")


def _add_making(command: _Command) -> None:
    render = command(
        "render",
        _make.render,
        "fill the ${NAME} of a template: from the environment, a file, and the call",
        "  polar-config render template.yaml -o topology.yaml\n  polar-config render template.yaml HOST=10.0.0.1 --env-file cluster.env\n",
        file=False,
    )
    render.add_argument(
        "template",
        metavar="TEMPLATE",
        help="a topology file with ${NAME} or ${NAME:-default} in values",
    )
    render.add_argument(
        "variables",
        nargs="*",
        metavar="NAME=VALUE",
        default=[],
        help="count more than the file and the environment",
    )
    render.set_defaults(more="variables")
    render.add_argument(
        "-o", dest="output", metavar="FILE", help="write it there (default: standard output)"
    )
    render.add_argument(
        "--env-file", metavar="FILE", help="lines of NAME=VALUE; count more than the environment"
    )
    command(
        "schema",
        _make.schema,
        "print the JSON Schema, for editors",
        "  polar-config schema > topology.schema.json\n",
        file=False,
    )
    init = command(
        "init",
        _make.init,
        "write a commented file to start from",
        "  polar-config init                   topology.yaml with one node\n  polar-config init big.yaml --nodes 8\n",
        file=False,
    )
    init.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        default="topology.yaml",
        help="never overwritten; - is standard output",
    )
    init.add_argument(
        "--nodes", type=_count, metavar="N", default=1, help="how many gateway nodes (default: 1)"
    )


def _count(text: str) -> int:
    count = (
        int(text)
        if text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST_NODES))
        else 0
    )
    if not 1 <= count <= _MOST_NODES:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to {_MOST_NODES}")
    return count
