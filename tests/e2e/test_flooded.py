"""Twenty connections do their worst, and somebody plays on: every move is taken, and none waits for the others' turns.

LAIR_FLOOD_SECONDS=60 floods for as long, and `pytest -rP` shows how long moves took.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import quantiles

import grpc
import pytest

from tests.support.processes import ROOT, Server
from tests.support.servers import PATIENCE, Stubs
from tests.support.sessions import create, endless, submit

CONNECTIONS = 20
SECONDS = float(os.environ.get("LAIR_FLOOD_SECONDS", "6"))


@pytest.mark.slow
def test_a_seated_player_plays_on_while_others_do_their_worst(tmp_path: Path) -> None:
    with Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning") as server, Stubs(server.address) as stubs:
        created = create(stubs, **endless(1_000_000))
        command = [sys.executable, "-m", "tests.support.flood", server.address, str(CONNECTIONS), str(SECONDS)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as flood:
            assert flood.stdout
            assert flood.stdout.readline() == b"flooding\n"
            took, ends = list[float](), time.monotonic() + SECONDS - 1
            while time.monotonic() < ends or len(took) < 20:
                began = time.monotonic()
                submit(stubs, created, len(took) % 2, "feed")
                took.append(time.monotonic() - began)
                time.sleep(0.02)
            told = flood.stdout.read().decode()
        percentiles = quantiles(took, n=100)
        print(
            f"{len(took)} moves, p50 {percentiles[49]:.3f} s, p99 {percentiles[98]:.3f} s, most {max(took):.3f} s", told
        )
        assert max(took) < PATIENCE / 2
        assert "INTERNAL" not in told
        assert "UNKNOWN" not in told
        assert stubs.serving()
        assert isinstance(stubs.channel, grpc.Channel)
