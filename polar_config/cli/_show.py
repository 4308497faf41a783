"""`show` and `get`: the effective configuration, whole or one value of it."""

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

import attrs

from polar_config import TopologyConfig
from polar_config.cli._command import Command, add_file_to_read
from polar_config.cli._errors import SUCCESS
from polar_config.cli._input import opened
from polar_config.cli._output import print_result, write
from polar_config.views import effective_data, effective_text, mermaid_text, tree_text

_PICTURES = {"tree": tree_text, "mermaid": mermaid_text}
"""The formats that are not the configuration itself."""


def show(arguments: Namespace) -> int:
    """Print the effective configuration."""
    if arguments.format in _PICTURES:
        text = _picture(arguments)
    elif arguments.format == "json":
        text = _json(arguments)
    else:
        text = _yaml(arguments)
    print_result(text)
    return SUCCESS


def _picture(arguments: Namespace) -> str:
    config = opened(arguments.file).config
    if arguments.node is not None:
        config = _with_one_node(config, arguments.node)
    return _PICTURES[arguments.format](config, secrets=arguments.secrets)


def _with_one_node(config: TopologyConfig, node_id: str) -> TopologyConfig:
    nodes = [config.select_gateway_node(node_id)]
    return attrs.evolve(config, gateway=attrs.evolve(config.gateway, nodes=nodes))


def _json(arguments: Namespace) -> str:
    config = opened(arguments.file).config
    section = config if arguments.node is None else config.select_gateway_node(arguments.node)
    data = effective_data(section, secrets=arguments.secrets)
    return json.dumps({"fingerprint": section.fingerprint(), **data}, indent=2)


def _yaml(arguments: Namespace) -> str:
    document = opened(arguments.file)
    config = document.config
    if arguments.node is None:
        return effective_text(config, document.get((), None), secrets=arguments.secrets)
    node = config.select_gateway_node(arguments.node)
    explicit = document.get(("gateway", "nodes", config.gateway.nodes.index(node)))
    return effective_text(node, explicit, secrets=arguments.secrets)


_QUOTED_KEY = r'"(?:[^"\\]|\\.)*"'


def get(arguments: Namespace) -> int:
    """Print one effective value, or one a line."""
    value: Any = opened(arguments.file).config.get(arguments.path)
    values = value if "[*]" in re.sub(_QUOTED_KEY, "", arguments.path) else [value]
    write("".join(f"{_raw(each)}\n" for each in values), sys.stdout)
    return SUCCESS


def _raw(value: object) -> str:
    """A value for a shell script: a string as it is, null as nothing, other values as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


# --- the command line -----------------------------------------------------------------------------


def _add_show_arguments(parser: ArgumentParser) -> None:
    add_file_to_read(parser)
    parser.add_argument("--node", metavar="ID", help="show only this node")
    parser.add_argument("--format", choices=("yaml", "json", "tree", "mermaid"), default="yaml")
    parser.add_argument(
        "--secrets",
        action="store_true",
        help="do not mask credentials in URLs and values of env",
    )


def _add_get_arguments(parser: ArgumentParser) -> None:
    add_file_to_read(parser)
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a key path; [*] selects every item of a list and prints one value a line",
    )


COMMANDS = (
    Command(
        "show",
        show,
        _add_show_arguments,
        "show the effective configuration, including defaults and derived values",
        "  polar-config show                   as YAML that marks defaults\n"
        "  polar-config show --node gpu-1      one node\n"
        "  polar-config show --format tree     a human-readable tree\n"
        "  polar-config show --format mermaid  a diagram for a README\n",
    ),
    Command(
        "get",
        get,
        _add_get_arguments,
        "print one effective value, for use in shell scripts",
        "  polar-config get rollout.port\n"
        "  polar-config get 'gateway.nodes[gpu-1].public_url'\n"
        "  for id in $(polar-config get 'gateway.nodes[*].id'); do echo $id; done\n",
    ),
)
