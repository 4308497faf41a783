"""What is secret: the userinfo of URLs and the values of every ``env``; and how it is masked."""

import re

_VARIABLE = r"[A-Za-z_][A-Za-z0-9_.-]*"


_SLIPS_OF_ENV = frozenset({"evn", "nev", "nve", "vne", "ven", "en", "ev", "nv"})


_WORD = r"[^\s\"'<>]+"


def hidden(text: str, *, url: bool = False) -> str:
    """`text` with the user part of any URL in it starred out; `url` says that it is meant to be one, whatever it looks like."""
    at = text.rfind("@")
    if at < 0:
        return text
    start = text.find("://")
    start = start + 3 if 0 <= start < at else 0 if url else at
    return f"{text[:start]}{'*' * (at - start)}{text[at:]}"


def hidden_in_words(text: str) -> str:
    """The same for running text such as a comment, in which each URL ends at the next blank."""
    return re.sub(_WORD, lambda word: hidden(word[0]), text) if "@" in text else text


def is_env(key: object) -> bool:
    """Whether values under this key are secrets: ``env``, whatever is named like it, and what was probably meant to be it."""
    if not isinstance(key, str):
        return False
    letters = re.sub(r"[^a-z]", "", key.lower())
    return "env" in letters or letters in _SLIPS_OF_ENV


def is_variable(text: str) -> bool:
    """Whether a key of an ``env`` can be the name of a variable; anything else there may be a secret in the wrong place."""
    return re.fullmatch(_VARIABLE, text) is not None
