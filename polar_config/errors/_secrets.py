"""What is secret, and how it is masked; everything that shows something asks here.

Secret are the userinfo of URLs, and all that is under a key named ``env`` or nearly so.
"""

import re
from typing import Any

_VARIABLE = r"[A-Za-z_][A-Za-z0-9_.-]*"
_TYPOS_OF_ENV = frozenset({"evn", "nev", "nve", "vne", "ven", "en", "ev", "nv"})
_WORD = r"[^\s\"'<>]+"


# --- what is secret -------------------------------------------------------------------------------


def secret_under(key: object, secret: bool) -> bool:
    """Whether what is under `key` is secret; `secret` says so of the mapping that has the key."""
    return secret or _is_env(key)


def secret_key(key: str, secret: bool) -> bool:
    """Whether a key itself is secret; `secret` says that the values of its mapping are.

    Names of variables are not; anything else there may be a value in the wrong place.
    """
    return secret and re.fullmatch(_VARIABLE, key) is None


def has_url(key: str) -> bool:
    """Whether the value of `key` is meant to be a URL, and has userinfo even without a scheme."""
    name = key.lower()
    return "url" in name or "host" in name


def _is_env(key: object) -> bool:
    if not isinstance(key, str):
        return False
    letters = re.sub(r"[^a-z]", "", key.lower())
    return "env" in letters or letters in _TYPOS_OF_ENV


# --- values that know it --------------------------------------------------------------------------


class SecretString(str):
    """A string that stays secret where an alias repeats it under another key."""

    __slots__ = ()
    secret = True


def as_secret(value: Any) -> Any:
    """A scalar that no report may show; of numbers, those that remember their spelling."""
    if isinstance(value, str):
        return SecretString(value)
    if hasattr(value, "secret"):
        value.secret = True
    return value


def is_secret(value: object) -> bool:
    """Whether a scalar is one of those."""
    return bool(getattr(value, "secret", False))


# --- masking --------------------------------------------------------------------------------------


def mask(value: object) -> str:
    """A secret value, character by character."""
    return "*" * len(str(value))


def mask_source(text: str) -> str:
    """Source text that is secret, character by character; whitespace stays."""
    return re.sub(r"\S", "*", text)


def mask_userinfo(text: str, *, url: bool = False) -> str:
    """`text` with the userinfo of any URL in it masked.

    With `url`, it is meant to be a URL, whatever it looks like.
    """
    at = text.rfind("@")
    if at < 0:
        return text
    start = at
    if url:
        start = 0
    scheme = text.find("://", 0, at)
    if scheme >= 0:
        start = scheme + len("://")
    return text[:start] + mask(text[start:at]) + text[at:]


def mask_urls(text: str) -> str:
    """The same for running text such as a comment, in which whitespace ends a URL."""
    if "@" not in text:
        return text
    return re.sub(_WORD, lambda word: mask_userinfo(word[0]), text)
