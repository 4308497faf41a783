"""Rules for numbers and switches."""

import math
import re
from typing import Any

from polar_config._plain import INT_MAX, INT_MIN
from polar_config._yaml.values import resolve
from polar_config.errors._problem import Refused
from polar_config.errors._words import shown
from polar_config.rules._base import ScalarRule, mismatch, refuse

_THOUSANDS = r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+"
_MAX_NUMBER = 24  # characters of a number that is suggested
_YES_NO = {
    "yes": "true",
    "on": "true",
    "y": "true",
    "1": "true",
    "no": "false",
    "off": "false",
    "n": "false",
    "0": "false",
}


class Integer(ScalarRule):
    """A whole number from `low` to `high`, at most of 64 bits."""

    kinds = (int,)

    def __init__(self, low: int = INT_MIN, high: int = INT_MAX) -> None:
        self.low, self.high = low, high
        self.what = (
            f"a whole number from {low} to {high}"
            if high < INT_MAX
            else f"a whole number, {low} or more"
        )

    def __call__(self, value: Any) -> int:
        if type(value) is int and self.low <= value <= self.high:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            _refuse_ambiguous(value, self)
            if self.low <= value <= self.high:
                return int.__int__(value)
            if not INT_MIN <= value <= INT_MAX:
                refuse(
                    "out-of-range",
                    f"expected {self.what}, of at most 64 bits, found {shown(value)}",
                )
        mismatch(self, value)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def hint(self, value: object) -> str | None:
        if isinstance(value, str):
            return _number_hint(self, value)
        if isinstance(value, float) and value.is_integer() and _takes(self, int(value)):
            return f"write {int(value)}"
        return super().hint(value)


class Number(ScalarRule):
    """A finite number of at least `low`, or above it; kept as a float."""

    kinds = (int, float)

    def __init__(self, low: float, *, above: bool = False) -> None:
        self.low, self.above = low, above
        self.what = f"a number above {low:g}" if above else f"a number, {low:g} or more"

    def __call__(self, value: Any) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            _refuse_ambiguous(value, self)
            if isinstance(value, int) and not INT_MIN <= value <= INT_MAX:
                refuse(
                    "out-of-range",
                    f"expected {self.what}, of at most 64 bits, found {shown(value)}",
                )
            if not math.isfinite(value):
                refuse("out-of-range", f"expected {self.what}, and finite, found {shown(value)}")
            if value > self.low if self.above else value >= self.low:
                return float(value) + 0.0  # -0.0 becomes 0.0
        mismatch(self, value)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "exclusiveMinimum" if self.above else "minimum": self.low}

    def hint(self, value: object) -> str | None:
        return _number_hint(self, value) if isinstance(value, str) else super().hint(value)


class Boolean(ScalarRule):
    """True or false, and nothing that only looks like it."""

    what = "true or false"

    def __call__(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        mismatch(self, value)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def hint(self, value: object) -> str | None:
        word = (
            str(value).strip().lower()
            if isinstance(value, str)
            else str(int(value))
            if value in (0, 1)
            else ""
        )
        if word in {"true", "false"}:
            return "remove the quotes" if value == word else f"write {word}"
        return f"write {_YES_NO[word]}" if word in _YES_NO else super().hint(value)


def _refuse_ambiguous(value: float, rule: Integer | Number) -> None:
    if getattr(value, "ambiguous", False):
        text = shown(value).removeprefix("the number ")
        plain = re.sub(r"^([-+]?)0+(?=[0-9])", r"\1", text)
        hint = (
            f"write {plain}"
            if _takes(rule, resolve(plain))
            else "write it in decimal, without leading zeros"
        )
        refuse(
            "ambiguous-number",
            f"expected {rule.what}, found {text}, which YAML 1.1 and 1.2 read differently",
            hint,
        )


def _number_hint(rule: Integer | Number, text: str) -> str | None:
    """The mend for a text where a number is due: the number that it holds, if the rule takes that."""
    if _takes(rule, resolve(text)):
        return "remove the quotes"
    plain = text.strip().replace(" ", "").replace("_", "").replace("'", "")
    if re.fullmatch(_THOUSANDS, plain):
        plain = plain.replace(",", "")
    elif isinstance(rule, Number):
        plain = plain.replace(",", ".")
    return (
        f"write {plain}"
        if len(plain) <= _MAX_NUMBER and plain != text and _takes(rule, resolve(plain))
        else None
    )


def _takes(rule: Integer | Number, value: object) -> bool:
    if isinstance(value, str) or getattr(value, "ambiguous", False):
        return False
    try:
        rule(value)
    except Refused:
        return False
    return True
