"""The timekeeper over a real store and real rules: woken when it has to be, asleep otherwise, and stopped by nobody."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from monsters.rules.v1 import opaque_pb2 as opaque
from msgspec.structs import replace

from services.games import find_games
from services.rules.handler import RulesHandler
from services.session import timekeeper
from services.session.adapters.clock import wall_time
from services.session.adapters.fanout import LocalFanout
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.adapters.sqlite.store import SqliteStore, sqlite_store
from services.session.domain import failures
from services.session.domain.session import Limits, Seat, SeatKind, Session
from services.session.ports import Ports
from services.session.timekeeper import LOOK_EVERY, Timekeeper
from services.session.usecases.access import Access
from services.session.usecases.lobby import Lobby, Plan
from services.session.usecases.requests import IdempotentRequest

GAME, STUCK = "cabbages", "maidens"
PATIENCE = 20.0
SECOND = 1_000_000
NEVER = 2**60


class WaywardRules(InProcessRules):
    """The real rules; those of one game hang from a certain moment on, and count who waits for them."""

    hanging = False
    waiting = 0

    async def apply(self, game: str, version: str, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        """Play a move, or hang."""
        if game == STUCK and self.hanging:
            self.waiting += 1
            await asyncio.Event().wait()
        return await super().apply(game, version, request)


@dataclass
class House:
    """A service without its wire."""

    store: SqliteStore
    rules: WaywardRules
    ports: Ports
    looks: int = 0

    async def open(self, game: str = GAME, turn: int = NEVER) -> Session:
        """A session that is being played, by people who never move."""
        seats = (Seat("", SeatKind.HUMAN),) * find_games()[game].game.seats[1]
        plan = Plan(game, seats, b"", Limits(idle=NEVER, keep=NEVER, turn=turn), all_tokens=True)
        created = await Lobby(self.ports, Access(self.ports)).create(plan, IdempotentRequest(b""))
        return created.session

    async def played(self, session: Session, revision: int = 1) -> None:
        """Wait until it has come so far."""
        async with asyncio.timeout(PATIENCE):
            while (await Access(self.ports).load(session.id)).revision < revision:  # noqa: ASYNC110  as a reader would
                await asyncio.sleep(0.005)


@asynccontextmanager
async def keeping(house: House) -> AsyncIterator[None]:
    """A timekeeper at work, whose looks are counted."""
    games = house.store.games

    async def counted() -> Sequence[str]:
        house.looks += 1
        return await games()

    house.store.games = counted  # type: ignore[method-assign]  # to count
    task = asyncio.create_task(Timekeeper(house.ports).run())
    await asyncio.sleep(0)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    rules = WaywardRules({token: RulesHandler(entry) for token, entry in find_games().items()})
    async with sqlite_store(tmp_path / "lair.db") as store:
        yield House(store, rules, Ports(store, rules, LocalFanout(), wall_time))


async def test_an_alarm_that_is_set_wakes_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timekeeper, "LOOK_EVERY", 1_000.0)
    async with keeping(house):
        far = await house.open(turn=3_600 * SECOND)
        near = await house.open(turn=SECOND // 10)
        await house.played(near, 3)
        assert (await Access(house.ports).load(far.id)).revision == 0


async def test_a_time_out_takes_one_look_and_leaves_an_alarm_that_is_to_come(house: House) -> None:
    """One that has rung already would ring again at once, for a second look at nothing."""
    sessions = [await house.open(turn=3_600 * SECOND) for _ in range(5)]
    ahead = wall_time() + 3_600 * SECOND
    late = House(house.store, house.rules, replace(house.ports, now=lambda: max(ahead, wall_time())))
    async with keeping(late):
        for session in sessions:
            await late.played(session)
        await asyncio.sleep(LOOK_EVERY / 10)
        for session in sessions:
            latest = await Access(house.ports).load(session.id)
            assert latest.head
            assert (latest.version, latest.revision) == (session.version + 1, 1)
            assert latest.alarm == latest.head.deadline


async def test_while_nothing_is_due_it_hardly_asks_the_store(house: House) -> None:
    await house.open(turn=3_600 * SECOND)
    began = time.monotonic()
    async with keeping(house):
        for _ in range(20):
            await house.open(turn=3_600 * SECOND)
        await asyncio.sleep(LOOK_EVERY / 2)
        assert 1 <= house.looks <= 2 + (time.monotonic() - began) / LOOK_EVERY


async def test_a_game_that_hangs_takes_its_own_places_and_no_more(house: House) -> None:
    stuck = [await house.open(STUCK, turn=1) for _ in range(40)]
    house.rules.hanging = True
    async with keeping(house):
        other = await house.open(turn=SECOND // 20)
        await house.played(other, 3)
        assert 0 < house.rules.waiting <= len(stuck)
        waiting = house.rules.waiting
        await house.played(other, 5)
        assert house.rules.waiting == waiting, "what is claimed is not claimed again"


async def test_a_store_that_is_away_for_a_while_stops_no_clock(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timekeeper, "LOOK_EVERY", 0.02)
    session = await house.open(turn=1)
    claim, refused = house.store.claim_due, 0

    async def away(game: str, now: int, lease: int, limit: int) -> Sequence[Session]:
        nonlocal refused
        refused += 1
        if refused == 1:
            raise failures.store_unavailable()
        if refused == 2:
            raise RuntimeError("a defect")
        return await claim(game, now, lease, limit)

    house.store.claim_due = away  # type: ignore[method-assign]  # to be away
    async with keeping(house):
        await house.played(session)
    assert refused > 2
