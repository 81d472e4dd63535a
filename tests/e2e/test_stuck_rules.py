"""One game's rules are frozen, with many of its sessions due: every other game's clocks and calls go on."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import grpc
from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from tests.support.processes import PATIENCE, ROOT
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, running
from tests.support.sessions import Created, create, endless, history_of, session_of, submit, view_of

STUCK, OTHER = "maidens", "cabbages"
SESSIONS = 40
TURNS = 3
OFTEN = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 100)]
TURN = wire.TimeLimits(turn=Duration(seconds=1))


@contextmanager
def rules_apart(folder: Path, *games: str) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """The rules of some games, each in a process of its own, at a socket that is called like the game."""
    assert len(f"{folder}") < 80, "the paths of sockets are short: set --basetemp to a folder with a shorter name"
    processes = {}
    try:
        for game in games:
            command = [sys.executable, "-m", "services.rules", "--game", game, "--address", f"unix:{folder / game}"]
            with (folder / f"{game}.log").open("wb") as log:
                processes[game] = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
        for game in games:
            with grpc.insecure_channel(f"unix:{folder / game}", OFTEN) as channel:
                grpc.channel_ready_future(channel).result(timeout=PATIENCE)
        yield processes
    finally:
        for process in processes.values():
            process.kill()
            process.wait()


def lateness_of(stubs: Stubs, created: Created) -> list[float]:
    """In seconds: how long after its deadline each time-out was played."""
    return [
        (after.commit_time.ToMicroseconds() - before.deadline.ToMicroseconds()) / 1e6
        for before, after in pairwise(history_of(stubs, created))
    ]


def until(stubs: Stubs, created: Created, revision: int) -> None:
    """Wait until a session has come so far."""
    deadline = time.monotonic() + PATIENCE
    while session_of(stubs, created).revision < revision:
        assert time.monotonic() < deadline, session_of(stubs, created)
        time.sleep(0.02)


def test_frozen_rules_of_one_game_hold_up_no_other_game(tmp_path: Path) -> None:
    seats = find_games()[STUCK].game.seats[0]
    with (
        rules_apart(tmp_path, STUCK, OTHER) as rules,
        running(tmp_path / "lair.db", rules=f"unix:{tmp_path}/{{game}}", rules_timeout=2.0) as stubs,
    ):
        stuck = [create(stubs, seats, game=STUCK, options=None, limits=TURN) for _ in range(SESSIONS)]
        rules[STUCK].send_signal(signal.SIGSTOP)
        before = [session_of(stubs, created).revision for created in stuck]
        timed, played = create(stubs, 5, limits=TURN), create(stubs, **endless(900))
        calls = 0
        while session_of(stubs, timed).revision < TURNS:
            submit(stubs, played, calls % 2, "feed")
            calls += 1
            assert view_of(stubs, played).revision == calls
            time.sleep(0.02)
        late = lateness_of(stubs, timed)[:TURNS]
        print(f"time-outs beside {SESSIONS} stuck sessions: {max(late):.3f} s late at most, {calls} calls answered")  # noqa: T201  with -s
        assert all(0 <= seconds < PATIENCE / 2 for seconds in late)
        assert [session_of(stubs, created).revision for created in stuck] == before
        refused = refusal_of(lambda: view_of(stubs, stuck[0]))
        assert (refused.reason, bool(refused.retry_after)) == ("RULES_UNAVAILABLE", True)
        rules[STUCK].send_signal(signal.SIGCONT)
        for created, revision in zip(stuck, before, strict=True):
            until(stubs, created, revision + 1)
