"""How streams of moves share the event loop with everybody else, and how their answers are cut."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from monsters.rules.v1 import opaque_pb2 as opaque

from services.games import find_games
from services.rules import chains
from services.rules.chains import ChainsHandler
from services.rules.service import RulesServicer, Streams
from services.runtime.failure import Failure

GAME = "cabbages"
STREAMS = 5
MOVES = 40


@pytest.fixture
def handler() -> ChainsHandler:
    return ChainsHandler(find_games()[GAME])


def harvests(handler: ChainsHandler, count: int, *wanted: str) -> opaque.ApplyMovesRequest:
    """So many first moves, each of the same position."""
    started = handler.start_game(opaque.StartGameRequest(seats=2))
    move = opaque.NextMove(position=started.position, seat=started.standing.may_act[0], move_text="harvest")
    return opaque.ApplyMovesRequest(moves=[move] * count, read_mask=FieldMask(paths=wanted))


@dataclass
class Caller:
    """A stream that sends one message."""

    message: opaque.ApplyMovesRequest
    on_answer: Callable[[], object] = lambda: None
    answers: list[Any] = field(default_factory=list)
    facts: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._left = [self.message]

    async def read(self, _: type[Message], __: float | None = None) -> Message | None:
        return self._left.pop() if self._left else None

    async def write(self, answer: Any) -> None:
        self.answers.append(answer)
        self.on_answer()


async def served(servicer: RulesServicer, *callers: Caller) -> None:
    """All of them at once."""
    calls: list[Any] = list(callers)
    await asyncio.gather(*(servicer.apply_moves(caller.read, caller, caller.write) for caller in calls))


async def turns(into: list[int]) -> None:
    """Count the turns of the event loop."""
    while True:
        into[0] += 1
        await asyncio.sleep(0)


@pytest.fixture
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause after every move."""
    monkeypatch.setattr(chains, "MOST_SECONDS", 0.0)


@pytest.mark.usefixtures("_no_patience")
async def test_however_many_streams_there_are_one_works_between_two_turns_of_the_loop(handler: ChainsHandler) -> None:
    turn, seen = [0], list[int]()
    callers = [Caller(harvests(handler, MOVES, "standing"), lambda: seen.append(turn[0])) for _ in range(STREAMS)]
    counting = asyncio.create_task(turns(turn))
    await served(RulesServicer(handler, Streams()), *callers)
    counting.cancel()
    assert [len(caller.answers) for caller in callers] == [MOVES] * STREAMS
    assert turn[0] >= STREAMS * MOVES
    assert max(seen.count(number) for number in seen) == 1


@pytest.mark.usefixtures("_no_patience")
async def test_streams_take_turns(handler: ChainsHandler) -> None:
    order: list[int] = []
    callers = [
        Caller(harvests(handler, MOVES, "standing"), lambda number=number: order.append(number))  # type: ignore[misc]  # bound now
        for number in range(STREAMS)
    ]
    await served(RulesServicer(handler, Streams()), *callers)
    assert all(set(order[start : start + STREAMS]) == set(range(STREAMS)) for start in range(0, len(order), STREAMS))


async def test_a_stream_says_how_many_moves_it_has_played(handler: ChainsHandler) -> None:
    caller = Caller(harvests(handler, MOVES))
    await served(RulesServicer(handler, Streams()), caller)
    assert caller.facts == {"moves": MOVES}
    assert sum(len(answer.moves) for answer in caller.answers) == MOVES


async def test_whoever_is_refused_leaves_room(handler: ChainsHandler) -> None:
    servicer = RulesServicer(handler, Streams())
    for _ in range(3):
        with pytest.raises(Failure) as refused:
            await served(servicer, Caller(harvests(handler, chains.MOST_MOVES + 1)))
        assert refused.value.reason == "MALFORMED_REQUEST"
    caller = Caller(harvests(handler, 1))
    await served(servicer, caller)
    assert len(caller.answers) == 1


def test_large_answers_are_cut(handler: ChainsHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "MOST_SECONDS", 60.0)
    whole = harvests(handler, 100)
    assert len(list(handler.apply_moves(whole, chains.Chains(chains.Places())))) == 1
    most = 2000
    monkeypatch.setattr(chains, "MOST_BYTES", most)
    answers = list(handler.apply_moves(whole, chains.Chains(chains.Places())))
    largest = max(applied.ByteSize() for answer in answers for applied in answer.moves)
    assert sum(len(answer.moves) for answer in answers) == 100
    assert all(most < answer.ByteSize() < most + 2 * largest for answer in answers[:-1])
    assert 5 < len(answers) < 50


def test_nothing_is_kept_of_a_stream_but_its_chains(handler: ChainsHandler) -> None:
    kept = chains.Chains(chains.Places())
    list(handler.apply_moves(harvests(handler, 3), kept))
    assert set(kept) == {0}
    with pytest.raises(Failure):
        list(handler.apply_moves(harvests(handler, 3, "nonsense"), kept))
    assert set(kept) == {0}
