"""What a value may be: one object per rule, which checks a value, normalises it, and says what it expects.

A rule stands in the annotation of a field, `Annotated[int, Whole(1, 65535)]`, and serves the constructor, the reading of files
and the documentation alike. Calling it gives the value to store, or raises `Refused`.
"""

from polar_config.rules._base import Rule
from polar_config.rules._mappings import Entries, Free, Nullable, Object, Optional, TextMap
from polar_config.rules._numbers import Flag, Real, Whole
from polar_config.rules._strings import Choice, Host, Name, Text, Url

__all__ = [
    "Choice",
    "Entries",
    "Flag",
    "Free",
    "Host",
    "Name",
    "Nullable",
    "Object",
    "Optional",
    "Real",
    "Rule",
    "Text",
    "TextMap",
    "Url",
    "Whole",
]
