"""Measure how fast topologies are loaded: `python tests/benchmarks/load.py`, `--short` for a minute.

It needs Unix, Pydantic and PyYAML. It compares this library with and without ruamel.yaml's C parser, the
two peers in `peers.py`, and a scan of the same text by libyaml that builds nothing: the limit. Each
competitor is measured in several processes, in turns, and its best time counts. The tables show the time
of a load by the number of nodes, its growth, the peak memory, the time of a failing load with its report,
and the time of a fresh process that imports the package or loads a file. Times are CPU time. Nothing
passes or fails, because a slow or busy machine says nothing about the library.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

_HERE = Path(__file__).parent
_WIDTH = 88  # columns of a code block in the documentation
_DISTRIBUTIONS = (
    "polar-config",
    "attrs",
    "cattrs",
    "ruamel.yaml",
    "ruamel.yaml.clib",
    "pydantic",
    "pydantic-core",
    "PyYAML",
)

_REFERENCE = "PyYAML safe_load + Pydantic"
_OURS = "polar-config"
_READERS = (_REFERENCE, _OURS, "polar-config without C", "PyYAML CSafeLoader + Pydantic")
_LIMIT = "libyaml scan only"
_MISTAKES = ("unknown key", "port out of range")

_FRESH = {
    "an empty program": ("pass", "pass"),
    "to the imported package": ("import peers", "import polar_config; polar_config.TopologyConfig"),
    "to a loaded file of one node": (
        "import pathlib, peers; peers.with_safe_load(pathlib.Path({path!r}).read_text('utf-8'))",
        "import polar_config; polar_config.TopologyConfig.load({path!r})",
    ),
}

Row = tuple[str, ...]


class Plan(NamedTuple):
    """What one run measures, and how long."""

    turns: dict[int, int]
    """By the number of nodes, how many processes of each competitor measure it."""
    failing: int
    seconds: float
    starts: int


FULL = Plan(turns={1: 5, 100: 5, 1_000: 5, 10_000: 3}, failing=1_000, seconds=1.0, starts=25)
SHORT = Plan(turns={1: 2, 100: 2, 1_000: 2}, failing=100, seconds=0.2, starts=5)


# --- measuring --------------------------------------------------------------------------------------------------------


def _measured(name: str, what: str, nodes: int, seconds: float = 0) -> Any:
    command = [sys.executable, str(_HERE / "competitor.py"), name, what, str(nodes), str(seconds)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def _times(names: Iterable[str], what: str, nodes: int, plan: Plan) -> dict[str, float]:
    """The best time of each competitor, measured in turns so that a busy moment meets all of them."""
    best = dict.fromkeys(names, float("inf"))
    for _ in range(plan.turns[nodes]):
        for name, earlier in best.items():
            best[name] = min(earlier, _measured(name, what, nodes, plan.seconds))
    return best


def _start_time(code: str) -> float:
    """The CPU time of a fresh process that runs `code`."""
    environment = {**os.environ, "PYTHONPATH": str(_HERE)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", code], environment)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"failed: {code}")
    return usage.ru_utime + usage.ru_stime


def _start_times(path: Path, starts: int) -> dict[str, tuple[float, float]]:
    """For each stage, the best times of the reference and of this library."""
    programs = [code.format(path=str(path)) for pair in _FRESH.values() for code in pair]
    rounds = [[_start_time(code) for code in programs] for _ in range(starts + 1)]
    best = [
        min(times) for times in zip(*rounds[1:], strict=True)
    ]  # the first round may have compiled modules
    return dict(zip(_FRESH, zip(best[::2], best[1::2], strict=True), strict=True))


def _check_answers() -> None:
    """All of them read the same out of a topology: otherwise their times could not be compared."""
    answers = [_measured(name, "answer", 10) for name in _READERS]
    if any(answer != answers[0] for answer in answers):
        raise SystemExit("the competitors read different topologies")


# --- printing ---------------------------------------------------------------------------------------------------------


def table(title: str, head: Row, rows: Iterable[Row]) -> Iterator[str]:
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    yield from ("", title, "")
    for first, *others in lines:
        cells = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()


def milliseconds(seconds: float) -> str:
    return (
        f"{seconds * 1000:,.0f} ms"
        if seconds >= 1
        else f"{seconds * 1000:#.3g}".rstrip(".") + " ms"
    )


def _megabytes(count: float) -> str:
    return f"{count / 1e6:.1f} MB"


def _of_reference(values: dict[str, float]) -> dict[str, Row]:
    """For each value, its ratio to the reference, and the inverse."""
    reference = values[_REFERENCE]
    return {
        name: (f"{value / reference:.3f}", f"{reference / value:.1f}")
        for name, value in values.items()
    }


def versions(distributions: Iterable[str]) -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.machine()}"
    libraries = " ".join(map(_requirement, distributions))
    wrapped = textwrap.wrap(libraries, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"{python}, {system}", *wrapped])


def _requirement(name: str) -> str:
    try:
        return f"{name}=={version(name)}"
    except PackageNotFoundError:  # this library, when it is imported from a source tree
        return name


# --- the tables -------------------------------------------------------------------------------------------------------


def _loads(plan: Plan) -> Iterator[str]:
    times = {nodes: _times((*_READERS, _LIMIT), "load", nodes, plan) for nodes in plan.turns}
    rows: list[Row] = []
    for nodes, found in times.items():
        ratios = _of_reference(found)
        rows += [(name, f"{nodes:,}", milliseconds(found[name]), *ratios[name]) for name in found]
    yield from table("Load", ("", "nodes", "CPU time", "relative", "times as fast"), rows)
    *_, fewer, more = plan.turns
    growth = [(name, f"{time / times[fewer][name]:.1f}") for name, time in times[more].items()]
    yield from table(f"Growth: {more:,} nodes over {fewer:,}", ("", "times the CPU time"), growth)


def _memory(plan: Plan) -> Iterator[str]:
    nodes = max(plan.turns)
    peaks: dict[str, float] = {name: _measured(name, "memory", nodes) for name in _READERS}
    ratios = _of_reference(peaks)
    rows = [(name, _megabytes(peak), ratios[name][0]) for name, peak in peaks.items()]
    yield from table(
        f"Peak memory over the start, {nodes:,} nodes", ("", "memory", "relative"), rows
    )


def _failures(plan: Plan) -> Iterator[str]:
    rows: list[Row] = []
    for mistake in _MISTAKES:
        times = _times(_READERS, mistake, plan.failing, plan)
        ratios = _of_reference(times)
        rows += [(name, mistake, milliseconds(times[name]), *ratios[name]) for name in times]
    title = f"Failing load with its report, one mistake in the last of {plan.failing:,} nodes"
    yield from table(title, ("", "mistake", "CPU time", "relative", "times as fast"), rows)


def _starts(plan: Plan) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "topology.yaml")
        path.write_text(_measured(_LIMIT, "text", 1), "utf-8")
        times = _start_times(path, plan.starts)
    rows = [
        (stage, *map(milliseconds, pair), f"{pair[1] / pair[0]:.3f}")
        for stage, pair in times.items()
    ]
    yield from table(
        "Fresh process, interpreter included", ("", _REFERENCE, _OURS, "relative"), rows
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measure how fast topologies are loaded; ratios of one run."
    )
    parser.add_argument(
        "--short", action="store_true", help="fewer nodes and repetitions: less than a minute"
    )
    plan = SHORT if parser.parse_args().short else FULL
    _check_answers()
    print(versions(_DISTRIBUTIONS))  # noqa: T201
    for part in (_loads, _memory, _failures, _starts):
        for line in part(plan):
            print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
