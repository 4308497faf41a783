"""A topology file as a text that is edited in place."""

from polar_config.document._document import Position, TopologyDocument

__all__ = ["TopologyDocument", "Position"]
