"""What an edit is given, as plain data: objects of the schema, and strings of a command line."""

from typing import Any

import attrs

from polar_config._editing.text import Text
from polar_config._plain import MAX_DEPTH, is_list, is_mapping, thaw
from polar_config._plain.frozen import freeze
from polar_config._reading.structure import unstructure
from polar_config._yaml.data import Data, plain
from polar_config.errors import TopologyError, refusal, refused
from polar_config.errors._problem import Refused
from polar_config.errors._words import KeyPath
from polar_config.keys import key_at, keys
from polar_config.topology import TopologyConfig


def refuse_unless(what: str, value: object, kind: type) -> None:
    """Refuse an argument that is not of its kind; `what` is what is expected."""
    if not isinstance(value, kind):
        raise refused("invalid-argument", f"expected {what}")


def plain_value(value: object) -> Any:
    """`value` as fresh plain data; raises `TopologyError` for what cannot be."""
    try:
        return thaw(freeze(_unstructured(value, ())))
    except Refused as error:
        findings = error.findings
    raise refusal(findings)


def read_text(path: KeyPath, text: str) -> object:
    """What a string means as the value of a key."""
    refuse_unless("a value as a string", text, str)
    key, rest = key_at(TopologyConfig, path) or (None, ())
    if key is not None and (key.holds_strings if rest else key.holds_string):
        is_null = text == "null" and not rest and (key.nullable or key.derived)
        return None if is_null else text
    try:
        parsed = Text.parsed(text, "<value>")
        parsed.refuse_several()
    except TopologyError:
        return text  # what is not YAML is a string, which the key will refuse
    data = Data(parsed.root)
    if data.findings:
        finding = data.findings[0][0]
        raise refused(finding.code, finding.message, path, finding.hint)
    return text if getattr(data.value, "ambiguous", False) else plain(parsed.root)


def _unstructured(value: object, around: tuple[int, ...]) -> object:
    """Plain data, with the explicit values of every object of the schema in it.

    What contains itself is left as it is, for `freeze` to refuse.
    """
    if attrs.has(type(value)) and keys(type(value)):
        return unstructure(value, effective=False)
    if id(value) in around or len(around) > MAX_DEPTH:
        return value
    inside = (*around, id(value))
    if is_mapping(value):
        return {key: _unstructured(item, inside) for key, item in value.items()}
    return [_unstructured(item, inside) for item in value] if is_list(value) else value


def has_default(path: KeyPath, rest: KeyPath) -> bool:
    """Whether the schema has the key that `rest` names below `path`, and no item is missing."""
    for depth in range(1, len(rest)):
        key, _ = key_at(TopologyConfig, (*path, *rest[:depth])) or (None, ())
        if key is not None and key.lists_sections and key.name == rest[depth - 1]:
            return False
    return key_at(TopologyConfig, (*path, *rest)) is not None
