"""Plain data to the schema's objects, strictly, and back.

Hides cattrs. Two converters forbid unknown keys: `structure` passes values through, for the constructors check them, and is fast;
`findings` is asked only after that has failed, and finds everything that is wrong.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import attrs
from cattrs import Converter
from cattrs.errors import (
    ForbiddenExtraKeysError,
)
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from polar_config._plain import is_list, thaw
from polar_config.errors import TopologyError
from polar_config.keys import Key, keys

T = TypeVar("T")
Hook = Callable[[Any, Any], Any]


# --- the fast way -----------------------------------------------------------------------------------------------------


class NotStructuredError(Exception):
    """The data does not fit; nothing is said about why."""


def structure(data: object, cls: type[T]) -> T:
    """A `cls` from dicts and lists; raises `NotStructuredError` if anything at all is wrong."""
    try:
        return _passing().structure(data, cls)
    except (NotStructuredError, TopologyError, ForbiddenExtraKeysError, KeyError):
        pass
    raise NotStructuredError


@cache
def _passing() -> Converter:
    converter = Converter(
        forbid_extra_keys=True,
        use_alias=True,
        detailed_validation=False,
        prefer_attrib_converters=True,
    )

    def factory(cls: type[object]) -> Hook:
        return _passing_hook(cls, converter)

    converter.register_structure_hook_factory(has_keys, factory)
    return converter


def has_keys(cls: object) -> bool:
    return isinstance(cls, type) and attrs.has(cls) and bool(keys(cls))


def _passing_hook(cls: type[object], converter: Converter) -> Hook:
    overrides = {
        key.attribute: override(struct_hook=_passing_block(key, converter))
        if key.block
        else override()
        for key in keys(cls)
    }
    fields: Hook = make_dict_structure_fn(
        cls, converter, _cattrs_use_linecache=False, **omitting(cls, overrides)
    )

    def hook(value: Any, _: Any) -> Any:
        if value.__class__ is not dict:
            raise NotStructuredError
        return fields(value, cls)

    return hook


def _passing_block(key: Key, converter: Converter) -> Hook:
    """The hook for a key that holds a block or a list of blocks; that of the block itself is made once there is one."""
    block, structured = cast("type[Any]", key.block), cast("Hook", converter.structure)
    if key.lists_blocks:
        return lambda value, _: (
            [structured(each, block) for each in value] if value.__class__ is list else value
        )
    if key.nullable:
        return lambda value, _: None if value is None else structured(value, block)
    return lambda value, _: structured({} if value is None else value, block)


def omitting(cls: type[object], overrides: dict[str, Any]) -> Any:
    """`overrides`, and what is no key of the file left out."""
    others = {
        each.name: override(omit=True)
        for each in attrs.fields(cast("type[attrs.AttrsInstance]", cls))
        if each.name not in overrides
    }
    return {**others, **overrides}


# --- the complete way -------------------------------------------------------------------------------------------------


# --- back to plain data -----------------------------------------------------------------------------------------------


def unstructure(value: object, *, effective: bool) -> dict[str, Any]:
    """An object as fresh dicts and lists: what must be written to get it again, or all that holds."""
    return cast("dict[str, Any]", _backward(effective).unstructure(value))


@cache
def _backward(effective: bool) -> Converter:
    converter = Converter(use_alias=True)

    def factory(cls: type[object]) -> Callable[[Any], Any]:
        return _backward_hook(cls, converter, effective)

    converter.register_unstructure_hook_factory(has_keys, factory)
    return converter


def _backward_hook(
    cls: type[object], converter: Converter, effective: bool
) -> Callable[[Any], Any]:
    overrides = {
        key.name if effective else key.attribute: override(
            rename=key.name,
            omit=False,
            omit_if_default=not effective and key.name != "id" and not _is_default_block(key),
            unstruct_hook=_plainly(converter),
        )
        for key in keys(cls)
    }
    fields = make_dict_unstructure_fn(
        cls, converter, _cattrs_include_init_false=True, **omitting(cls, overrides)
    )
    names = {key.name: _is_default_block(key) for key in keys(cls)}

    def hook(value: Any) -> Any:
        written = fields(value)
        return {
            name: written[name]
            for name, block in names.items()
            if name in written and (written[name] or not block)
        }

    return hook


def _is_default_block(key: Key) -> bool:
    """Whether it holds a block that need not be written; even one that is equal to its default may have a written URL."""
    return key.block is not None and not key.lists_blocks and not key.nullable and not key.required


def _plainly(converter: Converter) -> Callable[[Any], Any]:
    def hook(value: Any) -> Any:
        if is_list(value):
            return [hook(each) for each in value]
        return converter.unstructure(value) if attrs.has(value.__class__) else thaw(value)

    return hook
