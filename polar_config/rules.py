"""What a value may be: one object per rule, which checks a value, normalises it, and says what it expects.

A rule stands in the annotation of a field, `Annotated[int, Whole(1, 65535)]`, and serves the constructor, the reading of files
and the documentation alike. Calling it gives the value to store, or raises `Refused`.
"""

import math
import re
from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, Protocol

from polar_config import _addresses
from polar_config._plain import (
    INT_MAX,
    INT_MIN,
    FrozenMap,
    SecretMap,
    bad_character,
    freeze,
    is_mapping,
    key_not_text,
)
from polar_config._scalars import resolve
from polar_config.errors import Finding, KeyPath, Refused, inline, shown

__all__ = [
    "Choice",
    "Entries",
    "Flag",
    "Free",
    "Host",
    "Name",
    "Nullable",
    "Object",
    "Optional",
    "Real",
    "Rule",
    "Text",
    "TextMap",
    "Url",
    "Whole",
]

_THOUSANDS = r"[-+]?[0-9]{1,3}(?:,[0-9]{3})+"
_MAX_NUMBER = 24  # characters of a number that is suggested
_MAX_HOST = 253  # characters of a name in DNS (RFC 1035)
_MAX_URL = 8_000  # octets of a URL that every server should take (RFC 9110)
_PLACEHOLDER = r"\$\{([^{}]*)\}|@([A-Z][A-Z0-9_]*)@|<([A-Za-z_][A-Za-z0-9_ .-]*)>"
_MAX_PLACEHOLDERS = 5  # named in one problem
_YES_NO = {"yes": "true", "on": "true", "y": "true", "1": "true", "no": "false", "off": "false", "n": "false", "0": "false"}


class Rule(Protocol):
    """What every rule can do."""

    @property
    def what(self) -> str:
        """What the rule expects, as a phrase: ``a whole number from 1 to 65535``."""
        ...

    def __call__(self, value: Any) -> Any:
        """The value to store; raises `Refused`."""
        ...


def refuse(code: str, message: str, hint: str | None = None, path: KeyPath = ()) -> NoReturn:
    """Raise `Refused` for one reason."""
    raise Refused(Finding(path, code, message, hint))


def placeholders(text: str) -> list[str]:
    """The unrendered placeholders in `text`, each once: ``${NAME}``, ``@NAME@`` or ``<name>``, as they stand there."""
    if "${" not in text and "@" not in text and "<" not in text:
        return []
    return list(dict.fromkeys(match[0] for match in re.finditer(_PLACEHOLDER, text)))


def refuse_placeholder(text: str) -> None:
    """Raise `Refused` if `text` holds an unrendered placeholder."""
    if found := placeholders(text):
        names = [inline(each) for each in found[:_MAX_PLACEHOLDERS]] + ["others"] * (len(found) > _MAX_PLACEHOLDERS)
        plural = len(names) > 1
        listed = f"{', '.join(names[:-1])} and {names[-1]}" if plural else names[0]
        message = f"the placeholder{'s' * plural} {listed} {'were' if plural else 'was'} never filled in"
        refuse("placeholder", message, f"write the value{'s' * plural} in {'their' if plural else 'its'} place")


def _mismatch(rule: "_Scalar", value: object) -> NoReturn:
    """A value of the wrong kind or out of bounds."""
    if isinstance(value, str):
        refuse_placeholder(value)
    refuse(rule.code(value), f"expected {rule.what}, found {shown(value)}", rule.hint(value))


class _Scalar:
    """What the rules for single values share."""

    what: str
    kinds: ClassVar[tuple[type, ...]] = ()

    def code(self, value: object) -> str:
        fits = isinstance(value, self.kinds) and (bool in self.kinds or not isinstance(value, bool))
        return "out-of-range" if fits else "wrong-type"

    def hint(self, value: object) -> str | None:
        return "write a value, or remove the line to get the default" if value is None else None


# --- numbers and switches ---------------------------------------------------------------------------------------------


class Whole(_Scalar):
    """A whole number from `low` to `high`, at most of 64 bits."""

    kinds = (int,)

    def __init__(self, low: int = INT_MIN, high: int = INT_MAX) -> None:
        self.low, self.high = low, high
        self.what = f"a whole number from {low} to {high}" if high < INT_MAX else f"a whole number, {low} or more"

    def __call__(self, value: Any) -> int:
        if type(value) is int and self.low <= value <= self.high:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            _refuse_ambiguous(value, self)
            if self.low <= value <= self.high:
                return int.__int__(value)
            if not INT_MIN <= value <= INT_MAX:
                refuse("out-of-range", f"expected {self.what}, of at most 64 bits, found {shown(value)}")
        _mismatch(self, value)

    def hint(self, value: object) -> str | None:
        if isinstance(value, str):
            return _number_hint(self, value)
        if isinstance(value, float) and value.is_integer() and _takes(self, int(value)):
            return f"write {int(value)}"
        return super().hint(value)


class Real(_Scalar):
    """A finite number of at least `low`, or above it; kept as a float."""

    kinds = (int, float)

    def __init__(self, low: float, *, above: bool = False) -> None:
        self.low, self.above = low, above
        self.what = f"a number above {low:g}" if above else f"a number, {low:g} or more"

    def __call__(self, value: Any) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            _refuse_ambiguous(value, self)
            if isinstance(value, int) and not INT_MIN <= value <= INT_MAX:
                refuse("out-of-range", f"expected {self.what}, of at most 64 bits, found {shown(value)}")
            if not math.isfinite(value):
                refuse("out-of-range", f"expected {self.what}, and finite, found {shown(value)}")
            if value > self.low if self.above else value >= self.low:
                return float(value) + 0.0  # -0.0 becomes 0.0
        _mismatch(self, value)

    def hint(self, value: object) -> str | None:
        return _number_hint(self, value) if isinstance(value, str) else super().hint(value)


class Flag(_Scalar):
    """True or false, and nothing that only looks like it."""

    what = "true or false"

    def __call__(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        _mismatch(self, value)

    def hint(self, value: object) -> str | None:
        word = str(value).strip().lower() if isinstance(value, str) else str(int(value)) if value in (0, 1) else ""
        if word in {"true", "false"}:
            return "remove the quotes" if value == word else f"write {word}"
        return f"write {_YES_NO[word]}" if word in _YES_NO else super().hint(value)


def _refuse_ambiguous(value: float, rule: Whole | Real) -> None:
    if getattr(value, "ambiguous", False):
        text = shown(value).removeprefix("the number ")
        plain = re.sub(r"^([-+]?)0+(?=[0-9])", r"\1", text)
        hint = f"write {plain}" if _takes(rule, resolve(plain)) else "write it in decimal, without leading zeros"
        refuse("ambiguous-number", f"expected {rule.what}, found {text}, which YAML 1.1 and 1.2 read differently", hint)


def _number_hint(rule: Whole | Real, text: str) -> str | None:
    """The mend for a text where a number is due: the number that it holds, if the rule takes that."""
    if _takes(rule, resolve(text)):
        return "remove the quotes"
    plain = text.strip().replace(" ", "").replace("_", "").replace("'", "")
    if re.fullmatch(_THOUSANDS, plain):
        plain = plain.replace(",", "")
    elif isinstance(rule, Real):
        plain = plain.replace(",", ".")
    return f"write {plain}" if len(plain) <= _MAX_NUMBER and plain != text and _takes(rule, resolve(plain)) else None


def _takes(rule: Whole | Real, value: object) -> bool:
    if isinstance(value, str) or getattr(value, "ambiguous", False):
        return False
    try:
        rule(value)
    except Refused:
        return False
    return True


# --- texts ------------------------------------------------------------------------------------------------------------


class Text(_Scalar):
    """A text. Stripped unless `strip` is false; refused when blank unless `blank`; may hold ``${NAME}`` only if `template`."""

    kinds = (str,)

    def __init__(self, *, blank: bool = False, strip: bool = True, template: bool = False, secret: bool = False) -> None:
        self.blank, self.strip, self.template, self.secret = blank, strip, template, secret
        self.what = "text" if blank else "text that is not empty"

    def __call__(self, value: Any) -> str:
        if not isinstance(value, str):
            refuse("wrong-type", f"expected text, found {shown(value, secret=self.secret)}", self.hint(value))
        text = str.strip(value) if self.strip else str.__str__(value)
        if not self.template:
            refuse_placeholder(text)
        if not text.isprintable() and (found := bad_character(text)):
            refuse("bad-character", f"the text holds {found}")
        if not text and not self.blank:
            refuse("empty", f"expected {self.what}, found {shown(value)}")
        return text if text.__class__ is str else str.__str__(text)

    def hint(self, value: object) -> str | None:
        if value is None:
            return 'write "" for none, or remove the line' if self.blank else "write a value, or remove the line"
        if isinstance(value, int | float):
            return "put it in quotes" if self.secret else f'put it in quotes: "{shown(value).removeprefix("the number ")}"'
        return None


class Name(Text):
    """A text that names something: stripped, not empty, without control characters."""

    def __call__(self, value: Any) -> str:
        text = super().__call__(value)
        if not text.isprintable() and any(ord(each) < 0x20 or 0x7F <= ord(each) < 0xA0 for each in text):  # noqa: PLR2004  (C0, DEL, C1)
            refuse("bad-character", f"expected a name without control characters, found {shown(text)}")
        return text


class Choice(_Scalar):
    """One of a few words."""

    kinds = (str,)

    def __init__(self, *words: str) -> None:
        self.words = words
        *most, last = words
        self.what = f"{', '.join(most)} or {last}"

    def __call__(self, value: Any) -> str:
        if type(value) is str and value in self.words:
            return value
        if isinstance(value, str) and value in self.words:
            return str.__str__(value)
        _mismatch(self, value)

    def code(self, value: object) -> str:
        return "unknown-choice" if isinstance(value, str) else "wrong-type"

    def hint(self, value: object) -> str | None:
        from difflib import get_close_matches  # noqa: PLC0415  (only a failure needs it)

        close = get_close_matches(value.strip().lower()[:40], self.words, 1) if isinstance(value, str) else []
        return f"did you mean {close[0]}?" if close else super().hint(value)


class Host:
    """An address to bind: a host name, an IPv4 address, or an IPv6 address, whose brackets are removed."""

    what = "a host name or an IP address"
    _text = Text()

    def __call__(self, value: Any) -> str:
        if value.__class__ is str and len(value) <= _MAX_HOST and _addresses.is_usual_host(value):
            return value
        if not isinstance(value, str):
            refuse("wrong-type", f"expected text, found {shown(value)}", _address_hint(value) or self._text.hint(value))
        host = _addresses.unbracketed(self._text(value))
        if len(host) > _MAX_HOST:
            refuse("bad-host", f"expected {self.what}, found {shown(value)}: it is longer than {_MAX_HOST} characters")
        if _addresses.is_host(host):
            return host
        reason, hint = _addresses.host_fault(host)
        refuse("bad-host", f"expected {self.what}, found {shown(value, url=True)}: {reason}", hint)


def _address_hint(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return "put an address in brackets into quotes"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 'write "0.0.0.0" to listen on every interface' if value == 0 else "write the whole address"
    return None


class Url:
    """An absolute http or https URL to which paths can be appended; trailing slashes are removed."""

    what = "a URL such as http://127.0.0.1:8000"
    _text = Text()

    def __call__(self, value: Any) -> str:
        if value.__class__ is str and len(value) <= _MAX_URL and _addresses.is_usual_url(value):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            refuse("wrong-type", f"expected {self.what}, found {shown(value)}")
        text = self._text(value)
        if len(text) > _MAX_URL:
            refuse("bad-url", f"expected {self.what}, found {shown(value, url=True)}: it is longer than {_MAX_URL:,} characters")
        url = _addresses.normal_url(text)
        if isinstance(url, str):
            return url
        refuse("bad-url", f"expected {self.what}, found {shown(value, url=True)}: {url.reason}", url.hint)


# --- what may be absent -----------------------------------------------------------------------------------------------


class Nullable:
    """None, or what `rule` takes."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.what = f"{rule.what}, or nothing"

    def __call__(self, value: Any) -> Any:
        return None if value is None else self.rule(value)


class Optional:
    """What `rule` takes; a blank (None, an empty text, spaces) is None and means that the value is derived."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.what = f"{rule.what}, or nothing"

    def __call__(self, value: Any) -> Any:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        return self.rule(value)


# --- maps, blocks and lists -------------------------------------------------------------------------------------------


class Free:
    """A map of texts to any plain data, kept as it is."""

    what = "a block of any content"

    def __call__(self, value: Any) -> FrozenMap[Any]:
        _refuse_unless_mapping(value, secret=False)
        frozen: FrozenMap[Any] = freeze(value)
        return frozen


class TextMap:
    """A map of texts to texts, whose values are secrets until proven otherwise."""

    what = "a block of texts"
    _text = Text(blank=True, strip=False, template=True, secret=True)

    def __call__(self, value: Any) -> SecretMap:
        _refuse_unless_mapping(value, secret=True)
        findings: list[Finding] = []
        items: dict[str, str] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                findings.append(key_not_text((), key))
                continue
            try:
                items[str.__str__(key)] = self._text(item)
            except Refused as refused:
                findings += [each.under((key,)) for each in refused.findings]
        if findings:
            raise Refused(*findings)
        return SecretMap.holding(items)


def _refuse_unless_mapping(value: object, *, secret: bool) -> None:
    if not isinstance(value, Mapping):
        refuse("wrong-type", f"expected a block, found {shown(value, secret=secret)}", "write {} for none" if value is None else None)


class Object:
    """An object of one of the schema's classes."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.what = "a block"

    def __call__(self, value: Any) -> Any:
        if isinstance(value, self.cls):
            return value
        refuse("wrong-type", f"expected a finished block, found {shown(value).replace('a block', 'a plain one')}")


class Entries:
    """A list of objects of one of the schema's classes; kept as a tuple."""

    def __init__(self, cls: type, at_least: int = 0) -> None:
        self.cls = cls
        self.at_least = at_least
        self.what = "a list" if not at_least else f"a list of at least {at_least}"
        self._entry = Object(cls)

    def __call__(self, value: Any) -> tuple[Any, ...]:
        entries = self.listed(value)
        findings: list[Finding] = []
        for index, entry in enumerate(entries):
            try:
                self._entry(entry)
            except Refused as refused:
                findings += [each.under((index,)) for each in refused.findings]
        if findings:
            raise Refused(*findings)
        return entries

    def listed(self, value: Any) -> tuple[Any, ...]:
        """`value` if it is a list of enough entries."""
        if isinstance(value, str):
            refuse_placeholder(value)
        if isinstance(value, str | bytes) or is_mapping(value) or not hasattr(value, "__iter__"):
            hint = "begin each entry with a dash" if is_mapping(value) else None
            refuse("wrong-type", f"expected a list, found {shown(value)}", hint)
        entries: tuple[Any, ...] = tuple(value)
        if len(entries) < self.at_least:
            refuse("too-few", f"expected at least {self.at_least}, found none", "begin each entry with a dash")
        return entries
