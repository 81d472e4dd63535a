"""The loads that need no session: a method that does nothing, a stream that echoes, the rules alone.

A load opens some lanes, and a lane makes one call after another. A call is complete when everybody who shall hear of it
has heard, so a stream that lags is seen in the figures. Every answer is checked: no load measures how fast errors are.
"""

import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc
from google.protobuf.field_mask_pb2 import FieldMask
from monsters.rules.v1 import opaque_pb2 as opaque

from loadtests.baselines.empty import ANSWER, ECHO, Small
from loadtests.baselines.floor import PLAY
from loadtests.generator.games import SEATS, Script

LANES = 16
"""Calls under way at once."""
BATCH = 64
"""Moves of one message."""
READ_MASK = FieldMask(paths=["standing", "moves"])
"""What a simulation asks for: how things stand, and what can be done next."""

RULES = "/monsters.cabbages.v1.RulesService"

Call = Callable[[], Awaitable[Sequence[float] | None]]
"""Makes one call, and completes it. Raises UsedUp when the lane has no more to do.

What it returns are the latencies that it saw, in seconds, in those loads that are there for them.
"""


class UsedUp(Exception):
    """A lane has nothing left to do."""


async def empty(channel: grpc.aio.Channel) -> Sequence[Call]:
    """A method that does nothing."""
    answer: Any = channel.unary_unary(ANSWER, Small.SerializeToString, Small.FromString)
    request = Small(text="sessions/0123456789ab", number=7)

    async def call() -> None:
        assert (await answer(request)) == request

    return [call] * LANES


async def echo(channel: grpc.aio.Channel) -> Sequence[Call]:
    """Streams that give back what they get."""
    open_stream: Any = channel.stream_stream(ECHO, Small.SerializeToString, Small.FromString)
    message = Small(text="sessions/0123456789ab", number=7)

    def lane() -> Call:
        stream = open_stream()

        async def call() -> None:
            await stream.write(message)
            assert (await stream.read()) == message

        return call

    return [lane() for _ in range(LANES)]


async def floor(channel: grpc.aio.Channel) -> Sequence[Call]:
    """Moves without a game: two streams a lane, which take turns, and both hear of every move."""
    open_stream: Any = channel.stream_stream(PLAY, Small.SerializeToString, Small.FromString)

    async def lane(name: str) -> Call:
        streams = [open_stream() for _ in range(SEATS)]
        for seat, stream in enumerate(streams):
            await stream.write(Small(text=name, number=seat))
            await stream.read()
        made = 0

        async def call() -> None:
            nonlocal made
            await streams[made % SEATS].write(Small(text=str(uuid.uuid4())))
            made += 1
            for stream in streams:
                assert (await stream.read()).number == made

        return call

    return [await lane(f"table{number}") for number in range(LANES)]


def _beginning(channel: grpc.aio.Channel) -> Callable[[], Awaitable[tuple[Script, bytes]]]:
    """What begins a game, and gives its position."""
    start: Any = channel.unary_unary(
        f"{RULES}/StartGame", opaque.StartGameRequest.SerializeToString, opaque.StartGameResponse.FromString
    )

    async def begin() -> tuple[Script, bytes]:
        started = await start(opaque.StartGameRequest(seats=SEATS))
        return Script(started.standing.may_act[0]), started.position

    return begin


async def apply_move(channel: grpc.aio.Channel) -> Sequence[Call]:
    """The rules alone: each lane plays on from the position that it got."""
    begin = _beginning(channel)
    apply: Any = channel.unary_unary(
        f"{RULES}/ApplyMove", opaque.ApplyMoveRequest.SerializeToString, opaque.ApplyMoveResponse.FromString
    )

    async def lane() -> Call:
        game, position = await begin()

        async def call() -> None:
            nonlocal game, position
            if game.done:
                game, position = await begin()
            response = await apply(opaque.ApplyMoveRequest(position=position, seat=game.seat, move_text=game.text))
            position, game.made = response.position, game.made + 1
            assert response.standing.may_act == [game.seat]

        return call

    return [await lane() for _ in range(LANES)]


async def stream_moves(channel: grpc.aio.Channel) -> Sequence[Call]:
    """The rules alone, many moves a message: each lane has a stream. A call is a move, without a latency."""
    begin = _beginning(channel)
    open_stream: Any = channel.stream_stream(
        f"{RULES}/ApplyMoves", opaque.ApplyMovesRequest.SerializeToString, opaque.ApplyMovesResponse.FromString
    )

    async def lane() -> Call:
        stream = open_stream()
        game, position = await begin()
        answers: deque[tuple[int, opaque.AppliedMove]] = deque()

        async def play() -> None:
            nonlocal game, position
            if game.done:
                game, position = await begin()
            moves, seats = [], []
            for _ in range(BATCH):
                moves.append(opaque.NextMove(position=position, seat=game.seat, move_text=game.text))
                position, game.made = b"", game.made + 1
                seats.append(game.seat)
            await stream.write(opaque.ApplyMovesRequest(moves=moves, read_mask=READ_MASK))
            applied: list[opaque.AppliedMove] = []
            while len(applied) < BATCH:
                applied += (await stream.read()).moves
            answers.extend(zip(seats, applied, strict=True))

        async def call() -> Sequence[float]:
            if not answers:
                await play()
            seat, applied = answers.popleft()
            assert applied.standing.may_act == [seat]
            return ()

        return call

    return [await lane() for _ in range(LANES)]
