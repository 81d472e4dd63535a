"""Streams whose reader is slow: whatever comes meanwhile is told afterwards, once and in order.

The rooms are the real ones over SQLite; only the reader is the test, so that it can be as slow as it likes.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from google.protobuf.message import Message
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from services.rules.handler import RulesHandler
from services.runtime.calls import Answer
from services.runtime.failure import Failure
from services.session.adapters.fanout import MOST_NEWS, LocalFanout
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.adapters.sqlite.store import sqlite_store
from services.session.domain.callers import SPECTATOR
from services.session.domain.session import NO_LIMITS, Record, Revision, Seat
from services.session.ports import Ports
from services.session.usecases.access import Access
from services.session.usecases.items import Closed, FactsChanged, Heartbeat, Told
from services.session.usecases.lobby import Created, Lobby, Plan
from services.session.usecases.reading import Reading, Snapshot
from services.session.usecases.requests import IdempotentRequest
from services.session.usecases.submitting import Action, Submission, Submitting
from services.session.usecases.watching import CATCH_UP, Watching
from services.session.wire.playing import Playing
from services.session.wire.updates import UpdateWriter

ENDLESS = cabbages.Options(first_seat=0, empty_feed=cabbages.EMPTY_FEED_FREE, max_turns=1000)
HEARTBEAT = 0.05
PATIENCE = 60.0
FEED = Submission(Action("", b"", "feed"), "", "")


async def at_once() -> None:
    """Nobody else wants anything."""


class Rooms:
    """One session of two who feed for ever, and the rooms of the service around it."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.access = Access(ports)
        self.submitting = Submitting(ports, self.access)
        reading = Reading(ports, self.access)
        self.watching = Watching(ports, self.access, reading, HEARTBEAT)
        self.playing = Playing(ports, self.access, self.submitting, self.watching, UpdateWriter(reading))
        self.created: Created

    async def open(self) -> None:
        seats = (Seat("Ann", 1), Seat("Ben", 1))
        plan = Plan("cabbages", seats, ENDLESS.SerializeToString(), NO_LIMITS, all_tokens=True)
        self.created = await Lobby(self.ports, self.access).create(plan, IdempotentRequest(b""))

    async def feed(self, moves: int) -> int:
        """Play so many moves; gives the revision that they lead to."""
        for _ in range(moves):
            session = await self.access.load(self.created.session.id)
            token = self.created.seat_tokens[session.revision % 2]
            done = await self.submitting.submit(session.id, token, None, FEED)
        return done.revision.record.revision


@pytest.fixture
async def rooms(tmp_path: Path) -> AsyncIterator[Rooms]:
    handlers = {token: RulesHandler(entry) for token, entry in find_games().items()}
    async with sqlite_store(tmp_path / "lair.db") as store:
        made = Rooms(Ports(store, InProcessRules(handlers), LocalFanout(), lambda: time.time_ns() // 1000))
        await made.open()
        yield made


@pytest.mark.parametrize("missed", [1, MOST_NEWS, MOST_NEWS + 1, MOST_NEWS + CATCH_UP + 7])
async def test_a_watcher_who_stops_reading_misses_nothing(rooms: Rooms, missed: int) -> None:
    """More than the stream keeps, and more than the store gives at once."""
    session = rooms.created.session
    with rooms.ports.fanout.subscribe(session.id) as subscription:
        async with contextlib.aclosing(rooms.watching.follow(session, SPECTATOR, None, subscription, at_once)) as items:
            assert isinstance(await anext(items), FactsChanged)
            assert isinstance(await anext(items), Snapshot)
            for last in (missed, 2 * missed):
                assert await rooms.feed(missed) == last
                told = [item.revision for item in [await next_told(items) for _ in range(missed)]]
                assert told == list(range(last - missed + 1, last + 1))


async def next_told(items: AsyncIterator[object]) -> Told:
    """The next revision."""
    async with asyncio.timeout(PATIENCE):
        async for item in items:
            if isinstance(item, Told):
                return item
    raise AssertionError("the stream has ended")


async def test_a_lost_hint_costs_at_most_one_heartbeat(rooms: Rooms) -> None:
    """Another replica's moves may never be heard of: the store is the truth."""
    session = rooms.created.session
    with rooms.ports.fanout.subscribe("of another replica") as deaf:
        async with contextlib.aclosing(rooms.watching.follow(session, SPECTATOR, None, deaf, at_once)) as items:
            assert [type(await anext(items)) for _ in range(2)] == [FactsChanged, Snapshot]
            await rooms.feed(2)
            started = time.monotonic()
            assert isinstance(await anext(items), Heartbeat)
            assert [(await next_told(items)).revision for _ in range(2)] == [1, 2]
            assert time.monotonic() - started < PATIENCE


async def test_many_streams_that_have_missed_the_same_read_it_together(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, store, streams = rooms.created.session, rooms.ports.store, 20
    read, reads, enough = store.records, 0, asyncio.Event()

    async def records(session_id: str, after: int, limit: int) -> Sequence[Record]:
        nonlocal reads
        reads += 1
        await enough.wait()
        return await read(session_id, after, limit)

    async def told() -> list[Revision]:
        with rooms.ports.fanout.subscribe("of another replica") as deaf:
            async with contextlib.aclosing(rooms.watching.follow(session, SPECTATOR, None, deaf, at_once)) as items:
                assert [type(await anext(items)) for _ in range(2)] == [FactsChanged, Snapshot]
                watching.release()
                return [(await next_told(items)).what for _ in range(2)]

    watching = asyncio.Semaphore(0)
    monkeypatch.setattr(store, "records", records)
    streaming = [asyncio.create_task(told()) for _ in range(streams)]
    for _ in range(streams):
        await watching.acquire()
    await rooms.feed(2)
    await asyncio.sleep(20 * HEARTBEAT)  # all of them have looked
    enough.set()
    first, *others = await asyncio.gather(*streaming)
    assert reads <= streams / 4
    assert sum(revisions == first for revisions in others) >= streams / 2, "what is written for one is there for all"


async def test_a_stream_that_is_behind_ends_when_its_session_is_deleted(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, store = rooms.created.session, rooms.ports.store
    read = store.records

    async def records(session_id: str, after: int, limit: int) -> Sequence[Record]:
        latest = await store.load(session_id)
        if latest:
            await store.delete(latest)
        return await read(session_id, after, limit)

    monkeypatch.setattr(store, "records", records)
    with rooms.ports.fanout.subscribe("of another replica") as deaf:
        async with contextlib.aclosing(rooms.watching.follow(session, SPECTATOR, None, deaf, at_once)) as items:
            assert [type(await anext(items)) for _ in range(2)] == [FactsChanged, Snapshot]
            await rooms.feed(2)
            with pytest.raises(Failure) as caught:
                await asyncio.wait_for(next_told(items), PATIENCE)
    assert caught.value.reason == "SESSION_NOT_FOUND"


async def test_a_stream_is_closed_when_the_server_goes(rooms: Rooms) -> None:
    session = rooms.created.session
    fanout = rooms.ports.fanout
    assert isinstance(fanout, LocalFanout)
    with fanout.subscribe(session.id) as subscription:
        async with contextlib.aclosing(rooms.watching.follow(session, SPECTATOR, None, subscription, at_once)) as items:
            assert [type(await anext(items)) for _ in range(2)] == [FactsChanged, Snapshot]
            await rooms.feed(1)
            fanout.leave()
            rest = [item async for item in items]
    told = [item.revision for item in rest if isinstance(item, Told)]
    assert isinstance(rest[-1], Closed)
    assert rest[-1].revision == len(told), "whoever resumes from there misses nothing"


class SlowPlayer:
    """The player's end of a stream: submits at once, and takes nothing until it is told to."""

    def __init__(self, *texts: str) -> None:
        self.submits = [wire.PlaySeatRequest(submit=wire.PlaySeatSubmit(text=text)) for text in texts]
        self.messages: list[wire.PlaySeatResponse] = []
        self.taking = asyncio.Event()
        self.may_submit = asyncio.Semaphore(0)

    async def read(self, _: type[Message], __: float | None = None) -> Message | None:
        if not self.submits:
            return None
        await self.may_submit.acquire()
        return self.submits.pop(0)

    async def write(self, message: Answer) -> None:
        await self.taking.wait()
        raw = message if isinstance(message, bytes) else message.SerializeToString()
        self.messages.append(wire.PlaySeatResponse.FromString(raw))


async def test_a_player_who_stops_reading_gets_no_answer_before_its_update(rooms: Rooms) -> None:
    session, token = rooms.created.session, rooms.created.seat_tokens[0]
    player = SlowPlayer("feed", "dance", "feed")
    playing = asyncio.create_task(
        rooms.playing.play(session.id, token, None, player.read, player.write, at_once, await_rematch=False)
    )
    player.may_submit.release()
    await reached(rooms, 1)
    await rooms.feed(1)
    player.may_submit.release()
    player.may_submit.release()
    await reached(rooms, 3)
    assert not player.messages, "everything has happened before anything is read"
    player.taking.set()
    async with asyncio.timeout(PATIENCE):
        await playing
    last, answers = -1, []
    for message in player.messages:
        if message.HasField("snapshot"):
            last = message.snapshot.revision
        if message.HasField("update"):
            assert message.update.revision == last + 1
            last = message.update.revision
        if message.HasField("acknowledgement"):
            assert message.acknowledgement.revision <= last
            answers.append(message.acknowledgement.revision)
    assert (last, answers) == (3, [1, 0, 3])


async def test_a_player_who_has_nothing_to_send_hears_what_a_stream_begins_with(rooms: Rooms) -> None:
    session, token = rooms.created.session, rooms.created.seat_tokens[0]
    player = SlowPlayer()
    playing = asyncio.create_task(
        rooms.playing.play(session.id, token, None, player.read, player.write, at_once, await_rematch=False)
    )
    await asyncio.sleep(0.05)  # it is known by now that nothing comes
    player.taking.set()
    async with asyncio.timeout(PATIENCE):
        await playing
    session_message, snapshot = player.messages
    assert session_message.HasField("session")
    assert snapshot.HasField("snapshot")


async def reached(rooms: Rooms, revision: int) -> None:
    """Wait until a session has come so far."""
    session_id = rooms.created.session.id
    with rooms.ports.fanout.subscribe(session_id) as subscription:
        async with asyncio.timeout(PATIENCE):
            while (await rooms.access.load(session_id)).revision < revision:
                await subscription.wait(HEARTBEAT)
