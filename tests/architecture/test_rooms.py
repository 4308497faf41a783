"""The rooms of the package stand in one column: none imports a room above it."""

import ast
from collections.abc import Iterator
from pathlib import Path

from files import ROOT

PACKAGE = ROOT / "polar_config"
FLOORS = (
    {"errors"},
    {"_plain"},
    {"_yaml"},
    {"rules"},
    {"keys"},
    {"_reading", "_editing"},
    {"schema"},
    {"advice"},
    {"topology"},
    {"document", "reference", "views"},
    {"__init__"},
    {"cli"},
    {"__main__"},
)
"""From the ground up; rooms of one floor know nothing of each other."""


def _room(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imported(file: Path) -> Iterator[str]:
    """The rooms that a module imports, wherever in it the imports are."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "polar_config":
            rooms = {_room(each) for each in PACKAGE.iterdir()}
            yield from (each.name if each.name in rooms else "__init__" for each in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("polar_config."):
            yield str(node.module).split(".")[1]


def test_no_room_imports_one_that_is_not_below_it() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    upward = {
        f"{file.relative_to(PACKAGE)} imports {room}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for room in _imported(file)
        if room != _room(file) and floor[room] >= floor[_room(file)]
    }
    assert upward == set()


def test_only_one_room_imports_the_parser() -> None:
    found = {
        _room(file)
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and any(
            "ruamel" in name
            for name in (*(each.name for each in node.names), getattr(node, "module", None) or "")
        )
    }
    assert found == {"_yaml"}
