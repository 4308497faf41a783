"""Measure how fast files are edited: `python tests/benchmarks/edit.py`, `--short` for less than a minute.

It compares this library with and without ruamel.yaml's C parser, and ruamel.yaml's round trip: load,
change, dump. Each competitor is measured in several processes, in turns, and its best time counts. An
edit by this library parses the text, changes it, and verifies the result with a second parse. Times are
CPU time. Nothing passes or fails.
"""

import argparse
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, cast

import attrs
from competitor import best_time, topology, without_c
from load import milliseconds, table, versions

_REFERENCE = "ruamel.yaml round trip"
_OURS, _WITHOUT_C = "polar-config", "polar-config without C"
_COMPETITORS = (_REFERENCE, _OURS, _WITHOUT_C)
_ONE, _EVERY, _APPLY = "one value", "a value in every node", "apply, a value in every node"
_DISTRIBUTIONS = ("polar-config", "attrs", "cattrs", "ruamel.yaml", "ruamel.yaml.clib")


class Plan(NamedTuple):
    """What one run measures, and how long."""

    fewer: int
    more: int
    turns: int
    seconds: float


FULL = Plan(fewer=1_000, more=10_000, turns=3, seconds=2.0)
SHORT = Plan(fewer=50, more=500, turns=1, seconds=0.2)


# --- one competitor, in a process of its own --------------------------------------------------------------------------


def shared_topology(nodes: int) -> str:
    """A topology whose nodes all merge the first."""
    first = topology(1).replace("    - id", "    - &proto\n      id")
    return first + "".join(
        f"    - <<: *proto\n      id: gpu-{number}\n      max_init_workers: 4\n"
        for number in range(1, nodes)
    )


def _round_trip(text: str, job: str) -> Callable[[], object]:
    ruamel: Any = import_module("ruamel.yaml")

    def edit() -> object:
        yaml = ruamel.YAML()
        data = yaml.load(text)
        nodes = data["gateway"]["nodes"]
        for node in [nodes[-1]] if job == _ONE else nodes:
            node["max_init_workers"] = 9
        yaml.dump(data, io.StringIO())
        return data

    return edit


def _polar_config(text: str, job: str) -> Callable[[], object]:
    library: Any = import_module("polar_config")
    before = library.TopologyConfig.loads(text)
    nodes = [attrs.evolve(node, max_init_workers=9) for node in before.gateway.nodes]
    after = attrs.evolve(before, gateway=attrs.evolve(before.gateway, nodes=nodes))

    def edit() -> object:
        document = library.TopologyDocument.parse(text)
        if job == _APPLY:
            document.apply(after)
        else:
            document.set(
                f"gateway.nodes[{len(nodes) - 1 if job == _ONE else '*'}].max_init_workers", 9
            )
        return document

    return edit


def _measure(name: str, job: str, nodes: int, shared: bool, seconds: float) -> float:
    if name == _WITHOUT_C:
        without_c()
    text = shared_topology(nodes) if shared else topology(nodes)
    edit = _round_trip(text, job) if name == _REFERENCE else _polar_config(text, job)
    return best_time(cast("Callable[[], None]", edit), 1, seconds)


# --- all of them ------------------------------------------------------------------------------------------------------


def _times(
    job: str, nodes: int, plan: Plan, *, names: tuple[str, ...] = _COMPETITORS, shared: bool = False
) -> dict[str, float]:
    best = dict.fromkeys(names, float("inf"))
    for _ in range(plan.turns):
        for name, earlier in best.items():
            command = [
                sys.executable,
                __file__,
                "--measure",
                json.dumps([name, job, nodes, shared, plan.seconds]),
            ]
            best[name] = min(
                earlier,
                json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout),
            )
    return best


def _tables(plan: Plan) -> Iterator[str]:
    one, every = _times(_ONE, plan.fewer, plan), _times(_EVERY, plan.fewer, plan)
    rows: list[tuple[str, ...]] = [
        (name, job, milliseconds(time), f"{times[_REFERENCE] / time:.1f}")
        for job, times in ((_ONE, one), (_EVERY, every))
        for name, time in times.items()
    ]
    yield from table(
        f"An edit of {plan.fewer:,} nodes: parse, change, verify",
        ("", "change", "CPU time", "times as fast"),
        rows,
    )
    ours = (_OURS, _WITHOUT_C)
    applied = _times(_APPLY, plan.fewer, plan, names=ours)
    rows = [(name, milliseconds(time), f"{time / one[name]:.2f}") for name, time in applied.items()]
    yield from table(
        f"{_APPLY[0].upper()}{_APPLY[1:]} of {plan.fewer:,}",
        ("", "CPU time", "relative to one value"),
        rows,
    )
    growth: list[tuple[str, ...]] = []
    for shared, where in ((False, "independent nodes"), (True, "nodes that merge the first one")):
        few = (
            one[_OURS]
            if not shared
            else _times(_ONE, plan.fewer, plan, names=(_OURS,), shared=True)[_OURS]
        )
        many = _times(_ONE, plan.more, plan, names=(_OURS,), shared=shared)[_OURS]
        growth.append((where, milliseconds(few), milliseconds(many), f"{many / few:.1f}"))
    head = ("", f"{plan.fewer:,} nodes", f"{plan.more:,} nodes", "times the CPU time")
    yield from table("Growth of an edit, with the C parser", head, growth)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measure how fast topology files are edited; ratios of one run."
    )
    parser.add_argument(
        "--short", action="store_true", help="fewer nodes and repetitions: less than a minute"
    )
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        name, job, nodes, shared, seconds = json.loads(arguments.measure)
        sys.stdout.write(json.dumps(_measure(name, job, nodes, shared, seconds)))
        return
    print(versions(_DISTRIBUTIONS))  # noqa: T201
    for line in _tables(SHORT if arguments.short else FULL):
        print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
