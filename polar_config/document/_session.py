"""The edits of a document between two of its states: one of its own, or those of a batch."""

from threading import get_ident

from polar_config._editing.batch import Batch
from polar_config.document._state import State


class Session:
    """An open batch: its edits, and who makes them."""

    def __init__(self, state: State) -> None:
        self.batch = Batch(state.text)
        self.is_broken = False
        """Whether one of its edits was refused."""
        self._thread = get_ident()
        self._state = state

    def is_mine(self) -> bool:
        """Whether it is open in the thread that asks."""
        return self._thread == get_ident()

    def state(self) -> State:
        """What the edits so far give."""
        text = self.batch.text
        if text is not self._state.text:
            self._state = State(text)
        return self._state
