"""The text of a scalar to its value, by the core schema of YAML 1.2; mappings with what they merge.

Nothing else counts: no dates, no ``yes``, no ``1_000``. ruamel.yaml's own rules are not used.
"""

import re

from polar_config._plain import is_mapping, spelled

Scalar = str | int | float | bool | None

_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_FIRST = frozenset("0123456789+-.~nNtTfF")  # what the text of anything but a string begins with
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = r"0o[0-7]+|0x[0-9A-Fa-f]+"
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_MAX_NUMBER = 1_000  # characters of a float, many more than it can hold
_LONG = 40  # characters of an int, more than 64 bits ever take
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")


def resolve(text: str, *, remember: bool = False) -> Scalar:
    """The value of an unquoted scalar.

    An ambiguous number keeps its spelling, with `remember` every number does.

    >>> [resolve(text) for text in ("8080", "0x10", "1e3", "yes", "~", "2024-01-05")]
    [8080, 16, 1000.0, 'yes', None, '2024-01-05']
    """
    if text and text[0] not in _FIRST:
        return text
    if text in _WORDS:
        return _WORDS[text]
    number = _number(text)
    if number is None:
        return text
    ambiguous = _LEADING_ZERO.match(text) is not None or text.startswith("0o")
    return spelled(number, text, ambiguous=ambiguous) if ambiguous or remember else number


def _number(text: str) -> float | None:
    if len(text) > _MAX_NUMBER and not text.lstrip("+-").isdigit():
        return None
    if _INT.fullmatch(text):
        return _int(text, 10)
    if re.fullmatch(_BASED, text):
        return _int(text[2:], 16 if text[1] == "x" else 8)
    if _FLOAT.fullmatch(text):
        return float(text)
    special = re.fullmatch(_SPECIAL, text)
    if special is None:
        return None
    return float("nan") if special[1] is None else float(f"{special[1]}inf")


def _int(text: str, base: int) -> int:
    """An int; instead of a very long one, which takes time to convert, any out of every range."""
    if len(text) < _LONG:
        return int(text, base)
    digits = text.lstrip("+-").lstrip("0")
    value = int(digits, base) if len(digits) < _LONG else 10**_LONG
    return -value if text[0] == "-" else value


_YAML = "tag:yaml.org,2002:"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "float": (int, float),
    "bool": bool,
    "null": type(None),
}
SCALAR_TAGS = frozenset({"!", f"{_YAML}str", *(f"{_YAML}{name}" for name in _KINDS)})
MAP_TAGS = frozenset({"!", f"{_YAML}map"})
LIST_TAGS = frozenset({"!", f"{_YAML}seq"})


def tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with one of YAML's own tags; raises `ValueError` if it does not fit."""
    name = tag.removeprefix(_YAML)
    if name in {"str", "!"}:
        return text
    value = resolve(text, remember=True)
    if not isinstance(value, _KINDS[name]) or (isinstance(value, bool) and name != "bool"):
        raise ValueError(name)
    return float(value) if name == "float" and isinstance(value, int) else value


class NotPlainError(Exception):
    """A text needs a closer look than the fast way has; it may be right all the same."""


def merged(own: dict[str, object], merges: list[object]) -> dict[str, object]:
    """A mapping with what `<<` brings in: own keys win, then the earlier of several."""
    items: dict[str, object] = {}
    for other in merges:
        if not is_mapping(other):
            raise NotPlainError
        for key, value in other.items():
            items.setdefault(key, value)
    items.update(own)
    return items
