"""Plain data: null, booleans, numbers, strings, lists and mappings, and the limits of them.

Here are the kinds of values, the numbers that remember how they were spelled, and what no value
may be. `frozen` makes plain data immutable.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from polar_config.errors._problem import Finding
from polar_config.errors._words import KeyPath, bare_text, shown

MAX_DEPTH = 64  # levels of nesting
MAX_VALUES = 1_000_000  # values, once aliases and merges are expanded
INT_MIN, INT_MAX = -(2**63), 2**63 - 1

# ${NAME}, @NAME@ and <name>
PLACEHOLDER = r"\$\{([^{}]*)\}|@([A-Z][A-Z0-9_]*)@|<([A-Za-z_][A-Za-z0-9_ .-]*)>"
_UNFIT = "[\0\ud800-\udfff]"  # YAML cannot hold surrogates, and C strings end at a NUL


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether `value` is a mapping of plain data, of whatever class."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether `value` is a list of plain data."""
    return isinstance(value, list | tuple)


def thaw(value: object) -> Any:
    """Immutable plain data as fresh dicts and lists."""
    if is_mapping(value):
        return {key: thaw(item) for key, item in value.items()}
    if is_list(value):
        return [thaw(item) for item in value]
    return value


# --- scalars that remember where they came from ---------------------------------------------------


class SpelledInt(int):
    """An int that remembers how it was spelled.

    It is `ambiguous` where YAML 1.1 and YAML 1.2 read that spelling differently.
    """

    spelled: str
    ambiguous: bool
    secret = False


class SpelledFloat(float):
    """The same for a float."""

    spelled: str
    ambiguous: bool
    secret = False


def spelled(value: float, text: str, *, ambiguous: bool) -> SpelledInt | SpelledFloat:
    """`value` with the text it was read from."""
    marked = SpelledInt(value) if isinstance(value, int) else SpelledFloat(value)
    marked.spelled = text
    marked.ambiguous = ambiguous
    return marked


# --- what no plain data may be --------------------------------------------------------------------


def bad_character(text: str) -> str | None:
    """What `text` contains that no string of a topology may contain."""
    if text.isprintable():
        return None
    found = re.search(_UNFIT, text)
    if found is None:
        return None
    return "a NUL character" if found[0] == "\0" else "half of a surrogate pair"


def placeholders(text: str) -> list[str]:
    """The unresolved placeholders in `text`, each once, as they are spelled."""
    if "${" not in text and "@" not in text and "<" not in text:
        return []
    return list(dict.fromkeys(match[0] for match in re.finditer(PLACEHOLDER, text)))


def too_many_values(path: KeyPath) -> Finding:
    """A document that is too large once expanded."""
    message = f"more than {MAX_VALUES:,} values once aliases and merges are expanded"
    return Finding(path, "too-many-values", message, "share less, or split it")


def too_deep(path: KeyPath) -> Finding:
    """A document that is nested too deeply."""
    return Finding(path, "too-deep", f"nested more than {MAX_DEPTH} levels deep")


def non_string_key(path: KeyPath, key: object) -> Finding:
    """A key that is not a string, in the mapping at `path`."""
    hint = None
    if isinstance(key, int | float):
        hint = f'put it in quotes: "{bare_text(key)}"'
    message = f"keys must be strings, found {shown(key)}"
    return Finding(path, "non-string-key", message, hint, at="section")
