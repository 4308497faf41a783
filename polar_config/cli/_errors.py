"""Errors of the command: usage errors, hints that name options, and the exit status of an error."""

import attrs

from polar_config import Problem, TopologyError
from polar_config.errors import refused

SUCCESS, INVALID, USAGE = 0, 1, 2
"""The exit statuses: success, an invalid file, a usage error or an unreadable file."""

_HINTS = {
    "file-exists": "choose another name",
    "node-id-required": "choose one with --node",
    "unknown-node": "choose one with --node",
    "shared": (
        "to change all of them, use --shared with the key that has the anchor; "
        "or override the key in each node"
    ),
}
"""Hints by code, where the hint of the library names an argument of a Python function."""

_INVALID_WITHOUT_POSITION = frozenset({"too-large"})
"""Codes of problems that are about a file's content although they have no position in it."""


def usage_error(message: str, hint: str | None = None) -> TopologyError:
    """The error for a wrong use of the command."""
    return refused("invalid-argument", message, hint=hint)


def status_of(error: TopologyError) -> int:
    """The exit status for an error: an invalid file, or a usage error."""
    if any(_is_about_content(each) for each in error.problems):
        return INVALID
    return USAGE


def _is_about_content(problem: Problem) -> bool:
    return problem.line is not None or problem.code in _INVALID_WITHOUT_POSITION


def with_options(error: TopologyError) -> TopologyError:
    """The same error, with hints that name options of the command."""
    if not any(each.code in _HINTS for each in error.problems):
        return error
    problems = map(_with_option, error.problems)
    return TopologyError(problems, error.source, omitted=error.omitted)


def _with_option(problem: Problem) -> Problem:
    # Without a hint of the library there is no way out, and no option for it either.
    if problem.hint is None or problem.code not in _HINTS:
        return problem
    return attrs.evolve(problem, hint=_HINTS[problem.code])
