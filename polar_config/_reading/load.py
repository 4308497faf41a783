"""A file, a text or plain data to a topology, or to the one error that reports everything wrong.

The fast way comes first: it accepts only what is right, and tracks no positions. After a failure
the complete way reads the tree of the text, finds every problem and its position. Its modules are
imported only then.
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

if TYPE_CHECKING:
    from polar_config._yaml.tree import Entry

T = TypeVar("T")


def from_file(path: Path, cls: type[T], name: str) -> T:
    """The topology in a file."""
    return from_bytes(read(path, name), cls, name)


def read(path: Path, name: str) -> bytes:
    """The bytes of a file; raises `TopologyError` if it is not a regular one, and any `OSError`."""
    try:
        return files.read_bytes(path)
    except UnreadableError as error:
        raise unreadable_error(error, "", name) from None


def from_bytes(data: bytes, cls: type[T], name: str) -> T:
    """The topology in the bytes of a file."""
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
    """The topology in a text that needs a closer look: its tree is read, with positions."""
    from polar_config._yaml.tree import tree  # only a failure needs it

    try:
        root = tree(text)
    except UnreadableError as error:
        raise unreadable_error(error, text, name) from None
    return from_tree(text, root, cls, name)


def from_tree(text: str, root: "Entry | None", cls: type[T], name: str) -> T:
    """The topology in the tree of a text; raises the error with everything that is wrong."""
    from polar_config._yaml.data import Data

    data = Data(root)
    if not data.findings:
        try:
            return structure(data.value, cls)
        except NotStructuredError:
            pass
    from polar_config._reading.problems import located_error

    raise located_error(text, name, root, data, cls)


def from_data(mapping: Mapping[str, object], cls: type[T]) -> T:
    """The topology in plain data."""
    data, left_out = copied(mapping)
    if not left_out:
        try:
            return structure(data, cls)
        except NotStructuredError:
            pass
    from polar_config._reading.problems import unplaced_error

    raise unplaced_error(data, left_out, cls)
