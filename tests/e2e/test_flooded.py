"""Twenty connections do their worst, and two who sit at a table play on: every move is taken, and soon.

LAIR_FLOOD_SECONDS=60 floods for as long, and `pytest -rP` shows how long moves took.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

import pytest

from tests.support.processes import ROOT, Server
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import Player, create, endless, submit

CONNECTIONS = 20
SECONDS = float(os.environ.get("LAIR_FLOOD_SECONDS", "4"))
FEWEST = 10
PAUSE = 0.02


@pytest.mark.slow
def test_those_who_play_play_on_while_others_do_their_worst(tmp_path: Path) -> None:
    """On streams that are open, as the SDK plays, and by calls."""
    with Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning") as server, Stubs(server.address) as stubs:
        streamed, called = (create(stubs, **endless(1000)) for _ in range(2))
        with Player(stubs, streamed, 0) as first, Player(stubs, streamed, 1) as second:
            players = (first, second)
            for player in players:
                assert player.take().HasField("snapshot")
            command = [sys.executable, "-m", "tests.support.flood", server.address, str(CONNECTIONS), str(SECONDS)]
            with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as flood:
                assert flood.stdout
                assert flood.stdout.readline() == b"flooding\n"
                ends = time.monotonic() + SECONDS - 1
                streams, calls = list[float](), list[float]()
                while time.monotonic() < ends or len(calls) < FEWEST:
                    seat = len(calls) % 2
                    streams.append(timed(lambda seat=seat: played(players[seat])))  # type: ignore[misc]  # bound now
                    calls.append(timed(lambda seat=seat: submit(stubs, called, seat, "feed")))  # type: ignore[misc]
                    time.sleep(PAUSE)
                told = flood.stdout.read().decode()
        sys.stdout.write(f"on streams {figures(streams)}; by calls {figures(calls)}; the others were told {told}")
        assert max(streams + calls) < PATIENCE / 2
        assert stubs.serving()


def played(player: Player) -> None:
    """Play a move, and hear that it was."""
    player.submit("feed")
    *_, last = player.answer()
    assert last.acknowledgement.revision, last


def timed(move: Callable[[], object]) -> float:
    """The seconds that a move takes."""
    began = time.monotonic()
    move()
    return time.monotonic() - began


def figures(took: list[float]) -> str:
    """What is to be said of them."""
    percentiles = quantiles(took, n=100)
    return f"{len(took)} moves, p50 {percentiles[49]:.3f} s, p99 {percentiles[98]:.3f} s"
