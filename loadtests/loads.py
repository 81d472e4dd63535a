"""The loads that need no session: a method that does nothing, a stream that echoes, the rules alone.

A load opens some lanes, and a lane makes one call after another. A call is complete when everybody who shall hear of it
has heard, so a stream that lags is seen in the figures. Every answer is checked: no load measures how fast errors are.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc
from monsters.rules.v1 import opaque_pb2 as opaque

from loadtests.empty import ANSWER, ECHO, Small
from loadtests.games import SEATS, Script

LANES = 16
"""Calls under way at once."""

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


async def apply_move(channel: grpc.aio.Channel) -> Sequence[Call]:
    """The rules alone: each lane plays on from the position that it got."""
    service = "/monsters.cabbages.v1.RulesService"
    start: Any = channel.unary_unary(
        f"{service}/StartGame", opaque.StartGameRequest.SerializeToString, opaque.StartGameResponse.FromString
    )
    apply: Any = channel.unary_unary(
        f"{service}/ApplyMove", opaque.ApplyMoveRequest.SerializeToString, opaque.ApplyMoveResponse.FromString
    )

    async def begin() -> tuple[Script, bytes]:
        started = await start(opaque.StartGameRequest(seats=SEATS))
        return Script(started.standing.may_act[0]), started.position

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
