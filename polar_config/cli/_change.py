"""The commands that edit a file in place: set, unset, add-node, remove-node."""

import argparse
import re
from collections.abc import Callable
from contextlib import nullcontext

from polar_config import TopologyDocument, TopologyError
from polar_config.cli._output import FINE, bad_call, print_result, to_edit

_ASSIGNMENT = re.compile(r"""((?:\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]|[^=\[])+)=(.*)""", re.DOTALL)


def set_values(arguments: argparse.Namespace) -> int:
    """Set all of them or none."""

    def edit(document: TopologyDocument) -> None:
        for path, value in map(_split, arguments.assignments):
            document.set_from_string(path, value, shared=arguments.shared)

    return _edit(arguments, edit)


def unset(arguments: argparse.Namespace) -> int:
    """Remove all of them or none."""

    def edit(document: TopologyDocument) -> None:
        for path in arguments.paths:
            document.remove(path, shared=arguments.shared)

    return _edit(arguments, edit)


def add_node(arguments: argparse.Namespace) -> int:
    """Add a node, with its keys."""

    def edit(document: TopologyDocument) -> None:
        where = {"before": arguments.before, "after": arguments.after, "shared": arguments.shared}
        document.add_node({"id": arguments.id}, like=arguments.like, **where)
        for key, value in map(_split, arguments.assignments):
            if key == "id":
                raise bad_call("the id of the new node is given already", "leave out id=")
            document.set_from_string(
                f"gateway.nodes[{_quoted(arguments.id)}].{key}", value, shared=arguments.shared
            )

    return _edit(arguments, edit, at_once=False)  # the keys of a node are set when it is there


def remove_nodes(arguments: argparse.Namespace) -> int:
    """Remove all of them or none."""

    def edit(document: TopologyDocument) -> None:
        for node_id in arguments.ids:
            document.remove_node(node_id, shared=arguments.shared)

    return _edit(arguments, edit)


def _edit(
    arguments: argparse.Namespace, edit: Callable[[TopologyDocument], None], *, at_once: bool = True
) -> int:
    """Make edits in a file and print the difference; nothing is saved unless all succeed."""
    document = to_edit(arguments.file)
    try:
        with document.batch() if at_once else nullcontext():
            edit(document)
    except TopologyError:
        if not at_once:
            raise
        document = to_edit(arguments.file)
        edit(document)  # one after the other: one may need what another has made
    if not arguments.no_check:
        document.config  # noqa: B018  (raises the report)
    print_result(document.diff())
    if not arguments.dry_run:
        document.save(check=False)
    return FINE


def _split(assignment: str) -> tuple[str, str]:
    match = _ASSIGNMENT.fullmatch(assignment)
    if match is None:
        raise bad_call("expected PATH=VALUE, found something else")  # which may be a secret
    return match[1], match[2]


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
