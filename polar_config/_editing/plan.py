"""What is to change in one tree: at most one change for each slot of a mapping or list.

A *slot* is the place of one key with its value, or of one item; slots are numbered as they were
before.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from polar_config._yaml.tree import Entry, ListEntry, MappingEntry

Container = MappingEntry | ListEntry
Slot = tuple[Container, int]


class Replaced(NamedTuple):
    """Another value in a slot."""

    value: object


class Renamed(NamedTuple):
    """Another key in a slot of a mapping."""

    key: str


class Removed(NamedTuple):
    """A slot that goes."""


REMOVED: Final = Removed()

Change = Replaced | Renamed | Removed


class Copy(NamedTuple):
    """An item of a list once more, with changes in it; unless it was moved, without its anchors."""

    container: ListEntry
    number: int
    plan: "Plan"
    moved: bool = False

    @property
    def source(self) -> Entry:
        """The item that is copied."""
        return self.container.items[self.number]


class Added(NamedTuple):
    """A new key or item, before the slot `at`."""

    at: int
    key: str | None
    value: object
    """Plain data, or a `Copy`."""


class Changes:
    """What is to change in one mapping or list."""

    def __init__(
        self, container: Container, slot: Slot | None, added: Iterable[Added] = ()
    ) -> None:
        self.container = container
        self.slot = slot
        """Where the mapping or list is itself; None for the root."""
        self.slots: dict[int, Change] = {}
        self.added = list(added)

    @property
    def removed(self) -> list[int]:
        """The slots that go, in order."""
        return sorted(number for number, each in self.slots.items() if each is REMOVED)

    @property
    def kept(self) -> list[int]:
        """The slots that stay, in order."""
        numbers = range(len(self.container.items))
        return [number for number in numbers if self.slots.get(number) is not REMOVED]

    def is_emptied(self) -> bool:
        """Whether nothing is left."""
        return not self.added and len(self.removed) == len(self.container.items)

    def is_only_appended_to(self) -> bool:
        """Whether there is nothing but new keys or items behind the last one."""
        end = len(self.container.items)
        return not self.slots and all(each.at == end for each in self.added)


class Plan:
    """What is to change in one tree."""

    def __init__(self) -> None:
        self.root: object = None
        """Plain data for a document that holds nothing yet."""
        self._changes: dict[int, Changes] = {}  # by the identity of the mapping or list

    def __bool__(self) -> bool:
        return bool(self._changes) or self.makes_root

    @property
    def makes_root(self) -> bool:
        """Whether the document gets its first keys."""
        return self.root is not None

    def __iter__(self) -> Iterator[Changes]:
        return iter(self._changes.values())

    def of(self, container: Container, slot: Slot | None) -> Changes:
        """The changes in `container`, which is itself in `slot`; they begin empty."""
        if id(container) not in self._changes:
            self._changes[id(container)] = Changes(container, slot)
        return self._changes[id(container)]

    def get(self, container: Entry) -> Changes | None:
        """The changes in a mapping or list, None if there are none."""
        return self._changes.get(id(container))
