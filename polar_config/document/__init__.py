"""A topology file as a text that is edited in place."""

from polar_config.document._document import TopologyDocument, Where

__all__ = ["TopologyDocument", "Where"]
