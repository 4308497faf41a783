"""A file, a text or plain data to a topology, or to the one error that says all that is wrong.

First the fast way, which takes only what is right; after a failure the complete way, which finds everything and places it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from polar_config._plain.frozen import copied
from polar_config._reading import files
from polar_config._reading.structure import NotStructuredError, structure
from polar_config._yaml.events import checked
from polar_config._yaml.fast import plain
from polar_config._yaml.unreadable import UnreadableError, normal, unreadable_error
from polar_config._yaml.values import NotPlainError
from polar_config.errors import TopologyError
from polar_config.errors._problem import Finding

if TYPE_CHECKING:
    from polar_config._yaml.tree import Entry

T = TypeVar("T")


def from_file(path: Path, cls: type[T], name: str) -> T:
    """The topology in a file."""
    return from_bytes(read(path, name), cls, name)


def read(path: Path, name: str) -> bytes:
    """The bytes of a file; raises `TopologyError` where it is none that can be a topology, `OSError` as it comes."""
    try:
        return files.read_bytes(path)
    except UnreadableError as error:
        raise unreadable_error(error, "", name) from None


def from_bytes(data: bytes, cls: type[T], name: str) -> T:
    """The topology in what a file holds."""
    return from_text(decoded(data, name), cls, name)


def decoded(data: bytes, name: str) -> str:
    """`data` as text; raises `TopologyError`."""
    try:
        return files.decoded(data)
    except UnreadableError as error:
        raise unreadable_error(error, normal(data.decode("utf-8", "replace")), name) from None


def from_text(text: str, cls: type[T], name: str) -> T:
    """The topology in a text."""
    text = normal(text)
    try:
        text = checked(text)
        return structure(plain(text), cls)
    except UnreadableError as error:
        raise unreadable_error(error, text, name) from None
    except (NotPlainError, NotStructuredError):
        pass
    return _closely(text, cls, name)


def _closely(text: str, cls: type[T], name: str) -> T:
    """The topology in a text that needs a closer look: its tree is read, with places."""
    from polar_config._yaml.tree import tree  # noqa: PLC0415  (only a failure needs it)

    try:
        root = tree(text)
    except UnreadableError as error:
        raise unreadable_error(error, text, name) from None
    return from_tree(text, root, cls, name)


def from_tree(text: str, root: "Entry | None", cls: type[T], name: str) -> T:
    """The topology in the tree of a text, or the error with everything that is wrong in it."""
    from polar_config._yaml.data import Data  # noqa: PLC0415

    data = Data(root)
    if not data.findings:
        try:
            return structure(data.value, cls)
        except NotStructuredError:
            pass
    from polar_config._reading.findings import findings  # noqa: PLC0415
    from polar_config._reading.locate import located_error  # noqa: PLC0415

    found = findings(data.value, cls)
    raise located_error(text, name, root, data, found)


def from_data(mapping: Mapping[str, object], cls: type[T]) -> T:
    """The topology in plain data."""
    data, left_out = copied(mapping)
    if not left_out:
        try:
            return structure(data, cls)
        except NotStructuredError:
            pass
    raise _unplaced_error(data, left_out, cls)


def _unplaced_error(data: object, left_out: list[Finding], cls: type) -> TopologyError:
    from polar_config._reading.findings import findings  # noqa: PLC0415
    from polar_config._reading.locate import unplaced_error  # noqa: PLC0415  (only a failure needs it)

    spoilt = {each.path for each in left_out}
    found = [each for each in findings(data, cls) if each.path not in spoilt]
    return unplaced_error(data, [*left_out, *found])
