"""Files: read whole and only if regular."""

import os
import stat
from pathlib import Path

from polar_config._yaml.unreadable import MAX_BYTES, Spot, UnreadableError, normal, spot


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most 16 MiB; raises `UnreadableError` for anything else, `OSError` as it comes."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise no_file(mode)
    descriptor = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )  # should it be a pipe by now
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_BYTES + 1)


def no_file(mode: int) -> UnreadableError:
    """The refusal of what is no regular file."""
    kinds = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    kind = kinds.get(stat.S_IFMT(mode), "a device")
    hint = (
        "name the topology file in it"
        if stat.S_ISDIR(mode)
        else "write it to a file first; polar-config check - reads standard input"
    )
    return UnreadableError("not-a-file", None, f"expected a file, found {kind}", hint)


def decoded(data: bytes) -> str:
    """`data` as text; raises `UnreadableError` with the line and the offset of the first byte that is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = error.start
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableError(
            "not-utf-8", Spot(0, 0, 0), "the file is UTF-16, not UTF-8 (byte 0)", "save it as UTF-8"
        )
    before = normal(data[:offset].decode("utf-8"))
    place = spot(before, len(before))
    message = f"the byte 0x{data[offset]:02x} at offset {offset} is not UTF-8"
    raise UnreadableError("not-utf-8", place, message, "save the file as UTF-8")
