"""Many moves over one stream, through gRPC, in every game."""

import random
import threading
import time
from collections.abc import Iterator
from hashlib import sha256
from queue import SimpleQueue
from typing import Any

import pytest
from google.protobuf.field_mask_pb2 import FieldMask
from monsters.rules.v1 import rules_pb2 as words

from services.games import find_games
from services.rules.chains import MOST_MOVES
from tests.support.servers import PATIENCE, Stubs, running, service_of

GAMES_AT_ONCE = 6
MOST_PLIES = 60
CLIENTS_TAKE = 4 * 1024 * 1024
"""What a client of gRPC receives in one message, unless it is told otherwise."""


@pytest.fixture(scope="module")
def rules() -> Iterator[Stubs]:
    """The rules alone, as `python -m services.rules` serves them."""
    with running() as stubs:
        yield stubs


class Stream:
    """A stream of one game's moves."""

    def __init__(self, stubs: Stubs, game: str) -> None:
        self.wire: Any = service_of(game)
        self.stub = stubs.rules(game)
        self.sizes: list[int] = []
        self._sending: SimpleQueue[Any] = SimpleQueue()
        self._answers = self.stub.ApplyMoves(iter(self._sending.get, None))

    def start(self, number: int = 0) -> Any:
        seats = self.stub.DescribeGame(self.wire.DescribeGameRequest()).game.min_seats
        return self.stub.StartGame(self.wire.StartGameRequest(seats=seats, chance=chance(number, 0)))

    def play(self, moves: list[Any], **fields: Any) -> list[Any]:
        """The answers to one message."""
        self._sending.put(self.wire.ApplyMovesRequest(moves=moves, **fields))
        answers: list[Any] = []
        while len(answers) < len(moves):
            answer = next(self._answers)
            assert answer.rules_version
            self.sizes.append(answer.ByteSize())
            answers += answer.moves
        return answers

    def close(self) -> None:
        self._sending.put(None)
        assert list(self._answers) == []


def chance(game: int, ply: int) -> words.Chance:
    return words.Chance(seed=sha256(f"{game} {ply}".encode()).digest())


@pytest.fixture(params=find_games())
def stream(rules: Stubs, request: pytest.FixtureRequest) -> Iterator[Stream]:
    stream = Stream(rules, request.param)
    yield stream
    stream.close()


def test_games_are_played_side_by_side_by_the_moves_that_come_with_each_answer(stream: Stream) -> None:
    """A game's position is sent once; each move is what ApplyMove makes of it."""
    whim, wire = random.Random(7), stream.wire
    positions = [stream.start(number).position for number in range(GAMES_AT_ONCE)]
    first = {}
    for chain, position in enumerate(positions):
        moves = {
            seat: stream.stub.EnumerateMoves(wire.EnumerateMovesRequest(position=position, seat=seat)).moves
            for seat in stream.stub.ViewPosition(wire.ViewPositionRequest(position=position)).standing.may_act
        }
        first[chain] = moves
    going: dict[int, Any] = first
    for ply in range(1, MOST_PLIES):
        batch = []
        for chain, able in going.items():
            seat = whim.choice(list(able))
            brought = {"position": positions[chain]} if ply == 1 else {}
            move = whim.choice(able[seat]).move
            batch.append(wire.NextMove(seat=seat, move=move, chance=chance(chain, ply), chain=chain, **brought))
        answers = stream.play(batch)
        for sent, answer in zip(batch, answers, strict=True):
            asked = wire.ApplyMoveRequest(
                position=positions[sent.chain], seat=sent.seat, move=sent.move, chance=sent.chance
            )
            going[sent.chain] = {able.seat: able.moves for able in answer.moves}
            assert set(going[sent.chain]) == set(answer.standing.may_act)
            positions[sent.chain] = answer.position
            answer.ClearField("moves")
            alone = stream.stub.ApplyMove(asked)
            alone.ClearField("rules_version")
            assert alone.SerializeToString() == answer.SerializeToString()
        going = {chain: able for chain, able in going.items() if able}
        if not going:
            return


def test_a_message_with_everything_of_many_moves_is_answered_in_messages_that_clients_take(stream: Stream) -> None:
    start = stream.start()
    seat = start.standing.awaited[0]
    legal = stream.stub.EnumerateMoves(stream.wire.EnumerateMovesRequest(position=start.position, seat=seat)).moves
    move = stream.wire.NextMove(position=start.position, seat=seat, move=legal[0].move, chance=chance(0, 1))
    count = MOST_MOVES // 4
    view_for = words.ViewFor(seats=[0, 1], spectator=True, moves=True)
    answers = stream.play([move] * count, view_for=view_for)
    assert len(answers) == count
    assert all(answer == answers[0] for answer in answers)
    assert len(answers[0].views) == 3
    assert max(stream.sizes) < CLIENTS_TAKE


def test_a_simulation_asks_for_little_and_gets_no_more(stream: Stream) -> None:
    start = stream.start()
    seat = start.standing.awaited[0]
    legal = stream.stub.EnumerateMoves(stream.wire.EnumerateMovesRequest(position=start.position, seat=seat)).moves
    move = stream.wire.NextMove(position=start.position, seat=seat, move_text=legal[0].text)
    for fields in ({"standing"}, {"standing", "moves"}, {"position"}, {"chance", "draws"}):
        (answer,) = stream.play([move], read_mask=FieldMask(paths=sorted(fields)))
        assert {field.name for field, _ in answer.ListFields()} <= fields
    (everything,) = stream.play([move], read_mask=FieldMask(paths=["*"]))
    assert len(everything.chance.seed) == 32, "the server names the chance that it took"


def test_whoever_does_not_read_is_not_played_for(rules: Stubs) -> None:
    """The server holds what gRPC's windows hold, and waits: it neither plays on nor keeps answers."""
    wire: Any = service_of("cabbages")
    stub = rules.rules("cabbages")
    start = stub.StartGame(wire.StartGameRequest(seats=2))
    move = wire.NextMove(position=start.position, seat=start.standing.may_act[0], move_text="harvest")
    view_for = words.ViewFor(seats=[0, 1], spectator=True)
    message = wire.ApplyMovesRequest(moves=[move] * 100, view_for=view_for)
    taken = 0
    stop = threading.Event()

    def endless() -> Iterator[Any]:
        nonlocal taken
        while not stop.is_set():
            taken += 1
            yield message

    answers = stub.ApplyMoves(endless())
    deadline = time.monotonic() + PATIENCE / 2
    before = -1
    while taken != before:
        assert time.monotonic() < deadline, "it takes whatever comes"
        before = taken
        time.sleep(1.0)
    assert stub.DescribeGame(wire.DescribeGameRequest()).game.token == "cabbages", "others are served meanwhile"
    read = [next(answers) for _ in range(20)]
    assert all(answer.moves for answer in read)
    stop.set()
    answers.cancel()
