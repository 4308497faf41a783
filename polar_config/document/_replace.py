"""A file replaced as a whole, or not at all: a reader sees the old one or the new one, and no
update of somebody else is lost.

The new bytes go into a temporary file beside the old one, which takes over its owner, mode and
attributes and then its name. Correctness comes from comparing what is on disk with what was read; a
lock on the directory keeps others who do the same from coming in between.
"""

import contextlib
import hashlib
import os
import stat
import sys
import time
from collections.abc import Generator
from pathlib import Path

from polar_config._reading.files import no_file, read_bytes
from polar_config.errors import TopologyChangedError, TopologyError, refused

_PATIENCE = 10.0  # seconds to wait for somebody else's lock
_PAUSE = 0.005  # seconds between two looks at it
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def replace(path: Path, data: bytes, *, expected: bytes | None = None, new: bool = False) -> None:
    """Make `data` the content of the file at `path`, through symbolic links.

    With `expected`, only if that is the content now (`TopologyChangedError`); with `new`, only if
    there is no such file. Raises `TopologyError` for a file that may not or cannot be replaced, and
    `OSError` as the system raises it; then the file is as it was.
    """
    target = Path(os.path.realpath(path))
    temporary = (
        target.parent
        / f".polar-config-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}.tmp"
    )
    with _locked_directory(target, gone=expected is not None) as directory:
        temporary.unlink(
            missing_ok=True
        )  # of somebody who was killed: whoever holds the lock is alone
        status = _checked(target, path, expected, new=new)
        try:
            _write(temporary, data, target, status)
            if new:
                _name(temporary, target, path)
            else:
                _rename(temporary, target)
        except BaseException as error:
            temporary.unlink(missing_ok=True)
            if isinstance(error, OSError) and error.filename is None:
                error.filename = str(path)
            raise
        with contextlib.suppress(OSError):  # it has its new name already
            os.fsync(directory)


def _refused(code: str, path: Path, message: str, hint: str | None = None) -> TopologyError:
    return refused(code, message, hint=hint, source=str(path))


def _changed(path: Path, what: str) -> TopologyError:
    message = f"the file {what} since it was opened; nothing was written"
    return refused(
        "file-changed", message, hint="open it again", source=str(path), error=TopologyChangedError
    )


# --- before ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def _locked_directory(target: Path, *, gone: bool) -> Generator[int]:
    """The descriptor of the directory of `target`, locked where the file system has locks."""
    if sys.platform == "win32":
        yield -1
        return
    try:
        directory = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY | _FLAGS & ~os.O_NOFOLLOW)
    except FileNotFoundError:
        if gone:
            raise _changed(target, "and its directory were removed") from None
        raise
    try:
        _lock(directory, target)
        yield directory
    finally:
        with contextlib.suppress(OSError):
            os.close(directory)  # and with it the lock


def _lock(directory: int, target: Path) -> None:
    import fcntl  # Unix only

    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        except OSError:  # no locks here: then the comparison has to do
            return
        else:
            return
        if time.monotonic() > deadline:
            raise _refused(
                "locked",
                target,
                f"another program has held a lock on the directory for {_PATIENCE:.0f} seconds",
                "try again",
            )
        time.sleep(_PAUSE)


def _checked(
    target: Path, path: Path, expected: bytes | None, *, new: bool
) -> os.stat_result | None:
    """What the system says of the file that is to be replaced, None if there is none; raises if it
    may not be.
    """
    try:
        status = target.stat()
    except FileNotFoundError:
        if expected is not None:
            raise _changed(path, "was removed") from None
        status = None
    if status is not None:
        if new:
            raise _exists(path)
        _refuse_special(status, path)
        if expected is not None and read_bytes(target) != expected:
            raise _changed(path, "has changed")
    if not target.parent.stat().st_mode & 0o222 or not os.access(target.parent, os.W_OK | os.X_OK):
        raise _refused(
            "not-writable",
            path,
            "its directory may not be written",
            "save it somewhere else, or change the directory's mode",
        )
    return status


def _refuse_special(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        refusal = no_file(status.st_mode)
        raise _refused(refusal.code, path, refusal.message)
    if status.st_nlink > 1:
        message = (
            f"the file has {status.st_nlink} names (hard links), and would keep only one of them"
        )
        raise _refused("hard-links", path, message, "save it under another name")
    if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise _refused("not-writable", path, "the file may not be written", "change its mode first")


def _exists(path: Path) -> TopologyError:
    return _refused(
        "file-exists",
        path,
        "there is a file of this name already",
        "choose another name, or say overwrite=True",
    )


# --- writing --------------------------------------------------------------------------------------


def _write(temporary: Path, data: bytes, target: Path, status: os.stat_result | None) -> None:
    descriptor = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666 if status is None else 0o600
    )
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if status is not None:
            _take_over(descriptor, target, status)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _take_over(descriptor: int, target: Path, status: os.stat_result) -> None:
    """Owner, then mode (a change of owner resets part of it), then attributes, as far as the system
    lets us.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(target):
            with contextlib.suppress(OSError):
                os.setxattr(descriptor, name, os.getxattr(target, name))


def _name(temporary: Path, target: Path, path: Path) -> None:
    """Give a new file its name, unless there is one of that name by now."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # a file system without hard links
        _rename(temporary, target)
    else:
        temporary.unlink()


def _rename(temporary: Path, target: Path) -> None:
    if sys.platform == "win32":
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(PermissionError):  # while somebody is reading it
                temporary.replace(target)
                return
            time.sleep(_PAUSE)
    temporary.replace(target)
