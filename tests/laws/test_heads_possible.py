"""Which positions of 3 to 4 Headed Monster can be: all that a game comes to, and none that don't hang together."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games.heads.position import Card, Look, Options, Position, Role, Round
from tests.support.heads import ENTRY, GAME, games, three_or_four
from tests.support.laws import examples
from tests.support.walks import options_of

law = examples(100)
MOST = 2**31 - 1


@three_or_four
@given(data=st.data())
@law
def test_every_position_that_a_game_comes_to_is_possible(seats: int, data: st.DataObject) -> None:
    """Also with time-outs, which random play never sees."""
    for ply in games(data.draw(options_of(ENTRY, seats)), seats, data.draw(st.integers(0, 2**64))):
        assert not GAME.check(ply.played.position), GAME.write(ply.played.position)


@three_or_four
@given(data=st.data())
@law
def test_a_single_thing_of_a_position_can_not_be_changed(seats: int, data: st.DataObject) -> None:
    """What hangs together says so: cards with the deck and with the rounds, the pair with what it has done."""
    plies = list(games(data.draw(options_of(ENTRY, seats)), seats, data.draw(st.integers(0, 2**64))))
    position: Position = data.draw(st.sampled_from(plies)).played.position
    at = data.draw(st.integers(0, seats - 1))
    forged = [
        with_player(position, at, hand=(*position.players[at].hand, Card.X)),
        with_player(position, at, hand=position.players[at].hand[1:]),
        with_player(position, at, hand=position.players[at].hand[::-1]),
        with_player(position, at, proposed_seat=at),
        with_player(position, at, played_card=Card.TWO),
        with_player(position, at, role=opposite(position.players[at].role)),
        replace(position, players=position.players[:2]),
        replace(position, discussed=-1),
        replace(position, rounds=position.rounds[1:]),
        replace(position, rounds=(*position.rounds, *position.rounds)),
        replace(position, pair_seats=position.pair_seats[1:]),
        replace(position, pair_seats=position.pair_seats[::-1]),
    ]
    for other in forged:
        assert other == position or GAME.check(other), GAME.write(other)


def with_player(position: Position, seat: int, **changed: Any) -> Position:
    players = list(position.players)
    players[seat] = replace(players[seat], **changed)
    return replace(position, players=tuple(players))


def opposite(role: Role) -> Role:
    return Role.DANGEROUS if role is Role.PEACEFUL else Role.PEACEFUL


ABSURD = GAME.read(
    "roles D P D D; hands 8, 2 5, 3 7, 6 7 X; discussed 2; pair 0 2; down 0:1 2:5; trek 0:4 1:4 by 2 skipped"
)


@pytest.mark.parametrize(
    ("forged", "fields"),
    [
        (replace(ABSURD, discussed=MOST), []),
        (replace(ABSURD, discussed=-MOST), ["discussed"]),
        (replace(ABSURD, players=ABSURD.players * 2500), ["players"]),
        (replace(ABSURD, players=()), ["players"]),
        (replace(ABSURD, rounds=ABSURD.rounds * 10_000), ["rounds"]),
        (replace(ABSURD, pair_seats=(0,) * 10_000), ["pair_seats"]),
        (replace(ABSURD, pair_seats=(-MOST, MOST)), ["pair_seats"]),
        (with_player(ABSURD, 1, hand=(Card.X,) * 10_000), ["players[1].hand"]),
        (with_player(ABSURD, 1, proposed_seat=MOST, nominated_seat=-MOST), None),
        (replace(ABSURD, rounds=(Round((0, 1), (Card.X,) * 10_000, 2),)), ["rounds[0].cards"]),
        (replace(ABSURD, rounds=(Round((0, 1), (Card.X, Card.X), MOST),)), ["rounds[0].validator_seat"]),
        (replace(ABSURD, rounds=(Round((), (), -MOST, Look(MOST, None)),)), ["rounds[0].pair_seats"]),
        (replace(ABSURD, options=Options(x_high_from=MOST, stall_limit=-MOST)), None),
    ],
)
def test_absurd_numbers_are_refused_at_once(forged: Position, fields: list[str] | None) -> None:
    began = time.process_time()
    found = [flaw.field for flaw in GAME.check(forged)]
    assert time.process_time() - began < 0.02
    assert found if fields is None else found == fields
