"""What follows from the rules of Sprinkleton: its deck, exact odds, where every card is, what is hidden."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games.sprinkleton.deck import ALL, CARDS, DECKS, LEVELS, NUMBERS, REFILL, Deck
from services.games.sprinkleton.ending import reason_of
from services.games.sprinkleton.events import (
    Collected,
    Drawn,
    PenaltyPaid,
    Refilled,
    Rolled,
    ZilchRight,
    ZilchWrong,
)
from services.games.sprinkleton.moves import Act, Pick
from services.games.sprinkleton.position import DEFAULTS, Dice, Options, Part, Phase
from services.games.sprinkleton.search import matching
from services.games.sprinkleton.view import View
from services.kernel import chance
from services.kernel.audience import EVERYBODY, NOBODY
from services.kernel.game import Event, Played
from services.kernel.playing import dice_for
from tests.support.laws import examples
from tests.support.sprinkleton import ENTRY, GAME, play_without_errors
from tests.support.walks import walks

law = examples(60)
ROLLS = [Dice(number, part) for part in Part for number in NUMBERS]
LONG = 300
ERRING = st.builds(Options, penalty_at_once=st.booleans(), deck=st.sampled_from(Deck), max_rounds=st.just(0))
"""Options with which random play, which errs all the time, goes on for ever."""


def facts(played: Played[Any, Any], kind: type) -> list[Event[Any]]:
    """The events of this kind."""
    return [event for event in played.events if isinstance(event.fact, kind)]


# The deck


def group(dice: Dice) -> list[int]:
    """The donuts of all cards that match a roll, by the engine's own matching."""
    return sorted(CARDS[card_id].donuts for card_id in matching(CARDS, dice))


def test_there_are_55_cards_and_no_two_monsters_are_alike() -> None:
    assert [card.id for card in ALL] == list(range(1, 56))
    assert len({(card.arms, card.legs, card.eyes) for card in ALL}) == 55
    assert all(0 <= count <= 5 for card in ALL for count in (card.arms, card.legs, card.eyes))


@pytest.mark.parametrize(
    ("card_id", "monster"),
    [
        (1, (0, 0, 0, 1)),
        (2, (0, 1, 1, 3)),
        (3, (0, 2, 2, 2)),
        (37, (0, 0, 1, 1)),
        (38, (0, 2, 3, 2)),
        (39, (0, 4, 5, 3)),
        (54, (5, 3, 0, 3)),
        (55, (2, 2, 2, 2)),
    ],
)
def test_the_first_and_last_cards_of_the_formula_are_these(card_id: int, monster: tuple[int, ...]) -> None:
    card = CARDS[card_id]
    assert (card.arms, card.legs, card.eyes, card.donuts) == monster


@pytest.mark.parametrize("dice", ROLLS, ids=str)
def test_every_roll_has_nine_cards_with_each_number_of_donuts_thrice(dice: Dice) -> None:
    """Number 2 has card 55 besides, with two donuts."""
    extra = [2] if dice.number == 2 else []
    assert group(dice) == sorted([1, 1, 1, 2, 2, 2, 3, 3, 3, *extra])


def test_every_pair_of_values_of_two_parts_is_on_one_to_three_cards() -> None:
    for one, other in combinations(Part, 2):
        pairs = Counter((getattr(card, one.value), getattr(card, other.value)) for card in ALL)
        assert set(pairs) == set(product(NUMBERS, NUMBERS))
        assert set(pairs.values()) <= {1, 2, 3}


def test_there_are_110_donuts() -> None:
    assert Counter(card.donuts for card in ALL) == {1: 18, 2: 19, 3: 18}
    assert sum(card.donuts for card in ALL) == 110


def test_the_short_deck_is_as_fair() -> None:
    short = DECKS[Deck.SHORT]
    assert len(short) == 36
    assert {len(matching(short, dice)) for dice in ROLLS} == {6}
    assert Counter(CARDS[card_id].donuts for card_id in short) == {1: 12, 2: 12, 3: 12}


def test_a_table_of_ten_random_cards_has_no_match_so_often() -> None:
    """Exact, over the eighteen rolls: all ten cards come from those that the engine doesn't match."""
    others = [len(CARDS) - len(matching(CARDS, dice)) for dice in ROLLS]
    odds = sum(Fraction(comb(other, REFILL), comb(len(CARDS), REFILL)) for other in others) / len(ROLLS)
    assert odds == Fraction(23548391, 175316580)


def test_all_eighteen_rolls_are_equally_likely() -> None:
    position = GAME.start(DEFAULTS, 2, dice_for(bytes(32), 0)).position
    rolls: Counter[Dice] = Counter()
    for number, part in product(range(1, 7), repeat=2):
        rolled = GAME.play(position, position.baker_seat, Act.ROLL, chance.Dice(chance.scripted((number, part))))
        rolls[rolled.position.dice] += 1
    assert set(rolls) == set(ROLLS)
    assert set(rolls.values()) == {2}


# The course of a game


@given(data=st.data())
@law
def test_only_a_right_zilch_draws_from_the_deck_eleven_cards_each(data: st.DataObject) -> None:
    """S-T1: the deck shrinks from level to level, and the game ends below the last of them."""
    walk = data.draw(walks(ENTRY, most_steps=LONG, options=ERRING))
    levels = LEVELS[walk.options.deck]
    zilches = 0
    for ply in walk.plies:
        position = ply.played.position
        right = len(facts(ply.played, ZilchRight))
        zilches += right
        assert len(facts(ply.played, Drawn)) == 2 * right
        if zilches < len(levels):
            assert len(position.deck) == levels[zilches]
            assert len(facts(ply.played, Refilled)) == right
        else:
            assert len(position.deck) == levels[-1] - 1
            assert reason_of(position) == "deck"


@given(data=st.data())
@law
def test_every_card_is_always_on_the_table_in_a_pile_or_in_the_deck(data: st.DataObject) -> None:
    """S-T2."""
    walk = data.draw(walks(ENTRY, most_steps=LONG, options=ERRING))
    for ply in walk.plies:
        position = ply.played.position
        everywhere = [*position.table, *position.deck, *(card for pile in position.piles for card in pile)]
        assert sorted(everywhere) == list(DECKS[walk.options.deck])


@given(data=st.data())
@law
def test_an_empty_table_makes_every_roll_a_zilch(data: st.DataObject) -> None:
    """S-T2, with the table's cards put on a pile."""
    walk = data.draw(walks(ENTRY, most_steps=0))
    start = walk.position
    piles = (start.table, *start.piles[1:])
    dice = data.draw(st.sampled_from(ROLLS))
    empty = replace(start, table=(), piles=piles, dice=dice, round=30, options=Options(deck=walk.options.deck))
    assert not GAME.check(empty)
    played = GAME.play(empty, walk.seats - 1, Act.ZILCH, dice_for(walk.seed, 1))
    assert len(facts(played, ZilchRight)) == 1


@given(data=st.data())
@law
def test_a_round_with_a_claim_and_neither_penalty_nor_zilch_shrinks_the_table(data: st.DataObject) -> None:
    """S-T3."""
    walk = data.draw(walks(ENTRY, most_steps=LONG, options=ERRING))
    at_the_roll, errors = len(walk.plies[0].played.position.table), 0
    for ply in walk.plies:
        if facts(ply.played, Rolled):
            at_the_roll, errors = len(ply.played.position.table), 0
        errors += len(facts(ply.played, PenaltyPaid)) + len(facts(ply.played, ZilchRight))
        collected = len(facts(ply.played, Collected))
        if collected and not errors:
            assert len(ply.played.position.table) == at_the_roll - collected


@given(seed=st.binary(min_size=32, max_size=32), seats=st.sampled_from(GAME.seats), at_once=st.booleans())
@examples(25)
def test_a_game_without_errors_has_exactly_five_right_zilches(seed: bytes, seats: int, *, at_once: bool) -> None:
    games = play_without_errors(Options(penalty_at_once=at_once), seats, seed)
    zilches = winner = 0
    for played in games:
        assert not GAME.check(played.position)
        assert not facts(played, ZilchWrong)
        assert not facts(played, PenaltyPaid)
        for event in facts(played, ZilchRight):
            zilches, winner = zilches + 1, event.fact.seat
    assert zilches == 5
    assert reason_of(played.position) == "deck"
    assert played.position.deck == ()
    drawn = next(event.fact for event in facts(played, Drawn))
    assert played.position.piles[winner][-1] == drawn.card.id, "the last card is the fifth Zilch's"


@given(seed=st.binary(min_size=32, max_size=32), seats=st.sampled_from(GAME.seats))
@examples(25)
def test_a_short_game_without_errors_ends_with_its_third_zilch_and_three_cards_in_the_deck(
    seed: bytes, seats: int
) -> None:
    games = list(play_without_errors(Options(deck=Deck.SHORT), seats, seed))
    assert sum(len(facts(played, ZilchRight)) for played in games) == 3
    assert reason_of(games[-1].position) == "deck"
    assert len(games[-1].position.deck) == 3
    assert "the third Zilch ends the game, and three cards stay" in ENTRY.rulebook.options["deck"].text


# What is hidden


@given(data=st.data())
@law
def test_a_view_changes_with_nothing_that_it_hides(data: st.DataObject) -> None:
    """Another order of the deck, and other cards in others' piles, look the same: as views, moves and refusals."""
    position = data.draw(walks(ENTRY, most_steps=LONG)).position
    seat = data.draw(st.sampled_from([None, *range(position.seats)]))
    if GAME.standing(position).over:
        return
    hidden = [pile for other, pile in enumerate(position.piles) if other != seat]
    pool = data.draw(st.permutations([*position.deck, *(card for pile in hidden for card in pile)]))
    deck, rest = tuple(pool[: len(position.deck)]), pool[len(position.deck) :]
    piles = []
    for other, pile in enumerate(position.piles):
        piles.append(pile if other == seat else tuple(rest[: len(pile)]))
        rest = rest if other == seat else rest[len(pile) :]
    swapped = replace(position, deck=deck, piles=tuple(piles))
    view: View = GAME.view(position, seat)
    assert GAME.view(swapped, seat) == view
    assert GAME.moves(swapped, seat) == GAME.moves(position, seat)
    for card_id in (0, *CARDS):
        move = Pick(card_id)
        assert GAME.refuse(swapped, seat, move) == GAME.refuse(position, seat, move)


@given(data=st.data())
@law
def test_the_moves_of_a_search_say_nothing_about_what_matches(data: st.DataObject) -> None:
    position = data.draw(walks(ENTRY, most_steps=LONG)).position
    if GAME.view(position, None).phase is not Phase.SEARCH or position.picks:
        return
    for dice in ROLLS:
        for seat in range(position.seats):
            assert GAME.moves(replace(position, dice=dice), seat) == GAME.moves(position, seat)


@given(data=st.data())
@law
def test_only_the_shuffle_and_the_zilch_card_are_not_for_everybody(data: st.DataObject) -> None:
    walk = data.draw(walks(ENTRY, most_steps=LONG, options=ERRING))
    for ply in walk.plies:
        for draw in ply.draws:
            assert draw.audience == (NOBODY if draw.purpose == "deck" else EVERYBODY)
        for event in ply.played.events:
            if not isinstance(event.fact, Drawn):
                assert event.audience == EVERYBODY
        knowing = facts(ply.played, Drawn)
        if knowing:
            told, untold = knowing
            for looker in (None, *range(walk.seats)):
                assert told.audience.admits(looker) == (looker == told.fact.seat)
                assert untold.audience.admits(looker) != told.audience.admits(looker)
            assert untold.fact == replace(told.fact, card=None)
