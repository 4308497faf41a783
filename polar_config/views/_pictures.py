"""A topology as a tree and a diagram: the rollout server, its gateway nodes, their engines."""

from collections.abc import Iterator

from polar_config.errors._words import escaped
from polar_config.schema import GatewayNodeConfig
from polar_config.topology import TopologyConfig
from polar_config.views._mask import Mask

_ENGINES = {"sglang": "SGLang", "vllm": "vLLM"}  # as their projects spell them


# --- a tree ---------------------------------------------------------------------------------------


def tree_text(config: TopologyConfig, *, secrets: bool = False) -> str:
    """A human-readable tree, with the limits of the worker pools.

    >>> text = "gateway: {nodes: [{id: a, model_served: m}]}"
    >>> print(tree_text(TopologyConfig.loads(text)), end="")
    rollout  http://127.0.0.1:8080
    └─ gateway a  http://127.0.0.1:8081
       ├─ SGLang  http://127.0.0.1:8000, serving m
       └─ workers: init 4, run 2, postrun 4
    """
    return "".join(f"{line}\n" for line in _tree_lines(config, Mask(secrets)))


# Names are escaped, as they may have any character; URLs cannot have one that must be.
def _tree_lines(config: TopologyConfig, mask: Mask) -> Iterator[str]:
    yield f"rollout  {mask.value(config.rollout.public_url)}"
    if config.rollout.save_dir is not None:
        yield f"├─ results  {escaped(config.rollout.save_dir)}"
    *others, last = config.gateway.nodes
    for node in others:
        yield from _node_lines(node, "├─", "│  ", mask)
    yield from _node_lines(last, "└─", "   ", mask)


def _node_lines(node: GatewayNodeConfig, branch: str, stem: str, mask: Mask) -> Iterator[str]:
    serving = f", serving {escaped(node.model_served)}" if node.model_served else ""
    workers = ", ".join(
        (
            f"init {node.max_init_workers}",
            f"run {node.max_run_workers}",
            f"postrun {node.max_postrun_workers}",
        )
    )
    yield f"{branch} gateway {escaped(node.id)}  {mask.value(node.public_url)}"
    yield f"{stem}├─ {_ENGINES[node.engine]}  {mask.value(node.inference_base_url)}{serving}"
    yield f"{stem}└─ workers: {workers}"


# --- a diagram ------------------------------------------------------------------------------------


def mermaid_text(config: TopologyConfig, *, secrets: bool = False) -> str:
    """A Mermaid flow chart, for a README.

    >>> print(mermaid_text(TopologyConfig.loads("gateway: {nodes: [{id: a}]}")), end="")
    flowchart LR
      rollout["rollout<br/>http://127.0.0.1:8080"]
      rollout --> gateway0["a<br/>http://127.0.0.1:8081"]
      gateway0 --> engine0["SGLang<br/>http://127.0.0.1:8000"]
    """
    return "".join(f"{line}\n" for line in _mermaid_lines(config, Mask(secrets)))


def _mermaid_lines(config: TopologyConfig, mask: Mask) -> Iterator[str]:
    yield "flowchart LR"
    yield f"  rollout[{_box('rollout', mask.value(config.rollout.public_url))}]"
    for index, node in enumerate(config.gateway.nodes):
        gateway = _box(escaped(node.id), mask.value(node.public_url))
        engine = _box(_ENGINES[node.engine], mask.value(node.inference_base_url))
        yield f"  rollout --> gateway{index}[{gateway}]"
        yield f"  gateway{index} --> engine{index}[{engine}]"


# Mermaid takes these characters for its own syntax, or for HTML.
_ENTITIES = str.maketrans({"#": "#35;", '"': "#quot;", "<": "#lt;"})


def _box(*lines: str) -> str:
    """A quoted label of several lines."""
    return f'"{"<br/>".join(line.translate(_ENTITIES) for line in lines)}"'
