"""An object's effective values to a short hexadecimal string.

It is the same for equal objects in every process and on every machine.
"""

import hashlib
import json

from polar_config._plain import is_list, is_mapping
from polar_config._reading.structure import unstructure

_DIGITS = 16  # 64 bits: by chance two in four billion topologies are alike


def fingerprint(value: object) -> str:
    """The beginning of the SHA-256 of all effective values of an object of the schema."""
    data = _comparable(unstructure(value, effective=True))
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:_DIGITS]


def _comparable(value: object) -> object:
    """Plain data in which equal numbers are spelled alike: -0.0 equals 0.0."""
    if is_mapping(value):
        return {key: _comparable(item) for key, item in value.items()}
    if is_list(value):
        return [_comparable(item) for item in value]
    if isinstance(value, float):
        return value + 0.0
    return value
