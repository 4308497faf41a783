"""What an unquoted scalar means: the core rules of YAML 1.2 and nothing else (no dates, no ``yes``, no ``1_000``)."""

import re
from typing import cast

from polar_config._plain import spelled

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
_FIRST = frozenset("0123456789+-.~nNtTfF")  # what a text must begin with to be anything but text
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = r"0o[0-7]+|0x[0-9A-Fa-f]+"
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_MAX_NUMBER = 1_000  # characters of a float, many more than it can hold
_LONG = 40  # characters of an int, more than 64 bits ever take
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]")


def resolve(text: str, *, remember: bool = False) -> Scalar:
    """The value of an unquoted scalar; `remember` keeps the spelling of every number, else only of an ambiguous one.

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
    if len(text) > _MAX_NUMBER and not text.isdigit():
        return None
    if _INT.fullmatch(text):
        return (
            int(text)
            if len(text) < _LONG
            else int(f"{text[0] if text[0] in '-+' else ''}1{'0' * _LONG}")
        )
    if re.fullmatch(_BASED, text):
        return int(text[:_LONG], 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    special = re.fullmatch(_SPECIAL, text)
    if special is None:
        return None
    return float(f"{special[1]}inf") if special[1] is not None else float("nan")


def tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar with one of YAML's own tags; raises ValueError where the text does not fit it."""
    name = tag.removeprefix("tag:yaml.org,2002:")
    if name in {"str", "!"}:
        return text
    value = resolve(text, remember=True)
    kinds: dict[str, tuple[type, ...]] = {
        "int": (int,),
        "float": (int, float),
        "bool": (bool,),
        "null": (type(None),),
    }
    if not isinstance(value, kinds[name]) or (isinstance(value, bool) and name != "bool"):
        raise ValueError(name)
    return float(value) if name == "float" and isinstance(value, int) else value


SCALAR_TAGS = frozenset(
    {"!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null"))}
)
MAP_TAGS = frozenset({"!", "tag:yaml.org,2002:map"})
LIST_TAGS = frozenset({"!", "tag:yaml.org,2002:seq"})


class NotPlainError(Exception):
    """The fast way does not do for this text; nothing is said about whether it is right."""


def merged(own: dict[str, object], merges: list[object]) -> dict[str, object]:
    """A mapping with what `<<` brings in: own keys win, then the earlier of several."""
    items: dict[str, object] = {}
    for other in merges:
        if not isinstance(other, dict):
            raise NotPlainError
        for key, value in cast("dict[str, object]", other).items():
            items.setdefault(key, value)
    items.update(own)
    return items
