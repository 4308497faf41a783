"""What is wrong: a `Finding` (key path and message) becomes a `Problem` (with a position)."""

from typing import Literal, NamedTuple

import attrs

from polar_config.errors._words import KeyPath, path_text

MAX_PROBLEMS = 1_000  # kept in an error
MAX_SHOWN = 50  # written out in its report

At = Literal["value", "key", "section"]


class Finding(NamedTuple):
    """A problem that has no position yet: which key, what is wrong there, and the fix."""

    path: KeyPath
    code: str
    message: str
    hint: str | None = None
    at: At = "value"  # "section": at the mapping that holds the key
    first: KeyPath | None = None  # the earlier one, of two that collide

    def under(self, path: KeyPath) -> "Finding":
        """The same finding with its key paths below `path`."""
        first = self.first and (*path, *self.first)
        return self._replace(path=(*path, *self.path), first=first)


class Refused(Exception):  # noqa: N818  (a signal between modules, never seen by a caller)
    """A value was refused, for one reason or for several."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__(*findings)
        self.findings = findings


@attrs.frozen(kw_only=True)
class Problem:
    """One thing that is wrong. A value: equal to another problem of the same attributes.

    >>> problem = Problem(code="unknown-key", key_path="rollout.prot", message="unknown key")
    >>> problem.code, problem.line
    ('unknown-key', None)
    """

    code: str
    """A short name of the kind of problem, such as ``unknown-key``; the same in all versions."""
    key_path: str
    """The key at fault, such as ``gateway.nodes[2].port``; empty for the file itself."""
    message: str
    """What is wrong, without the key path: one line of at most a few hundred characters."""
    hint: str | None = None
    """How to fix it; None where that is not known."""
    line: int | None = None
    """The line, from 1; None where the values came from Python."""
    column: int | None = None
    """The column, from 1, in characters; None where the values came from Python."""


class Mark(NamedTuple):
    """A part of a source line that the report points at: from column `start`, counted from 0."""

    line: int
    text: str
    start: int
    width: int
    note: str | None = None


class View(NamedTuple):
    """How one problem is shown: the key path with node ids, and the lines to point at.

    The last mark is the problem's own; others show what it collides with.
    """

    label: str
    marks: tuple[Mark, ...] = ()


def problem(finding: Finding) -> Problem:
    """A finding as a problem without a position."""
    return Problem(
        code=finding.code,
        key_path=path_text(finding.path),
        message=finding.message,
        hint=finding.hint,
    )
