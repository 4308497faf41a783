"""From one section as it is written to the same section as an object: the smallest set of edits,
key by key.

Compared are effective values, so that nothing is touched that is right already. Written are
explicit ones, so that neither a default nor a derived URL gets into the text. Aliases and merges
stay where they still give the right value; elsewhere a value is written beside them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import attrs

from polar_config._editing.editor import Editor
from polar_config._editing.plan import REMOVED, Changes, Plan, Replaced
from polar_config._editing.walk import Step
from polar_config._plain import is_list, thaw
from polar_config._reading.structure import unstructure
from polar_config._yaml.data import equal_ends, plain
from polar_config._yaml.lookup import has_alias, has_anchor, merged_mappings
from polar_config._yaml.tree import AliasEntry, Entry, ListEntry, MappingEntry, is_merge
from polar_config.errors import TopologyError
from polar_config.keys import Key, keys


class Shared:
    """What the mappings of a text share, and what of it changes."""

    def __init__(self, root: Entry | None) -> None:
        self.is_there = root is not None and has_anchor(root)
        self.future: dict[int, Any] = {}
        """What entries with an anchor are to hold, by their identity."""
        self.plans: list[Plan] = []

    def provides(self, editor: Editor, mapping: MappingEntry, name: str) -> bool:
        """Whether a mapping is to have a key, by itself or by a merge."""
        found = editor.index.lookup.keys(mapping).get(name)
        planned = [plan.get(mapping) for plan in self.plans]
        changes = [each for each in planned if each is not None]
        if found is not None and found.merge is None and not _is_removed(found.number, changes):
            return True
        if any(added.key == name for each in changes for added in each.added):
            return True
        return any(self.provides(editor, each, name) for each in merged_mappings(mapping))


def _is_removed(number: int, planned: Sequence[Changes]) -> bool:
    return any(each.slots.get(number) is REMOVED for each in planned)


class Section(NamedTuple):
    """A mapping of the text with what it says and what it is to say: objects of the same class."""

    step: Step
    old: Any
    new: Any
    has_merge: bool = False
    merged: Sequence[MappingEntry] = ()
    """The mappings that it merges."""


class SectionEdits:
    """Walks down the mappings of a text together with the objects before and after.

    `alone` is for a node that comes before what it shares: its aliases and merges are written out.
    """

    def __init__(
        self, editor: Editor, shared: Shared | None = None, *, alone: bool = False
    ) -> None:
        self._editor = editor
        self._shared = shared or Shared(editor.root)
        self._shared.plans.append(editor.plan)
        self._alone = alone

    def section(self, step: Step, old: Any, new: Any) -> None:
        """Plan what changes in a section."""
        entry = step.value
        if isinstance(entry, MappingEntry):
            if entry.anchor is not None:
                self._shared.future[id(entry)] = new
            section = self._with_merges(Section(step, old, new), entry)
            for key in self._in_order(entry, new):
                self._key(section, key)
        elif self._is_other(entry, old, new):
            self._write(step, unstructure(new, effective=False))

    def _with_merges(self, section: Section, entry: MappingEntry) -> Section:
        """The section with what it merges; one that is to be alone loses its merges."""
        numbers = [number for number, (key, _) in enumerate(entry.items) if is_merge(key)]
        if not numbers:
            return section
        if not self._alone:
            return section._replace(has_merge=True, merged=merged_mappings(entry))
        self._editor.changes(section.step).slots.update(dict.fromkeys(numbers, REMOVED))
        return section._replace(has_merge=True)

    def _in_order(self, entry: MappingEntry, section: object) -> Sequence[Key]:
        """The keys of a section in the order of the text: an anchor comes before its aliases."""
        found = keys(type(section))
        if not self._shared.is_there:
            return found
        names = self._editor.index.lookup.keys(entry)
        order = {name: number for number, name in enumerate(names)}
        return sorted(found, key=lambda key: order.get(key.name, len(order)))

    def _is_other(self, entry: Entry, old: object, new: object) -> bool:
        """Whether an entry is to hold something else than it does, or than its anchor is to."""
        if isinstance(entry, AliasEntry):
            return self._alone or self._shared.future.get(id(entry.target), old) != new
        return old != new or (self._alone and has_alias(entry))

    def _write(self, step: Step, value: object) -> None:
        if self._alone and has_alias(step.value):
            changes = self._editor.changes(step.holder, step.path)
            changes.slots[step.number] = Replaced(value)
        else:
            self._editor.replace_at(step, value)

    def _key(self, section: Section, key: Key) -> None:
        old, new = getattr(section.old, key.name), getattr(section.new, key.name)
        is_root = section.step.up is None
        if old == new and not self._shared.is_there and not is_root and not key.derived:
            return
        child = self._editor.child(section.step, key.name)
        if child is None or child.merge is not None:
            self._absent(section, key)
        else:
            self._present(section, key, child)

    # keys that are not written

    def _absent(self, section: Section, key: Key) -> None:
        """A key that is not written here: it is to be, unless it has the right value without."""
        written = explicit(key, section.new)
        provider = self._provider(section, key)
        if provider is not None:
            if self._gives_right(provider, section, key):
                return
            if written is None and key.derived:
                written = getattr(section.new, key.name)
        elif key.derived:
            if written is None or written == self.derived(section.new):
                return
        elif self._is_left_out(section, key):
            return
        self._editor.add_key_at(section.step, (*section.step.path, key.name), written)

    def _provider(self, section: Section, key: Key) -> MappingEntry | None:
        """The merged mapping from which a key comes."""
        editor = self._editor
        return next(
            (each for each in section.merged if self._shared.provides(editor, each, key.name)), None
        )

    def _gives_right(self, provider: MappingEntry, section: Section, key: Key) -> bool:
        old, new = getattr(section.old, key.name), getattr(section.new, key.name)
        future = self._shared.future.get(id(provider))
        return bool(new == (old if future is None else getattr(future, key.name, old)))

    def _is_left_out(self, section: Section, key: Key) -> bool:
        """Whether a key that nothing gives need not be written."""
        if section.has_merge:  # which may have given it before
            return key.name not in unstructure(section.new, effective=False)
        return bool(getattr(section.old, key.name) == getattr(section.new, key.name))

    def derived(self, section: Any) -> object:
        """What the URL of a section would be if it were not explicit."""
        try:
            return attrs.evolve(section, public_url=None).public_url
        except TopologyError:  # an address from which none can be derived
            return None

    # keys that are

    def _present(self, section: Section, key: Key, child: Step) -> None:
        if key.section is not None and not key.lists_sections:
            self._inner(section, key, child)
        else:
            self._value(section, key, child)

    def _inner(self, section: Section, key: Key, child: Step) -> None:
        """A section in a section."""
        old, new = getattr(section.old, key.name), getattr(section.new, key.name)
        if old is None and new is None:
            return
        if new is None:
            self._editor.remove_at(child)
        elif old is None:
            self._editor.replace_at(child, unstructure(new, effective=False))
        else:
            self.section(child, old, new)

    def _value(self, section: Section, key: Key, child: Step) -> None:
        """A value, or a list of sections."""
        old, new = getattr(section.old, key.name), getattr(section.new, key.name)
        entry = child.value
        if not isinstance(entry, AliasEntry) and entry.anchor is not None:
            self._shared.future[id(entry)] = new
        if not self._is_other(entry, old, new):
            return
        written = explicit(key, section.new)
        if key.derived and written is None:
            self._editor.remove_at(child)
            return
        if (
            key.lists_sections
            and isinstance(entry, ListEntry)
            and is_list(old)
            and is_list(written)
        ):
            written = _aligned(entry, (old, new), written)
        self._write(child, written)


def explicit(key: Key, section: Any) -> object:
    """What is written of a key, as plain data."""
    value = getattr(section, key.attribute)
    if key.section is None or value is None:
        return thaw(value)
    if key.lists_sections:
        return [unstructure(each, effective=False) for each in value]
    return unstructure(value, effective=False)


def _aligned(
    entry: ListEntry, change: tuple[Sequence[object], Sequence[object]], written: Sequence[object]
) -> list[object]:
    """`written`, with what stays the same at both ends as it is in the text."""
    head, tail = equal_ends(*change)
    items = [plain(each) for each in entry.items]
    return [*items[:head], *written[head : len(written) - tail], *items[len(items) - tail :]]
