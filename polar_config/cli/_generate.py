"""`schema` and `init`: the JSON Schema, and a commented starter file."""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from polar_config import TopologyDocument, json_schema
from polar_config.cli._command import Command
from polar_config.cli._errors import SUCCESS
from polar_config.cli._input import DEFAULT_FILE, STDIN, shown_name
from polar_config.cli._output import print_error, print_result

_MAX_NODES = 20_000  # each node of the starter file has two ports of its own, from 10001 and 30001
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
_FIRST_NODE = """\
    - id: gpu-1
      port: 10001
      # Where the rollout server reaches this node; needed if it is on another
      # machine:
      # public_url: http://gpu-1.example:10001
      model_served: my-model
      max_run_workers: 2    # sessions that run concurrently
      inference:
        engine: sglang      # or: vllm
        base_url: http://127.0.0.1:30001    # without /v1
"""
_NODE = """\

    - id: gpu-{number}
      port: {port}
      model_served: my-model
      max_run_workers: 2
      inference:
        engine: sglang
        base_url: http://127.0.0.1:{engine_port}
"""


def schema(_: Namespace) -> int:
    """Print the JSON Schema."""
    print_result(json.dumps(json_schema(), indent=2))
    return SUCCESS


def init(arguments: Namespace) -> int:
    """Write a starter file."""
    text = _starter(arguments.nodes)
    if arguments.file == STDIN:
        print_result(text)
    else:
        TopologyDocument.parse(text, arguments.file).save(arguments.file)
        print_error(f"wrote {shown_name(arguments.file)}")
    return SUCCESS


def _starter(node_count: int) -> str:
    more = [
        _NODE.format(number=number, port=10_000 + number, engine_port=30_000 + number)
        for number in range(2, node_count + 1)
    ]
    return "".join([_HEAD, _FIRST_NODE, *more])


# --- the command line -----------------------------------------------------------------------------


def _add_no_arguments(_: ArgumentParser) -> None:
    pass


def _add_init_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        default=DEFAULT_FILE,
        help=f"the file (default: {DEFAULT_FILE}), never overwritten; - is standard output",
    )
    parser.add_argument(
        "--nodes", type=_node_count, metavar="N", default=1, help="number of nodes (default: 1)"
    )


def _node_count(text: str) -> int:
    # The length is limited first: converting a long string of digits is slow, or an error.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(_MAX_NODES))
    if not is_number or not 1 <= int(text) <= _MAX_NODES:
        raise ArgumentTypeError(f"expected an integer from 1 to {_MAX_NODES}")
    return int(text)


COMMANDS = (
    Command(
        "schema",
        schema,
        _add_no_arguments,
        "print the JSON Schema, for editors",
        "  polar-config schema > topology.schema.json\n",
    ),
    Command(
        "init",
        init,
        _add_init_arguments,
        "write a commented starter file",
        "  polar-config init                   topology.yaml with one node\n"
        "  polar-config init big.yaml --nodes 8\n",
    ),
)
