"""Everything that keeps plain data from being an object."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NoReturn, cast

import attrs
from cattrs import Converter
from cattrs.errors import (
    AttributeValidationNote,
    BaseValidationError,
    ClassValidationError,
    ForbiddenExtraKeysError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, override

from polar_config._plain import is_list, is_mapping, is_secret
from polar_config._reading.structure import Hook, has_keys, omitting
from polar_config.errors import TopologyError
from polar_config.errors._problem import MAX_SHOWN, Finding, Refused
from polar_config.errors._words import KeyPath, shown
from polar_config.keys import Key, cross_findings, keys
from polar_config.rules._base import Rule, refuse, refuse_placeholder
from polar_config.rules._mappings import SectionList


def findings(data: object, cls: type) -> list[Finding]:
    """Everything that keeps `data` from being a `cls`; empty if nothing does."""
    if data is None:
        data = {}
    try:
        _collecting().structure(data, cls)
    except (BaseValidationError, Refused) as error:
        return _Walk(cls).all(error)
    return []


@cache
def _collecting() -> Converter:
    converter = Converter(forbid_extra_keys=True, use_alias=True, detailed_validation=True)

    def factory(cls: type[object]) -> Hook:
        return _collecting_hook(cls, converter)

    converter.register_structure_hook_factory(has_keys, factory)
    return converter


def _collecting_hook(cls: type[object], converter: Converter) -> Hook:
    overrides = {
        key.attribute: override(struct_hook=_collecting_key(key, converter)) for key in keys(cls)
    }
    fields: Hook = make_dict_structure_fn(
        cls, converter, _cattrs_use_linecache=False, **omitting(cls, overrides)
    )

    def hook(value: Any, _: Any) -> Any:
        block = _block(value)
        across = cross_findings(cls, block)
        wrong: list[Exception] = [Refused(each) for each in across]
        surplus = {
            each.path for each in across if each.code == "unexpected-key"
        }  # what is to be removed need not be right
        try:
            return fields(block, cls)
        except ClassValidationError as error:
            found = [
                each
                for each in error.exceptions
                if not isinstance(each, TopologyError) and _step(each, error) not in surplus
            ]
            wrong += [_with_block(each, block) for each in found]
        raise _several(wrong, cls)

    return hook


def _several(errors: list[Exception], cls: type) -> Exception:
    make: Any = ClassValidationError  # the type stubs know a plain exception group's arguments only
    return cast("Exception", make("", errors, cls))


def _block(value: object) -> Mapping[str, Any]:
    if is_mapping(value):
        return value
    return _refuse_block(value)


def _refuse_block(value: object) -> NoReturn:
    if isinstance(value, str):
        refuse_placeholder(value)
    hint = (
        "remove the dash, or write its keys"
        if value is None
        else "write key: value under it"
        if isinstance(value, str)
        else None
    )
    refuse("wrong-type", f"expected a block, found {shown(value)}", hint)


def _checked(rule: Rule, value: Any) -> Any:
    try:
        return rule(value)
    except Refused as refused:
        if not is_secret(value):
            raise
        code = refused.findings[0].code
    raise Refused(Finding((), code, f"expected {rule.what}, found {shown(value, secret=True)}"))


class _UnknownKeys(Exception):  # noqa: N818  (a signal among ours)
    """The unknown keys of a block, in its order."""

    def __init__(self, names: list[str], cls: type, block: Mapping[str, Any]) -> None:
        super().__init__(names)
        self.names, self.cls, self.block = names, cls, block


def _with_block(error: Exception, block: Mapping[str, Any]) -> Exception:
    """Cattrs' error about unknown keys knows neither their order nor what stands beside them."""
    if isinstance(error, ForbiddenExtraKeysError):
        return _UnknownKeys([key for key in block if key in error.extra_fields], error.cl, block)
    return error


def _collecting_key(key: Key, converter: Converter) -> Hook:
    block = key.block
    if block is None:
        return lambda value, _: _checked(key.rule, value)
    if isinstance(key.bare_rule, SectionList):
        entries, listed = cast("Any", list[block]), key.bare_rule.listed  # type: ignore[valid-type]
        return lambda value, _: (
            None if key.nullable and value is None else converter.structure(listed(value), entries)
        )
    return lambda value, _: (
        None
        if key.nullable and value is None
        else cast("Any", converter.structure({} if value is None else value, block))
    )


_CROSS_CODES = {
    "url-required": "public_url"
}  # a finding across keys, and the key whose absence it is about


class _Walk:
    """A walk over cattrs' tree of errors; its notes carry the names and indexes."""

    def __init__(self, root: type) -> None:
        from polar_config._reading.unknown import guess  # noqa: PLC0415  (only a failure needs it)

        self._guess = guess
        self._root = root
        self._suggestions = 0
        self._claimed: set[KeyPath] = set()  # keys that others were taken for

    def all(self, error: BaseException) -> list[Finding]:
        found = list(self._walk(error, ()))
        return [
            each
            for each in found
            if not (
                self._about(each)
                and any(key[: len(each.path)] == self._about(each) for key in self._claimed)
            )
        ]

    def _walk(self, error: BaseException, path: KeyPath) -> Iterator[Finding]:
        if isinstance(error, Refused):
            yield from (each.under(path) for each in error.findings)
        elif isinstance(error, _UnknownKeys):
            for name in error.names:
                yield from self._unknown(name, path, error)
        elif isinstance(error, KeyError):
            yield Finding(path, "missing-key", "missing", f"add {path[-1]}:", at="block")
        else:
            group = cast("BaseValidationError", error)
            for each in group.exceptions:
                yield from self._walk(each, (*path, *_step(each, group)))

    def _unknown(self, name: str, path: KeyPath, error: _UnknownKeys) -> Iterator[Finding]:
        self._suggestions += 1
        code, message, hint, stands_for = self._guess(
            name, error.cls, self._root, error.block, close=self._suggestions <= MAX_SHOWN
        )
        yield Finding((*path, name), code, message, hint, at="key")
        if stands_for:
            self._claimed.add((*path, *stands_for))
        if code == "unknown-key" and stands_for:
            yield from self._within(
                error.block[name],
                next(key for key in keys(error.cls) if key.name == stands_for[0]),
                (*path, name),
            )

    def _within(self, value: object, meant: Key, path: KeyPath) -> Iterator[Finding]:
        """What is wrong in the block of a misspelled key, read as what the key was taken for."""
        if meant.block is None:
            return
        entries = enumerate(value) if meant.lists_blocks and is_list(value) else ()
        blocks = (
            [(value, path)]
            if not meant.lists_blocks
            else [(entry, (*path, index)) for index, entry in entries]
        )
        for block, where in blocks:
            if is_mapping(block):
                try:
                    _collecting().structure(block, meant.block)
                except (BaseValidationError, Refused) as error:
                    yield from self._walk(error, where)

    @staticmethod
    def _about(finding: Finding) -> KeyPath:
        """The key that a finding says is missing."""
        if finding.code == "missing-key":
            return finding.path
        return (
            (*finding.path[:-1], _CROSS_CODES[finding.code]) if finding.code in _CROSS_CODES else ()
        )


def _step(error: BaseException, group: BaseValidationError) -> KeyPath:
    """What leads from a group of errors to one of them: a key, an index, or nothing."""
    note: Any = next(iter(getattr(error, "__notes__", ())), None)
    if isinstance(note, IterableValidationNote):
        return (note.index,)
    if isinstance(note, AttributeValidationNote):
        field = attrs.fields_dict(group.cl)[note.name]
        return (field.alias or field.name,)
    return ()
