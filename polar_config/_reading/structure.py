"""Plain data to the schema's objects, if nothing is wrong with it, and objects back to plain data.

Hides cattrs. Its converters forbid unknown keys and leave every value to the check of the
constructor; what is wrong is not said here: `findings` is asked for that after a failure.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import attrs
from cattrs import Converter
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from polar_config._plain import is_list, thaw
from polar_config.errors import TopologyError
from polar_config.keys import Key, keys

T = TypeVar("T")
_ToObject = Callable[[Any, Any], Any]  # cattrs passes the value and its type
_ToPlain = Callable[[Any], Any]


# --- plain data to objects ------------------------------------------------------------------------


class NotStructuredError(Exception):
    """The data does not fit; nothing is said about why."""


def structure(data: object, cls: type[T]) -> T:
    """A `cls` from dicts and lists; raises `NotStructuredError` if anything at all is wrong."""
    try:
        return _structuring().structure(data, cls)
    except (NotStructuredError, TopologyError, ForbiddenExtraKeysError, KeyError):
        pass
    # outside of the handler, so that the error has no context that holds the data
    raise NotStructuredError


@cache
def _structuring() -> Converter:
    converter = Converter(
        forbid_extra_keys=True,
        use_alias=True,
        detailed_validation=False,
        prefer_attrib_converters=True,  # the constructor's own checks: the rules of the keys
    )

    def factory(cls: type[object]) -> _ToObject:
        return _object_hook(cls, converter)

    converter.register_structure_hook_factory(_has_keys, factory)
    return converter


def _has_keys(cls: object) -> bool:
    return isinstance(cls, type) and attrs.has(cls) and bool(keys(cls))


def _object_hook(cls: type[object], converter: Converter) -> _ToObject:
    """What makes a `cls` of a dict."""
    sections = {key.attribute: key for key in keys(cls) if key.section}
    overrides: dict[str, Any] = {key.attribute: override() for key in keys(cls)}
    for attribute, key in sections.items():
        overrides[attribute] = override(struct_hook=_section_hook(key, converter))
    to_object: _ToObject = make_dict_structure_fn(
        cls, converter, _cattrs_use_linecache=False, **_keys_only(cls, overrides)
    )

    def hook(value: Any, _: Any) -> Any:
        if value.__class__ is not dict:
            raise NotStructuredError
        return to_object(value, cls)

    return hook


def _section_hook(key: Key, converter: Converter) -> _ToObject:
    """What makes the value of a key that holds a section, or a list of sections.

    The hook of the section itself is made by cattrs when there first is one.
    """
    section: Any = key.section
    to_object: _ToObject = converter.structure

    def items(value: Any, _: Any) -> Any:
        if value.__class__ is not list:
            return value  # the constructor refuses it, or takes null
        return [to_object(item, section) for item in value]

    def nullable(value: Any, _: Any) -> Any:
        return None if value is None else to_object(value, section)

    def defaulted(value: Any, _: Any) -> Any:
        return to_object({} if value is None else value, section)

    if key.lists_sections:
        return items
    if key.nullable:
        return nullable
    return defaulted


def _keys_only(cls: type, overrides: dict[str, Any]) -> dict[str, Any]:
    """`overrides`, and one for each attribute beside them, which leaves it out."""
    omitted = {each: override(omit=True) for each in attrs.fields_dict(cls)}
    return {**omitted, **overrides}


# --- objects to plain data ------------------------------------------------------------------------


def unstructure(value: object, *, effective: bool) -> dict[str, Any]:
    """An object as fresh dicts and lists: explicit values only, or all effective ones.

    Explicit values that equal the default are left out as well; ids and URLs are not.
    """
    data: dict[str, Any] = _unstructuring(effective).unstructure(value)
    return data


@cache
def _unstructuring(effective: bool) -> Converter:
    converter = Converter(use_alias=True)

    def factory(cls: type[object]) -> _ToPlain:
        return _plain_hook(cls, converter, effective)

    converter.register_unstructure_hook_factory(_has_keys, factory)
    return converter


def _plain_hook(cls: type[object], converter: Converter, effective: bool) -> _ToPlain:
    """What makes a dict of a `cls`, its keys in the order of the class."""
    overrides: dict[str, Any] = {
        key.name if effective else key.attribute: override(
            rename=key.name,
            omit=False,  # cattrs leaves out what is not an argument, such as effective values
            omit_if_default=not effective and key.name != "id" and not _is_optional_section(key),
            unstruct_hook=_value_hook(converter),
        )
        for key in keys(cls)
    }
    to_plain: _ToPlain = make_dict_unstructure_fn(
        cls, converter, _cattrs_include_init_false=True, **_keys_only(cls, overrides)
    )
    optional = {key.name for key in keys(cls) if _is_optional_section(key)}
    names = [key.name for key in keys(cls)]

    def hook(value: Any) -> Any:
        plain = to_plain(value)
        kept = [name for name in names if name in plain and (plain[name] or name not in optional)]
        return {name: plain[name] for name in kept}

    return hook


def _is_optional_section(key: Key) -> bool:
    """Whether it holds a section that is left out if nothing in it is explicit.

    That it equals its default does not say so: a URL that it sets may be the derived one.
    """
    return key.section is not None and not (key.lists_sections or key.nullable or key.required)


def _value_hook(converter: Converter) -> _ToPlain:
    def hook(value: Any) -> Any:
        if is_list(value):
            return [hook(each) for each in value]
        if attrs.has(value.__class__):
            return converter.unstructure(value)
        return thaw(value)

    return hook
