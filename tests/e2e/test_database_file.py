"""A database file belongs to one server, whatever it is called; a file that is lost is noticed before anybody is told
that a move is kept in it."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import grpc
import pytest

from services.session.adapters.unusable import DatabaseUnusable
from tests.support.processes import ROOT, Server, environment
from tests.support.servers import PATIENCE, Stubs, running
from tests.support.sessions import create, play_out, session_of, submit


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("database") / "lair.db"


@pytest.fixture(scope="module")
def server(file: Path) -> Iterator[Stubs]:
    with running(file) as stubs:
        yield stubs


def refusal(database: str, folder: Path) -> str:
    """What a second server says that is given this name for the file, in this folder."""
    command = [sys.executable, "-m", "services", "--address", "127.0.0.1:0", "--database", database]
    given = environment(PYTHONPATH=str(ROOT))
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def symbolic(file: Path, folder: Path) -> str:
    (folder / "other.db").symlink_to(file)
    return "other.db"


def chained(file: Path, folder: Path) -> str:
    (folder / "folder").symlink_to(file.parent)
    (folder / "chained.db").symlink_to(Path("folder") / file.name)
    return "chained.db"


def hard(file: Path, folder: Path) -> str:
    (folder / "hard.db").hardlink_to(file)
    return "hard.db"


def relative(file: Path, folder: Path) -> str:
    return os.path.relpath(file, folder)


@pytest.mark.parametrize("name", [symbolic, chained, hard, relative])
def test_a_file_has_one_server_by_whatever_name(
    server: Stubs, file: Path, tmp_path: Path, name: Callable[[Path, Path], str]
) -> None:
    other = name(file, tmp_path)
    assert refusal(other, tmp_path) == f"another server has {other}; stop it, or set LAIR_DATABASE to another file"
    if name is hard:
        (tmp_path / other).unlink()
    assert submit(server, create(server), 0).revision == 1, "the one that has it is not disturbed"


def test_a_file_with_two_names_is_opened_by_neither(tmp_path: Path) -> None:
    """SQLite's log is beside one of them: by the other, the last moves of a server that was killed would be missing."""
    names = tmp_path / "lair.db", tmp_path / "other.db"
    with running(names[0]) as stubs:
        created = create(stubs)
    names[1].hardlink_to(names[0])
    for name in names:
        with pytest.raises(DatabaseUnusable, match=rf"{name}: it has 2 names \(hard links\)"), running(name):
            pytest.fail("it is served")
    names[1].unlink()
    with running(names[0]) as stubs:
        assert session_of(stubs, created)


# ---- a file that is lost --------------------------------------------------------------------------------------------


def removed(file: Path) -> None:
    file.unlink()


def moved(file: Path) -> None:
    file.rename(file.with_name("moved.db"))


def replaced(file: Path) -> None:
    shutil.copy(file, file.with_name("copy.db"))
    file.with_name("copy.db").rename(file)


def without_its_log(file: Path) -> None:
    file.with_name(f"{file.name}-wal").unlink()


def in_another_folder(file: Path) -> None:
    """The folder is another one now."""
    file.parent.rename(file.parent.with_name("was"))
    file.parent.mkdir()


@pytest.mark.parametrize("lose", [removed, moved, replaced, without_its_log, in_another_folder])
def test_a_move_is_not_acknowledged_into_a_file_that_is_lost(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with running(folder / "lair.db") as stubs:
        created = create(stubs)
        submit(stubs, created, 0)
        lose(folder / "lair.db")
        for _ in range(2):
            refused = code_of(partial(submit, stubs, created, 1))
            assert refused is grpc.StatusCode.UNAVAILABLE
        assert code_of(partial(create, stubs)) is grpc.StatusCode.UNAVAILABLE
        assert session_of(stubs, created).revision == 1, "what was acknowledged can be read"
        until(lambda: not stubs.serving())


def test_a_file_that_comes_back_is_written_again(tmp_path: Path) -> None:
    database = tmp_path / "lair.db"
    with Server(database) as server, Stubs(server.address) as stubs:
        created = create(stubs)
        for seat in (0, 1):
            moved(database)
            until(lambda: not stubs.serving())
            (tmp_path / "moved.db").rename(database)
            until(stubs.serving)
            submit(stubs, created, seat)
        server.kill()
    with running(database) as stubs:
        assert session_of(stubs, created).revision == 2, "nothing is missing from it"
    said = [json.loads(line) for line in server.log.read_text("utf-8").splitlines() if line.startswith("{")]
    about = [(line["event"], line["path"]) for line in said if "path" in line]
    assert about == [("database lost", str(database)), ("database is back", str(database))] * 2


def code_of(call: Callable[[], object]) -> grpc.StatusCode:
    """What a call fails with."""
    with pytest.raises(grpc.RpcError) as raised:
        call()
    code: grpc.StatusCode = raised.value.code()
    return code


def until(true: Callable[[], bool]) -> None:
    """Wait until it is so."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# ---- no file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", ["memory:", ":memory:"])
def test_sessions_in_memory_are_played_and_leave_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with running(Path(memory)) as stubs:
        created = create(stubs)
        play_out(stubs, created)
        assert session_of(stubs, created).standing.HasField("outcome")
        assert stubs.serving()
    assert list(tmp_path.iterdir()) == []
