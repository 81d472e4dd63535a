"""Replaying, random play and counting, on a game so small that everything is known about it.

A heap of stones: the seats take turns to take one or two, and whoever takes the last one wins. In each turn a die says
how the wind blows, which changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest

from services.kernel.chance import Dice, Draw
from services.kernel.game import Event, Game, Played
from services.kernel.playing import any_of, dice_for, random_play
from services.kernel.refusals import IllegalMove, Refusal
from services.kernel.standing import Outcome, Seat, Standing, ended, waiting_for
from tests.support.replaying import count_sequences, replay
from tests.support.stream import die, seed_of_revision, stream

SEED = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Heap:
    stones: int
    seats: int
    active_seat: Seat


def start(stones: int, seats: int, dice: Dice) -> Played[Heap, str]:
    first = dice.pick(range(seats), "first seat")
    return Played(Heap(stones, seats, first), (Event("started"),))


def standing(heap: Heap) -> Standing:
    if heap.stones:
        return waiting_for(heap.active_seat)
    winner = (heap.active_seat - 1) % heap.seats
    return ended(Outcome((winner,), tuple(int(seat == winner) for seat in range(heap.seats)), "empty"))


def moves(heap: Heap, seat: Seat | None) -> Sequence[int]:
    return range(1, min(2, heap.stones) + 1) if seat == heap.active_seat else ()


def refuse(heap: Heap, seat: Seat | None, move: int) -> Refusal | None:
    return None if move in moves(heap, seat) else Refusal("NO", "X-R1", "No.")


def play(heap: Heap, seat: Seat | None, move: int, dice: Dice) -> Played[Heap, str]:
    if refusal := refuse(heap, seat, move):
        raise IllegalMove(refusal)
    (wind,) = dice.roll(1, 6, "wind")
    following = (heap.active_seat + 1) % heap.seats
    return Played(Heap(heap.stones - move, heap.seats, following), (Event(f"wind {wind}"),))


STONES: Game[int, Heap, int, Heap, str] = Game(
    token="stones",
    version="1",
    seats=range(2, 4),
    options=10,
    flaws=lambda _options, _seats: (),
    start=start,
    check=lambda _heap: (),
    seat_count=lambda heap: heap.seats,
    standing=standing,
    moves=moves,
    refuse=refuse,
    play=play,
    view=lambda heap, _seat: heap,
    resample=lambda heap, _seat, _dice: heap,
    suggest=any_of,
    tell=lambda fact: f"The {fact} blows.",
    write_move=str,
    read_move=int,
    write=repr,
    read=lambda _text: Heap(0, 2, 0),
)


def seats_and_moves(plies: Sequence[Any]) -> list[tuple[Seat | None, int]]:
    return [(ply.seat, ply.move) for ply in plies[1:]]


def test_the_dice_of_a_revision_come_from_the_seed_and_its_number() -> None:
    for revision in (0, 1, 2**40):
        source = stream(seed_of_revision(SEED, revision))
        assert dice_for(SEED, revision).roll(40, 6, "test") == tuple(die(source, 6) for _ in range(40))


def test_random_play_goes_from_the_start_to_the_end_by_legal_moves() -> None:
    first, *rest = random_play(STONES, 10, 3, SEED)
    assert (first.seat, first.move) == (None, None)
    assert first.draws == (Draw("first seat", 3, (first.played.position.active_seat + 1,)),)
    position = first.played.position
    for ply in rest:
        assert ply.seat == position.active_seat
        assert ply.move in moves(position, ply.seat)
        assert [draw.purpose for draw in ply.draws] == ["wind"]
        position = ply.played.position
    assert position.stones == 0


def test_random_play_is_the_same_for_the_same_seed_and_else_another() -> None:
    games = [tuple(random_play(STONES, 30, 2, seed)) for seed in (SEED, SEED, bytes(32))]
    assert games[0] == games[1] != games[2]


def test_random_play_makes_every_move_now_and_then() -> None:
    games = [random_play(STONES, 10, 3, bytes([number]) * 32) for number in range(20)]
    moves_made = [move for game in games for _, move in seats_and_moves(tuple(game))]
    assert {*moves_made} == {1, 2}
    assert 0.3 < moves_made.count(1) / len(moves_made) < 0.7


def test_a_replay_gives_what_was_played() -> None:
    game = tuple(random_play(STONES, 10, 3, SEED))
    assert tuple(replay(STONES, 10, 3, seats_and_moves(game), SEED)) == game


def test_a_replay_with_another_seed_draws_something_else() -> None:
    game = tuple(random_play(STONES, 30, 2, SEED))
    script = seats_and_moves(game)
    other = next(seed for seed in (bytes([number]) * 32 for number in range(9)) if same_first_seat(seed))
    assert [ply.draws for ply in replay(STONES, 30, 2, script, other)] != [ply.draws for ply in game]


def same_first_seat(seed: bytes) -> bool:
    first, mine = (next(iter(random_play(STONES, 30, 2, each))).played.position for each in (seed, SEED))
    return first == mine


def test_a_replay_stops_at_the_first_move_that_is_not_legal() -> None:
    script = seats_and_moves(tuple(random_play(STONES, 10, 3, SEED)))
    script[2] = (script[2][0], 3)
    plies = replay(STONES, 10, 3, script, SEED)
    assert len(tuple(islice(plies, 3))) == 3
    with pytest.raises(IllegalMove):
        next(plies)


@pytest.mark.parametrize(("length", "sequences"), [(0, 1), (1, 2), (2, 4), (3, 7), (4, 5), (5, 1), (6, 0)])
def test_counting_finds_every_sequence_once(length: int, sequences: int) -> None:
    """Of five stones: 1 + 1 + ... with sums up to 5, so that of the 8 sequences of three moves only 2 + 2 + 2 fails."""
    assert count_sequences(STONES, Heap(5, 2, 0), length, SEED) == sequences
