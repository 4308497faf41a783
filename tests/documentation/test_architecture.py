"""The page on the architecture names what there is in the package, in the order of its imports."""

import re
from pathlib import Path

from files import ROOT

PACKAGE = ROOT / "polar_config"
PAGE = ROOT / "docs" / "architecture.md"
_LINE = re.compile(r"^(  |    )([\w.]+/?) {2,}\S", re.MULTILINE)


def _tree() -> list[str]:
    """The names in the picture of the rooms: ``cli/``, ``cli/_run.py``, ``views.py``."""
    picture = PAGE.read_text(encoding="utf-8").partition("```text\npolar_config/\n")[2]
    names: list[str] = []
    room = ""
    for indent, name in _LINE.findall(picture.partition("```")[0]):
        if indent == "  ":
            room = name if name.endswith("/") else ""
            names.append(name)
        else:
            names.append(room + name)
    return names


def _package() -> set[str]:
    modules = {file.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("*.py")}
    rooms = {f"{module.partition('/')[0]}/" for module in modules if "/" in module}
    return rooms | {module for module in modules if not module.endswith("/__init__.py")}


def _room(name: str) -> str:
    return name.partition("/")[0].removesuffix(".py")


def test_the_picture_names_each_room_and_each_module() -> None:
    names = _tree()
    assert len(names) == len(set(names))
    missing, unknown = _package() - set(names), set(names) - _package()
    assert (missing, unknown) == (set(), set()), "not on the page, not in the package"


def test_no_room_imports_one_above_it_in_the_picture() -> None:
    rooms = list(dict.fromkeys(map(_room, _tree())))
    upward = {
        f"{file.relative_to(PACKAGE)} imports {imported}"
        for file in PACKAGE.rglob("*.py")
        for imported in _imports(file)
        if rooms.index(imported) < rooms.index(_room(file.relative_to(PACKAGE).as_posix()))
    }
    assert upward == set()


def _imports(file: Path) -> list[str]:
    return re.findall(
        r"^ *from polar_config\.(\w+)", file.read_text(encoding="utf-8"), re.MULTILINE
    )


def test_the_data_flows_name_modules_of_the_package() -> None:
    flows = PAGE.read_text(encoding="utf-8").partition("## Data flow")[2].partition("## Add")[0]
    pictures = re.findall(r"```text\n(.*?)```", flows, re.DOTALL)
    modules = {Path(name).stem for name in _package()}
    assert [len(modules & set(re.findall(r"\w+", each))) > 1 for each in pictures] == [True] * 4
