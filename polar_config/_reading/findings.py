"""Plain data to everything that keeps it from being an object of the schema.

A walk over the keys of a class and the data beside them: what a cross rule finds, then the keys in
the order of the class (missing ones, wrong values, nested sections), then the unknown keys.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from polar_config._plain import is_list, is_mapping
from polar_config._reading.unknown import Guess, guess
from polar_config.errors._problem import MAX_SHOWN, Finding, Refused
from polar_config.errors._secrets import is_secret
from polar_config.errors._words import KeyPath, expected
from polar_config.keys import Key, cross_findings, keys
from polar_config.rules._base import Rule, refuse_placeholder
from polar_config.rules._mappings import Section, SectionList

_SECTIONS = (Section, SectionList)
_KEY_TO_ADD = {"url-required": "public_url"}  # the absent key that a cross finding is about


def findings(data: object, cls: type) -> list[Finding]:
    """Everything that keeps `data` from being a `cls`; empty if nothing does."""
    walk = _Walk(cls)
    walk.optional_section(data, cls, ())
    return [each for each in walk.found if not walk.is_answered(each)]


class _Walk:
    """One walk through the data of a document."""

    def __init__(self, root: type) -> None:
        self.found: list[Finding] = []
        self._root = root
        self._guesses = 0
        self._meant: set[KeyPath] = set()  # what unknown keys were taken for, and what leads there

    def is_answered(self, finding: Finding) -> bool:
        """Whether the key that a finding calls missing is there, under a wrong name."""
        return _absent_key(finding) in self._meant

    def optional_section(self, value: object, cls: type, path: KeyPath) -> None:
        """The same as `section`; null means that every key has its default."""
        if value is None:
            value = {}
        self.section(value, cls, path)

    def section(self, value: object, cls: type, path: KeyPath) -> None:
        """Find what keeps `value` from being a `cls`."""
        if not is_mapping(value):
            self._refuse_section(value, cls, path)
            return
        across = cross_findings(cls, value)
        self._add(across, path)
        # the value of a key that is to be removed need not be right
        unexpected = {each.path for each in across if each.code == "unexpected-key"}
        for key in keys(cls):
            if (key.name,) in unexpected:
                continue
            if key.name in value:
                self._value(key, value[key.name], (*path, key.name))
            elif key.required:
                self._missing(key.name, path)
        self._unknown_keys(value, cls, path)

    def _add(self, found: Iterable[Finding], path: KeyPath) -> None:
        self.found += [each.under(path) for each in found]

    def _refuse_section(self, value: object, cls: type, path: KeyPath) -> None:
        try:
            if isinstance(value, str):
                refuse_placeholder(value)
        except Refused as refused:
            self._add(refused.findings, path)
        else:
            message = expected("a mapping", value)
            self.found.append(Finding(path, "wrong-type", message, _section_hint(value, cls, path)))

    def _missing(self, name: str, path: KeyPath) -> None:
        message, hint = f"missing required key {name}", f"add {name}"
        self.found.append(Finding((*path, name), "missing-key", message, hint, at="section"))

    def _value(self, key: Key, value: object, path: KeyPath) -> None:
        rule = key.bare_rule
        if not isinstance(rule, _SECTIONS):
            self._check(key.rule, value, path)
        elif value is None and key.nullable:
            pass
        elif isinstance(rule, SectionList):
            self._list(rule, value, path)
        else:
            self.optional_section(value, rule.cls, path)

    def _check(self, rule: Rule, value: object, path: KeyPath) -> None:
        try:
            rule(value)
        except Refused as refused:
            self._add(_masked(refused.findings, rule, value), path)

    def _list(self, rule: SectionList, value: object, path: KeyPath) -> None:
        try:
            items = rule.listed(value)
        except Refused as refused:
            self._add(refused.findings, path)
        else:
            for index, item in enumerate(items):
                self.section(item, rule.cls, (*path, index))

    # keys that no class has

    def _unknown_keys(self, section: Mapping[str, Any], cls: type, path: KeyPath) -> None:
        known = _by_name(cls)
        for name in section:
            if name in known:
                continue
            guessed = self._guess(name, cls, section)
            self.found.append(
                Finding((*path, name), guessed.code, guessed.message, guessed.hint, at="key")
            )
            if guessed.meant:
                meant = (*path, *guessed.meant)
                self._meant.update(meant[:end] for end in range(1, len(meant) + 1))
            if guessed.code == "unknown-key" and guessed.meant:
                self._misspelled(known[guessed.meant[0]], section[name], (*path, name))

    def _guess(self, name: str, cls: type, section: Mapping[str, Any]) -> Guess:
        # to look for similar names takes long, so only what a report shows gets them
        self._guesses += 1
        return guess(name, cls, self._root, section, close=self._guesses <= MAX_SHOWN)

    def _misspelled(self, meant: Key, value: object, path: KeyPath) -> None:
        """Look into the section of a misspelled key, as that of the key it was taken for."""
        if meant.section is None:
            return
        sections = {path: value}
        if meant.lists_sections and is_list(value):
            sections = {(*path, index): item for index, item in enumerate(value)}
        elif meant.lists_sections:
            return
        for where, section in sections.items():
            if is_mapping(section):
                self.section(section, meant.section, where)


@cache
def _by_name(cls: type) -> dict[str, Key]:
    return {key.name: key for key in keys(cls)}


def _absent_key(finding: Finding) -> KeyPath | None:
    """The key that a finding calls missing."""
    if finding.code == "missing-key":
        return finding.path
    if finding.code in _KEY_TO_ADD:
        return (*finding.path[:-1], _KEY_TO_ADD[finding.code])
    return None


def _section_hint(value: object, cls: type, path: KeyPath) -> str | None:
    if value is None:
        return "remove the item, or give it keys"
    if not isinstance(value, str):
        return None
    first, *others = keys(cls)
    example = next((key for key in (first, *others) if key.required), first)
    name = f"{path[-1]}: " if path and isinstance(path[-1], str) else ""
    return f"write it as a mapping, such as {name}{{{example.name}: …}}"


def _masked(found: Iterable[Finding], rule: Rule, value: object) -> list[Finding]:
    """What a rule found; of a secret that an alias brought here, only its kind is said."""
    if not is_secret(value):
        return list(found)
    message = expected(rule.what, value, secret=True)
    return [Finding((), each.code, message) for each in found][:1]
