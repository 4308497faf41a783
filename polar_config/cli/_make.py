"""The commands that make something new: render, schema, init."""

import argparse
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from polar_config import TopologyDocument, json_schema
from polar_config.cli._output import (
    FINE,
    bad_call,
    opened,
    print_error,
    print_result,
    shown_name,
    stdin_bytes,
)

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_HEAD = """\
# The topology of a Polar deployment: one rollout server and its gateway nodes.
# Keys that are left out have defaults; `polar-config show` prints all of them.

rollout:
  host: 0.0.0.0    # listen on every interface
  port: 8080
  # Where clients and gateway nodes reach this server; needed as soon as they
  # are on other machines:
  # public_url: http://rollout.example:8080
  # save_dir: ./rollout_results    # without it, no results are kept

gateway:
  nodes:
"""
_FIRST = """\
    - id: gpu-1
      port: 10001
      # Where the rollout server reaches this node; needed if it is on another
      # machine:
      # public_url: http://gpu-1.example:10001
      model_served: my-model
      max_run_workers: 2    # sessions that may run at once
      inference:
        engine: sglang      # or: vllm
        base_url: http://127.0.0.1:30001    # without /v1
"""
_NEXT = """\

    - id: gpu-{number}
      port: {port}
      model_served: my-model
      max_run_workers: 2
      inference:
        engine: sglang
        base_url: http://127.0.0.1:{engine_port}
"""


def render(arguments: argparse.Namespace) -> int:
    """Fill a template, check it, and print or write it."""
    variables = {
        **os.environ,
        **_env_file(arguments.env_file),
        **dict(map(_split, arguments.variables)),
    }
    document = opened(arguments.template).render(variables)
    document.config  # noqa: B018  (raises the report)
    if arguments.output in {None, "-"}:
        print_result(document.text)
    else:
        _refuse_same(arguments.template, arguments.output)
        document.save(arguments.output, overwrite=True)
    return FINE


def _refuse_same(template: str, output: str) -> None:
    if template != "-" and Path(output).exists() and Path(template).samefile(output):
        raise bad_call("the template would be overwritten", "name another file")


def _env_file(name: str | None) -> dict[str, str]:
    if name is None:
        return {}
    try:
        text = (stdin_bytes() if name == "-" else Path(name).read_bytes()).decode("utf-8")
    except UnicodeDecodeError:
        raise bad_call(f"{shown_name(name)} is not UTF-8") from None
    return dict(_assignments(text.splitlines(), name))


def _assignments(lines: Iterable[str], name: str) -> Iterator[tuple[str, str]]:
    """NAME=VALUE lines; blank ones and comments are left out, `export` before a name and quotes around a value are dropped."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = re.fullmatch(rf"\s*(?:export\s+)?({_NAME})=(.*)", line)
        if match is None:
            raise bad_call(f"{shown_name(name)}:{number}: expected NAME=VALUE")
        value = match[2].strip()
        is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        yield match[1], value[1:-1] if is_quoted else value


def _split(assignment: str) -> tuple[str, str]:
    match = re.fullmatch(rf"({_NAME})=(.*)", assignment, re.DOTALL)
    if match is None:
        raise bad_call("expected NAME=VALUE, found something else")  # which may be a secret
    return match[1], match[2]


def schema(_: argparse.Namespace) -> int:
    """Print the JSON Schema."""
    print_result(json.dumps(json_schema(), indent=2))
    return FINE


def init(arguments: argparse.Namespace) -> int:
    """Write a file to start from."""
    nodes = [
        _NEXT.format(number=each, port=10_000 + each, engine_port=30_000 + each)
        for each in range(2, arguments.nodes + 1)
    ]
    text = "".join([_HEAD, _FIRST, *nodes])
    if arguments.file == "-":
        print_result(text)
    else:
        TopologyDocument.parse(text, arguments.file).save(arguments.file)
        print_error(f"wrote {arguments.file}")
    return FINE
