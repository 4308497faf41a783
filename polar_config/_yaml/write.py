"""Plain data to the lines of YAML, in the formatting style of a file.

What is written reads the same in YAML 1.1 and 1.2. Characters that are not printable are written
as escapes in double quotes, for files may not hold most of them. ruamel.yaml is not used here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from polar_config._plain import is_list, is_mapping

_PLAIN = re.compile(
    r"(?:[A-Za-z_/]|\.{1,2}/)[A-Za-z0-9_./@%+=~,()-]*"
    r"(?::[A-Za-z0-9_./@%+=~,()-]+)*"
    r"(?: [A-Za-z0-9_./@%+=~()-]+)*"
)
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_OTHER_WORDS = frozenset({"yes", "no", "on", "off", "true", "false", "null"})
_FILLED_IN = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[A-Za-z0-9_./-]*)?\}")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Style(NamedTuple):
    """The formatting style of a file: how far it indents, and which quotes it uses."""

    step: int = 2
    """Columns from a key to the keys of its mapping."""
    offset: int = 2
    """Columns from a key to the dashes of its list."""
    gap: int = 1
    """Spaces after a dash."""
    quote: str = '"'
    literal: bool = False
    """Whether a string of several lines is written as such, after a ``|``."""
    json: bool = False
    """Whether the whole text is JSON."""
    template: bool = False
    """Whether ``${NAME}`` is written without quotes, so that a number can be filled in."""


STYLE = Style()


# --- scalars --------------------------------------------------------------------------------------


def scalar_text(
    value: object,
    quote: str = '"',
    *,
    flow: bool = False,
    quoted: bool = False,
    colon: bool = False,
) -> str:
    """One scalar as YAML; in flow style fewer go without quotes, with a colon only if `colon`.

    >>> [scalar_text(value) for value in ("gpu-1", "no", "0005", 8080, 0.5, True, None)]
    ['gpu-1', '"no"', '"0005"', '8080', '0.5', 'true', 'null']
    """
    if not isinstance(value, str):
        return _other_text(value)
    ends_in_flow = flow and ("," in value or (":" in value and not colon))
    if quoted or ends_in_flow or not _is_plain(value):
        return _quoted(value, quote)
    return value


def _other_text(value: object) -> str:
    """A scalar that is not a string."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    spelled: str | None = getattr(value, "spelled", None)
    if spelled is not None:
        return spelled
    return _float_text(value) if isinstance(value, float) else str(value)


def _is_plain(text: str) -> bool:
    if text.lower() in _OTHER_WORDS:
        return False
    return _PLAIN.fullmatch(text) is not None or _IPV4.fullmatch(text) is not None


def _quoted(text: str, quote: str) -> str:
    if quote == "'" and text.isprintable() and "\ufeff" not in text:
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escape(each) for each in text) + '"'


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable() and character != "\ufeff":
        return character
    code = ord(character)
    for letter, digits in (("x", 2), ("u", 4)):
        if code < 16**digits:
            return f"\\{letter}{code:0{digits}x}"
    return f"\\U{code:08x}"


def _float_text(value: float) -> str:
    mantissa, exponent, power = repr(value).partition("e")
    if not exponent:
        return mantissa
    point = "" if "." in mantissa else ".0"  # YAML 1.1 wants the point and the sign
    sign = "" if power[0] in "+-" else "+"
    return f"{mantissa}{point}e{sign}{power}"


def _is_literal(text: str) -> bool:
    """Whether `text` can be written as it is, line by line, after a ``|``."""
    lines = text.removesuffix("\n").split("\n")
    return (
        "\n" in text
        and all(lines[:1] + lines[-1:])
        and text[0] != " "
        and "".join(lines).isprintable()
        and "\ufeff" not in text
    )


# --- block style: mappings and lists that begin in a line of their own ----------------------------


def block_text(value: Mapping[str, Any]) -> str:
    """A mapping as block style YAML, two columns a level, with a final newline."""
    return "\n".join([*mapping_lines(value, 0), ""]) if value else "{}\n"


def mapping_lines(value: Mapping[str, Any], column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of a mapping whose keys begin in `column`."""
    for key, item in value.items():
        yield from entry_lines(key, item, column, style)


def entry_lines(key: str, item: object, column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of one key and its value."""
    yield from _headed(f"{'':{column}}{scalar_text(key, style.quote)}:", item, column, style)


def list_lines(items: Sequence[Any], column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of a list whose dashes are in `column`."""
    for item in items:
        yield from item_lines(item, column, style)


def item_lines(item: object, column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of one item of a list."""
    inner = column + 1 + style.gap
    if is_block(item):
        first, *rest = value_lines(item, inner, style)
        yield f"{'':{column}}-{'':{style.gap}}{first[inner:]}"
        yield from rest
    else:
        yield from _headed(f"{'':{column}}-{'':{style.gap - 1}}", item, column, style)


def value_lines(value: object, column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of a mapping or a list that is not empty, from `column` on."""
    if is_mapping(value):
        return mapping_lines(value, column, style)
    return list_lines(value if is_list(value) else (), column, style)


def _headed(head: str, item: object, column: int, style: Style) -> Iterator[str]:
    if is_block(item):
        inner = style.step if is_mapping(item) else style.offset
        yield head
        yield from value_lines(item, column + inner, style)
    else:
        first, *rest = inline_lines(item, column, style)
        yield f"{head} {first}"
        yield from rest


def is_block(value: object) -> bool:
    """Whether `value` is written in block style, with lines of its own."""
    return (is_mapping(value) or is_list(value)) and len(value) > 0


def inline_lines(
    value: object, column: int, style: Style = STYLE, *, quoted: bool = False
) -> list[str]:
    """What follows a colon or dash in `column`, with further lines for a literal."""
    if isinstance(value, str) and not quoted:
        if style.literal and _is_literal(value):
            return _literal_lines(value, column + style.step)
        if style.template and _is_plain(_FILLED_IN.sub("x", value)):
            return [value]
    if is_mapping(value) or is_list(value):
        return [flow_text(value)]
    return [scalar_text(value, style.quote, quoted=quoted)]


def _literal_lines(text: str, indent: int) -> list[str]:
    header = "|" if text.endswith("\n") else "|-"
    lines = text.removesuffix("\n").split("\n")
    return [header, *(f"{'':{indent}}{line}" if line else "" for line in lines)]


# --- flow style -----------------------------------------------------------------------------------


def flow_text(value: object, quote: str = '"', *, quoted: bool = False) -> str:
    """`value` in one line: ``{a: 1, b: [x]}``; `quoted` puts all strings in quotes, as in JSON."""
    if is_mapping(value):
        pairs = (flow_pair(key, item, quote, quoted=quoted) for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if is_list(value):
        return f"[{', '.join(flow_text(item, quote, quoted=quoted) for item in value)}]"
    return scalar_text(value, quote, flow=True, quoted=quoted)


def flow_pair(key: str, item: object, quote: str = '"', *, quoted: bool = False) -> str:
    """A key and its value in flow style."""
    name = scalar_text(key, quote, flow=True, quoted=quoted)
    return f"{name}: {flow_text(item, quote, quoted=quoted)}"
