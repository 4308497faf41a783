"""What a string may be: a name, one of several words, a host, a URL."""

from typing import Any, NoReturn

from polar_config._plain import bad_character
from polar_config.errors._words import bare_text, expected
from polar_config.rules import _addresses
from polar_config.rules._base import (
    NO_PLACEHOLDER,
    ScalarRule,
    refuse,
    refuse_placeholder,
)

_MAX_HOST = 253  # characters of a name in DNS (RFC 1035)
_MAX_URL = 8_000  # octets of a URL that every server should accept (RFC 9110)
_MAX_COMPARED = 40  # characters of a wrong word that is compared with the right ones

# What JSON Schema can say of a URL without its whole grammar.
_URL_START = r"^\s*[hH][tT][tT][pP][sS]?://\S"
_CONTROL = r"[\x00-\x1f\x7f-\x9f]"  # C0, DEL, C1


class String(ScalarRule):
    """A string, stripped unless `strip` is false.

    With `empty` it may be empty, with `template` it may contain ``${NAME}``; of a `secret` one no
    message shows the value.
    """

    kinds = (str,)

    def __init__(
        self,
        *,
        empty: bool = False,
        strip: bool = True,
        template: bool = False,
        secret: bool = False,
    ) -> None:
        self.empty, self.strip, self.template, self.secret = empty, strip, template, secret
        self.what = "a non-empty string"
        if empty:
            self.what = "a string"

    def __call__(self, value: Any) -> str:
        if not isinstance(value, str):
            refuse(
                "wrong-type",
                expected("a string", value, secret=self.secret),
                self.hint(value),
            )
        text = str.strip(value) if self.strip else str.__str__(value)
        if not self.template:
            refuse_placeholder(text)
        if not text.isprintable() and (found := bad_character(text)):
            refuse("bad-character", f"must not contain {found}")
        if not text and not self.empty:
            refuse("empty", "must not be empty")
        return text if text.__class__ is str else str.__str__(text)

    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "string"}
        if not self.empty:
            schema["pattern"] = r"\S"
        if not self.template:
            schema |= NO_PLACEHOLDER
        return schema

    def hint(self, value: object) -> str | None:
        if value is None and self.empty:
            return 'use "" for an empty value, or omit it'
        if value is None:
            return "set a value"
        if not isinstance(value, int | float):
            return None
        if self.secret:
            return "put it in quotes"
        return f'put it in quotes: "{bare_text(value)}"'


class Name(String):
    """A string that names something: stripped, not empty, without control characters."""

    def __call__(self, value: Any) -> str:
        text = super().__call__(value)
        if not text.isprintable() and _has_control(text):
            refuse("bad-character", expected("a name without control characters", text))
        return text


def _has_control(text: str) -> bool:
    import re  # few names have a character that is not printable

    return re.search(_CONTROL, text) is not None


class Choice(ScalarRule):
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
        self.mismatch(value)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}

    def code(self, value: object) -> str:
        if isinstance(value, str):
            return "unknown-choice"
        return "wrong-type"

    def hint(self, value: object) -> str | None:
        if not isinstance(value, str):
            return None
        from difflib import get_close_matches  # only a failure needs it

        close = get_close_matches(value.strip().lower()[:_MAX_COMPARED], self.words, 1)
        return f"did you mean {close[0]}?" if close else None


class Host:
    """An address to bind: a hostname, an IPv4 address, or an IPv6 address.

    The brackets of an IPv6 address are removed, for sockets bind it without.
    """

    what = "a hostname or an IP address"
    _text = String()

    def __call__(self, value: Any) -> str:
        if type(value) is str and len(value) <= _MAX_HOST and _addresses.is_usual_host(value):
            return value
        if not isinstance(value, str):
            hint = _address_hint(value) or self._text.hint(value)
            refuse("wrong-type", expected("a string", value), hint)
        host = _addresses.unbracketed(self._text(value))
        if len(host) > _MAX_HOST:
            self._refuse(value, f"it is longer than {_MAX_HOST} characters")
        if _addresses.is_host(host):
            return host
        from polar_config.rules._faults import host_fault  # only a failure needs it

        self._refuse(value, *host_fault(host))

    def _refuse(self, value: object, reason: str, hint: str | None = None) -> NoReturn:
        refuse("bad-host", f"{expected(self.what, value, url=True)}: {reason}", hint)

    def schema(self) -> dict[str, Any]:
        return self._text.schema()


def _address_hint(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return "put an address in brackets in quotes"
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if value == 0:
        return _addresses.EVERY_INTERFACE
    return "write the whole address"


class Url:
    """An absolute http or https URL to which paths can be appended.

    Trailing slashes are removed.
    """

    what = "an http or https URL"
    _text = String()

    def __call__(self, value: Any) -> str:
        if type(value) is str and len(value) <= _MAX_URL and _addresses.is_usual_url(value):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            refuse("wrong-type", expected(self.what, value))
        text = self._text(value)
        if len(text) > _MAX_URL:
            self._refuse(value, f"it is longer than {_MAX_URL:,} characters")
        url = _addresses.normal_url(text)
        if url is not None:
            return url
        from polar_config.rules._faults import url_fault  # only a failure needs it

        self._refuse(value, *url_fault(text))

    def _refuse(self, value: object, reason: str, hint: str | None = None) -> NoReturn:
        refuse("bad-url", f"{expected(self.what, value, url=True)}: {reason}", hint)

    def schema(self) -> dict[str, Any]:
        return {**self._text.schema(), "pattern": _URL_START}
