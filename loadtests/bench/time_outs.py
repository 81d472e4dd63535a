"""Time-outs of many sessions that are all due at once, in this process, against as many durable changes alone.

The timekeeper plays them over a store on the disk, without callers and without streams. What it is measured against are
the same writer's commits of changes as long, with as many on their way at once: the disk's pace, without a game.
"""

import asyncio
import contextlib
import itertools
import math
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

from loadtests.baselines.floor import Table
from loadtests.measuring.contenders import BUILD
from loadtests.measuring.rounds import Contender, Sample
from services.games import find_games
from services.rules.chains import ChainsHandler
from services.session.adapters.clock import wall_time
from services.session.adapters.fanout import LocalFanout
from services.session.adapters.rules_gate import GatedRules
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.adapters.sqlite import commands
from services.session.adapters.sqlite.opening import connect_writer
from services.session.adapters.sqlite.store import sqlite_store
from services.session.adapters.sqlite.writer import Writer
from services.session.domain.session import Limits, Seat, SeatKind
from services.session.ports import Ports
from services.session.timekeeper import Timekeeper
from services.session.usecases.access import Access
from services.session.usecases.lobby import Lobby, Plan
from services.session.usecases.requests import IdempotentRequest

GAME, SEATS = "cabbages", 5
SESSIONS = 300
"""That are due at once, for each second that is measured: a game has a few time-outs until it is over."""
AT_ONCE = 32
"""Changes on their way, as the timekeeper has of one game."""
DUE = Limits(idle=2**60, keep=2**60, turn=1)
PLAN = Plan(GAME, (Seat("", SeatKind.HUMAN),) * SEATS, b"", DUE, all_tokens=True)


class Counting(LocalFanout):
    """Counts what is told: every revision is, once it is durable."""

    def __init__(self) -> None:
        super().__init__()
        self.told = 0

    def publish(self, *_: Any) -> None:
        """Count one more."""
        self.told += 1


@contextlib.contextmanager
def contenders(_: object) -> Iterator[tuple[Contender, Contender]]:
    """Both, on a disk: /tmp may be memory."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=BUILD) as folder:
        yield partial(_run, _time_outs, Path(folder)), partial(_run, _changes, Path(folder))


def _run(contend: Callable[[Path, float], Coroutine[Any, Any, Sample]], folder: Path, seconds: float) -> Sample:
    with tempfile.TemporaryDirectory(dir=folder) as own:
        return uvloop.run(contend(Path(own) / "lair.db", seconds))


async def _time_outs(path: Path, seconds: float) -> Sample:
    fanout = Counting()
    rules = GatedRules(InProcessRules({GAME: ChainsHandler(find_games()[GAME])}), AT_ONCE * 2)
    async with sqlite_store(path) as store:
        ports = Ports(store, rules, fanout, wall_time)
        lobby = Lobby(ports, Access(ports))
        await asyncio.gather(
            *(lobby.create(PLAN, IdempotentRequest(b"")) for _ in range(math.ceil(seconds * SESSIONS)))
        )
        return await _measured(Timekeeper(ports).run(), seconds, lambda: fanout.told)


async def _changes(path: Path, seconds: float) -> Sample:
    async with sqlite_store(path):
        pass  # for its tables
    writer = Writer(connect_writer(path), intact=lambda: True)
    done = 0

    async def change(number: int) -> None:
        nonlocal done
        table = Table(f"t{number}")
        await writer.submit(partial(commands.create, table.session, None, None, None))
        for revision in itertools.count():
            await writer.submit(partial(commands.save, table.move(str(revision))))
            done += 1

    async def all_of_them() -> None:
        async with asyncio.TaskGroup() as changes:
            for number in range(AT_ONCE):
                changes.create_task(change(number))

    try:
        return await _measured(all_of_them(), seconds, lambda: done)
    finally:
        await writer.close()


async def _measured(work: Any, seconds: float, count: Callable[[], int]) -> Sample:
    """Let something work for so long, or until it has done anything at all."""
    began, processor, task = time.perf_counter(), time.process_time(), asyncio.create_task(work)
    await asyncio.sleep(seconds)
    while not count() and not task.done():  # noqa: ASYNC110  whatever works tells nobody
        await asyncio.sleep(0.01)
    sample = Sample(count(), time.perf_counter() - began, time.process_time() - processor)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return sample
