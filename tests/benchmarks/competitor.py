"""One competitor in its own process: `python competitor.py NAME WHAT NODES SECONDS` prints JSON.

WHAT is `load`, the CPU seconds of one load; the name of a mistake, the CPU seconds of a load that fails
and reports it; `memory`, the bytes by which one load raises the peak of the process; `text`, the YAML
that is loaded; or `answer`, the values that were read. Times are the best of as many repetitions as take
SECONDS, at least one.
"""

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

Loads = Callable[[str], Any]

_MISTAKES = {
    "unknown key": ("max_run_workers:", "max_run_worker:"),
    "port out of range": ("port: ", "port: 9"),
}

_HEAD = """\
rollout:
  host: 0.0.0.0
  port: 8080
  save_dir: ./rollout_results
gateway:
  heartbeat_interval_seconds: 30
  nodes:
"""
_NODE = """\
    - id: gpu-{machine:04}-{slot}
      host: 0.0.0.0
      port: {port}
      public_url: http://gpu-{machine:04}.fleet.example:{port}
      model_served: Qwen/Qwen3.5-4B
      max_init_workers: 8
      max_run_workers: 4
      max_postrun_workers: 4
      inference:
        engine: sglang
        base_url: http://127.0.0.1:{engine_port}
"""
_COMMENT = "    # rack {rack}, moved here from the old hall\n"
_PER_MACHINE = 8


# --- the texts --------------------------------------------------------------------------------------------------------


def topology(nodes: int, mistake: str = "") -> str:
    """A topology of so many nodes, with a mistake in the last one if one is named."""
    last = _node(nodes - 1)
    if mistake:
        last = last.replace(*_MISTAKES[mistake])
    return "".join([_HEAD, *map(_node, range(nodes - 1)), last])


def _node(index: int) -> str:
    machine, slot = divmod(index, _PER_MACHINE)
    comment = _COMMENT.format(rack=machine // 10) if index % 2 else ""
    return comment + _NODE.format(
        machine=machine, slot=slot, port=8100 + slot, engine_port=8000 + slot
    )


# --- the competitors --------------------------------------------------------------------------------------------------


def _polar_config() -> Loads:
    if not find_spec("_ruamel_yaml"):
        raise SystemExit("ruamel.yaml.clib is not installed")
    return cast("Loads", import_module("polar_config").TopologyConfig.loads)


def without_c() -> None:
    """From now on, importing the C parser fails."""
    modules = cast("dict[str, None]", sys.modules)
    for name in ("_ruamel_yaml", "_ruamel_yaml_clibz", "ruamel.yaml.clib"):
        modules[name] = None


def _polar_config_without_c() -> Loads:
    without_c()
    return cast("Loads", import_module("polar_config").TopologyConfig.loads)


def _safe_load() -> Loads:
    return cast("Loads", import_module("peers").with_safe_load)


def _c_safe_loader() -> Loads:
    return cast("Loads", import_module("peers").with_c_safe_loader)


def _scan() -> Loads:
    parser = import_module("yaml.cyaml").CParser
    return lambda text: parser(text).raw_parse()


_COMPETITORS: dict[str, Callable[[], Loads]] = {
    "PyYAML safe_load + Pydantic": _safe_load,
    "polar-config": _polar_config,
    "polar-config without C": _polar_config_without_c,
    "PyYAML CSafeLoader + Pydantic": _c_safe_loader,
    "libyaml scan only": _scan,
}


# --- measuring --------------------------------------------------------------------------------------------------------


def best_time(action: Callable[[], None], times: int, seconds: float) -> float:
    """The least CPU time of one of so many times, repeated for so many seconds."""
    end = time.process_time() + seconds
    best = float("inf")
    while best == float("inf") or time.process_time() < end:
        gc.collect()
        start = time.process_time()
        for _ in range(times):
            action()
        best = min(best, (time.process_time() - start) / times)
    return best


def _load_time(loads: Loads, nodes: int, seconds: float) -> float:
    text = topology(nodes)
    loads(
        topology(1)
    )  # what is imported and compiled on the first use belongs to the fresh process
    return best_time(lambda: loads(text), max(1, 100 // nodes), seconds)


def _failure_time(loads: Loads, nodes: int, seconds: float, mistake: str) -> float:
    text = topology(nodes, mistake)
    _fail(loads, topology(1, mistake))
    return best_time(lambda: _fail(loads, text), max(1, 100 // nodes), seconds)


def _fail(loads: Loads, text: str) -> None:
    try:
        loads(text)
    except ValueError as error:
        str(error)  # a user waits for the report
    else:
        raise SystemExit("the mistake was not found")


def _memory(loads: Loads, nodes: int) -> int:
    text = topology(nodes)
    start = _peak()
    loads(text)
    return _peak() - start


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def _answer(loads: Loads, nodes: int) -> dict[str, Any]:
    found = loads(topology(nodes))
    return cast(
        "dict[str, Any]",
        found.to_dict(effective=True) if hasattr(found, "to_dict") else found.model_dump(),
    )


def _measured(name: str, what: str, nodes: int, seconds: float) -> object:
    if what == "text":
        return topology(nodes)
    loads = _COMPETITORS[name]()
    if what == "answer":
        return _answer(loads, nodes)
    if what == "memory":
        return _memory(loads, nodes)
    return (
        _load_time(loads, nodes, seconds)
        if what == "load"
        else _failure_time(loads, nodes, seconds, what)
    )


if __name__ == "__main__":
    _, name, what, nodes, seconds = sys.argv
    if (
        what == "memory" and os.fork()
    ):  # a spawned process inherits its parent's peak, a forked one begins with its own
        raise SystemExit(os.waitstatus_to_exitcode(os.wait()[1]))
    sys.stdout.write(json.dumps(_measured(name, what, int(nodes), float(seconds)), sort_keys=True))
