"""`make demo`, as a user runs it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from services.games import find_games

ROOT = Path(__file__).parents[2]
LINE = re.compile(
    r"sessions/\w+  (?P<game>\w+)  \d+ seats  (?P<moves>\d+) moves  verified: (?P<verified>\d+) moves?, \d+ draws?"
)


def demo(**environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "services.demo"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def test_it_plays_and_verifies_a_game_of_each_game() -> None:
    done = demo()
    assert done.returncode == 0, done.stderr
    *lines, last = done.stdout.splitlines()
    played = [LINE.fullmatch(line) for line in lines]
    assert [line and line["game"] for line in played] == list(find_games())
    assert all(line and line["moves"] == line["verified"] for line in played)
    assert last == f"{len(lines)} of {len(lines)} sessions verified"


def test_a_server_that_does_not_start_is_said_in_a_sentence() -> None:
    done = demo(LAIR_HEARTBEAT="100")
    assert done.returncode == 1
    assert "LAIR_HEARTBEAT" in done.stderr
    assert done.stderr.splitlines()[-1] == "the demo failed: the server did not start"
