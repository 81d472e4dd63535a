"""Every call of the rules, in process and over gRPC: what the hop between two servers costs.

Each call is the same every time, with a seed of its own, so that each answer can be checked. The position is one that
the rules know already, as those of a game that goes on are.
"""

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import grpc
from google.protobuf.message import Message
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words

from loadtests.generator.games import SEATS, Script
from loadtests.generator.loads import LANES, Call
from loadtests.measuring.rounds import Contender, Sample
from services.games import find_games
from services.rules.handler import RulesHandler

SERVICE = "/monsters.cabbages.v1.RulesService"
MOVES = 20
"""Moves before the position that is asked for."""
BATCH = 20
"""Calls in process between two looks at the clock."""
CHANCE = words.Chance(seed=bytes(32))
HANDLER = RulesHandler(find_games()["cabbages"])


def _requests() -> Sequence[Message]:
    """One of each method."""
    begin = opaque.StartGameRequest(seats=SEATS, chance=CHANCE)
    start = HANDLER.start_game(begin)
    game, position = Script(start.standing.may_act[0]), start.position
    for _ in range(MOVES):
        move = opaque.ApplyMoveRequest(position=position, seat=game.seat, move_text=game.text, chance=CHANCE)
        position, game.made = HANDLER.apply_move(move).position, game.made + 1
    seat, text = game.seat, game.text
    line = HANDLER.format_position(opaque.FormatPositionRequest(position=position)).position_text
    return (
        opaque.DescribeGameRequest(),
        begin,
        opaque.EnumerateMovesRequest(position=position, seat=seat),
        opaque.ValidateMoveRequest(position=position, seat=seat, move_text=text),
        opaque.ApplyMoveRequest(position=position, seat=seat, move_text=text, chance=CHANCE),
        opaque.ViewPositionRequest(position=position, seat=seat),
        opaque.SuggestMoveRequest(position=position, seat=seat, chance=CHANCE),
        opaque.FormatPositionRequest(position=position),
        opaque.ParsePositionRequest(position_text=line),
    )


REQUESTS: Mapping[str, Message] = {request.DESCRIPTOR.name.removesuffix("Request"): request for request in _requests()}
"""By method."""


def row_of(method: str) -> str:
    """The name of a method's row, and of its load."""
    return "hop" + re.sub(r"[A-Z]", lambda capital: f"_{capital[0].lower()}", method)


def answer_to(method: str) -> Message:
    """What a method answers to its request."""
    return _function(method)(REQUESTS[method])


def _function(method: str) -> Callable[[Any], Message]:
    function: Callable[[Any], Message] = getattr(HANDLER, row_of(method).removeprefix("hop_"))
    return function


def in_process(method: str) -> Contender:
    """A contender that calls a method in this process."""
    call, request = _function(method), REQUESTS[method]

    def contend(seconds: float) -> Sample:
        calls, started, began = 0, time.thread_time(), time.perf_counter()
        while time.perf_counter() < began + seconds:
            for _ in range(BATCH):
                call(request)
            calls += BATCH
        return Sample(calls, time.perf_counter() - began, time.thread_time() - started)

    return contend


async def _over_grpc(method: str, channel: grpc.aio.Channel) -> Sequence[Call]:
    request, expected = REQUESTS[method], answer_to(method)
    over_grpc: Any = channel.unary_unary(
        f"{SERVICE}/{method}", type(request).SerializeToString, type(expected).FromString
    )

    async def call() -> None:
        assert (await over_grpc(request)) == expected

    return [call] * LANES


LOADS: Mapping[str, Callable[[grpc.aio.Channel], Awaitable[Sequence[Call]]]] = {
    row_of(method): partial(_over_grpc, method) for method in REQUESTS
}
"""Over gRPC, by the name of the row."""
