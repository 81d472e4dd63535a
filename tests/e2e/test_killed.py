"""The server is killed at random moments while people play: no acknowledged move is lost, and none is played twice."""

import os
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

import lair
from tests.support.processes import Server

Answer = TypeVar("Answer")

CLIENTS = 8
SEATS_AT_A_TABLE = 2
MOVES = int(os.environ.get("LAIR_KILL_MOVES", "120"))
PATIENCE = 240 + MOVES


@dataclass
class Notes:
    """What the players saw, and how many moves are still wanted."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    acknowledged: dict[str, list[lair.Update]] = field(default_factory=dict)
    moves: int = 0
    kills: int = 0
    finished: threading.Event = field(default_factory=threading.Event)

    def take(self, session: str, update: lair.Update) -> None:
        with self.lock:
            self.acknowledged.setdefault(session, []).append(update)
            self.moves += 1


def persist(call: Callable[[], Answer], deadline: float) -> Answer:
    """Ask until there is an answer: as an application would that outlives its server."""
    while True:
        try:
            return call()
        except (lair.Unavailable, lair.ResourceExhausted):
            assert time.monotonic() < deadline, "the server did not come back"
            time.sleep(0.05)


def play_seat(client: lair.Client, name: str, token: str, notes: Notes, deadline: float) -> None:
    """Play one seat to the end of its game."""
    whim = random.Random(token)
    seat = persist(lambda: client.seat(name, token), deadline)
    while True:
        snapshot = persist(seat.snapshot, deadline)
        if snapshot.standing.over:
            return
        if seat.index not in snapshot.standing.awaited:
            time.sleep(0.002)
            continue
        move, request_id = whim.choice(snapshot.moves), str(uuid.uuid4())
        notes.take(name, persist(lambda: seat.play(move, request_id=request_id), deadline))  # noqa: B023  called here


def play_table(address: str, notes: Notes, deadline: float) -> None:
    """Play games at one table, each seat with a client of its own, until enough moves are played."""
    clients = [lair.connect(address) for _ in range(SEATS_AT_A_TABLE)]
    with clients[0], clients[1], ThreadPoolExecutor(SEATS_AT_A_TABLE) as players:
        while notes.moves < MOVES:
            request_id = str(uuid.uuid4())
            game = persist(
                lambda: clients[0].create("cabbages", seats=["Ann", "Ben"], request_id=request_id),  # noqa: B023
                deadline,
            )
            seats = [(client, game.name, seat.token) for client, seat in zip(clients, game.seats, strict=True)]
            for played in [players.submit(play_seat, *seat, notes, deadline) for seat in seats]:
                played.result()


def kill_again_and_again(server: Server, notes: Notes) -> None:
    """Be the power cut."""
    whim = random.Random(7)
    while not notes.finished.wait(whim.uniform(0.02, 1.0)):
        server.kill()
        notes.kills += 1
        server.start()


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE + 60)
def test_no_acknowledged_move_is_lost_and_none_is_played_twice(tmp_path: Path) -> None:
    notes, deadline = Notes(), time.monotonic() + PATIENCE
    with Server(tmp_path / "lair.db", LAIR_LOG_LEVEL="warning") as server:
        killer = threading.Thread(target=kill_again_and_again, args=(server, notes))
        with ThreadPoolExecutor(CLIENTS // SEATS_AT_A_TABLE) as tables:
            playing = [tables.submit(play_table, server.address, notes, deadline) for _ in range(tables._max_workers)]
            killer.start()
            try:
                for table in playing:
                    table.result()
            finally:
                notes.finished.set()
                killer.join()
        assert notes.moves >= MOVES
        assert notes.kills > 0
        with lair.connect(server.address) as client:
            for name, updates in notes.acknowledged.items():
                session = client.session(name)
                history = {update.revision: update for update in session.history()}
                twice = [revision for revision, n in Counter(u.revision for u in updates).items() if n > 1]
                assert not twice, f"{name}: two moves were told the same revision"
                assert sorted(history) == list(range(len(updates) + 1)), f"{name}: lost or played twice"
                for update in updates:
                    assert history[update.revision].events == update.events
                    assert history[update.revision].seat == update.seat
                assert session.facts().state is lair.State.OVER
                verification = session.verify()
                assert verification.ok, f"{name}: {verification}"
        print(f"{notes.moves} moves in {len(notes.acknowledged)} games, killed {notes.kills} times")  # noqa: T201  the figures of a full run
