"""A server that is stopped under load and started again in its place: callers wait a moment, and lose no call."""

import asyncio
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

import lair
from tests.support.processes import PATIENCE, Server

RESTARTS = int(os.environ.get("LAIR_RESTARTS", "2"))
CALLERS = 24
LOADED = 20
"""Calls of each caller between two restarts."""
GAME = {"seats": ["Ann", "Ben"], "options": {"first_seat": 0, "empty_feed": "free"}}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60 + 30 * RESTARTS)]


class Counts:
    """How many calls each caller has made, and whether that is enough."""

    def __init__(self) -> None:
        self.calls = [0] * CALLERS
        self.over = threading.Event()

    def wait_for_more(self) -> None:
        """Until every caller has made so many more calls: those who fail make none."""
        wanted = [calls + LOADED for calls in self.calls]
        for _ in range(int(PATIENCE / 0.02)):
            if all(calls >= more for calls, more in zip(self.calls, wanted, strict=True)):
                return
            self.over.wait(0.02)
        raise AssertionError(self.calls)


@contextmanager
def restarting(folder: Path) -> Iterator[tuple[str, Counts]]:
    """A server that is stopped and started again while whoever is in here calls it."""
    counts = Counts()
    with Server(folder / "lair.db", LAIR_LOG_LEVEL="warning") as server, ThreadPoolExecutor(1) as restarter:

        def restart() -> None:
            try:
                for _ in range(RESTARTS):
                    counts.wait_for_more()
                    assert server.stop() == 0
                    server.start()
                counts.wait_for_more()
            finally:
                counts.over.set()

        restarts = restarter.submit(restart)
        yield server.address, counts
        restarts.result(PATIENCE)
        assert "Traceback" not in server.log.read_text()


def test_threads_lose_no_call(tmp_path: Path) -> None:
    def call(client: lair.Client, caller: int, counts: Counts) -> None:
        """Feed in turn, and look: each answer is the next revision."""
        revision, game = 0, client.create("cabbages", **GAME)
        while not counts.over.is_set():
            revision += 1
            assert game.seats[(revision - 1) % 2].play("feed").revision == revision
            assert game.seats[0].snapshot().revision == revision
            counts.calls[caller] += 2
        assert game.facts().revision == revision

    with (
        restarting(tmp_path) as (address, counts),
        ThreadPoolExecutor(CALLERS) as pool,
        lair.connect(address, timeout=PATIENCE) as client,
    ):
        for done in [pool.submit(call, client, caller, counts) for caller in range(CALLERS)]:
            done.result()


async def test_tasks_lose_no_call(tmp_path: Path) -> None:
    async def call(client: lair.AsyncClient, caller: int, counts: Counts) -> None:
        """Feed in turn, and look: each answer is the next revision."""
        revision, game = 0, await client.create("cabbages", **GAME)
        while not counts.over.is_set():
            revision += 1
            assert (await game.seats[(revision - 1) % 2].play("feed")).revision == revision
            assert (await game.seats[0].snapshot()).revision == revision
            counts.calls[caller] += 2
        assert (await game.facts()).revision == revision

    with restarting(tmp_path) as (address, counts):
        async with lair.aconnect(address, timeout=PATIENCE) as client:
            await asyncio.gather(*(call(client, caller, counts) for caller in range(CALLERS)))
