"""Plain data to YAML that reads the same in YAML 1.1 and 1.2."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polar_config._plain import is_list, is_mapping

_PLAIN = re.compile(r"(?:[A-Za-z_/]|\.{1,2}/)[A-Za-z0-9_./@%+=~,()-]*(?::[A-Za-z0-9_./@%+=~,()-]+)*(?: [A-Za-z0-9_./@%+=~()-]+)*")
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_OTHER_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def scalar_text(value: object) -> str:
    """One scalar as YAML text.

    >>> [scalar_text(value) for value in ("gpu-1", "no", "0005", 8080, 0.5, True, None)]
    ['gpu-1', '"no"', '"0005"', '8080', '0.5', 'true', 'null']
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value if _is_plain(value) else _quoted(value)
    if isinstance(value, float):
        return _float_text(value)
    return str(value)


def _is_plain(text: str) -> bool:
    if text.lower() in _OTHER_WORDS:
        return False
    return _PLAIN.fullmatch(text) is not None or _IPV4.fullmatch(text) is not None


def _quoted(text: str) -> str:
    return '"' + "".join(_escape(each) for each in text) + '"'


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable() and character != "\ufeff":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004


def _float_text(value: float) -> str:
    mantissa, exponent, power = repr(value).partition("e")
    if not exponent:
        return mantissa
    point = "" if "." in mantissa else ".0"  # YAML 1.1 wants the point and the sign
    return f"{mantissa}{point}e{power if power[0] in '+-' else '+' + power}"


def block_text(value: Mapping[str, Any]) -> str:
    """A mapping as block style YAML, two columns a level, with a final newline."""
    return "\n".join([*_mapping_lines(value, ""), ""]) if value else "{}\n"


def _mapping_lines(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, item in value.items():
        yield from _entry_lines(f"{indent}{scalar_text(key)}:", item, indent)


def _entry_lines(head: str, item: object, indent: str) -> Iterator[str]:
    if is_mapping(item) and item:
        yield head
        yield from _mapping_lines(item, f"{indent}  ")
    elif is_list(item) and item:
        yield head
        yield from _list_lines(item, f"{indent}  ")
    else:
        yield f"{head} {'{}' if is_mapping(item) else '[]' if is_list(item) else scalar_text(item)}"


def _list_lines(items: Sequence[Any], indent: str) -> Iterator[str]:
    for item in items:
        if is_mapping(item) and item:
            first, *rest = _mapping_lines(item, f"{indent}  ")
            yield f"{indent}- {first[len(indent) + 2 :]}"
            yield from rest
        else:
            yield from _entry_lines(f"{indent}-", item, indent)
