"""What a string may be: a name, one of several words, a host, a URL."""

from typing import Any

from polar_config._plain import bad_character
from polar_config.errors._words import shown
from polar_config.rules import _addresses
from polar_config.rules._base import (
    NO_PLACEHOLDER,
    ScalarRule,
    mismatch,
    refuse,
    refuse_placeholder,
)

_MAX_HOST = 253  # characters of a name in DNS (RFC 1035)


_MAX_URL = 8_000  # octets of a URL that every server should take (RFC 9110)


_URL_START = (
    r"^\s*[hH][tT][tT][pP][sS]?://\S"  # what JSON Schema can say of a URL without its whole grammar
)


class String(ScalarRule):
    """A text. Stripped unless `strip` is false; refused when blank unless `blank`; may hold ``${NAME}`` only if `template`."""

    kinds = (str,)

    def __init__(
        self,
        *,
        blank: bool = False,
        strip: bool = True,
        template: bool = False,
        secret: bool = False,
    ) -> None:
        self.blank, self.strip, self.template, self.secret = blank, strip, template, secret
        self.what = "text" if blank else "text that is not empty"

    def __call__(self, value: Any) -> str:
        if not isinstance(value, str):
            refuse(
                "wrong-type",
                f"expected text, found {shown(value, secret=self.secret)}",
                self.hint(value),
            )
        text = str.strip(value) if self.strip else str.__str__(value)
        if not self.template:
            refuse_placeholder(text)
        if not text.isprintable() and (found := bad_character(text)):
            refuse("bad-character", f"the text holds {found}")
        if not text and not self.blank:
            refuse("empty", f"expected {self.what}, found {shown(value)}")
        return text if text.__class__ is str else str.__str__(text)

    def schema(self) -> dict[str, Any]:
        filled = {} if self.blank else {"pattern": r"\S"}
        return {"type": "string", **filled, **({} if self.template else NO_PLACEHOLDER)}

    def hint(self, value: object) -> str | None:
        if value is None:
            return (
                'write "" for none, or remove the line'
                if self.blank
                else "write a value, or remove the line"
            )
        if isinstance(value, int | float):
            return (
                "put it in quotes"
                if self.secret
                else f'put it in quotes: "{shown(value).removeprefix("the number ")}"'
            )
        return None


class Name(String):
    """A text that names something: stripped, not empty, without control characters."""

    def __call__(self, value: Any) -> str:
        text = super().__call__(value)
        if not text.isprintable() and any(
            ord(each) < 0x20 or 0x7F <= ord(each) < 0xA0 for each in text
        ):  # noqa: PLR2004  (C0, DEL, C1)
            refuse(
                "bad-character", f"expected a name without control characters, found {shown(text)}"
            )
        return text


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
        mismatch(self, value)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}

    def code(self, value: object) -> str:
        return "unknown-choice" if isinstance(value, str) else "wrong-type"

    def hint(self, value: object) -> str | None:
        from difflib import get_close_matches  # noqa: PLC0415  (only a failure needs it)

        close = (
            get_close_matches(value.strip().lower()[:40], self.words, 1)
            if isinstance(value, str)
            else []
        )
        return f"did you mean {close[0]}?" if close else super().hint(value)


class Host:
    """An address to bind: a host name, an IPv4 address, or an IPv6 address, whose brackets are removed."""

    what = "a host name or an IP address"
    _text = String()

    def __call__(self, value: Any) -> str:
        if value.__class__ is str and len(value) <= _MAX_HOST and _addresses.is_usual_host(value):
            return value
        if not isinstance(value, str):
            refuse(
                "wrong-type",
                f"expected text, found {shown(value)}",
                _address_hint(value) or self._text.hint(value),
            )
        host = _addresses.unbracketed(self._text(value))
        if len(host) > _MAX_HOST:
            refuse(
                "bad-host",
                f"expected {self.what}, found {shown(value)}: it is longer than {_MAX_HOST} characters",
            )
        if _addresses.is_host(host):
            return host
        reason, hint = _addresses.host_fault(host)
        refuse("bad-host", f"expected {self.what}, found {shown(value, url=True)}: {reason}", hint)

    def schema(self) -> dict[str, Any]:
        return self._text.schema()


def _address_hint(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return "put an address in brackets into quotes"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (
            'write "0.0.0.0" to listen on every interface'
            if value == 0
            else "write the whole address"
        )
    return None


class Url:
    """An absolute http or https URL to which paths can be appended; trailing slashes are removed."""

    what = "a URL such as http://127.0.0.1:8000"
    _text = String()

    def __call__(self, value: Any) -> str:
        if value.__class__ is str and len(value) <= _MAX_URL and _addresses.is_usual_url(value):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            refuse("wrong-type", f"expected {self.what}, found {shown(value)}")
        text = self._text(value)
        if len(text) > _MAX_URL:
            refuse(
                "bad-url",
                f"expected {self.what}, found {shown(value, url=True)}: it is longer than {_MAX_URL:,} characters",
            )
        url = _addresses.normal_url(text)
        if isinstance(url, str):
            return url
        refuse(
            "bad-url",
            f"expected {self.what}, found {shown(value, url=True)}: {url.reason}",
            url.hint,
        )

    def schema(self) -> dict[str, Any]:
        return {**self._text.schema(), "pattern": _URL_START}
