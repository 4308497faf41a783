"""The file of a document: what was read from it, and how a text gets back into it."""

import os
from pathlib import Path

from polar_config.document._replace import replace
from polar_config.document._state import State
from polar_config.errors import refused


class DocumentFile:
    """The file that was opened, or none yet."""

    def __init__(self, path: Path | None = None, data: bytes | None = None) -> None:
        self.path = path
        # the same file, wherever the process or a link goes later
        self._target = None if path is None else Path(os.path.realpath(path))
        self._data = data

    def save(self, state: State, path: str | Path | None, *, check: bool, overwrite: bool) -> None:
        """Write a state to this file, or to another one; `TopologyDocument.save` says how."""
        target = self._target if path is None else _real(path)
        if target is None:
            message = "the document has no file"
            raise refused("invalid-argument", message, hint="pass a path to save()")
        if check:
            state.config(self.path)
        data = state.text.raw.encode("utf-8")
        is_own = target == self._target
        if is_own and data == self._data:
            return
        expected = self._data if is_own else None
        replace(target, data, expected=expected, new=not is_own and not overwrite)
        if is_own or self._target is None:
            self.path, self._target, self._data = self.path or target, target, data


def _real(path: str | Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except (TypeError, ValueError):
        pass
    raise refused("invalid-argument", "expected the path of a file")
