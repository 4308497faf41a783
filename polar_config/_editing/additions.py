"""What an edit has added and a later one changes: new keys, items and copies, before they are put
into a text.
"""

from collections.abc import Iterator

from polar_config._editing.footprint import is_one_line
from polar_config._editing.paths import EVERY
from polar_config._editing.plan import Changes, Copy, Renamed, Replaced
from polar_config._plain import is_list, is_mapping
from polar_config._yaml.data import plain
from polar_config._yaml.tree import ListEntry, MappingEntry, key_name
from polar_config._yaml.write import scalar_text
from polar_config.errors._words import KeyPath


def number_of_new(changes: Changes, part: str | int) -> int | None:
    """Which of the additions a part of a key path names, if it is certainly one."""
    if isinstance(changes.container, MappingEntry):
        found = [number for number, each in enumerate(changes.added) if each.key == part]
    else:
        found = [number for number, each in enumerate(changes.added) if part in ids_of(each.value)]
    return found[0] if len(found) == 1 else None


def given_ids(changes: Changes) -> Iterator[str]:
    """The ids that changes give to what is there, and to what is in it."""
    container = changes.container
    for number, change in changes.slots.items():
        if isinstance(container, ListEntry):
            yield from ids_of(change.value) if isinstance(change, Replaced) else ()
            continue
        key, value = container.items[number]
        if isinstance(change, Replaced) and key_name(key) == "id":
            yield _id_text(change.value)
        elif isinstance(change, Renamed) and change.key == "id":
            yield _id_text(plain(value))
    for each in changes.added:
        if each.key == "id":
            yield _id_text(each.value)


def added_ids(changes: Changes) -> Iterator[str]:
    """The ids of the new items of a list."""
    return (name for each in changes.added if each.key is None for name in ids_of(each.value))


def loses_id(changes: Changes) -> bool:
    """Whether an id goes, so that a merged one may come to light."""
    if isinstance(changes.container, ListEntry):
        return False
    return any(
        not isinstance(change, Replaced) and key_name(changes.container.items[number][0]) == "id"
        for number, change in changes.slots.items()
    )


def ids_of(value: object) -> list[str]:
    """The id of a new item."""
    if isinstance(value, Copy):
        changes = value.plan.get(value.source)
        return [] if changes is None else list(given_ids(changes))
    if is_mapping(value) and "id" in value:
        return [_id_text(value["id"])]
    return []


def _id_text(value: object) -> str:
    """An id as it is written, without quotes: what a key path says."""
    if is_mapping(value) or is_list(value):
        return ""
    return value.strip() if isinstance(value, str) else scalar_text(value)


def with_key(data: object, path: KeyPath, value: object) -> object:
    """New plain data with one more value in it, or None.

    None where that might not be written as an edit would have written it afterwards.
    """
    name = path[0] if path else None
    if not is_mapping(data) or not data or not _is_written_plainly(data):
        return None
    if not isinstance(name, str) or name is EVERY or not _is_plain_key(name):
        return None
    if name not in data:
        new = _nested(path[1:], value)
        is_certain = _is_written_plainly(new)
    elif len(path) > 1:
        new = with_key(data[name], path[1:], value)
        is_certain = new is not None
    else:
        new = value
        is_certain = _is_plain_scalar(data[name]) and _is_plain_scalar(new)
    return {**data, name: new} if is_certain else None


def _nested(path: KeyPath, value: object) -> object:
    """`value` below the keys of `path`; what is not a key is not written plainly."""
    for part in reversed(path):
        value = {part: value}
    return value


def _is_written_plainly(value: object) -> bool:
    """Whether data is written without strings of several lines, and its keys without quotes."""
    if is_mapping(value):
        return all(_is_plain_key(key) and _is_written_plainly(item) for key, item in value.items())
    if is_list(value):
        return all(map(_is_written_plainly, value))
    return is_one_line(value)


def _is_plain_key(key: object) -> bool:
    return isinstance(key, str) and key.isidentifier() and scalar_text(key) == key


def _is_plain_scalar(value: object) -> bool:
    """Whether a scalar is written without quotes in either style."""
    if not is_one_line(value) or value is None:
        return False
    return not isinstance(value, str) or (
        scalar_text(value) == value and ":" not in value and "," not in value
    )
