"""What is to change in a tree, and the proof that a new tree is the old one with those changes and nothing else."""

from typing import NamedTuple

from polar_config._yaml.tree import ListEntry, MappingEntry

Container = MappingEntry | ListEntry


class Copy(NamedTuple):
    """An entry of a list once more, with changes in it; unless it was moved, without its anchors."""

    container: ListEntry
    number: int
    plan: "Plan"
    moved: bool = False


class Added(NamedTuple):
    """A new entry, before the one that is at `at` now."""

    at: int
    key: str | None
    value: object
    """Plain data, or a `Copy`."""


class Changes:
    """What is to change in one block or list; indexes are those of before."""

    def __init__(self, container: Container, slot: "tuple[Container, int] | None") -> None:
        self.container = container
        self.slot = slot
        """The block or list that holds this one, and where; None for the root."""
        self.values: dict[int, object] = {}
        self.keys: dict[int, str] = {}
        self.removed: set[int] = set()
        self.added: list[Added] = []

    def is_emptied(self) -> bool:
        """Whether nothing is left."""
        return len(self.removed) == len(self.container.items) and not self.added


class Plan:
    """What is to change in one tree."""

    changes: dict[int, Changes]
    """By the identity of the block or list."""
    root: object
    """Plain data for a text that holds nothing yet."""

    def __init__(self) -> None:
        self.changes = {}
        self.root = None

    def __bool__(self) -> bool:
        return bool(self.changes) or self.root is not None

    def of(self, container: Container, slot: "tuple[Container, int] | None") -> Changes:
        """The changes in `container`, which is held by `slot`."""
        if id(container) not in self.changes:
            self.changes[id(container)] = Changes(container, slot)
        return self.changes[id(container)]


# --- the data of a tree -----------------------------------------------------------------------------------------------


# --- the proof --------------------------------------------------------------------------------------------------------
