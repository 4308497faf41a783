"""What is wrong: a `Finding` (a key path and a wording) becomes a `Problem` (the same with a position)."""

from typing import Literal, NamedTuple

import attrs

from polar_config.errors._words import KeyPath, path_text

MAX_PROBLEMS = 1_000  # kept in an error


MAX_SHOWN = 50  # written out in its report


At = Literal["value", "key", "block"]


class Finding(NamedTuple):
    """A problem that has no place yet: which key, what is wrong there, and how to mend it."""

    path: KeyPath
    code: str
    message: str
    hint: str | None = None
    at: At = "value"  # "block": at what holds the key
    first: KeyPath | None = None  # the earlier one, of two that collide

    def under(self, path: KeyPath) -> "Finding":
        """The same finding, seen from further up."""
        return self._replace(
            path=(*path, *self.path), first=None if self.first is None else (*path, *self.first)
        )


class Refused(Exception):  # noqa: N818  (a signal between our own modules, never seen by a caller)
    """A value was refused, for one reason or for several."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(*findings)
        self.findings = findings


@attrs.frozen(kw_only=True)
class Problem:
    """One thing that is wrong.

    >>> Problem(code="unknown-key", key_path="gateway.nodes[0].prot", message="unknown key", hint="did you mean port?").code
    'unknown-key'
    """

    code: str
    """A short name that stays the same across versions, such as ``unknown-key``."""
    key_path: str
    """The key at fault, such as ``gateway.nodes[2].port``; empty for the file itself."""
    message: str
    hint: str | None = None
    line: int | None = None
    """From 1; None where the input was not text."""
    column: int | None = None
    """From 1, in characters; None where the input was not text."""


class Mark(NamedTuple):
    """A stretch of a source line that the report points at: columns from 0, the width in characters."""

    line: int
    text: str
    start: int
    width: int
    note: str | None = None


class View(NamedTuple):
    """How one problem is shown: the key path with the ids of its list entries, and the lines to point at (the last is its own)."""

    label: str
    marks: tuple[Mark, ...] = ()


def problem(finding: Finding) -> Problem:
    """A finding as a problem without a place."""
    return Problem(
        code=finding.code,
        key_path=path_text(finding.path),
        message=finding.message,
        hint=finding.hint,
    )
