"""How a problem is said: values and key paths in a sentence, cut, escaped, and what is secret masked."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from polar_config.errors._secrets import hidden, is_env, is_variable

MAX_QUOTED = 80  # characters of a value, id or key that are quoted


MAX_NAME = 400  # characters of the name of a file


KeyPath = tuple[str | int, ...]


_PLAIN_PART = r"[A-Za-z_][A-Za-z0-9_-]*"


def escaped(text: str) -> str:
    """`text` with every character escaped that would not show as itself: controls, bidirectional marks, surrogates."""
    return (
        text
        if text.isprintable()
        else "".join(each if each.isprintable() else _escape(ord(each)) for each in text)
    )


def _escape(code: int) -> str:
    """As JSON and YAML spell a character: as one UTF-16 unit, or two."""
    units = code.to_bytes(2, "big") if code < 0x10000 else chr(code).encode("utf-16-be")  # noqa: PLR2004  (the end of the first plane)
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _cut(text: str, most: int = MAX_QUOTED) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def inline(text: str) -> str:
    """A name (of a file, a key, an id) as it may stand in a sentence."""
    return escaped(_cut(hidden(text)))


def file_name(text: str) -> str:
    """The path of a file, whole unless it is absurd, so that it can be opened."""
    return escaped(_cut(hidden(text), MAX_NAME))


def quote(text: str, *, url: bool = False) -> str:
    """A text in double quotes: cut, escaped, credentials starred out."""
    cut = _cut(hidden(text, url=url))
    return '"' + escaped(cut.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")) + '"'


def path_text(path: KeyPath, ids: Mapping[KeyPath, str] | None = None) -> str:
    """A key path as reports write it; `ids` names list entries: ``gateway.nodes[1] (gpu-2).port``."""
    text = ""
    secret = False  # whether this part stands under an env
    for depth, part in enumerate(path, 1):
        if isinstance(part, int):
            text += f"[{part}]"
        elif secret and not is_variable(part):
            text += f'["{"*" * min(len(part), MAX_QUOTED)}"]'
        elif re.fullmatch(_PLAIN_PART, part) and len(part) <= MAX_QUOTED:
            text += f".{part}" if text else part
        else:
            text += f"[{quote(part)}]"
        if ids and path[:depth] in ids:
            text += f" ({inline(ids[path[:depth]])})"
        secret = secret or is_env(part)
    return text


def shown(value: object, *, secret: bool = False, url: bool = False) -> str:
    """What was found, in a phrase: ``the text "8100"``, ``the number 12``, ``a list``; of a secret only its kind."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false" if secret else str(value).lower()
    if isinstance(value, str):
        return "a text" if secret else f"the text {quote(value, url=url)}"
    if isinstance(value, int | float):
        return "a number" if secret else f"the number {number_text(value)}"
    if isinstance(value, Mapping):
        return "a block"
    return "a list" if isinstance(value, list | tuple | AbstractSet) else "something else"


def number_text(value: float) -> str:
    """A number as it was spelled in the file where that is known, else as YAML spells it; never a long one in full."""
    spelled = getattr(value, "spelled", None)
    if isinstance(spelled, str):
        return _cut(spelled)
    if isinstance(value, int) and abs(value) >= 1 << 128:
        return f"of about {value.bit_length() * 30_103 // 100_000:,} digits"
    text = repr(int(value) if isinstance(value, int) else float(value))
    return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(text, text)
