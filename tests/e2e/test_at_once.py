"""Four people in four processes act at once: nothing stalls, and no move is lost."""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import lair
from tests.support.processes import ROOT, Server

NAMES = ("Ann", "Ben", "Cleo", "Dan")
GAMES = int(os.environ.get("LAIR_TOGETHER_GAMES", "5"))
PATIENCE = 60 + 5 * GAMES
OVERTAKEN = {"GAME_OVER", "WRONG_PHASE", "NOT_IN_PAIR", "NO_SUCH_PROPOSAL", "STATEMENT_NOT_ALLOWED"}
"""What a move can be refused for that was legal when it was chosen: others have ended what it was for."""


def play_seat(address: str, games: list[lair.Session], seat: int) -> list[dict]:
    """Play one seat of every game in a process of its own."""
    lines = "".join(f"{game.name} {game.seats[seat].token}\n" for game in games)
    command = [sys.executable, "-m", "tests.support.player", address]
    played = subprocess.run(
        command, cwd=ROOT, input=lines, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert played.returncode == 0, played.stderr
    return [json.loads(line) for line in played.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE + 60)
def test_who_acts_at_once_loses_no_move_and_every_game_verifies(tmp_path: Path) -> None:
    """A game in which all may act: a move that is still legal after another's is played, not refused."""
    refused: Counter[str] = Counter()
    moves = 0
    with Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning") as server, lair.connect(server.address) as client:
        games = [client.create("heads", seats=NAMES) for _ in range(GAMES)]
        with ThreadPoolExecutor(len(NAMES)) as players:
            played = list(players.map(lambda seat: play_seat(server.address, games, seat), range(len(NAMES))))
        for game, *seats in zip(games, *played, strict=True):
            acknowledged = {revision: seat for seat, told in enumerate(seats) for revision in told["revisions"]}
            history = {update.revision: update.seat for update in game.history()}
            assert sum(len(told["revisions"]) for told in seats) == len(acknowledged), f"{game.name}: played twice"
            assert {0: None} | acknowledged == history, f"{game.name}: lost or made up"
            assert game.facts().state is lair.State.OVER
            verification = game.verify()
            assert verification.ok, f"{game.name}: {verification}"
            moves += len(acknowledged)
            refused.update(reason for told in seats for reason in told["refused"])
    assert set(refused) <= OVERTAKEN
    print(f"{moves} moves in {GAMES} games; overtaken: {dict(refused)}")  # noqa: T201  the figures of a full run
