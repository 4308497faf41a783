"""What stands in the README and in `docs/` holds. (Python examples there run as doctests.)"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from files import ROOT

from polar_config import TopologyConfig

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _blocks(page: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_file_that_is_shown_is_a_valid_topology(page: Path) -> None:
    for text in _blocks(page, "yaml"):
        assert TopologyConfig.loads(text).gateway.nodes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_call_that_is_shown_prints_what_is_shown(page: Path) -> None:
    for session in _blocks(page, "console"):
        call, _, output = session.removeprefix("$ polar-config ").partition("\n")
        done = subprocess.run(
            [sys.executable, "-m", "polar_config", *shlex.split(call)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == output
