"""What is wrong with a topology, in an operator's words, and the report that shows it.

`Finding` (a key path and a wording) becomes `Problem` (the same with a place) and `TopologyError` (all of them, and the report).
Nothing here depends on how a topology is read; whatever an error keeps may be shown to anyone.
"""

from collections.abc import Iterable, Sequence

from polar_config.errors._problem import MAX_PROBLEMS, MAX_SHOWN, Finding, Problem, View, problem
from polar_config.errors._report import Paint, laid_out
from polar_config.errors._words import KeyPath, path_text

__all__ = ["Problem", "TopologyChangedError", "TopologyError"]


class TopologyError(ValueError):
    """A topology is not usable; ``str(error)`` is the whole report.

    It is a `ValueError`, pickles, and holds nothing that may not be shown: credentials in URLs and values of ``env`` are starred out.

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
        """What is wrong, in the order of the file; the first 1,000."""
        self.source = source
        """The name of the file, or None where the topology came from Python."""
        self.omitted = omitted + len(found) - len(self.problems)
        """How many problems there are beyond `problems`."""
        self._views = tuple(views)[:MAX_SHOWN]
        super().__init__(self.problems, self.source, self._views, self.omitted)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.problems, self.source, self._views, self.omitted)

    def __str__(self) -> str:
        return self.report()

    def report(self, *, color: bool = False) -> str:
        """The report as text; with `color`, dressed with ANSI escapes for a terminal."""
        return laid_out(self.problems, self.source, self._views, self.omitted, Paint(color))

    @property
    def problem_count(self) -> int:
        """How many problems there are in all."""
        return len(self.problems) + self.omitted


class TopologyChangedError(TopologyError):
    """A file is no longer what was opened: somebody else has changed it, and nothing was written."""


def _rebuilt(
    cls: type[TopologyError],
    problems: tuple[Problem, ...],
    source: str | None,
    views: tuple[View, ...],
    omitted: int,
) -> TopologyError:
    return cls(problems, source, views=views, omitted=omitted)


def refused(
    code: str,
    message: str,
    path: KeyPath | str = (),
    hint: str | None = None,
    *,
    source: str | None = None,
    error: type[TopologyError] = TopologyError,
) -> TopologyError:
    """The error for one reason that has no position in a text: an argument, a file, an edit."""
    key_path = path if isinstance(path, str) else path_text(path)
    return error([Problem(code=code, key_path=key_path, message=message, hint=hint)], source)


def refusal(findings: Sequence[Finding]) -> TopologyError:
    """The error for values that came from Python: key paths, but no lines."""
    return TopologyError(map(problem, findings[: MAX_PROBLEMS + 1]))


# --- the layout of a report -------------------------------------------------------------------------------------------


# --- words ------------------------------------------------------------------------------------------------------------
