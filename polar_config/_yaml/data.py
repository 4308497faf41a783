"""A tree to plain data, with what is wrong in it; and plain data compared.

One walk gives both the data that is read, whose numbers remember their spelling, and the fresh
data of any entry. Own keys come before those of ``<<``. What a topology file does not accept is
reported, and its nearest meaning is taken, so that nothing else is reported as a consequence:

- of two equal keys the first counts, and of a value with another tag its text;
- a key that is not a string counts by its text, as in key paths: ``8080: x`` gives
  ``{"8080": "x"}``. The key "8080" comes before it, and a list or mapping as a key gives "";
- what ``<<`` cannot merge is left out.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from polar_config._plain import (
    SpelledFloat,
    SpelledInt,
    is_list,
    is_mapping,
    non_string_key,
)
from polar_config._yaml.tree import (
    Entry,
    ListEntry,
    MappingEntry,
    ScalarEntry,
    is_merge,
    items,
    key_name,
    real,
)
from polar_config._yaml.values import (
    LIST_TAGS,
    MAP_TAGS,
    SCALAR_TAGS,
    merged,
    resolve,
    tagged,
)
from polar_config.errors._problem import Finding
from polar_config.errors._secrets import SecretString, as_secret, secret_under
from polar_config.errors._words import KeyPath


class Data:
    """The plain data of a tree, and what is wrong in it.

    Numbers remember their spelling, strings that they are secret; aliases share what they name.
    """

    def __init__(self, root: Entry | None) -> None:
        self.findings: list[tuple[Finding, Entry, Entry | None]] = []
        """What is wrong, with the entry it is about, and the earlier one of two that collide."""
        self.reported: set[KeyPath] = set()
        """Key paths about which no more is to be said."""
        self._known: dict[int, object] = {}  # of each mapping and list
        self._names: set[str] = set()  # unquoted keys that are known to be strings
        self._secret_under = cache(secret_under)
        self._secret: set[int] = set()  # the scalars that are under an env
        self.value = None if root is None else self._of(root, ())

    def _of(self, entry: Entry, path: KeyPath, *, secret: bool = False) -> object:
        entry = real(entry)
        if isinstance(entry, ScalarEntry):
            if secret:
                self._secret.add(id(entry))
            value = self._scalar(entry, path)
            return as_secret(value) if id(entry) in self._secret else value
        if id(entry) in self._known:
            return self._known[id(entry)]
        if isinstance(entry, MappingEntry):
            value = self._mapping(entry, path, secret=secret)
        else:
            value = self._list(entry, path, secret=secret)
        self._known[id(entry)] = value
        return value

    def _scalar(self, entry: ScalarEntry, path: KeyPath) -> object:
        if entry.tag is None:
            return resolve(entry.text, remember=True) if entry.bare else entry.text
        if self._refuse_tag(entry, path, SCALAR_TAGS):
            return entry.text
        try:
            return tagged(entry.tag, entry.text)
        except ValueError:
            message = f"the tag !!{entry.tag.rpartition(':')[2]} does not fit this value"
            self._refuse(Finding(path, "bad-tag", message, "remove the tag"), entry)
            return entry.text

    def _list(self, entry: Entry, path: KeyPath, *, secret: bool) -> list[object]:
        self._refuse_tag(entry, path, LIST_TAGS)
        return [self._of(item, (*path, index), secret=secret) for index, _, item in items(entry)]

    def _mapping(self, mapping: MappingEntry, path: KeyPath, *, secret: bool) -> dict[str, object]:
        self._refuse_tag(mapping, path, MAP_TAGS)
        own: dict[str, object] = {}
        first: dict[str, Entry] = {}
        merges: list[object] = []
        for key, value in mapping.items:
            name = key_name(key)
            if name == "<<" and is_merge(key):
                if name in first:
                    self._refuse_duplicate(name, key, first[name], path)
                first.setdefault(name, key)
                merges += self._merged(value, path, _first_seen(value, key), secret=secret)
                continue
            below = self._secret_under(name, secret)
            if not self._is_string(key, name, path, (value, mapping)):
                self.reported.add((*path, name))
                own.setdefault(name, self._of(value, (*path, name), secret=below))
            elif name in first:
                self._refuse_duplicate(name, key, first[name], path)
            else:
                first[name] = key
                own[name] = self._of(value, (*path, name), secret=below)
        return merged(own, merges) if merges else own

    def _is_string(self, key: Entry, name: str, path: KeyPath, around: tuple[Entry, Entry]) -> bool:
        """Whether a key is a string; if not, that is reported; an empty one at what is `around`."""
        if name in self._names and key.tag is None:
            return True
        entry = real(key)
        if not isinstance(entry, ScalarEntry):
            message = "expected a key, found a list or a mapping"
            self._refuse(Finding(path, "non-string-key", message, "a key is a string"), key)
            return False
        value = self._scalar(entry, path)
        if not isinstance(value, str):
            self._refuse(non_string_key(path, value), _first_seen(key, *around))
            return False
        if entry.bare and entry.tag is None:
            self._names.add(name)
        return True

    def _refuse_duplicate(self, name: str, key: Entry, first: Entry, path: KeyPath) -> None:
        message = f"duplicate key: first defined on line {first.line + 1}"
        hint = "remove one of the two"
        finding = Finding((*path, name), "duplicate-key", message, hint, at="key")
        self.findings.append((finding, key, first))
        self.reported.add(finding.path)

    def _refuse_tag(self, entry: Entry, path: KeyPath, allowed: frozenset[str]) -> bool:
        if entry.tag is None or entry.tag in allowed:
            return False
        message = "tags other than YAML's own are not allowed"
        self._refuse(Finding(path, "bad-tag", message, "remove the tag"), entry)
        return True

    def _merged(self, value: Entry, path: KeyPath, at: Entry, *, secret: bool) -> list[object]:
        """The data of all mappings that a ``<<`` brings in to the mapping at `path`."""
        entry = real(value)
        found: list[object] = []
        for part in entry.items if isinstance(entry, ListEntry) else [entry]:
            if isinstance(real(part), MappingEntry):
                found.append(self._of(part, path, secret=secret))
            else:
                message = "<< accepts an alias of a mapping, or a list of these"
                self._refuse(Finding((*path, "<<"), "bad-merge", message, "write <<: *name"), at)
        return found

    def _refuse(self, finding: Finding, entry: Entry) -> None:
        self.findings.append((finding, entry, None))
        self.reported.add(finding.path)


def _first_seen(*entries: Entry) -> Entry:
    """The first entry that can be pointed at: where an empty one is depends on the parser."""
    return next(each for each in entries if not (isinstance(each, ScalarEntry) and each.empty))


# --- fresh data -----------------------------------------------------------------------------------


def plain(entry: Entry | None) -> object:
    """What an entry means as fresh plain data; aliases and merges are followed."""
    return _fresh(Data(entry).value)


def scalar(entry: ScalarEntry) -> object:
    """What a scalar means: a plain string, number, true, false or None."""
    return plain(entry)


_PLAIN_TYPES: dict[type, Callable[[Any], object]] = {
    SpelledInt: int,
    SpelledFloat: float,
    SecretString: str,
}


def _fresh(value: object) -> object:
    """A copy in which nothing is shared, and no scalar remembers anything."""
    if value.__class__ is str:  # most are
        return value
    plain_type = _PLAIN_TYPES.get(value.__class__)
    if plain_type is not None:
        return plain_type(value)
    if is_mapping(value):
        return {name: _fresh(item) for name, item in value.items()}
    if is_list(value):
        return [_fresh(item) for item in value]
    return value


# --- data compared --------------------------------------------------------------------------------


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
    """How many items two lists share at their beginning, and how many of the rest at their end."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < shorter - head and same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    return head, tail
