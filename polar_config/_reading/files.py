"""A path to the text of the file; only regular files of a limited size are read."""

import os
import stat
from pathlib import Path

from polar_config._yaml.unreadable import MAX_BYTES, Spot, UnreadableError, normal, spot

# O_NONBLOCK: it may have become a pipe since its mode was looked at
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_KINDS = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # the byte order marks


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file, cut behind 16 MiB, so that a larger one is seen to be too large.

    Raises `UnreadableError` for anything but a regular file, and any `OSError`.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise no_file(mode)
    with os.fdopen(os.open(path, _READ), "rb") as file:
        return file.read(MAX_BYTES + 1)


def no_file(mode: int) -> UnreadableError:
    """The refusal of what is not a regular file."""
    kind = _KINDS.get(stat.S_IFMT(mode), "a device")
    hint = "save it to a file first, or use polar-config check - to read standard input"
    if stat.S_ISDIR(mode):
        hint = "pass the topology file in it"
    return UnreadableError("not-a-file", None, f"expected a file, found {kind}", hint)


def decoded(data: bytes) -> str:
    """`data` as text; raises `UnreadableError` with the position of the first byte not in UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start
    # outside of the handler, so that the error has no context that holds the data
    hint = "save the file as UTF-8"
    if data.startswith(_UTF_16):
        message = "the file is UTF-16, not UTF-8 (byte 0)"
        raise UnreadableError("not-utf-8", Spot(0, 0, 0), message, hint)
    before = normal(data[:offset].decode("utf-8"))
    message = f"invalid UTF-8: byte 0x{data[offset]:02x} at offset {offset}"
    raise UnreadableError("not-utf-8", spot(before, len(before)), message, hint)
