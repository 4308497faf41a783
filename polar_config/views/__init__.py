"""Human-readable views of a topology: effective YAML, a tree, a diagram, a comparison of two.

Credentials in URLs and the values of every ``env`` are masked, unless `secrets=True` asks for them.
"""

from polar_config.views._differences import Difference, differences, restarts
from polar_config.views._effective import effective_data, effective_text
from polar_config.views._pictures import mermaid_text, tree_text

__all__ = [
    "Difference",
    "differences",
    "effective_data",
    "effective_text",
    "mermaid_text",
    "restarts",
    "tree_text",
]
