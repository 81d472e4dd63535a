"""A backup is made while people play, and a server on the copy goes on with every game that is in it."""

import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import lair
from tests.support.processes import ROOT, Server

MOVES = 20
PLAYERS = 4


def back_up(database: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "services.backup", "--database", str(database), str(target)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)


def play(seats: Sequence[lair.Seat[Any]], moves: int) -> None:
    """Play so many moves, or fewer if the game ends before."""
    for _ in range(moves):
        for seat in seats:
            if legal := seat.moves():
                seat.play(legal[0])
                break


@pytest.mark.slow
def test_a_copy_that_was_made_under_load_is_served_with_every_game_in_it(tmp_path: Path) -> None:
    database, copy = tmp_path / "lair.db", tmp_path / "backups" / "lair.db"
    copy.parent.mkdir()
    with Server(database) as server, lair.connect(server.address) as client:
        finished = client.create("cabbages", seats=["Ann", "Ben"])
        finished.play_out("random")
        games = [client.create("cabbages", seats=["Ann", "Ben"]) for _ in range(PLAYERS)]
        before = [game.facts().revision for game in games]
        threads = [threading.Thread(target=play, args=(game.seats, MOVES)) for game in games]
        for thread in threads:
            thread.start()
        done = back_up(database, copy)
        for thread in threads:
            thread.join()
        after = [game.facts().revision for game in games]
        assert done.returncode == 0, done.stderr
        assert f"{PLAYERS + 1} sessions" in done.stdout
        keys = [[seat.token for seat in game.seats] for game in games]
    assert copy.stat().st_mode & 0o077 == 0, "it has secrets in it"
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]
    with Server(copy) as server, lair.connect(server.address) as client:
        assert client.session(finished.name).verify().ok
        for game, tokens, first, last in zip(games, keys, before, after, strict=True):
            revision = client.session(game.name).facts().revision
            assert first <= revision <= last
            seats = [client.seat(game.name, token) for token in tokens]
            playable = any(seat.moves() for seat in seats)
            play(seats, 1)
            assert client.session(game.name).facts().revision == revision + playable


@pytest.mark.slow
def test_a_backup_is_restored_as_the_documents_say(tmp_path: Path) -> None:
    """Also over what a server left that was killed, whose last writes are in a file beside the database."""
    database, copy = tmp_path / "lair.db", tmp_path / "copy.db"
    with Server(database) as server, lair.connect(server.address) as client:
        kept = client.create("cabbages", seats=["Ann", "Ben"])
        assert back_up(database, copy).returncode == 0
        lost = client.create("cabbages", seats=["Ann", "Ben"])
        server.kill()
    assert (tmp_path / "lair.db-wal").stat().st_size
    copy.rename(tmp_path / "restored.db")
    (command,) = re.findall(r"sh -c '(cd /data && .+)'", (ROOT / "docs" / "operations.md").read_text("utf-8"))
    subprocess.run(["sh", "-c", command.replace("/data", str(tmp_path))], check=True)
    with Server(database) as server, lair.connect(server.address) as client:
        assert client.session(kept.name).facts().revision == 0
        with pytest.raises(lair.NotFound):
            client.session(lost.name)
    assert database.stat().st_mode & 0o077 == 0


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.write_text("mine")
    done = back_up(tmp_path / "lair.db", target)
    assert (done.returncode, done.stderr) == (1, f"no backup: {target} is there already\n")
    assert target.read_text() == "mine"


@pytest.mark.parametrize("content", [None, b"Dear Ann, " * 1000])
def test_what_is_no_database_has_no_backup(tmp_path: Path, content: bytes | None) -> None:
    database, target = tmp_path / "lair.db", tmp_path / "copy.db"
    if content is not None:
        database.write_bytes(content)
    done = back_up(database, target)
    assert done.returncode == 1
    assert done.stderr.startswith(f"no backup: {database}: ")
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("copy*"))
    assert database.exists() == (content is not None)
