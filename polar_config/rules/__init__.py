"""What a value may be: one object per rule, which checks a value, normalises it, and says what it expects.

A rule stands in the annotation of a field, `Annotated[int, Integer(1, 65535)]`, and serves the constructor, the reading of files
and the documentation alike. Calling it gives the value to store, or raises `Refused`.
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
    "Choice",
    "SectionList",
    "Boolean",
    "PlainMapping",
    "Host",
    "Name",
    "Nullable",
    "Section",
    "Derivable",
    "Number",
    "Rule",
    "String",
    "StringMap",
    "Url",
    "Integer",
]
