"""`set`, `unset`, `add-node`, `remove-node`: edits in place, all of one call or none."""

import re
from argparse import ArgumentParser, Namespace

from polar_config import TopologyDocument
from polar_config.cli._command import Command, add_file_to_edit, add_list
from polar_config.cli._errors import SUCCESS, usage_error
from polar_config.cli._input import opened_to_edit, validated
from polar_config.cli._output import print_result

# PATH=VALUE: a "=" in the brackets of a key path belongs to the path.
_ASSIGNMENT = re.compile(
    r"""(?P<path>(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]|[^=\[])+)=(?P<value>.*)""", re.DOTALL
)


def set_values(arguments: Namespace) -> int:
    """Set values."""
    document = opened_to_edit(arguments.file)
    with document.batch():
        for path, value in map(_split, arguments.assignments):
            document.set_from_string(path, value, shared=arguments.shared)
    return _save(arguments, document)


def unset(arguments: Namespace) -> int:
    """Remove keys or list items."""
    document = opened_to_edit(arguments.file)
    with document.batch():
        for path in arguments.paths:
            document.remove(path, shared=arguments.shared)
    return _save(arguments, document)


def remove_nodes(arguments: Namespace) -> int:
    """Remove nodes."""
    document = opened_to_edit(arguments.file)
    with document.batch():
        for node_id in arguments.ids:
            document.remove_node(node_id, shared=arguments.shared)
    return _save(arguments, document)


def add_node(arguments: Namespace) -> int:
    """Add a node, and set its keys."""
    document = opened_to_edit(arguments.file)
    with document.batch():
        document.add_node(
            {"id": arguments.id},
            like=arguments.like,
            before=arguments.before,
            after=arguments.after,
            shared=arguments.shared,
        )
        for key, value in map(_split, arguments.assignments):
            if key == "id":
                raise usage_error("the id of the new node is given twice", "leave out id=")
            path = f"gateway.nodes[{_quoted(arguments.id)}].{key}"
            document.set_from_string(path, value, shared=arguments.shared)
    return _save(arguments, document)


def _save(arguments: Namespace, document: TopologyDocument) -> int:
    """Validate a document, print the difference and save it, as far as the options say so."""
    if not arguments.no_check:
        validated(document)
    print_result(document.diff())
    if not arguments.dry_run:
        document.save(check=False)
    return SUCCESS


def _split(assignment: str) -> tuple[str, str]:
    match = _ASSIGNMENT.fullmatch(assignment)
    if match is None:
        # The argument itself is not quoted: it may be a secret.
        raise usage_error("expected PATH=VALUE, found something else")
    return match["path"], match["value"]


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# --- the command line -----------------------------------------------------------------------------


def _add_edit_options(parser: ArgumentParser) -> None:
    add_file_to_edit(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print the difference without saving the file"
    )
    parser.add_argument(
        "--shared",
        action="store_true",
        help="also change values that other nodes share through YAML anchors",
    )
    parser.add_argument(
        "--no-check",
        action="store_true",
        help="save the file even if it is invalid, such as a template",
    )


def _add_set_arguments(parser: ArgumentParser) -> None:
    _add_edit_options(parser)
    text = "the value is parsed according to the key's type"
    add_list(parser, "assignments", "PATH=VALUE", text, least=1)


def _add_unset_arguments(parser: ArgumentParser) -> None:
    _add_edit_options(parser)
    add_list(parser, "paths", "PATH", "the key path of a key or a list item", least=1)


def _add_add_node_arguments(parser: ArgumentParser) -> None:
    _add_edit_options(parser)
    parser.add_argument("id", metavar="ID", help="the id of the new node")
    add_list(parser, "assignments", "KEY=VALUE", "keys of the node")
    parser.add_argument("--like", metavar="ID", help="copy this node, including its comments")
    position = parser.add_mutually_exclusive_group()
    position.add_argument("--before", metavar="ID", help="insert it before this node")
    position.add_argument("--after", metavar="ID", help="insert it after this node")


def _add_remove_node_arguments(parser: ArgumentParser) -> None:
    _add_edit_options(parser)
    add_list(parser, "ids", "ID", "the ids of the nodes", least=1)


COMMANDS = (
    Command(
        "set",
        set_values,
        _add_set_arguments,
        "set values in place, and print the difference",
        "  polar-config set rollout.port=9000 rollout.save_dir=./results\n"
        "  polar-config set 'gateway.nodes[*].inference.engine=vllm'\n"
        "  polar-config set 'gateway.nodes[gpu-1].port=8200' --dry-run\n",
    ),
    Command(
        "unset",
        unset,
        _add_unset_arguments,
        "remove keys or list items in place, with their comments",
        "  polar-config unset rollout.public_url\n"
        "  polar-config unset 'gateway.nodes[*].model_served'\n",
    ),
    Command(
        "add-node",
        add_node,
        _add_add_node_arguments,
        "add a gateway node",
        "  polar-config add-node gpu-3 port=8102\n"
        "  polar-config add-node gpu-3 --like gpu-1 --after gpu-2 \\\n"
        "      public_url=http://gpu-3:8100 inference.engine=vllm\n",
    ),
    Command(
        "remove-node",
        remove_nodes,
        _add_remove_node_arguments,
        "remove gateway nodes, with their comments",
        "  polar-config remove-node gpu-3 gpu-4\n",
    ),
)
