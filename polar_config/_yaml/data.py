"""A tree to plain data, and what had to be left out of it."""

from collections.abc import Sequence
from functools import cache
from typing import cast

from polar_config._plain import is_list, is_mapping, non_string_key
from polar_config._yaml.tree import (
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    is_merge,
    key_name,
    real,
)
from polar_config._yaml.values import (
    LIST_TAGS,
    MAP_TAGS,
    SCALAR_TAGS,
    NotPlainError,
    merged,
    resolve,
    tagged,
)
from polar_config.errors._problem import Finding
from polar_config.errors._secrets import as_secret, secret_under
from polar_config.errors._words import KeyPath


class Data:
    """The plain data of a tree, and what had to be left out of it. Numbers remember their spelling, aliases share what they name."""

    def __init__(self, root: Entry | None) -> None:
        self.findings: list[tuple[Finding, Entry, Entry | None]] = []
        """What is wrong, each with the piece of text that it is about, and the earlier one of two that collide."""
        self._known: dict[int, object] = {}
        self._names: set[str] = set()  # unquoted keys that are known to be texts
        self._secret_under = cache(secret_under)
        self._secret: set[int] = set()  # the scalars that stand under an env
        self.value = None if root is None else self._of(root, ())

    def _of(self, entry: Entry, path: KeyPath, *, secret: bool = False) -> object:
        entry = real(entry)
        if isinstance(entry, ScalarEntry):
            if secret:
                self._secret.add(id(entry))
            elif not entry.bare and entry.tag is None and not self._secret:
                return entry.text
            value = self._scalar(entry, path)
            return as_secret(value) if id(entry) in self._secret else value
        if id(entry) not in self._known:
            if isinstance(entry, MappingEntry):
                self._known[id(entry)] = self._block(entry, path, secret=secret)
            else:
                self._refuse_tag(entry, path, LIST_TAGS)
                items = cast("ListEntry", entry).items
                self._known[id(entry)] = [
                    self._of(item, (*path, index), secret=secret)
                    for index, item in enumerate(items)
                ]
        return self._known[id(entry)]

    def _scalar(self, entry: ScalarEntry, path: KeyPath) -> object:
        if entry.tag is None:
            return resolve(entry.text, remember=True) if entry.bare else entry.text
        if self._refuse_tag(entry, path, SCALAR_TAGS):
            return entry.text
        try:
            return tagged(entry.tag, entry.text)
        except ValueError:
            message = f"the tag !!{entry.tag.rpartition(':')[2]} does not fit this text"
            self._refuse(Finding(path, "bad-tag", message, "remove the tag"), entry)
            return entry.text

    def _refuse_tag(self, entry: Entry, path: KeyPath, allowed: frozenset[str]) -> bool:
        if entry.tag is None or entry.tag in allowed:
            return False
        self._refuse(
            Finding(path, "bad-tag", "a tag that a topology file does not take", "remove it"), entry
        )
        return True

    def _block(self, block: MappingEntry, path: KeyPath, *, secret: bool) -> dict[str, object]:
        self._refuse_tag(block, path, MAP_TAGS)
        own: dict[str, object] = {}
        first: dict[str, Entry] = {}
        merges: list[object] = []
        for key, value in block.items:
            name = self._key(key, path, (value, block))
            if name is None:
                continue
            if name in first:
                self._refuse_duplicate(name, key, first[name], path)
                continue
            first[name] = key
            if is_merge(key):
                merges += self._merged(value, (*path, name), _first_seen(value, key), secret=secret)
            else:
                own[name] = self._of(value, (*path, name), secret=self._secret_under(name, secret))
        return merged(own, merges) if merges else own

    def _key(self, key: Entry, path: KeyPath, around: tuple[Entry, Entry]) -> str | None:
        entry = real(key)
        if not isinstance(entry, ScalarEntry):
            self._refuse(
                Finding(
                    path,
                    "non-string-key",
                    "expected a key, found a list or a block",
                    "a key is a text",
                ),
                key,
            )
            return None
        if entry.text in self._names and entry.tag is None:
            return entry.text
        value = self._scalar(entry, path)
        if isinstance(value, str):
            if entry.bare:
                self._names.add(value)
            return value
        self._refuse(non_string_key(path, value), _first_seen(key, *around))
        return None

    def _refuse_duplicate(self, name: str, key: Entry, first: Entry, path: KeyPath) -> None:
        message = f"duplicate key: first defined on line {first.line + 1}"
        self.findings.append(
            (
                Finding((*path, name), "duplicate-key", message, "remove one of the two", at="key"),
                key,
                first,
            )
        )

    def _merged(self, value: Entry, path: KeyPath, at: Entry, *, secret: bool) -> list[object]:
        entry = real(value)
        parts = entry.items if isinstance(entry, ListEntry) else [entry]
        found: list[object] = []
        for part in parts:
            if isinstance(real(part), MappingEntry):
                found.append(self._of(part, path[:-1], secret=secret))
            else:
                self._refuse(
                    Finding(
                        path,
                        "bad-merge",
                        "<< takes an alias of a block, or a list of such",
                        "write <<: *name",
                    ),
                    at,
                )
        return found

    def _refuse(self, finding: Finding, entry: Entry) -> None:
        self.findings.append((finding, entry, None))


def _first_seen(*entries: Entry) -> Entry:
    """The first entry that can be pointed at: where an empty one stands depends on the parser."""
    return next(each for each in entries if not (isinstance(each, ScalarEntry) and each.empty))


def plain(entry: Entry | None) -> object:
    """What an entry holds as fresh plain data; aliases and merges are followed."""
    entry = real(entry) if entry is not None else None
    if isinstance(entry, ScalarEntry):
        return scalar(entry)
    if isinstance(entry, MappingEntry):
        own: dict[str, object] = {}
        merges: list[object] = []
        for key, value in entry.items:
            if is_merge(key):
                target = real(value)
                merges += (
                    [plain(each) for each in target.items]
                    if isinstance(target, ListEntry)
                    else [plain(target)]
                )
            else:
                own.setdefault(key_name(key), plain(value))
        try:
            return merged(own, merges) if merges else own
        except NotPlainError:
            return own
    return [plain(each) for each in entry.items] if isinstance(entry, ListEntry) else None


def scalar(entry: ScalarEntry) -> object:
    """What a scalar means: a plain text, number, true, false or None."""
    value: object = resolve(entry.text) if entry.bare else entry.text
    if entry.tag in SCALAR_TAGS:
        try:
            value = tagged(entry.tag, entry.text)
        except ValueError:
            value = entry.text
    return (
        int(value)
        if isinstance(value, int) and not isinstance(value, bool)
        else float(value)
        if isinstance(value, float)
        else value
    )


def same(one: object, other: object) -> bool:
    """Whether plain data are equal, types included."""
    if is_mapping(one):
        return (
            is_mapping(other)
            and one.keys() == other.keys()
            and all(same(item, other[key]) for key, item in one.items())
        )
    if is_list(one):
        return is_list(other) and len(one) == len(other) and all(map(same, one, other))
    return _kind(one) is _kind(other) and one == other


def _kind(value: object) -> type:
    """The type of a scalar, whether or not it remembers how it was spelled."""
    return next((kind for kind in (bool, int, float, str) if isinstance(value, kind)), type(value))


def equal_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """How many entries two lists have in common at their beginning, and at their end."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if not same(old[at], new[at])), least)
    return head, next(
        (at for at in range(least - head) if not same(old[-1 - at], new[-1 - at])), least - head
    )
