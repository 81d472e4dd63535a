"""`make demo`, as a user runs it."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import lair
from services.games import find_games
from tests.support.edge import edge, needs_envoy
from tests.support.processes import environment, free_port
from tests.support.servers import running

ROOT = Path(__file__).parents[2]
SHORT = ("cabbages", "maidens")
"""Games that are over soon, however they are played."""
LINE = re.compile(
    r"(?P<session>sessions/\w+)  (?P<game>\w+)  \d+ seats  (?P<moves>\d+) moves  "
    r"verified: (?P<verified>\d+) moves?, \d+ draws?"
)


def demo(**settings: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "services.demo"],
        cwd=ROOT,
        env=environment(**{"LAIR_SERVER": "", **settings}),
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def sessions_of(lines: Sequence[str], games: Sequence[str]) -> list[str]:
    """The sessions that were played: a game of each of these, verified to its last move."""
    *lines, last = lines
    played = [line for line in map(LINE.fullmatch, lines) if line]
    assert [line["game"] for line in played] == list(games)
    assert all(line["moves"] == line["verified"] for line in played)
    assert last == f"{len(lines)} of {len(lines)} sessions verified"
    return [line["session"] for line in played]


def test_it_plays_and_verifies_a_game_of_each_game() -> None:
    done = demo()
    assert done.returncode == 0, done.stderr
    assert sessions_of(done.stdout.splitlines(), list(find_games()))


@needs_envoy
def test_it_plays_at_the_server_that_is_named_and_leaves_it_running(tmp_path: Path) -> None:
    """It may be an edge, and have other games."""
    entries = [entry for token, entry in find_games().items() if token in SHORT]
    with (
        running(tmp_path / "lair.db", entries) as server,
        edge(server.address) as web,
        lair.connect(server.address) as client,
    ):
        done = demo(LAIR_SERVER=web.address)
        assert done.returncode == 0, done.stderr
        first, *lines = done.stdout.splitlines()
        assert first == f"at {web.address}, as LAIR_SERVER says"
        for name in sessions_of(lines, SHORT):
            assert client.session(name).facts().state is lair.State.OVER


def test_a_server_that_does_not_start_is_said_in_a_sentence() -> None:
    done = demo(LAIR_HEARTBEAT="100")
    assert done.returncode == 1
    assert "LAIR_HEARTBEAT" in done.stderr
    assert done.stderr.splitlines()[-1] == "the demo failed: the server did not start"


def test_a_named_server_that_is_not_there_is_said_in_a_sentence() -> None:
    nowhere = f"127.0.0.1:{free_port()}"
    done = demo(LAIR_SERVER=nowhere)
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert said.startswith("the demo failed: ")
    assert nowhere in said
