"""What a value may be: one object per rule, which checks, normalises and describes values.

A rule is part of a field's annotation, `Annotated[int, Integer(1, 65535)]`, and serves the
constructor, the reading of files and the documentation alike. Calling it gives the value to store,
or raises `Refused`.
"""

from polar_config.rules._base import Rule
from polar_config.rules._mappings import (
    Derivable,
    Nullable,
    PlainMapping,
    Section,
    SectionList,
    StringMap,
)
from polar_config.rules._numbers import Boolean, Integer, Number
from polar_config.rules._strings import Choice, Host, Name, String, Url

__all__ = [
    "Boolean",
    "Choice",
    "Derivable",
    "Host",
    "Integer",
    "Name",
    "Nullable",
    "Number",
    "PlainMapping",
    "Rule",
    "Section",
    "SectionList",
    "String",
    "StringMap",
    "Url",
]
