"""A topology file as a text that is edited in place."""

from polar_config.document._document import TopologyDocument
from polar_config.document._state import Position

__all__ = ["Position", "TopologyDocument"]
