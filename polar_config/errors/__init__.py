"""What is wrong with a topology, in standard words, and the report that shows it.

A `Finding` (key path and message) becomes a `Problem` (the same with a position); a
`TopologyError` has all problems and makes the report. Nothing here depends on how a topology is
read, and whatever an error keeps may be shown to anyone.
"""

from collections.abc import Iterable, Sequence

from polar_config.errors._problem import MAX_PROBLEMS, MAX_SHOWN, Finding, Problem, View, problem
from polar_config.errors._report import Paint, laid_out
from polar_config.errors._words import KeyPath, path_text

__all__ = ["Problem", "TopologyChangedError", "TopologyError"]


class TopologyError(ValueError):
    """A topology is invalid, or an operation on one is refused; ``str(error)`` is the report.

    It is a `ValueError`, it pickles, and it keeps no secrets: credentials in URLs and the values
    of every ``env`` are masked. It has at least one problem.

    >>> error = TopologyError([Problem(code="missing-key", key_path="gateway", message="missing")])
    >>> print(error)
    gateway: missing
    """

    def __init__(
        self,
        problems: Iterable[Problem],
        source: str | None = None,
        *,
        views: Iterable[View] = (),
        omitted: int = 0,
    ) -> None:
        found = tuple(problems)
        self.problems: tuple[Problem, ...] = found[:MAX_PROBLEMS]
        """The first 1,000 problems, in the order of the file."""
        self.source = source
        """The name of the file; None where the values came from Python."""
        self.omitted = omitted + len(found) - len(self.problems)
        """The number of problems that `problems` leaves out: 0 unless there are over 1,000."""
        self._views = tuple(views)[:MAX_SHOWN]
        super().__init__(self.problems, self.source, self._views, self.omitted)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.problems, self.source, self._views, self.omitted)

    def __str__(self) -> str:
        return self.report()

    def report(self, *, color: bool = False) -> str:
        """All of the error for people to read; with `color`, with ANSI escapes for a terminal.

        For each of the first 50 problems: position, key path, message, and below it the source
        line with a caret and the hint. Then the number of problems.

        >>> problem = Problem(code="missing-key", key_path="gateway", message="missing")
        >>> print(TopologyError([problem], "t.yaml").report())
        t.yaml: gateway: missing
        1 problem in t.yaml
        """
        return laid_out(self.problems, self.source, self._views, self.omitted, Paint(color))

    @property
    def problem_count(self) -> int:
        """The number of all problems, omitted ones included."""
        return len(self.problems) + self.omitted


class TopologyChangedError(TopologyError):
    """A file was changed by someone else since it was opened; nothing was written."""


def _rebuilt(
    cls: type[TopologyError],
    problems: tuple[Problem, ...],
    source: str | None,
    views: tuple[View, ...],
    omitted: int,
) -> TopologyError:
    return cls(problems, source, views=views, omitted=omitted)


def refused(  # noqa: PLR0913  (one argument for each thing that an error says)
    code: str,
    message: str,
    path: KeyPath | str = (),
    hint: str | None = None,
    *,
    source: str | None = None,
    error: type[TopologyError] = TopologyError,
) -> TopologyError:
    """The error for one reason that has no position in a text: an argument, a file, an edit."""
    if not isinstance(path, str):
        path = path_text(path)
    return error([Problem(code=code, key_path=path, message=message, hint=hint)], source)


def refusal(findings: Sequence[Finding]) -> TopologyError:
    """The error for values that came from Python: key paths, but no lines."""
    return TopologyError(map(problem, findings[: MAX_PROBLEMS + 1]))
