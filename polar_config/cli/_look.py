"""The commands that only read: check, show, get, diff."""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import attrs

from polar_config import Problem, TopologyConfig, TopologyDocument, TopologyError
from polar_config.cli._output import (
    CALL,
    CONTENT,
    FINE,
    bad_call,
    opened,
    print_error,
    print_report,
    print_result,
    shown_name,
    status_of,
    write,
)
from polar_config.views import (
    differences,
    effective_data,
    effective_text,
    mermaid_text,
    restarts,
    tree_text,
)

_MAX_SHOWN = 50  # pieces of advice that are printed for one file
_VERSION = 1  # of the shape of `check --format json`


# --- check ------------------------------------------------------------------------------------------------------------


class _Checked(NamedTuple):
    """What was found in one file."""

    name: str
    status: int
    ids: tuple[str, ...] = ()
    error: TopologyError | OSError | None = None
    advice: tuple[Problem, ...] = ()


def check(arguments: argparse.Namespace) -> int:
    """Check files: problems and advice, in one of three formats."""
    show = {"text": _print_text, "github": _print_github}.get(arguments.format)
    found: list[_Checked] = []
    for name in arguments.files or ["topology.yaml"]:
        checked = _check_one(name, strict=arguments.strict)
        found.append(checked)
        if show:
            show(checked)
    if not show:
        print_result(
            json.dumps({"version": _VERSION, "files": [_as_data(each) for each in found]}, indent=2)
        )
    return max(each.status for each in found)


def _check_one(name: str, *, strict: bool) -> _Checked:
    shown = shown_name(name)
    try:
        document = opened(name)
        config = document.config
        advice = document.advice()
    except TopologyError as error:
        return _Checked(shown, status_of(error), error=error)
    except OSError as error:
        return _Checked(shown, CALL, error=error)
    return _Checked(
        shown,
        CONTENT if strict and advice else FINE,
        tuple(node.id for node in config.gateway.nodes),
        None,
        advice,
    )


def _print_text(checked: _Checked) -> None:
    if isinstance(checked.error, TopologyError):
        print_report(checked.error, sys.stderr if checked.status == CALL else sys.stdout)
    elif checked.error is not None:
        print_error(f"{checked.name}: {checked.error.strerror}")
    else:
        for each in checked.advice[:_MAX_SHOWN]:
            hint = f"\n  {each.hint}" if each.hint else ""
            label = _label(each.key_path, checked.ids)
            print_result(
                f"{checked.name}:{each.line}:{each.column}: {label}: advice: {each.message} ({each.code}){hint}"
            )
        if len(checked.advice) > _MAX_SHOWN:
            print_result(f"and {len(checked.advice) - _MAX_SHOWN:,} more pieces of advice")
        nodes = len(checked.ids)
        advice = (
            f", {len(checked.advice)} piece{'s' * (len(checked.advice) != 1)} of advice"
            if checked.advice
            else ""
        )
        print_result(f"{checked.name}: ok, {nodes} node{'s' * (nodes != 1)}{advice}")


def _label(key_path: str, ids: Sequence[str]) -> str:
    """A key path with the id of its node, as reports show it."""
    return re.sub(
        r"^gateway\.nodes\[([0-9]+)\]", lambda found: f"{found[0]} ({ids[int(found[1])]})", key_path
    )


def _print_github(checked: _Checked) -> None:
    for severity, each in _all(checked):
        place = f",line={each.line},col={each.column}" if each.line is not None else ""
        label = f"{each.key_path}: " if each.key_path else ""
        message = f"{label}{each.message}{f' ({each.hint})' if each.hint else ''}"
        name = _escaped(checked.name).replace(":", "%3A").replace(",", "%2C")
        print_result(f"::{severity} file={name}{place},title={each.code}::{_escaped(message)}")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _all(checked: _Checked) -> Iterator[tuple[str, Problem]]:
    """The problems and the advice of a file, each with the word that GitHub has for its severity."""
    if isinstance(checked.error, TopologyError):
        yield from (("error", each) for each in checked.error.problems)
    elif checked.error is not None:
        yield "error", Problem(code="unreadable", key_path="", message=str(checked.error.strerror))
    yield from (("warning", each) for each in checked.advice)


def _as_data(checked: _Checked) -> dict[str, Any]:
    return {
        "file": checked.name,
        "ok": checked.status == FINE,
        "nodes": len(checked.ids) or None,
        "problems": [
            {"severity": severity, **attrs.asdict(each)} for severity, each in _all(checked)
        ],
        "omitted": checked.error.omitted if isinstance(checked.error, TopologyError) else 0,
    }


# --- show, get, diff --------------------------------------------------------------------------------------------------


def show(arguments: argparse.Namespace) -> int:
    """Show all that holds."""
    document = opened(arguments.file)
    config, secrets = document.config, arguments.secrets
    if arguments.format == "tree":
        print_result(tree_text(_only(config, arguments.node), secrets=secrets))
    elif arguments.format == "mermaid":
        print_result(mermaid_text(_only(config, arguments.node), secrets=secrets))
    else:
        block = config if arguments.node is None else config.select_gateway_node(arguments.node)
        if arguments.format == "json":
            print_result(
                json.dumps(
                    {"fingerprint": block.fingerprint(), **effective_data(block, secrets=secrets)},
                    indent=2,
                )
            )
        else:
            written = (
                document.get((), None)
                if arguments.node is None
                else _written_node(document, config, arguments.node)
            )
            print_result(effective_text(block, written, secrets=secrets))
    return FINE


def _only(config: TopologyConfig, node_id: str | None) -> TopologyConfig:
    if node_id is None:
        return config
    return attrs.evolve(
        config, gateway=attrs.evolve(config.gateway, nodes=[config.select_gateway_node(node_id)])
    )


def _written_node(document: TopologyDocument, config: TopologyConfig, node_id: str) -> object:
    index = [node.id for node in config.gateway.nodes].index(node_id)
    return document.get(("gateway", "nodes", index))


def get(arguments: argparse.Namespace) -> int:
    """Print one value, or one a line."""
    value: Any = opened(arguments.file).config.get(arguments.path)
    if "[*]" in arguments.path:
        entries: list[Any] = [*value]
        print_result("".join(f"{_raw(each)}\n" for each in entries))
    else:
        write(f"{_raw(value)}\n", sys.stdout)
    return FINE


def _raw(value: object) -> str:
    """A value as a shell script takes it: nothing for null, JSON for what has parts."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def diff(arguments: argparse.Namespace) -> int:
    """Say what differs in effect."""
    if arguments.old == arguments.new == "-":
        raise bad_call("standard input can be one of the two only")
    try:
        old, new = (opened(name).config for name in (arguments.old, arguments.new))
    except TopologyError as error:
        print_report(error, sys.stderr)
        return CALL
    lines: list[str] = []
    for each in differences(old, new):
        sides = {(True, False): "added", (False, True): "removed"}
        change = sides.get((each.old is None, each.new is None), f"{each.old} -> {each.new}")
        lines.append(f"{each.key_path}: {change}\n")
    if lines:
        lines += [
            f"{word}: {', '.join(processes)}\n"
            for word, processes in restarts(old, new).items()
            if processes
        ]
    print_result("".join(lines))
    return CONTENT if lines else FINE
