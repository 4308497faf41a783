"""Values of a topology become values that may be shown: secrets are masked unless asked for."""

from typing import Any, NamedTuple

from polar_config._plain.frozen import displayed
from polar_config.errors._secrets import secret_under
from polar_config.errors._words import KeyPath, inline, path_text

NODES = ("gateway", "nodes")


class Mask(NamedTuple):
    """What is known of the values at one key path: where they are, and whether they are secret."""

    secrets: bool = False
    """Whether secrets are shown."""
    path: KeyPath = ()
    """Keys from the top; below ``gateway.nodes`` first the id of a node."""
    is_secret: bool = False

    def below(self, key: str) -> "Mask":
        """The mask for the values below one key."""
        # The id of a node is not a key: a node called "env" is no secret.
        is_secret = self.is_secret if self.path == NODES else secret_under(key, self.is_secret)
        return Mask(self.secrets, (*self.path, key), is_secret)

    def value(self, value: object) -> Any:
        """Plain data as it may be shown."""
        if self.secrets:
            return value
        return displayed(value, secret=self.is_secret)

    @property
    def label(self) -> str:
        """The key path in words: ``gateway.nodes[gpu-1].port``."""
        if self.path[:2] != NODES or len(self.path) == len(NODES):
            return path_text(self.path)
        node_id, *rest = self.path[2:]
        below = path_text(tuple(rest))
        dot = "." if below and not below.startswith("[") else ""
        return f"gateway.nodes[{inline(str(node_id))}]{dot}{below}"
