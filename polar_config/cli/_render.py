"""`render`: a template and variables become a topology file."""

import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path

from polar_config.cli._command import Command, add_list
from polar_config.cli._errors import SUCCESS, usage_error
from polar_config.cli._input import STDIN, opened, shown_name, stdin_bytes, validated
from polar_config.cli._output import print_result

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_VARIABLE = re.compile(rf"(?P<name>{_NAME})=(?P<value>.*)", re.DOTALL)
_LINE = re.compile(rf"\s*(?:export\s+)?(?P<name>{_NAME})=(?P<value>.*)")


def render(arguments: Namespace) -> int:
    """Fill a template, validate the result, and print or write it."""
    document = opened(arguments.template).render(_variables(arguments))
    validated(document)
    if arguments.output in {None, STDIN}:
        print_result(document.text)
    else:
        _refuse_the_template(arguments.template, arguments.output)
        document.save(arguments.output, overwrite=True)
    return SUCCESS


def _refuse_the_template(template: str, output: str) -> None:
    if template == STDIN or not Path(output).exists():
        return
    if Path(template).samefile(output):
        raise usage_error("the output file is the template itself", "choose another file")


def _variables(arguments: Namespace) -> dict[str, str]:
    """The environment; the env file takes precedence over it, the command line over both."""
    from_file: dict[str, str] = {}
    if arguments.env_file is not None:
        from_file = dict(_env_file(arguments.env_file))
    return {**os.environ, **from_file, **dict(map(_split, arguments.variables))}


def _split(argument: str) -> tuple[str, str]:
    match = _VARIABLE.fullmatch(argument)
    if match is None:
        # The argument itself is not quoted: it may be a secret.
        raise usage_error("expected NAME=VALUE, found something else")
    return match["name"], match["value"]


def _env_file(name: str) -> Iterator[tuple[str, str]]:
    data = stdin_bytes() if name == STDIN else Path(name).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise usage_error(f"{shown_name(name)}: the file is not UTF-8") from None
    return _assignments(text.splitlines(), shown_name(name))


def _assignments(lines: Iterable[str], name: str) -> Iterator[tuple[str, str]]:
    """The variables of an env file: ``NAME=value``, ``export NAME="value"``, no comments."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise usage_error(f"{name}:{number}: expected NAME=VALUE")
        yield match["name"], _unquoted(match["value"].strip())


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value


# --- the command line -----------------------------------------------------------------------------


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "template",
        metavar="TEMPLATE",
        help="a topology file with ${NAME} or ${NAME:-default} in values; - is standard input",
    )
    text = "take precedence over --env-file and the environment"
    add_list(parser, "variables", "NAME=VALUE", text)
    parser.add_argument(
        "-o", dest="output", metavar="FILE", help="output file (default: standard output)"
    )
    parser.add_argument(
        "--env-file",
        metavar="FILE",
        help="lines of NAME=VALUE; take precedence over the environment",
    )


COMMANDS = (
    Command(
        "render",
        render,
        _add_arguments,
        "fill the ${NAME} placeholders of a template, and validate the result",
        "  polar-config render template.yaml -o topology.yaml\n"
        "  polar-config render template.yaml HOST=10.0.0.1 --env-file cluster.env\n",
    ),
)
