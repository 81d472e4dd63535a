"""The loads that play sessions: by SubmitMove or PlaySeat, watched or not, young or old, few or many."""

import asyncio
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from typing import Any

import grpc
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1.session_pb2_grpc import SessionServiceStub

from loadtests.generator.games import ENDLESS, USUAL, Script
from loadtests.generator.loads import LANES, Call, UsedUp
from loadtests.measuring.filling import TOKENS, long_ones, session_id

YOUNG = 50
"""A session with fewer moves than this is a young one."""


@dataclass(slots=True)
class Session:
    """A session that is being played, with the metadata that opens each seat."""

    stubs: Sequence[Any]
    """Each seat's: seats may share a connection, or have one of their own."""
    name: str
    keys: Sequence[tuple[tuple[str, str]]]
    game: Script

    async def submit(self) -> None:
        """Play the next move. It is durable when this returns."""
        game = self.game
        request = wire.SubmitMoveRequest(name=self.name, text=game.text, request_id=str(uuid.uuid4()))
        response = await self.stubs[game.seat].SubmitMove(request, metadata=self.keys[game.seat])
        game.made += 1
        assert response.update.revision == game.made


async def create(options: cabbages.Options, *stubs: Any) -> Session:
    """A new session. Seats take turns with the stubs, so one will do."""
    request = wire.CreateSessionRequest(
        game="cabbages", seats=[wire.SeatRequest(name=name) for name in ("Ann", "Ben")], all_tokens=True
    )
    request.options.Pack(options)
    created = await stubs[0].CreateSession(request)
    keys = [(("authorization", f"Bearer {token}"),) for token in created.seat_tokens]
    stubs = tuple(islice(cycle(stubs), len(keys)))
    return Session(stubs, created.session.name, keys, Script(created.session.standing.may_act[0]))


@dataclass(slots=True)
class Table:
    """A session with both seats at their streams."""

    session: Session
    streams: Sequence[Any]
    move: Call
    """Plays the next move, until both seats have heard of it."""

    def leave(self) -> None:
        """Both seats close their streams."""
        for stream in self.streams:
            stream.cancel()


Lay = Callable[..., Awaitable[Table]]
"""Begins a session, by the stubs of its seats."""


async def watched(*stubs: Any) -> Table:
    """A new session that both seats watch."""
    session = await create(USUAL, *stubs)
    request = wire.WatchSessionRequest(name=session.name)
    seats = zip(session.stubs, session.keys, strict=True)
    streams = [stub.WatchSession(request, metadata=key) for stub, key in seats]
    for stream in streams:
        await begin(stream)

    async def move() -> None:
        await session.submit()
        for stream in streams:
            await hear(stream, session.game.made)

    return Table(session, streams, move)


async def played(*stubs: Any) -> Table:
    """A new session that both seats play over a stream."""
    session = await create(USUAL, *stubs)
    game = session.game
    streams = [stub.PlaySeat(metadata=key) for stub, key in zip(session.stubs, session.keys, strict=True)]
    for stream in streams:
        await stream.write(wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=session.name)))
        await begin(stream)

    async def move() -> None:
        mover, other = streams[game.seat], streams[1 - game.seat]
        submit = wire.PlaySeatSubmit(text=game.text, request_id=str(uuid.uuid4()))
        await mover.write(wire.PlaySeatRequest(submit=submit))
        game.made += 1
        heard = await hear(mover, game.made)
        while not heard.HasField("acknowledgement"):
            heard = await mover.read()
        assert heard.acknowledgement.revision == game.made
        await hear(other, game.made)

    return Table(session, streams, move)


async def begin(stream: Any) -> None:
    """Read what a stream begins with."""
    assert (await stream.read()).HasField("session")
    assert (await stream.read()).HasField("snapshot")


async def hear(stream: Any, revision: int) -> Any:
    """Read until the update of a revision. Heartbeats and the session may come before it, and nothing else."""
    while True:
        message = await stream.read()
        if message.HasField("update"):
            assert message.update.revision == revision
            return message
        assert message.HasField("heartbeat") or message.HasField("session")


async def submit_move(channel: grpc.aio.Channel) -> Sequence[Call]:
    """Moves in sessions that both seats watch."""
    return await tables(partial(watched, SessionServiceStub(channel)), LANES)


async def play_seat(channel: grpc.aio.Channel) -> Sequence[Call]:
    """Moves in sessions that both seats play over a stream."""
    return await tables(partial(played, SessionServiceStub(channel)), LANES)


async def tables(lay: Callable[[], Awaitable[Table]], lanes: int) -> Sequence[Call]:
    """So many lanes, each with a table, and another one when its game is done."""

    async def lane() -> Call:
        table = await lay()

        async def call() -> None:
            nonlocal table
            if table.session.game.done:
                table.leave()
                table = await lay()
            await table.move()

        return call

    return [await lane() for _ in range(lanes)]


async def old_sessions(channel: grpc.aio.Channel, moves: int) -> Sequence[Call]:
    """Moves in sessions that have so many moves already. Nobody watches."""
    sessions = await _sessions(channel, LANES)
    await asyncio.gather(*(_play(session, moves) for session in sessions))
    return [session.submit for session in sessions]


async def _play(session: Session, moves: int) -> None:
    for _ in range(moves):
        await session.submit()


async def young_sessions(channel: grpc.aio.Channel, count: int) -> Sequence[Call]:
    """The first moves of so many sessions. Nobody watches. A lane is used up when its sessions are young no more."""

    def lane(young: deque[Session]) -> Call:
        async def call() -> None:
            if not young:
                raise UsedUp
            await young[0].submit()
            if young[0].game.made == YOUNG:
                young.popleft()

        return call

    return [lane(deque(await _sessions(channel, count // LANES))) for _ in range(LANES)]


async def spread_sessions(channel: grpc.aio.Channel, count: int) -> Sequence[Call]:
    """Moves in so many sessions by turns. Nobody watches."""

    def lane(sessions: deque[Session]) -> Call:
        async def call() -> None:
            sessions.rotate()
            await sessions[0].submit()

        return call

    return [lane(deque(await _sessions(channel, count // LANES))) for _ in range(LANES)]


async def stored_sessions(channel: grpc.aio.Channel, moves: int) -> Sequence[Call]:
    """Moves in sessions that were stored with so many moves: some in each, then the next one's. Nobody watches."""
    stub: Any = SessionServiceStub(channel)
    keys = [(("authorization", f"Bearer {token}"),) for token in TOKENS]
    stored = [
        Session([stub, stub], f"sessions/{session_id(number)}", keys, Script(0, moves))
        for number in range(long_ones(moves).sessions)
    ]

    def lane(sessions: deque[Session]) -> Call:
        async def call() -> None:
            await sessions[0].submit()
            if sessions[0].game.made % YOUNG == 0:
                sessions.rotate()

        return call

    return [lane(deque(stored[number::LANES])) for number in range(LANES)]


async def _sessions(channel: grpc.aio.Channel, count: int) -> Sequence[Session]:
    stub: Any = SessionServiceStub(channel)
    return [await create(ENDLESS, stub) for _ in range(count)]
