"""Where the files are that several tests read."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
INVALID = sorted((ROOT / "tests" / "reports" / "invalid").glob("*.yaml"))
CORPUS = Path(os.environ.get("POLAR_CONFIG_CORPUS") or ROOT / "tests" / "corpus")
"""A directory of topology files, ours or the one that the variable names."""
FILES = sorted(CORPUS.glob("*.yaml"))
