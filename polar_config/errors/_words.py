"""How a problem is worded: values and key paths become phrases of a sentence.

Whatever a phrase quotes is bounded in length, escaped and masked: a message may be shown to anyone.
"""

import re
from collections.abc import Mapping

from polar_config.errors._secrets import mask, mask_userinfo, secret_key, secret_under

MAX_QUOTED = 80  # characters of a value, id or key that are quoted
MAX_NAME = 400  # characters of the name of a file
_LONG_INT = 1 << 128  # from here on an int is not quoted, for quoting a huge one takes long
_SPECIAL_FLOATS = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}

KeyPath = tuple[str | int, ...]

_PLAIN_PART = r"[A-Za-z_][A-Za-z0-9_-]*"


def escaped(text: str) -> str:
    """`text` with every character escaped that would not show as itself.

    These are control characters, bidirectional marks and surrogates.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else _escape(each) for each in text)


def _escape(character: str) -> str:
    """A character as JSON and YAML escape it: as one UTF-16 unit, or two."""
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _cut(text: str, most: int = MAX_QUOTED) -> str:
    if len(text) <= most:
        return text
    return text[: most - 1] + "…"


def inline(text: str) -> str:
    """A name (of a file, a key, an id) as it is quoted in a sentence."""
    return escaped(_cut(mask_userinfo(text)))


def file_name(text: str) -> str:
    """The path of a file, uncut up to a generous length, so that it can be opened."""
    return escaped(_cut(mask_userinfo(text), MAX_NAME))


def quote(text: str, *, url: bool = False) -> str:
    """A string in double quotes: cut, escaped, credentials masked."""
    cut = _cut(mask_userinfo(text, url=url))
    return '"' + escaped(cut.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")) + '"'


def path_text(path: KeyPath, ids: Mapping[KeyPath, str] | None = None) -> str:
    """A key path as reports show it; `ids` names items: ``gateway.nodes[1] (gpu-2).port``."""
    text = ""
    secret = False  # whether this part is a key of an env
    for depth, part in enumerate(path, 1):
        if isinstance(part, int):
            text += f"[{part}]"
        elif secret_key(part, secret):
            text += f'["{mask(part[:MAX_QUOTED])}"]'
        elif re.fullmatch(_PLAIN_PART, part) and len(part) <= MAX_QUOTED:
            text += f".{part}" if text else part
        else:
            text += f"[{quote(part)}]"
        if ids and path[:depth] in ids:
            text += f" ({inline(ids[path[:depth]])})"
        secret = secret_under(part, secret)
    return text


def expected(what: str, value: object, *, secret: bool = False, url: bool = False) -> str:
    """What should be there and what is: ``expected an integer >= 1, found null``."""
    return f"expected {what}, found {shown(value, secret=secret, url=url)}"


def shown(value: object, *, secret: bool = False, url: bool = False) -> str:
    """What was found, in a phrase: ``the string "8100"``, ``the number 12``, ``a list``.

    Of a secret only its kind is said. What is not plain data came from Python, and its class is
    named.
    """
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if not isinstance(value, str | int | float):
        return of_class(value)
    if secret:
        return _kind(value)
    return _shown_scalar(value, url=url)


def _shown_scalar(value: str | float, *, url: bool) -> str:
    if isinstance(value, str):
        return f"the string {quote(value, url=url)}"
    if isinstance(value, bool):
        return bare_text(value)
    return f"the number {bare_text(value)}"


def _kind(value: str | float) -> str:
    if isinstance(value, str):
        return "a string"
    if isinstance(value, bool):
        return "a boolean"
    return "a number"


def shown_in_code(value: object) -> str:
    """What was found where Python code should have given an object: ``a dict``, ``None``."""
    if value is None:
        return "None"
    if isinstance(value, str | int | float):
        return shown(value)
    return of_class(value)


def of_class(value: object) -> str:
    """A value by its class: ``an InferenceConfig``."""
    return with_article(inline(type(value).__name__))


def with_article(name: str) -> str:
    """A name with ``a`` or ``an`` before it."""
    if name.startswith(("A", "E", "I", "O", "a", "e", "i", "o")):
        return f"an {name}"
    return f"a {name}"


def bare_text(value: float) -> str:
    """A number or boolean as YAML spells it, as it was spelled in the file where that is known."""
    if isinstance(value, bool):
        return str(value).lower()
    return number_text(value)


def number_text(value: float) -> str:
    """A number as it was spelled in the file where that is known, else as YAML spells it.

    A long one is cut, or only its number of digits is said.
    """
    spelled = getattr(value, "spelled", None)
    if isinstance(spelled, str):
        return _cut(spelled)
    if isinstance(value, float):
        text = repr(float(value))  # of the class itself: a subclass may have a repr of its own
        return _SPECIAL_FLOATS.get(text, text)
    if abs(value) >= _LONG_INT:
        return f"of about {value.bit_length() * 30_103 // 100_000:,} digits"  # log10(2) = 0.30103
    return repr(int(value))
