"""Edits one after the other on a text, of which those that leave each other alone are put in together.

Each is planned on the text that there is. Where the plans before it do not change anything that it has looked at, it joins them;
otherwise they are put in first, and it is planned again on the text that they give. So a batch gives what its edits give
one after the other, and a fleet's usual batches cost one parse.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from polar_config._editing.editor import Editor
from polar_config._editing.footprint import (
    Footprint,
    Span,
    Spans,
    appends,
    copy_footprint,
    footprint,
    is_one_line,
    is_simple,
)
from polar_config._editing.paths import EVERY
from polar_config._editing.plan import REMOVED, Added, Changes, Copy, Plan, Renamed, Replaced
from polar_config._editing.rewrite import copied_span
from polar_config._editing.text import Text
from polar_config._editing.walk import Seen, Step, Walker
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.data import plain
from polar_config._yaml.layout import Layout
from polar_config._yaml.tree import ListEntry, MappingEntry, ScalarEntry, key_name
from polar_config._yaml.write import scalar_text
from polar_config.errors import TopologyError
from polar_config.errors._words import KeyPath


class Edit(NamedTuple):
    """An edit as it is asked for: planned again wherever the text has changed."""

    plan: Callable[[Editor], None]
    shared: bool


class Batch:
    """Edits that begin with one text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._pending = _Pending(text)

    @property
    def text(self) -> Text:
        """The text with all edits so far."""
        self._put_in()
        return self._text

    def edit(self, edit: Edit) -> None:
        """Make one more edit; raises what it raises on the text that the edits before it give."""
        if not self._pending.takes(edit):
            self._put_in()
            self._pending.takes(edit)

    def set(self, path: KeyPath, value: object, *, shared: bool) -> None:
        """Set a value, which may be in something that an edit of this batch has added."""
        edit = Edit(lambda editor: editor.set(path, value), shared)
        if not self._pending.takes_into_new(edit, path, value):
            self.edit(edit)

    def replace_text(self, text: Text) -> None:
        """Go on with another text, made of `text` by other means."""
        self._text = text
        self._pending = _Pending(text)

    def _put_in(self) -> None:
        if self._pending.edits:
            self.replace_text(self._pending.put_in())


class _Pending:
    """Edits that are planned on one text and not put in."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.edits: list[Edit] = []
        self._plan = Plan()
        self._planned = _Planned(text.layout, self._plan)
        self._copies: dict[int, _Planned] = {}  # by the identity of their plans

    def takes(self, edit: Edit) -> bool:
        """Plan one more edit; False if those before it have to be put in first."""
        editor = Editor(self._text.index, shared=edit.shared)
        try:
            edit.plan(editor)
        except TopologyError:
            if not self.edits:
                raise
            return False
        if self.edits and not self._planned.leaves_alone(editor):
            return False
        self._planned.add(editor.plan, touches_shared=editor.touches_shared)
        self.edits.append(edit)
        return True

    def put_in(self) -> Text:
        """The text with all of them; raises what the first raises that is refused."""
        self._text.refuse_several()
        try:
            return self._text.verified(self._plan)
        except TopologyError:
            if len(self.edits) == 1:
                raise
        text = self._text
        for edit in self.edits:
            editor = Editor(text.index, shared=edit.shared)
            edit.plan(editor)
            text = text.verified(editor.plan)
        return text

    # values in what an edit before has added

    def takes_into_new(self, edit: Edit, path: KeyPath, value: object) -> bool:
        """Plan to set a value in something that is planned itself; False if it is not, or not certain."""
        if not self.edits or any(part is EVERY for part in path):
            return False
        walker = Walker(self._text.index)
        try:
            ((step, rest),) = walker.walk(path)
        except TopologyError:
            return False
        if not rest or not self._planned.leaves_path_alone(walker.seen, rest[0]):
            return False
        taken = self._takes_at(step, rest, value)
        if taken:
            self.edits.append(edit)
        return taken

    def _takes_at(self, step: Step | None, rest: KeyPath, value: object) -> bool:
        if step is None:
            new = with_key(self._plan.root, rest, value)
            self._plan.root = self._plan.root if new is None else new
            return new is not None
        if isinstance(step.value, ScalarEntry) and step.up is not None:
            return self._takes_instead_of_null(step, rest, value)
        if not isinstance(step.value, MappingEntry | ListEntry):
            return False
        changes = self._plan.get(step.value)
        number = None if changes is None else _number_of_new(changes, rest[0])
        if changes is None or number is None:
            return False
        added = changes.added[number]
        if isinstance(added.value, Copy):
            return self._takes_into_copy(step, added.value, rest[1:], value)
        new = with_key(added.value, rest[1:], value)
        if new is None:
            return False
        changes.added[number] = added._replace(value=new)
        self._planned.note_ids(changes)
        return True

    def _takes_instead_of_null(self, step: Step, rest: KeyPath, value: object) -> bool:
        changes = self._plan.get(step.holder.container)
        change = None if changes is None else changes.slots.get(step.number)
        if changes is None or not isinstance(change, Replaced):
            return False
        new = with_key(change.value, rest, value)
        if new is not None:
            changes.slots[step.number] = Replaced(new)
        return new is not None

    def _takes_into_copy(self, step: Step, copy: Copy, rest: KeyPath, value: object) -> bool:
        """Plan to set a value in a copy: a change in the text of its source that only the copy has."""
        if not rest or isinstance(rest[0], int):
            return False
        editor = Editor(self._text.index, shared=True, copying=True)
        try:
            editor.set((*step.path, copy.number, *rest), value)
        except TopologyError:
            return False
        planned = self._copies.get(id(copy.plan))
        if planned is None:
            planned = self._copies[id(copy.plan)] = _Planned(self._text.layout, copy.plan)
            planned.begin_with(copy_footprint(self._text.layout, copy))
        if editor.touches_shared or not planned.leaves_alone(editor):
            return False
        end = copied_span(self._text.layout, copy)[1]
        if any(_reaches_beyond(self._text.layout, changes, end) for changes in editor.plan):
            return False
        planned.add(editor.plan, touches_shared=False)
        for changes in editor.plan:
            self._planned.note_ids(changes)
        return True


class _Planned:
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
        self._names: set[tuple[int, str]] = set()
        self._moved: dict[int, int] = {}
        """The first index of each list that means something else than before."""
        self._ids: set[str] = set()
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
        self._ids.update(_new_ids(changes))

    def _take_footprint(self) -> None:
        """Take the footprint of the latest plan: only where another one follows."""
        plan, self._latest = self._latest, None
        if plan is None or plan.root is not None or self._only_appends(plan):
            return
        self._keep(footprint(self._layout, plan, ()))
        for changes in plan:
            if any(True for _ in appends(changes)):
                alone = Footprint(self._layout)
                alone.look_at_changes(Changes(changes.container, changes.slot, added=changes.added))
                outlines = self._outlines[id(changes.container)] = Spans()
                for span in alone.outlines:
                    outlines.add(span)

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
        plan = editor.plan
        if self._touches_shared or editor.touches_shared:
            return False
        if plan.root is not None or self._plan.root is not None:
            return False
        if not self._leaves_meanings(editor.seen, plan):
            return False
        if self._only_appends(plan):
            found = Footprint(self._layout)
            for entry in editor.seen.entries:
                found.look(entry)
            for changes in plan:
                for added in changes.added:
                    found.look_at_copy(added)
            return self._leaves(found)
        if not all(map(self._leaves_container, plan)):
            return False
        return self._leaves(footprint(self._layout, plan, editor.seen.entries))

    def leaves_path_alone(self, seen: Seen, new: str | int) -> bool:
        """Whether what is there of a path to something `new` is as it was."""
        if self._touches_shared:
            return False
        self._take_footprint()
        if any((key, name) in self._names for key, name in seen.names if name != new):
            return False
        if any(name in self._ids for _, name in seen.ids if name != new):
            return False
        if self._uses_moved_index(seen):
            return False
        found = Footprint(self._layout)
        for entry in seen.entries:
            found.look(entry)
        return self._leaves(found)

    def _leaves_meanings(self, seen: Seen, plan: Plan) -> bool:
        """Whether the keys, ids and indexes that were looked up mean the same."""
        if not seen.names.isdisjoint(self._names):
            return False
        if any(name in self._ids for _, name in seen.ids):
            return False
        if self._uses_moved_index(seen):
            return False
        return self._only_appends(plan) or seen.lengths.isdisjoint(self._moved)

    def _uses_moved_index(self, seen: Seen) -> bool:
        return any(
            key in self._moved and index >= self._moved[key] for key, index in seen.indexes.items()
        )

    def _only_appends(self, plan: Plan) -> bool:
        """Whether a plan only adds behind what this one has added, where that is as it was."""
        return all(
            changes.is_only_appended_to() and id(changes.container) in self._outlines
            for changes in plan
        ) and bool(plan)

    def _leaves_container(self, changes: Changes) -> bool:
        """Whether two changes of one mapping or list leave each other alone."""
        mine = self._plan.get(changes.container)
        return mine is None or (self._is_easy(mine) and self._is_easy(changes))

    def _is_easy(self, changes: Changes) -> bool:
        children = self._layout.children(changes.container)
        return all(
            isinstance(each, Replaced)
            and (changes.container.flow or is_simple(children[number], each.value))
            for number, each in changes.slots.items()
        ) and len(list(appends(changes))) == len(changes.added)

    def _leaves(self, found: Footprint) -> bool:
        for span in found.characters:
            if self._inline.touches(*span) or self._changes_lines(span):
                return False
        if any(map(self._changes_lines, found.outlines)):
            return False
        written = [*found.inline, *found.lines, *found.inserted]
        return not any(
            self._inline.touches(*span)
            or self._lines.touches(*span)
            or self._inserted.touches(*span)
            for span in written
        )

    def _changes_lines(self, span: Span) -> bool:
        """Whether lines change within a span; new ones before and behind it do no harm."""
        inside = span.start + 1, span.end - 1
        return self._lines.touches(*span) or (
            inside[0] <= inside[1] and self._inserted.touches(*inside)
        )


# --- what is new ----------------------------------------------------------------------------------


def _number_of_new(changes: Changes, part: str | int) -> int | None:
    """Which of the additions a part of a key path names, if it is certainly one."""
    if isinstance(changes.container, MappingEntry):
        found = [number for number, each in enumerate(changes.added) if each.key == part]
    elif isinstance(part, str):
        found = [number for number, each in enumerate(changes.added) if part in _ids_of(each.value)]
    elif changes.is_only_appended_to():
        number = part - len(changes.container.items)
        found = [number] if 0 <= number < len(changes.added) else []
    else:
        found = []
    return found[0] if len(found) == 1 else None


def _new_ids(changes: Changes) -> Iterator[str]:
    """The ids that changes give to items of lists."""
    container = changes.container
    for number, change in changes.slots.items():
        if isinstance(container, ListEntry):
            yield from _ids_of(change.value) if isinstance(change, Replaced) else ()
            continue
        key, value = container.items[number]
        if isinstance(change, Replaced) and key_name(key) == "id":
            yield str(change.value).strip()
        elif isinstance(change, Renamed) and change.key == "id":
            yield str(plain(value)).strip()
    for each in changes.added:
        if each.key == "id":
            yield str(each.value).strip()
        elif each.key is None:
            yield from _ids_of(each.value)


def _ids_of(value: object) -> list[str]:
    """The id of a new item."""
    if isinstance(value, Copy):
        return [name for changes in value.plan for name in _new_ids(changes)]
    if is_mapping(value) and "id" in value:
        return [str(value["id"]).strip()]
    return []


def _reaches_beyond(layout: Layout, changes: Changes, end: int) -> bool:
    """Whether something is added to a copy behind the text that is copied."""
    if not changes.added:
        return False
    last = len(changes.container.items) - 1
    return last < 0 or (not changes.container.flow and layout.tail(changes.container, last) > end)


def with_key(data: object, path: KeyPath, value: object) -> object:
    """New plain data with one more value in it, if it is certainly written as it would be afterwards; else None."""
    if not path or not is_mapping(data) or not data or not _is_written_plainly(data):
        return None
    name = path[0]
    if not isinstance(name, str) or name is EVERY or not _is_plain_key(name):
        return None
    if name not in data:
        for part in reversed(path[1:]):
            if not isinstance(part, str) or part is EVERY:
                return None
            value = {part: value}
        return {**data, name: value} if _is_written_plainly(value) else None
    if len(path) > 1:
        inner = with_key(data[name], path[1:], value)
        return None if inner is None else {**data, name: inner}
    if _is_plain_scalar(data[name]) and _is_plain_scalar(value):
        return {**data, name: value}
    return None


def _is_written_plainly(value: object) -> bool:
    """Whether data is written without strings of several lines, and its keys without quotes."""
    if is_mapping(value):
        return all(_is_plain_key(key) and _is_written_plainly(item) for key, item in value.items())
    if is_list(value):
        return all(map(_is_written_plainly, value))
    return is_one_line(value)


def _is_plain_key(key: str) -> bool:
    return key.isidentifier() and scalar_text(key) == key


def _is_plain_scalar(value: object) -> bool:
    """Whether a scalar is written without quotes in either style."""
    if not is_one_line(value) or value is None:
        return False
    return not isinstance(value, str) or (
        scalar_text(value) == value and ":" not in value and "," not in value
    )
