"""Edits one after the other on a text, of which those that leave each other alone are put in
together.

Each is planned on the text that there is. Where the plans before it do not change anything that it
has looked at, it joins them; otherwise they are put in first, and it is planned again on the text
that they give. So a batch gives what its edits give one after the other, and a fleet's usual
batches cost one parse.
"""

from polar_config._editing.editor import Editor
from polar_config._editing.pending import Edit, Pending
from polar_config._editing.text import Text
from polar_config.errors._words import KeyPath


class Batch:
    """Edits that begin with one text."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._pending = Pending(text)

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

        def plan(editor: Editor) -> None:
            editor.set(path, value)

        edit = Edit(plan, shared)
        if not self._pending.takes_into_new(edit, path, value):
            self.edit(edit)

    def replace_text(self, text: Text) -> None:
        """Go on with another text, made of `text` by other means."""
        self._text = text
        self._pending = Pending(text)

    def _put_in(self) -> None:
        if self._pending.edits:
            self.replace_text(self._pending.put_in())
