"""Rules for numbers and booleans."""

import math
import re
from typing import Any

from polar_config._plain import INT_MAX, INT_MIN
from polar_config._yaml.values import resolve
from polar_config.errors._problem import Refused
from polar_config.errors._words import expected, number_text
from polar_config.rules._base import ScalarRule, refuse

_THOUSANDS = r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+"
_LEADING_ZEROS = r"^([-+]?)0+(?=[0-9])"
_MAX_NUMBER = 24  # characters of a number that is suggested
_MEANT = {
    "true": "true",
    "yes": "true",
    "on": "true",
    "y": "true",
    "1": "true",
    "false": "false",
    "no": "false",
    "off": "false",
    "n": "false",
    "0": "false",
}


class Integer(ScalarRule):
    """An integer from `low` to `high`, at most of 64 bits."""

    kinds = (int,)

    def __init__(self, low: int = INT_MIN, high: int = INT_MAX) -> None:
        self.low, self.high = low, high
        if high < INT_MAX:
            self.what = f"an integer from {low} to {high}"
        else:
            self.what = f"an integer >= {low}"

    def __call__(self, value: Any) -> int:
        if type(value) is int and self.low <= value <= self.high:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            _refuse_ambiguous(value, self)
            if self.low <= value <= self.high:
                return int.__int__(value)
            _refuse_long(value, self)
        self.mismatch(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def hint(self, value: object) -> str | None:
        if isinstance(value, str):
            return _number_hint(self, value)
        if isinstance(value, float) and value.is_integer() and _accepts(self, int(value)):
            return f"write {int(value)}"
        return super().hint(value)


class Number(ScalarRule):
    """A finite number >= `low`, or with `above` > `low`; kept as a float."""

    kinds = (int, float)

    def __init__(self, low: float, *, above: bool = False) -> None:
        self.low, self.above = low, above
        self._bound = f"> {low:g}" if above else f">= {low:g}"
        self.what = f"a number {self._bound}"

    def __call__(self, value: Any) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            _refuse_ambiguous(value, self)
            if isinstance(value, int):
                _refuse_long(value, self)
            if not math.isfinite(value):
                refuse("out-of-range", expected(f"a finite number {self._bound}", value))
            if value > self.low or (value == self.low and not self.above):
                return float(value) + 0.0  # -0.0 becomes 0.0
        self.mismatch(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum" if self.above else "minimum": self.low}

    def hint(self, value: object) -> str | None:
        if isinstance(value, str):
            return _number_hint(self, value)
        return super().hint(value)


class Boolean(ScalarRule):
    """True or false, and nothing that only looks like it."""

    what = "a boolean (true or false)"

    def __call__(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        self.mismatch(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def hint(self, value: object) -> str | None:
        if value in ("true", "false"):
            return "remove the quotes"
        if isinstance(value, str):
            meant = _MEANT.get(value.strip().lower())
        elif isinstance(value, int | float) and value in (0, 1):
            meant = _MEANT[str(int(value))]
        else:
            return super().hint(value)
        return meant and f"write {meant}"


def _refuse_long(value: int, rule: Integer | Number) -> None:
    if not INT_MIN <= value <= INT_MAX:
        refuse("out-of-range", expected(f"{rule.what} of at most 64 bits", value))


# --- numbers that YAML 1.1 and YAML 1.2 read differently ------------------------------------------


def _refuse_ambiguous(value: float, rule: Integer | Number) -> None:
    if not getattr(value, "ambiguous", False):
        return
    text = number_text(value)
    plain = re.sub(_LEADING_ZEROS, r"\1", text)
    hint = "write it in decimal, without leading zeros"
    if _accepts(rule, resolve(plain)):
        hint = f"write {plain}"
    refuse("ambiguous-number", f"ambiguous number {text} ({_readings(value, text)})", hint)


def _readings(value: float, text: str) -> str:
    """What either version reads, such as ``octal 64 in YAML 1.1, decimal 100 in YAML 1.2``."""
    digits = text.lstrip("+-")
    if isinstance(value, float) or len(digits) > _MAX_NUMBER:
        return "YAML 1.1 and YAML 1.2 read leading zeros differently"
    if digits.startswith("0o"):
        return f"a string in YAML 1.1, octal {int(value)} in YAML 1.2"
    first = f"octal {int(text, 8)}" if re.fullmatch("[0-7]+", digits) else "a string"
    return f"{first} in YAML 1.1, decimal {int(value)} in YAML 1.2"


# --- the number that was meant --------------------------------------------------------------------


def _number_hint(rule: Integer | Number, text: str) -> str | None:
    """The fix for a string instead of a number: the number in it, if the rule accepts that."""
    if _accepts(rule, resolve(text)):
        return "remove the quotes"
    plain = text.strip().replace(" ", "").replace("_", "").replace("'", "")
    if re.fullmatch(_THOUSANDS, plain):
        plain = plain.replace(",", "")
    elif isinstance(rule, Number):
        plain = plain.replace(",", ".")
    if len(plain) <= _MAX_NUMBER and plain != text and _accepts(rule, resolve(plain)):
        return f"write {plain}"
    return None


def _accepts(rule: Integer | Number, value: object) -> bool:
    if isinstance(value, str) or getattr(value, "ambiguous", False):
        return False
    try:
        rule(value)
    except Refused:
        return False
    return True
