"""Who may know what in 3 to 4 Headed Monster: the deal, the receipts of draws, and what the others hold."""

import random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games.heads.phases import Phase, phase_of
from services.games.heads.position import Card, Options, Position
from services.kernel.audience import EVERYBODY, NOBODY, only
from services.kernel.chance import Dice, Draw, scripted
from tests.support.heads import ENTRY, GAME, games, played, script_of, start_with, three_or_four, with_pair
from tests.support.laws import examples
from tests.support.walks import options_of

START = GAME.read("roles D P D D; hands 1 4 8, 2 4 5, 3 5 7, 6 7 X")
PEEKING = GAME.read("roles D P D D; hands 1 8, 2 5, 3 5 7, 6 7 X; trek 0:4 1:4 by 2")
TELLING = GAME.read("roles D P D D; hands 1 8, 2 5, 3 5 7, 6 7 X; trek 0:4 1:4 by 2; options peek_told yes")
seeds = st.integers(0, 2**64)
law = examples(100)


def test_a_deal_after_others_tells_nobody_that_there_were_any() -> None:
    """H-R7: events, views and receipts are those of the same deal made at once."""
    hopeless = script_of(4, 1, [3, 4, 5, 0, 1, 2, 6, 7, 8, 9, 10, 11])
    hidden, told = script_of(4, 2, range(12)), None
    for before in range(4):
        result, dice = start_with(Options(), 4, [*hopeless * before, *hidden])
        assert len(dice.draws) == 2 * (before + 1)
        assert {draw.audience for draw in dice.draws} == {NOBODY}
        told = told or result
        assert result == told


def receipts(position: Position, seat: int | None, text: str, *results: int) -> list[Draw]:
    dice = Dice(scripted(results))
    GAME.play(position, seat, GAME.read_move(text), dice)
    return dice.draws


def test_a_drawn_pair_is_open_to_all() -> None:
    assert [draw.audience for draw in receipts(START, None, "timeout", 3)] == [EVERYBODY]


def test_which_card_was_drawn_only_its_owner_sees() -> None:
    pair = with_pair(START, 1, 3)
    assert [draw.audience for draw in receipts(pair, None, "timeout", 2, 2)] == [only(1), only(3)]


def test_drawn_nominations_and_a_drawn_validator_are_open_to_all() -> None:
    pair = played(with_pair(START, 1, 3), None, "timeout", 2, 2)
    assert [draw.audience for draw in receipts(pair, None, "timeout", 1, 2, 1)] == [EVERYBODY] * 3


def test_at_which_place_of_the_hand_a_card_was_looked_at_nobody_sees() -> None:
    """It would tell the looker how many of the other cards are lower."""
    assert [draw.audience for draw in receipts(PEEKING, 3, "peek seat 2", 3)] == [NOBODY]


def test_the_owner_sees_it_who_is_told_the_card() -> None:
    assert [draw.audience for draw in receipts(TELLING, 3, "peek seat 2", 3)] == [only(2)]


@three_or_four
@given(data=st.data())
@law
def test_a_seat_sees_the_same_whatever_the_others_were_dealt(seats: int, data: st.DataObject) -> None:
    """H-R6: views, moves, refusals and texts of a first round in which the others hold anything else."""
    options = data.draw(options_of(ENTRY, seats))
    before = [ply.played.position for ply in games(options, seats, data.draw(seeds))]
    before = [position for position in before if not position.rounds and phase_of(position) is not Phase.NOMINATE]
    position = data.draw(st.sampled_from(before))
    seat = data.draw(st.sampled_from(range(seats)))
    other = redealt(position, seat, data.draw(st.randoms(use_true_random=False)))
    assert GAME.view(position, seat) == GAME.view(other, seat)
    assert GAME.standing(position) == GAME.standing(other)
    assert GAME.moves(position, seat) == GAME.moves(other, seat)
    for move in {*GAME.moves(position, seat), *(GAME.read_move(f"play {card.text}") for card in Card)}:
        assert GAME.refuse(position, seat, move) == GAME.refuse(other, seat, move)


def redealt(position: Position, seat: int, chance: random.Random) -> Position:
    """The same position with everything that this seat can't see dealt anew."""
    others = [each for each in range(position.seats) if each != seat]
    cards = [card for each in others for card in position.players[each].hand]
    cards += [card for each in others if (card := position.players[each].played_card)]
    chance.shuffle(cards)
    roles = [position.players[each].role for each in others]
    chance.shuffle(roles)
    players = list(position.players)
    for each, role in zip(others, roles, strict=True):
        player = players[each]
        down = cards.pop() if player.played_card else None
        hand = tuple(sorted(cards.pop() for _ in player.hand))
        players[each] = replace(player, role=role, hand=hand, played_card=down)
    return replace(position, players=tuple(players))
