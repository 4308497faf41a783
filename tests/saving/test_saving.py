"""A text gets back into its file as a whole or not at all, and nobody's work is lost."""

import contextlib
import copy
import errno
import fcntl
import os
import pickle
import random
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import refused

from polar_config import (
    GatewayConfig,
    GatewayNodeConfig,
    TopologyChangedError,
    TopologyConfig,
    TopologyDocument,
    TopologyError,
)

TEXT = "gateway:\n  nodes:\n    - id: a  # first\n      port: 8100\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "topology.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def _opened(file: Path, port: int = 9000) -> TopologyDocument:
    document = TopologyDocument.open(file)
    document.set("gateway.nodes[0].port", port)
    return document


def _only_file(file: Path) -> bool:
    return [each.name for each in file.parent.iterdir()] == [file.name]


# --- what is saved ----------------------------------------------------------------------------------------------------


def test_save_writes_the_text(file: Path) -> None:
    document = _opened(file)
    document.save()
    assert file.read_text(encoding="utf-8") == TEXT.replace("8100", "9000") == document.text
    document.set("gateway.nodes[0].port", 9001)
    document.save()
    assert TopologyConfig.load(file).gateway.nodes[0].port == 9001
    assert document.config.path == file
    assert _only_file(file)


def test_an_unchanged_text_writes_nothing(file: Path) -> None:
    before = file.stat()
    document = TopologyDocument.open(file)
    document.apply(document.config)
    document.save()
    document.save(file)
    after = file.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_an_invalid_text_is_not_saved_unless_it_is_a_template(file: Path) -> None:
    document = _opened(file)
    document.set("gateway.nodes[0].port", "${PORT}")
    error = refused(document.save)
    assert [problem.code for problem in error.problems] == ["placeholder"]
    assert str(error).startswith(f"{file}:4:13: ")
    assert file.read_text(encoding="utf-8") == TEXT
    document.save(check=False)
    assert "${PORT}" in file.read_text(encoding="utf-8")


def test_save_to_another_file(file: Path) -> None:
    other = file.with_name("other.yaml")
    document = _opened(file)
    document.save(other)
    assert file.read_text(encoding="utf-8") == TEXT
    assert other.read_text(encoding="utf-8") == document.text
    assert [problem.code for problem in refused(lambda: document.save(other)).problems] == [
        "file-exists"
    ]
    document.set("gateway.nodes[0].port", 9001)
    document.save(other, overwrite=True)
    assert "9001" in other.read_text(encoding="utf-8")
    document.save()
    assert "9001" in file.read_text(encoding="utf-8")


def test_a_text_without_a_file_must_be_told_where(tmp_path: Path) -> None:
    document = TopologyDocument.parse(TEXT)
    assert "the document has no file" in str(refused(document.save))
    document.save(tmp_path / "new.yaml")
    document.set("gateway.nodes[0].port", 9001)
    document.save()
    assert "9001" in (tmp_path / "new.yaml").read_text(encoding="utf-8")


def test_a_topology_from_code_becomes_a_new_file(tmp_path: Path) -> None:
    topology = TopologyConfig(gateway=GatewayConfig(nodes=[GatewayNodeConfig(id="a")]))
    TopologyDocument.parse(topology.dumps()).save(tmp_path / "new.yaml")
    assert TopologyConfig.load(tmp_path / "new.yaml") == topology


# --- the same file ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_the_mode_stays(file: Path, mode: int) -> None:
    file.chmod(mode)
    _opened(file).save()
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_new_file_gets_the_mode_of_the_umask(file: Path) -> None:
    for mask, mode in ((0o022, 0o644), (0o077, 0o600)):
        before = os.umask(mask)
        try:
            _opened(file).save(file.with_name(f"{mask}.yaml"))
        finally:
            os.umask(before)
        assert stat.S_IMODE(file.with_name(f"{mask}.yaml").stat().st_mode) == mode


def test_the_owner_and_the_group_stay(file: Path) -> None:
    """As root those of somebody else, otherwise a group that we are in besides our own."""
    owner = 12_345 if os.geteuid() == 0 else -1
    groups = [12_345] if os.geteuid() == 0 else [*os.getgroups(), os.getegid()]
    os.chown(file, owner, next((each for each in groups if each != os.getegid()), os.getegid()))
    before = file.stat()
    _opened(file).save()
    after = file.stat()
    assert after.st_ino != before.st_ino
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)


def test_extended_attributes_stay(file: Path) -> None:
    with contextlib.suppress(OSError):
        os.setxattr(file, "user.note", b"kept")
    names = os.listxattr(file) or pytest.skip("this file system has no extended attributes")
    _opened(file).save()
    assert os.listxattr(file) == names
    assert os.getxattr(file, "user.note") == b"kept"


def test_a_symbolic_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    link = tmp_path / "sub" / "link.yaml"
    link.symlink_to(file)
    document = _opened(link)
    document.save()
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == document.text
    document.set("gateway.nodes[0].port", 9001)
    document.save(file)  # the same file by another name
    assert "9001" in link.read_text(encoding="utf-8")


def test_the_file_that_was_opened_is_saved_wherever_the_process_or_a_link_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "topology.yaml").write_text(TEXT, encoding="utf-8")
    link = tmp_path / "link.yaml"
    link.symlink_to(tmp_path / "one" / "topology.yaml")
    monkeypatch.chdir(tmp_path / "one")
    relative, linked = _opened(Path("topology.yaml")), _opened(link, 9001)
    monkeypatch.chdir(tmp_path / "two")
    link.unlink()
    link.symlink_to(tmp_path / "two" / "topology.yaml")
    relative.save()
    assert isinstance(refused(linked.save), TopologyChangedError)
    assert (tmp_path / "one" / "topology.yaml").read_text(encoding="utf-8") == relative.text
    assert (tmp_path / "two" / "topology.yaml").read_text(encoding="utf-8") == TEXT


def test_what_would_not_stay_the_same_is_refused(file: Path) -> None:
    document = _opened(file)
    file.with_name("second.yaml").hardlink_to(file)
    assert "2 names (hard links)" in str(refused(document.save))
    file.with_name("second.yaml").unlink()
    file.chmod(0o444)
    assert "the file may not be written" in str(refused(document.save))
    file.chmod(0o644)
    file.parent.chmod(0o555)
    try:
        assert "its directory may not be written" in str(refused(document.save))
    finally:
        file.parent.chmod(0o755)
    assert file.read_text(encoding="utf-8") == TEXT
    assert _only_file(file)


@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_what_is_no_regular_file_is_refused(file: Path, kind: str) -> None:
    document = _opened(file)
    file.unlink()
    file.mkdir() if kind == "directory" else os.mkfifo(file)
    assert f"found a {kind}" in str(refused(document.save))


# --- others -----------------------------------------------------------------------------------------------------------


def test_a_file_that_somebody_else_changed_is_left_alone(file: Path) -> None:
    first, second = _opened(file, 1), _opened(file, 2)
    first.save()
    error = refused(second.save)
    assert isinstance(error, TopologyChangedError)
    assert str(error).startswith(f"{file}: the file has changed since it was opened")
    assert file.read_text(encoding="utf-8") == first.text
    first.set("gateway.nodes[0].port", 3)
    first.save()
    assert _only_file(file)


def test_a_file_or_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "topology.yaml"
    file.write_text(TEXT, encoding="utf-8")
    document = _opened(file)
    file.unlink()
    assert isinstance(refused(document.save), TopologyChangedError)
    folder.rmdir()
    assert isinstance(refused(document.save), TopologyChangedError)
    with pytest.raises(FileNotFoundError):
        document.save(folder / "new.yaml")


def test_what_a_killed_process_left_is_removed(file: Path) -> None:
    assert _killed(file, "replace") == -signal.SIGKILL
    assert len(list(file.parent.iterdir())) == 2
    assert file.read_text(encoding="utf-8") == TEXT
    _opened(file).save()
    assert _only_file(file)


def test_a_lock_is_waited_for_but_not_for_ever(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = os.open(file.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        clock = iter([0.0, 1.0, 100.0])
        monkeypatch.setattr(time, "monotonic", lambda: next(clock))
        assert "has held a lock on the directory" in str(refused(_opened(file).save))
    finally:
        os.close(folder)
    monkeypatch.undo()
    assert file.read_text(encoding="utf-8") == TEXT


# --- faults -----------------------------------------------------------------------------------------------------------

_CHILD = """
import os, signal, sys
from polar_config import TopologyDocument
name, number, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
def fault(*arguments, **options):
    os.kill(os.getpid(), number)
document = TopologyDocument.open(path)
document.set("gateway.nodes[0].port", 9000)
setattr(os, name, fault)
document.save()
"""


def _killed(file: Path, name: str) -> int:
    """The exit status of a process that saves and is killed in place of one call of the system."""
    command = [sys.executable, "-c", _CHILD, name, str(int(signal.SIGKILL)), str(file)]
    return subprocess.run(command, capture_output=True, check=False).returncode


@pytest.mark.parametrize("name", ["open", "write", "fchown", "fchmod", "fsync", "close", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_an_error_of_the_system_leaves_the_old_file_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    document = _opened(file)
    real: Any = getattr(os, name)
    calls: list[int] = []

    def failing(*arguments: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) != (
            3 if name == "open" else 1
        ):  # the folder and the old file can be opened, the new one cannot
            return real(*arguments, **options)
        if name == "close":
            real(*arguments)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, name, failing)
    if name == "fchown":  # where the owner cannot be kept, the file is saved all the same
        document.save()
    else:
        with pytest.raises(OSError, match=re.escape(os.strerror(code))) as caught:
            document.save()
        assert caught.value.filename is not None
    monkeypatch.undo()
    assert calls
    assert file.read_text(encoding="utf-8") == (document.text if name == "fchown" else TEXT)
    assert _only_file(file)
    document.save()
    assert file.read_text(encoding="utf-8") == document.text


def test_a_file_system_without_locks_links_attributes_and_folder_syncs_will_do(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOTSUP, "not supported")

    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            unsupported()
        real(descriptor)

    monkeypatch.setattr(fcntl, "flock", unsupported)
    monkeypatch.setattr(os, "link", unsupported)
    monkeypatch.setattr(os, "listxattr", unsupported)
    monkeypatch.setattr(os, "fsync", fsync)
    document = _opened(file)
    document.save()
    document.save(file.with_name("new.yaml"))
    assert (
        file.read_text(encoding="utf-8")
        == file.with_name("new.yaml").read_text(encoding="utf-8")
        == document.text
    )


def test_an_attribute_that_cannot_be_kept_is_left_out(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOTSUP, "not supported")

    def names(_: object) -> list[str]:
        return ["user.a", "user.b"]

    monkeypatch.setattr(os, "listxattr", names)
    monkeypatch.setattr(os, "getxattr", unsupported)
    _opened(file).save()
    assert "9000" in file.read_text(encoding="utf-8")


def test_a_short_write_goes_on(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def short(descriptor: int, data: memoryview) -> int:
        return real(descriptor, data[:7])

    monkeypatch.setattr(os, "write", short)
    document = _opened(file)
    document.save()
    monkeypatch.undo()
    assert file.read_text(encoding="utf-8") == document.text


def test_a_file_that_comes_into_being_meanwhile_is_not_overwritten(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = file.with_name("new.yaml")
    real = os.link

    def late(*arguments: Any) -> None:
        new.write_text("somebody else's", encoding="utf-8")
        real(*arguments)

    monkeypatch.setattr(os, "link", late)
    assert [problem.code for problem in refused(lambda: _opened(file).save(new)).problems] == [
        "file-exists"
    ]
    assert new.read_text(encoding="utf-8") == "somebody else's"
    assert sorted(each.name for each in file.parent.iterdir()) == ["new.yaml", "topology.yaml"]


_WRITER = """
import sys, itertools
from polar_config import TopologyDocument, TopologyError
for number in itertools.count(1):
    document = TopologyDocument.open(sys.argv[1])
    document.set("gateway.nodes[0].port", number % 60_000 + 1)
    document.set("gateway.nodes[0].model_served", "x" * (number % 997))
    document.save()
    if number == 1:
        print("started", flush=True)
"""


def test_a_kill_at_any_moment_leaves_a_whole_file(file: Path) -> None:
    """`POLAR_CONFIG_KILLS` says how many processes are killed."""
    chance = random.Random("polar")
    for _ in range(int(os.environ.get("POLAR_CONFIG_KILLS", "15"))):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(file)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.random() / 50)
            process.kill()
        node = TopologyConfig.load(file).gateway.nodes[0]
        assert node.model_served == "x" * ((node.port - 1) % 997)  # both of one save
        assert len(list(file.parent.iterdir())) <= 2
    _opened(file).save()
    assert _only_file(file)


_COUNTER = """
import sys
from polar_config import TopologyChangedError, TopologyDocument
done = 0
while done < int(sys.argv[2]):
    document = TopologyDocument.open(sys.argv[1])
    document.set("gateway.nodes[0].port", document.get("gateway.nodes[0].port") + 1)
    try:
        document.save()
    except TopologyChangedError:
        continue
    done += 1
"""


def test_two_processes_that_edit_one_file_lose_nothing(file: Path) -> None:
    """`POLAR_CONFIG_RACES` says how many edits each of the two makes."""
    count = int(os.environ.get("POLAR_CONFIG_RACES", "60"))
    _opened(file, 1).save()
    racers = [
        subprocess.Popen([sys.executable, "-c", _COUNTER, str(file), str(count)]) for _ in range(2)
    ]
    assert [each.wait() for each in racers] == [0, 0]
    assert TopologyConfig.load(file).gateway.nodes[0].port == 1 + 2 * count
    assert _only_file(file)


def test_a_change_error_pickles_and_is_a_topology_error() -> None:
    error = TopologyChangedError([], "t.yaml")
    assert isinstance(error, TopologyError)
    assert type(pickle.loads(pickle.dumps(error))) is type(copy.copy(error)) is TopologyChangedError
