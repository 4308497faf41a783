"""`check`: the errors and warnings of files, for people, for scripts and for GitHub workflows."""

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import attrs

from polar_config import Problem, TopologyError
from polar_config.cli._command import Command, add_list
from polar_config.cli._errors import INVALID, SUCCESS, USAGE, status_of
from polar_config.cli._input import DEFAULT_FILE, opened, shown_name
from polar_config.cli._output import counted, print_error, print_report, print_result
from polar_config.errors._words import file_name, inline

_MAX_SHOWN = 50  # warnings that are printed for one file
_VERSION = 1  # of the shape of `check --format json`


class _Result(NamedTuple):
    """What was found in one file."""

    name: str
    status: int
    node_ids: tuple[str, ...] = ()
    error: TopologyError | OSError | None = None
    warnings: tuple[Problem, ...] = ()


def check(arguments: Namespace) -> int:
    """Validate files and print their errors and warnings."""
    print_file = _PRINT_FILE.get(arguments.format)
    results: list[_Result] = []
    for name in arguments.files or [DEFAULT_FILE]:
        result = _check_file(name, strict=arguments.strict)
        results.append(result)
        if print_file:
            print_file(result)
    if not print_file:
        _print_json(results)
    return max(each.status for each in results)


def _check_file(name: str, *, strict: bool) -> _Result:
    shown = shown_name(name)
    try:
        document = opened(name)
        config = document.config
        warnings = document.advice()
    except TopologyError as error:
        return _Result(shown, status_of(error), error=error)
    except OSError as error:
        return _Result(shown, USAGE, error=error)
    status = INVALID if strict and warnings else SUCCESS
    node_ids = tuple(node.id for node in config.gateway.nodes)
    return _Result(shown, status, node_ids, warnings=warnings)


def _all_problems(result: _Result) -> Iterator[tuple[str, Problem]]:
    """The errors and warnings of a file, each with its severity."""
    if isinstance(result.error, TopologyError):
        yield from (("error", each) for each in result.error.problems)
    elif result.error is not None:
        yield "error", Problem(code="unreadable", key_path="", message=str(result.error.strerror))
    yield from (("warning", each) for each in result.warnings)


# --- for people -----------------------------------------------------------------------------------


def _print_text(result: _Result) -> None:
    if isinstance(result.error, TopologyError):
        print_report(result.error, sys.stderr if result.status == USAGE else sys.stdout)
    elif result.error is not None:
        print_error(f"{result.name}: {result.error.strerror}")
    else:
        _print_warnings(result)
        summary = f"{file_name(result.name)}: ok, {counted(len(result.node_ids), 'node')}"
        if result.warnings:
            summary += f", {counted(len(result.warnings), 'warning')}"
        print_result(summary)


def _print_warnings(result: _Result) -> None:
    for each in result.warnings[:_MAX_SHOWN]:
        position = f"{file_name(result.name)}:{each.line}:{each.column}"
        label = _label(each.key_path, result.node_ids)
        print_result(f"{position}: {label}: warning: {each.message} ({each.code})")
        print_result(f"  {each.hint}")
    rest = len(result.warnings) - _MAX_SHOWN
    if rest > 0:
        print_result(f"and {counted(rest, 'more warning')}")


def _label(key_path: str, node_ids: Sequence[str]) -> str:
    """A key path with the id of its node, as reports show it."""

    def with_id(found: "re.Match[str]") -> str:
        return f"{found[0]} ({inline(node_ids[int(found[1])])})"

    return re.sub(r"^gateway\.nodes\[([0-9]+)\]", with_id, key_path)


# --- for a GitHub workflow ------------------------------------------------------------------------


def _print_github(result: _Result) -> None:
    file = _escaped(result.name).replace(":", "%3A").replace(",", "%2C")
    for severity, each in _all_problems(result):
        properties = f"file={file}"
        if each.line is not None:
            properties += f",line={each.line},col={each.column}"
        message = _escaped(_sentence(each))
        print_result(f"::{severity} {properties},title={each.code}::{message}")


def _sentence(problem: Problem) -> str:
    label = f"{problem.key_path}: " if problem.key_path else ""
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{label}{problem.message}{hint}"


def _escaped(text: str) -> str:
    """`text` as the commands of a workflow spell it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


# --- for scripts ----------------------------------------------------------------------------------


def _print_json(results: Sequence[_Result]) -> None:
    files = [_as_data(each) for each in results]
    print_result(json.dumps({"version": _VERSION, "files": files}, indent=2))


def _as_data(result: _Result) -> dict[str, Any]:
    return {
        "file": result.name,
        "ok": result.status == SUCCESS,
        "nodes": len(result.node_ids) or None,
        "problems": [
            {"severity": severity, **attrs.asdict(each)} for severity, each in _all_problems(result)
        ],
        "omitted": getattr(result.error, "omitted", 0),
    }


_PRINT_FILE: dict[str, Callable[[_Result], None]] = {"text": _print_text, "github": _print_github}
"""The formats that are printed file by file."""


# --- the command line -----------------------------------------------------------------------------


def _add_arguments(parser: ArgumentParser) -> None:
    text = f"topology files (default: {DEFAULT_FILE}); - is standard input"
    add_list(parser, "files", "FILE", text)
    parser.add_argument("--strict", action="store_true", help="treat warnings as errors")
    parser.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="github: annotations of a workflow",
    )


COMMANDS = (
    Command(
        "check",
        check,
        _add_arguments,
        "validate topology files and report all errors and warnings",
        "  polar-config check                  validate topology.yaml in this directory\n"
        "  polar-config check a.yaml b.yaml    validate several files\n"
        "  envsubst < t.yaml | polar-config check -\n"
        "                                      validate the output of another program\n",
    ),
)
