"""Directories in which the command is run."""

from pathlib import Path

import pytest
from shell import TOPOLOGY, Call


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    """The command, in a directory with the `topology.yaml` of `shell`."""
    (tmp_path / "topology.yaml").write_text(TOPOLOGY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return Call(capsys)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A directory with a valid `topology.yaml` and an invalid `bad.yaml`."""
    good = "gateway:\n  nodes:\n    - id: a\n    - id: b\n      port: 8082\n"
    bad = "gateway:\n  nodes:\n    - id: a\n      prot: 1\n"
    (tmp_path / "topology.yaml").write_text(good, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(bad, encoding="utf-8")
    return tmp_path
