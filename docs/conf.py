from pathlib import Path

from polar_config.reference import key_tables

project = "polar-config"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
myst_heading_anchors = 3

_TABLES = Path(__file__).parent / "_build" / "keys.md"
_TABLES.parent.mkdir(exist_ok=True)
_TABLES.write_text(key_tables(), encoding="utf-8")
