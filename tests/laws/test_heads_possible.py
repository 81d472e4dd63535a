"""Which positions of 3 to 4 Headed Monster can be: all that a game comes to, and where it can be counted no others."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.games.heads.phases import Phase, phase_of
from services.games.heads.position import Card, Look, OnStall, Options, Player, Position, Role, Round
from services.kernel.playing import dice_for
from tests.support.heads import ENTRY, GAME, dealt, games, three_or_four
from tests.support.laws import examples
from tests.support.walks import options_of

law = examples(100)
HANDS = {3: ((1, 6, 8), (2, 4, 9), (3, 5, 7)), 4: ((1, 4, 8), (2, 4, 5), (3, 5, 7), (6, 7, 9))}
MOST = 2**31 - 1


@three_or_four
@given(data=st.data())
@law
def test_every_position_that_a_game_comes_to_is_possible(seats: int, data: st.DataObject) -> None:
    """Also with time-outs, which random play never sees."""
    for ply in games(data.draw(options_of(ENTRY, seats)), seats, data.draw(st.integers(0, 2**64))):
        assert not GAME.check(ply.played.position), GAME.write(ply.played.position)


def explored(position: Position, seeds: range) -> set[Position]:
    """All positions that moves of seats and of the host lead to before the first round is over, by any draw."""
    seen, new = {position}, [position]
    while new:
        position = new.pop()
        for actor in (None, *range(position.seats)):
            for move in GAME.moves(position, actor):
                for seed in seeds:
                    after = GAME.play(position, actor, move, dice_for(bytes(32), seed)).position
                    if after not in seen and not after.rounds:
                        seen.add(after)
                        new.append(after)
    return seen


@pytest.mark.parametrize(
    "options",
    [
        Options(stall_limit=3, statements=False),
        Options(stall_limit=3),
        Options(stall_limit=1, binding=False),
        Options(stall_limit=2, binding=False, statements=False),
        Options(stall_limit=4, binding=False),
    ],
)
def test_a_first_round_is_possible_exactly_when_a_game_comes_to_it(options: Options) -> None:
    """Three players: all offers, lengths of the discussion, pairs, and cards face down."""
    start = dealt(HANDS[3], 0, options)
    reached = explored(start, range(6))
    imagined = {position for position in first_rounds(start) if not GAME.check(position)}
    assert imagined == reached


def first_rounds(start: Position) -> Iterator[Position]:
    offers = product(*([None, *(other for other in range(3) if other != seat)] for seat in range(3)))
    states = [
        [replace(player, proposed_seat=to) for player, to in zip(start.players, proposed, strict=True)]
        for proposed in offers
    ]
    states += [
        [with_card_down(player, at) for player, at in zip(start.players, down, strict=True)]
        for down in product((None, 0, 1, 2), repeat=3)
    ]
    most = start.options.stall_limit + 3
    for players, pair, drawn in product(states, [(), (0, 1), (0, 2), (1, 2)], [False, True]):
        for discussed in range(-1, most):
            yield Position(tuple(players), (), discussed, pair, drawn, start.options)


def with_card_down(player: Player, at: int | None) -> Player:
    if at is None:
        return player
    return replace(player, hand=(*player.hand[:at], *player.hand[at + 1 :]), played_card=player.hand[at])


def test_a_placed_round_is_possible_exactly_when_a_game_comes_to_it() -> None:
    """Four players: every pair, every two cards, every validator, and whatever the fourth player may have done."""
    start = dealt(HANDS[4], 1, Options(statements=False, stall_limit=0))
    reached = set(placed_by_play(start))
    imagined = {position for position in placed(start) if not GAME.check(position)}
    assert imagined == reached


def placed_by_play(start: Position) -> Iterator[Position]:
    for one, other in combinations(range(4), 2):
        agreed = play(play(start, one, f"propose seat {other}"), other, f"accept seat {one}")
        for first, second in product(texts(agreed, one), texts(agreed, other)):
            down = play(play(agreed, one, first), other, second)
            for nomination in texts(down, one):
                round_placed = play(play(down, one, nomination), other, nomination)
                yield round_placed
                (looker,) = GAME.standing(round_placed).awaited
                for text, seed in product(texts(round_placed, looker), range(8)):
                    yield play(round_placed, looker, text, seed)


def placed(start: Position) -> Iterator[Position]:
    """Also what can't be: pairs of one, validators who play, looks into the own hand or at cards that aren't there."""
    looks = [None, Look(), *(Look(target, card) for target in (*range(-1, 5), None) for card in (*Card, None))]
    for pair, first, second in product(product(range(4), repeat=2), range(3), range(3)):
        players = list(start.players)
        cards = []
        for seat, at in zip(pair, (first, second), strict=True):
            hand = players[seat].hand
            if at < len(hand):
                cards.append(hand[at])
                players[seat] = replace(players[seat], hand=(*hand[:at], *hand[at + 1 :]))
        if len(cards) == 2:
            for validator, look in product(range(-1, 5), looks):
                played = Round(pair, tuple(cards), validator, look)
                yield Position(tuple(players), (played,), 0, (), pair_drawn=False, options=start.options)


def texts(position: Position, seat: int) -> list[str]:
    return [GAME.write_move(move) for move in GAME.moves(position, seat) if phase_of(position) is not Phase.DISCUSS]


def play(position: Position, seat: int, text: str, seed: int = 0) -> Position:
    after: Position = GAME.play(position, seat, GAME.read_move(text), dice_for(bytes(32), seed)).position
    return after


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


@given(data=st.data())
@law
def test_a_position_that_is_over_can_not_lie_in_a_discussion(data: st.DataObject) -> None:
    """The phase follows from the rounds: once the trek has decided there is neither a pair nor an offer."""
    *_, last = games(GAME.options, 4, data.draw(st.integers(0, 2**64)))
    position: Position = last.played.position
    assume(not position.pair_seats)
    for forged in (
        replace(position, pair_seats=(0, 1)),
        replace(position, discussed=1),
        with_player(position, 0, proposed_seat=1),
        with_player(position, 0, nominated_seat=2),
    ):
        assert GAME.check(forged)


ABSURD = GAME.read(
    "roles D P D D; hands 8, 2 5, 3 7, 6 7 X; discussed 2; pair 0 2; down 0:1 2:5; trek 0:4 1:4 by 2 skipped"
)


@pytest.mark.parametrize(
    ("forged", "fields"),
    [
        (replace(ABSURD, discussed=MOST), ["discussed"]),
        (replace(ABSURD, discussed=-MOST), ["discussed"]),
        (replace(ABSURD, discussed=MOST, options=Options(on_stall=OnStall.NONE)), []),
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
