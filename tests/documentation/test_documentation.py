"""What the README and the pages in `docs/` show is true. (Python examples there run as doctests.)"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from files import ROOT

import polar_config
from polar_config import TopologyConfig

EXAMPLES = ROOT / "docs" / "examples"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WIDTH = 88  # columns of a code block


def _blocks(language: str) -> list[str]:
    """The fenced blocks of this language on all pages."""
    found = [
        block
        for page in PAGES
        for block in re.findall(
            rf"^```{language}\n(.*?)^```$",
            page.read_text(encoding="utf-8"),
            re.MULTILINE | re.DOTALL,
        )
    ]
    assert found, f"no page has a block in {language}"
    return found


def _call(session: str) -> str:
    return session.partition("\n")[0]


@pytest.mark.parametrize("text", _blocks("yaml"))
def test_each_file_that_is_shown_is_a_valid_topology(text: str) -> None:
    assert TopologyConfig.loads(text).gateway.nodes


@pytest.mark.parametrize("session", _blocks("console"), ids=_call)
def test_each_command_that_is_shown_prints_what_is_shown(session: str) -> None:
    command, _, output = session.removeprefix("$ polar-config ").partition("\n")
    done = subprocess.run(
        [sys.executable, "-m", "polar_config", *shlex.split(command)],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == output


@pytest.mark.parametrize("example", _blocks("python"))
def test_each_python_example_is_run(example: str) -> None:
    assert example.startswith(">>> ")


def test_code_fits_on_the_page() -> None:
    """A line that is wider has to be scrolled."""
    found = [block for page in PAGES for block in _all_blocks(page)]
    assert found
    assert [line for block in found for line in block.splitlines() if len(line) > WIDTH] == []


def _all_blocks(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^ *```[^\n]*\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)


def test_each_link_leads_to_a_file() -> None:
    links = [
        page.parent / target
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert links
    assert [link for link in links if not link.is_file()] == []


def test_each_file_of_the_project_that_is_named_is_there() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    names = re.findall(r"`((?:docs|tests|polar_config)/[\w/.]*)`", text)
    assert names
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_each_page_is_linked_from_the_readme_and_the_index() -> None:
    readme, index = (
        path.read_text(encoding="utf-8")
        for path in (ROOT / "README.md", ROOT / "docs" / "index.md")
    )
    for page in PAGES:
        if page.name not in {"README.md", "index.md"}:
            assert f"](docs/{page.name})" in readme
            assert f"\n{page.stem}\n" in index


def test_each_code_in_the_guide_is_one_of_the_package() -> None:
    guide = (ROOT / "docs" / "python-guide.md").read_text(encoding="utf-8")
    table = guide.partition("| codes | about |")[2].partition("\n\n")[0]
    codes = re.findall(r"`([a-z0-9-]+)`", table)
    package = "".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "polar_config").rglob("*.py")
    )
    assert codes
    assert [code for code in codes if f'"{code}"' not in package] == []


def test_each_public_name_is_on_the_page_of_the_api() -> None:
    page = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
    names = re.findall(r"^\.\. auto(?:class|function):: (\w+)$", page, re.MULTILINE)
    assert sorted(names) == sorted(polar_config.__all__)


def test_each_command_is_in_the_table_of_commands() -> None:
    page = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    table = page.partition("| command |")[2].partition("\n\n")[0]
    done = subprocess.run(
        [sys.executable, "-m", "polar_config", "--help"], capture_output=True, text=True, check=True
    )
    commands = re.findall(r"^    ([a-z-]+)\b", done.stdout.partition("options:")[0], re.MULTILINE)
    assert commands
    assert sorted(re.findall(r"^\| `([a-z-]+)", table, re.MULTILINE)) == sorted(commands)
