"""Edits that are planned on one text and not put in."""

from collections.abc import Callable
from typing import NamedTuple

from polar_config._editing.additions import number_of_new, with_key
from polar_config._editing.editor import Editor
from polar_config._editing.footprint import copy_footprint
from polar_config._editing.paths import EVERY
from polar_config._editing.plan import Changes, Copy, Plan, Replaced
from polar_config._editing.planned import Planned
from polar_config._editing.rewrite import copied_span
from polar_config._editing.text import Text
from polar_config._editing.walk import Step, Walker
from polar_config._yaml.layout import Layout
from polar_config._yaml.tree import AliasEntry, ScalarEntry
from polar_config.errors import TopologyError
from polar_config.errors._words import KeyPath


class Edit(NamedTuple):
    """An edit as it is asked for: planned again wherever the text has changed."""

    plan: Callable[[Editor], None]
    shared: bool


class Pending:
    """Edits that are planned on one text and not put in."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self.edits: list[Edit] = []
        self._plan = Plan()
        self._planned = Planned(text.layout, self._plan)
        self._copies: dict[int, Planned] = {}  # by the identity of their plans

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
        """Plan to set a value in something that is planned itself; False if it is not, or not
        certain.
        """
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
        if isinstance(step.value, ScalarEntry):
            return step.up is not None and self._takes_instead_of_null(step, rest, value)
        if isinstance(step.value, AliasEntry):
            return False
        changes = self._plan.get(step.container)
        number = None if changes is None else number_of_new(changes, rest[0])
        if changes is None or number is None:
            return False
        copy = changes.added[number].value
        if isinstance(copy, Copy):
            return self._takes_into_copy(step, copy, rest[1:], value)
        return self._takes_into_data(changes, number, rest[1:], value)

    def _takes_instead_of_null(self, step: Step, rest: KeyPath, value: object) -> bool:
        changes = self._plan.get(step.holder.container)
        change = None if changes is None else changes.slots.get(step.number)
        if changes is None or not isinstance(change, Replaced):
            return False
        new = with_key(change.value, rest, value)
        if new is not None:
            changes.slots[step.number] = Replaced(new)
        return new is not None

    def _takes_into_data(self, changes: Changes, number: int, rest: KeyPath, value: object) -> bool:
        added = changes.added[number]
        new = with_key(added.value, rest, value)
        if new is not None:
            changes.added[number] = added._replace(value=new)
            self._planned.note_ids(changes)
        return new is not None

    def _takes_into_copy(self, step: Step, copy: Copy, rest: KeyPath, value: object) -> bool:
        """Plan a change in the text of a copy's source that only the copy has."""
        editor = Editor(self._text.index, shared=True, copying=True)
        try:
            editor.set((*step.path, copy.number, *rest), value)
        except TopologyError:
            return False
        planned, layout = self._planned_copy(copy), self._text.layout
        end = copied_span(layout, copy)[1]
        is_inside = not any(_reaches_beyond(layout, changes, end) for changes in editor.plan)
        if not rest or not is_inside or editor.touches_shared or not planned.leaves_alone(editor):
            return False
        planned.add(editor.plan, touches_shared=False)
        for changes in editor.plan:
            self._planned.note_ids(changes)
        return True

    def _planned_copy(self, copy: Copy) -> Planned:
        found = self._copies.get(id(copy.plan))
        if found is None:
            found = self._copies[id(copy.plan)] = Planned(self._text.layout, copy.plan)
            found.begin_with(copy_footprint(self._text.layout, copy))
        return found


def _reaches_beyond(layout: Layout, changes: Changes, end: int) -> bool:
    """Whether something is added to a copy behind the text that is copied."""
    if not changes.added:
        return False
    last = len(changes.container.items) - 1
    return last < 0 or (not changes.container.flow and layout.tail(changes.container, last) > end)
