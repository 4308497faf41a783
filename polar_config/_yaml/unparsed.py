"""A line of a text that could not be parsed, as it may be shown.

There is no tree that says what belongs to which key, so keys are searched for, and whatever may
belong to a secret one is masked. What follows the position where reading stopped is not shown.
"""

import re

from polar_config.errors._secrets import mask_source, mask_urls, secret_under

_KEY = r"(?<![\w.-])(?P<name>[\w.-]+)[\"']?[ \t]*:"
_FIRST_KEY = r"[ \t-]*[\"']?[\w.-]+[\"']?[ \t]*:"
_LINES_ABOVE = 1_000  # that are searched for a secret key
_DEEPEST = 1_000_000  # an indentation that no line has


def masked_before(text: str, index: int) -> str:
    """The line of `index`, up to it."""
    start = text.rfind("\n", 0, index) + 1
    line = text[start:index]
    shown = _length_shown(text, start, line, text[index:].partition("\n")[0])
    return mask_urls(line[:shown]) + mask_source(line[shown:])


def _length_shown(text: str, start: int, line: str, rest: str) -> int:
    """How much of a line is not secret; `rest` is what follows in the same line."""
    secret_from = _secret_from(line)
    if secret_from is not None:
        return secret_from
    if _may_be_under_secret_key(text, start, line):
        key = re.match(_FIRST_KEY, line)
        return key.end() if key else len(line) - len(line.lstrip())
    if "@" in rest and "://" in line:  # the userinfo of a URL may have been cut in two
        return line.rfind("://") + len("://")
    return len(line)


def _secret_from(line: str) -> int | None:
    """Where the value of the first secret key in a line begins."""
    keys = re.finditer(_KEY, line)
    return next((key.end() for key in keys if secret_under(key["name"], secret=False)), None)


def _may_be_under_secret_key(text: str, start: int, line: str) -> bool:
    """Whether a line may belong to a secret key above it.

    That is so if nothing between them is indented less than what belongs to the key.
    """
    least = _indent(line) if line.strip() else _DEEPEST
    for above in reversed(text[:start].split("\n")[-_LINES_ABOVE:]):
        if not above.strip() or above.lstrip().startswith("#"):
            continue
        is_open = "{" in above and "}" not in above
        if _secret_from(above) is not None and (_indent(above) < least or is_open):
            return True
        least = min(least, _indent(above))
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t-"))
