"""A plan that grows edit by edit, and what must not have changed for another edit to join it."""

from bisect import bisect_left, insort
from collections.abc import Iterator

from polar_config._editing.additions import added_ids, given_ids, loses_id
from polar_config._editing.editor import Editor
from polar_config._editing.footprint import (
    Footprint,
    Span,
    Spans,
    appends,
    copies_footprint,
    footprint,
    is_simple,
)
from polar_config._editing.plan import REMOVED, Changes, Copy, Plan, Renamed, Replaced
from polar_config._editing.walk import Seen
from polar_config._yaml.layout import Layout
from polar_config._yaml.tree import Entry, ListEntry, MappingEntry


class Planned:
    """A plan, and what must not change for another to join it."""

    def __init__(self, layout: Layout, plan: Plan) -> None:
        self._layout = layout
        self._plan = plan
        self._latest: Plan | None = None  # of which no footprint has been taken yet
        self._inline = Spans()
        self._lines = Spans()
        self._inserted = Spans()
        self._outlines: dict[int, Spans] = {}
        """What additions to a mapping or list depend on, by its identity."""
        self._begins: list[int] = []
        """Where the mappings and lists begin that change, in order."""
        self._slots: set[tuple[int, int]] = set()
        self._names: set[tuple[int, str]] = set()
        self._moved: dict[int, int] = {}
        """The first index of each list that means something else than before."""
        self._ids: set[str] = set()
        """Ids of new items."""
        self._given_ids: set[str] = set()
        """Ids that something else had before."""
        self._loses_id = False
        self._touches_shared = False

    # joining

    def add(self, plan: Plan, *, touches_shared: bool) -> None:
        """Make `plan` a part of this one."""
        self._take_footprint()
        self._latest = plan
        self._touches_shared = self._touches_shared or touches_shared
        self._plan.root = plan.root
        for changes in plan:
            mine = self._plan.of(changes.container, changes.slot)
            mine.slots.update(changes.slots)
            mine.added += changes.added
            self._note(changes)

    def begin_with(self, found: Footprint) -> None:
        """Take over the plan of a copy."""
        self._keep(found)
        for changes in self._plan:
            self._note(changes)

    def _note(self, changes: Changes) -> None:
        """Remember which keys, indexes and ids mean something else from now on."""
        container = changes.container
        insort(self._begins, container.begin)
        self._slots.update((id(container), number) for number in changes.slots)
        new_keys = [each.key for each in changes.added if each.key is not None]
        new_keys += [each.key for each in changes.slots.values() if isinstance(each, Renamed)]
        self._names.update((id(container), key) for key in new_keys)
        moved = [*changes.removed, *(each.at for each in changes.added)]
        if isinstance(container, ListEntry) and moved:
            before = self._moved.get(id(container), len(container.items))
            self._moved[id(container)] = min(before, *moved)
        self.note_ids(changes)

    def note_ids(self, changes: Changes) -> None:
        """Remember which ids are new."""
        self._ids.update(added_ids(changes))
        self._given_ids.update(given_ids(changes))
        self._loses_id = self._loses_id or loses_id(changes)

    def _take_footprint(self) -> None:
        """Take the footprint of the latest plan: only where another one follows."""
        plan = self._latest
        self._latest = None
        if plan is None or plan.makes_root or self._only_appends(plan):
            return
        self._keep(footprint(self._layout, plan, ()))
        for changes in plan:
            if any(True for _ in appends(changes)) and not self._copies_inner_comment(changes):
                alone = Footprint(self._layout)
                alone.look_at_changes(Changes(changes.container, changes.slot, added=changes.added))
                outlines = self._outlines[id(changes.container)] = Spans()
                for span in alone.outlines:
                    outlines.add(span)

    def _copies_inner_comment(self, changes: Changes) -> bool:
        """Whether the first item is copied with a comment that is not in the column of its dash.

        Above another item such a comment is not its own.
        """
        layout, children = self._layout, self._layout.children(changes.container)
        if not any(
            isinstance(each.value, Copy) and not each.value.number for each in changes.added
        ):
            return False
        column = layout.column(children[0].start)
        line, end = layout.lead(changes.container, 0), layout.line(children[0].start)
        while line < end:
            if layout.comment_column(line) != column:
                return True
            line = layout.next_line(line)
        return False

    def _keep(self, found: Footprint) -> None:
        for mine, spans in (
            (self._inline, found.inline),
            (self._lines, found.lines),
            (self._inserted, found.inserted),
        ):
            for span in spans:
                mine.add(span)
        # what appending depends on must not have changed since the first time
        for key, outlines in list(self._outlines.items()):
            if any(outlines.contains(each.start) for each in found.inserted) or any(
                outlines.touches(each.start - 1, each.end + 1) for each in found.lines
            ):
                del self._outlines[key]

    # leaving alone

    def leaves_alone(self, editor: Editor) -> bool:
        """Whether what an edit has looked at, and what its plan depends on, is as it was."""
        self._take_footprint()
        plan, seen = editor.plan, editor.seen
        is_shared = self._touches_shared or editor.touches_shared
        is_new = plan.makes_root or self._plan.makes_root
        if is_shared or is_new or not self._leaves_meanings(seen, plan):
            return False
        if any(map(self._changes_within, [*seen.entries, *_sources(plan)])):
            return False
        if self._only_appends(plan):
            # where they go is known: behind what has been appended before
            found = copies_footprint(self._layout, plan, seen.entries)
        elif all(map(self._leaves_container, plan)):
            found = footprint(self._layout, plan, seen.entries)
        else:
            return False
        return self._leaves(found)

    def leaves_path_alone(self, seen: Seen, new: str | int) -> bool:
        """Whether what is there of a path to something `new` is as it was."""
        if self._touches_shared:
            return False
        self._take_footprint()
        is_renamed = any(each in self._names for each in seen.names if each[1] != new)
        is_added = any(name in self._ids for _, name in seen.ids if name != new)
        if is_renamed or is_added or self._gives_ids(seen) or self._uses_moved_index(seen):
            return False
        found = Footprint(self._layout)
        for entry in seen.entries:
            found.look(entry)
        return self._leaves(found)

    def _leaves_meanings(self, seen: Seen, plan: Plan) -> bool:
        """Whether the keys, ids and indexes that were looked up mean the same."""
        if not seen.names.isdisjoint(self._names) or not seen.slots.isdisjoint(self._slots):
            return False
        if self._gives_ids(seen) or any(name in self._ids for _, name in seen.ids):
            return False
        if self._uses_moved_index(seen):
            return False
        appended = {id(changes.container) for changes in plan if self._appends_again(changes)}
        return (seen.lengths - appended).isdisjoint(self._moved)

    def _changes_within(self, entry: Entry) -> bool:
        """Whether something changes in a mapping or list, below it or in itself."""
        if not isinstance(entry, MappingEntry | ListEntry):
            return False
        first = bisect_left(self._begins, entry.begin)
        return first < len(self._begins) and self._begins[first] < entry.stop

    def _gives_ids(self, seen: Seen) -> bool:
        """Whether an id that was looked up may mean something else by now."""
        if self._loses_id and seen.ids:
            return True
        return any(name in self._given_ids for _, name in seen.ids)

    def _uses_moved_index(self, seen: Seen) -> bool:
        return any(
            key in self._moved and index >= self._moved[key] for key, index in seen.indexes.items()
        )

    def _only_appends(self, plan: Plan) -> bool:
        """Whether a plan only adds behind what this one has added, where that is as it was."""
        return bool(plan) and all(map(self._appends_again, plan))

    def _appends_again(self, changes: Changes) -> bool:
        return changes.is_only_appended_to() and id(changes.container) in self._outlines

    def _leaves_container(self, changes: Changes) -> bool:
        """Whether two changes of one mapping or list can leave each other alone."""
        mine = self._plan.get(changes.container)
        if mine is None:
            return True
        if self._only_removes(mine) and self._only_removes(changes):
            return True
        has_copies = any(isinstance(each.value, Copy) for each in (*mine.added, *changes.added))
        # a copy's comment may be in one column with others
        is_beside_copy = has_copies and bool(mine.slots or changes.slots)
        return not is_beside_copy and self._is_easy(mine) and self._is_easy(changes)

    def _is_easy(self, changes: Changes) -> bool:
        """Whether there are only scalars that stay in their lines, and what is added at the end."""
        children = self._layout.children(changes.container)
        has_simple_values = all(
            isinstance(each, Replaced)
            and (changes.container.flow or is_simple(children[number], each.value))
            for number, each in changes.slots.items()
        )
        return has_simple_values and len(list(appends(changes))) == len(changes.added)

    @staticmethod
    def _only_removes(changes: Changes) -> bool:
        """Whether slots go, and the first one stays: where that is decides about the others."""
        goes = all(each is REMOVED for each in changes.slots.values())
        return goes and 0 not in changes.slots and not changes.added

    def _leaves(self, found: Footprint) -> bool:
        """Whether nothing that has been looked at or written is written already."""
        if any(self._writes_in(span) for span in found.characters):
            return False
        # of lines that are put in the same place those of the inner mapping or list come first
        own = {span.start for span in found.inserted}
        if any(self._writes_lines_in(span, own) for span in found.outlines):
            return False
        if any(self._writes_in(span) for span in (*found.inline, *found.lines)):
            return False
        return not any(
            self._inline.touches(*span) or self._lines.touches(*span) for span in found.inserted
        )

    def _writes_in(self, span: Span) -> bool:
        return (
            self._inline.touches(*span)
            or self._lines.touches(*span)
            or self._inserted.touches(*span)
        )

    def _writes_lines_in(self, span: Span, own: set[int]) -> bool:
        # lines that go change what is above the lines below them
        if self._lines.touches(span.start - 1, span.end):
            return True
        return any(index not in own for index in self._inserted.starts_inside(*span))


def _sources(plan: Plan) -> Iterator[Entry]:
    """What a plan copies."""
    for changes in plan:
        for added in changes.added:
            if isinstance(added.value, Copy):
                yield added.value.container.items[added.value.number]
