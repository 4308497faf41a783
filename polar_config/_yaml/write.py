"""Plain data to YAML that reads the same in YAML 1.1 and 1.2."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from polar_config._plain import is_list, is_mapping

_PLAIN = re.compile(
    r"(?:[A-Za-z_/]|\.{1,2}/)[A-Za-z0-9_./@%+=~,()-]*(?::[A-Za-z0-9_./@%+=~,()-]+)*(?: [A-Za-z0-9_./@%+=~()-]+)*"
)
_IPV4 = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_OTHER_WORDS = frozenset({"yes", "no", "on", "off", "true", "false", "null"})
_FILLED_IN = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[A-Za-z0-9_./-]*)?\}")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Style(NamedTuple):
    """The habits of a text: how far it indents, and which quotes it uses."""

    step: int = 2
    """Columns from a key to the keys of its block."""
    offset: int = 2
    """Columns from a key to the dashes of its list."""
    gap: int = 1
    """Blanks after a dash."""
    quote: str = '"'
    literal: bool = False
    """Whether a text of several lines is written as such, after a ``|``."""
    template: bool = False
    """Whether ``${NAME}`` may stand without quotes, so that a number can be filled in."""


STYLE = Style()


# --- scalars ----------------------------------------------------------------------------------------------------------


def scalar_text(
    value: object,
    quote: str = '"',
    *,
    flow: bool = False,
    quoted: bool = False,
    colon: bool = False,
) -> str:
    """One scalar as YAML text; in flow style less may stand without quotes, and a colon only where `colon` says so.

    >>> [scalar_text(value) for value in ("gpu-1", "no", "0005", 8080, 0.5, True, None)]
    ['gpu-1', '"no"', '"0005"', '8080', '0.5', 'true', 'null']
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        if (
            quoted
            or not _is_plain(value)
            or (flow and ("," in value or (":" in value and not colon)))
        ):
            return _quoted(value, quote)
        return value
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
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )  # noqa: PLR2004


def _float_text(value: float) -> str:
    mantissa, exponent, power = repr(value).partition("e")
    if not exponent:
        return mantissa
    point = "" if "." in mantissa else ".0"  # YAML 1.1 wants the point and the sign
    return f"{mantissa}{point}e{power if power[0] in '+-' else '+' + power}"


def _is_literal(text: str) -> bool:
    """Whether `text` can stand as it is, line by line, after a ``|``."""
    lines = text.removesuffix("\n").split("\n")
    return (
        "\n" in text
        and all(lines[:1] + lines[-1:])
        and text[0] != " "
        and "".join(lines).isprintable()
        and "\ufeff" not in text
    )


# --- blocks and lists, each beginning in a line of its own --------------------------------------------------------------


def block_text(value: Mapping[str, Any]) -> str:
    """A mapping as block style YAML, two columns a level, with a final newline."""
    return "\n".join([*mapping_lines(value, 0), ""]) if value else "{}\n"


def mapping_lines(value: Mapping[str, Any], column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of a block whose keys stand in `column`."""
    for key, item in value.items():
        yield from entry_lines(key, item, column, style)


def entry_lines(key: str, item: object, column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of one key and its value."""
    yield from _headed(f"{'':{column}}{scalar_text(key, style.quote)}:", item, column, style)


def list_lines(items: Sequence[Any], column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of a list whose dashes stand in `column`."""
    for item in items:
        yield from item_lines(item, column, style)


def item_lines(item: object, column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of one entry of a list."""
    inner = column + 1 + style.gap
    if is_block(item):
        first, *rest = value_lines(item, inner, style)
        yield f"{'':{column}}-{'':{style.gap}}{first[inner:]}"
        yield from rest
    else:
        yield from _headed(f"{'':{column}}-{'':{style.gap - 1}}", item, column, style)


def value_lines(value: object, column: int, style: Style = STYLE) -> Iterator[str]:
    """The lines of a block or a list that is not empty, from `column` on."""
    return (
        mapping_lines(value, column, style)
        if is_mapping(value)
        else list_lines(value, column, style)
        if is_list(value)
        else iter(())
    )


def _headed(head: str, item: object, column: int, style: Style) -> Iterator[str]:
    if is_block(item):
        yield head
        yield from value_lines(
            item, column + (style.step if is_mapping(item) else style.offset), style
        )
    else:
        first, *rest = inline_lines(item, column, style)
        yield f"{head} {first}"
        yield from rest


def is_block(value: object) -> bool:
    """Whether `value` takes lines of its own."""
    return (is_mapping(value) or is_list(value)) and len(value) > 0


def inline_lines(
    value: object, column: int, style: Style = STYLE, *, quoted: bool = False
) -> list[str]:
    """What stands behind the colon or the dash in `column` for a scalar or something empty, and the lines that follow."""
    if style.literal and isinstance(value, str) and not quoted and _is_literal(value):
        indent = column + style.step
        lines = value.removesuffix("\n").split("\n")
        return [
            "|" if value.endswith("\n") else "|-",
            *(f"{'':{indent}}{line}" if line else "" for line in lines),
        ]
    if (
        style.template
        and isinstance(value, str)
        and not quoted
        and _is_plain(_FILLED_IN.sub("x", value))
    ):
        return [value]
    return [
        flow_text(value)
        if is_mapping(value) or is_list(value)
        else scalar_text(value, style.quote, quoted=quoted)
    ]


# --- flow style -------------------------------------------------------------------------------------------------------


def flow_text(value: object, quote: str = '"', *, quoted: bool = False) -> str:
    """`value` in one line: ``{a: 1, b: [x]}``; `quoted` puts every text in quotes, as JSON does."""
    if is_mapping(value):
        return (
            "{"
            + ", ".join(flow_pair(key, item, quote, quoted=quoted) for key, item in value.items())
            + "}"
        )
    if is_list(value):
        return "[" + ", ".join(flow_text(item, quote, quoted=quoted) for item in value) + "]"
    return scalar_text(value, quote, flow=True, quoted=quoted)


def flow_pair(key: str, item: object, quote: str = '"', *, quoted: bool = False) -> str:
    """A key and its value in flow style."""
    return f"{scalar_text(key, quote, flow=True, quoted=quoted)}: {flow_text(item, quote, quoted=quoted)}"
