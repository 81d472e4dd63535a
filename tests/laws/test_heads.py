"""What follows from the rules of 3 to 4 Headed Monster: its theorems, and its exact numbers."""

import os
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.heads.events import ValidatorChosen
from services.games.heads.moves import Decline, Move, Peek, Say, Withdraw
from services.games.heads.phases import Phase, phase_of
from services.games.heads.position import DECKS, Options, Position, Side
from services.games.heads.trek import sides
from services.kernel.chance import Dice, scripted
from services.kernel.playing import dice_for
from services.kernel.standing import Seat
from tests.support.heads import (
    ENTRY,
    GAME,
    dealt,
    ended,
    games,
    other_cards,
    played,
    script_of,
    start_with,
    three_or_four,
    with_pair,
)
from tests.support.laws import examples
from tests.support.walks import options_of

GAMES = int(os.environ.get("LAIR_HEADS_GAMES", "300"))
"""How many random games end as they must; each for three and for four players."""
P, D = Side.PEACEFUL, Side.DANGEROUS
TREKS = {
    # H-T1: the only treks there are, with how the game ends after them.
    (P, P): {"trek_peaceful"},
    (P, D, P): {"trek_peaceful"},
    (D, P, P): {"trek_peaceful"},
    (D, D, D): {"trek_dangerous"},
    (P, D, D): {"fork_peaceful", "fork_dangerous"},
    (D, P, D): {"fork_peaceful", "fork_dangerous"},
    (D, D, P): {"fork_peaceful", "fork_dangerous"},
}
law = examples(100)
seeds = st.integers(0, 2**64)


# What is seen


@three_or_four
@given(data=st.data())
@law
def test_views_keep_what_everybody_was_told_of_nominations(seats: int, data: st.DataObject) -> None:
    """H-L4: both nominations of each round, as the event told them, for all viewers alike."""
    told: list[tuple[Seat, ...]] = []
    options = data.draw(options_of(ENTRY, seats))
    for ply in games(options, seats, data.draw(seeds)):
        chosen = [event.fact for event in ply.played.events if isinstance(event.fact, ValidatorChosen)]
        told += [fact.nominated_seats for fact in chosen]
        for viewer in (None, *range(seats)):
            assert [each.nominated_seats for each in GAME.view(ply.played.position, viewer).rounds] == told
    assert all(len(named) == (2 if seats == 4 else 0) for named in told)


@three_or_four
@given(data=st.data())
@law
def test_what_was_discussed_in_a_round_is_seen_until_the_next_begins(seats: int, data: st.DataObject) -> None:
    """Also while a card is looked at, and when the round has ended the game."""
    options = data.draw(options_of(ENTRY, seats))
    seen: dict[int, list[int]] = {}
    for ply in games(options, seats, data.draw(seeds)):
        view = GAME.view(ply.played.position, None)
        seen.setdefault(view.round, []).append(view.discussed)
    for counted in seen.values():
        assert counted == sorted(counted)
        assert counted[0] == 0


# Theorems


@three_or_four
@given(data=st.data())
@law
def test_a_trek_is_one_of_seven(seats: int, data: st.DataObject) -> None:
    """H-T1, whatever the options."""
    options = data.draw(options_of(ENTRY, seats))
    position, outcome = ended(options, seats, data.draw(seeds))
    assert outcome.reason in TREKS[sides(position)]
    assert outcome.scores == tuple(int(seat in outcome.winners) for seat in range(seats))


@pytest.mark.slow
@pytest.mark.timeout(120 + GAMES)
@three_or_four
def test_many_random_games_end_with_one_of_seven_treks(seats: int) -> None:
    """H-T1 with the default options; all seven occur."""
    seen: Counter[tuple[Side, ...]] = Counter()
    for seed in range(GAMES):
        position, outcome = ended(GAME.options, seats, seed)
        assert outcome.reason in TREKS[sides(position)]
        seen[sides(position)] += 1
    assert set(seen) == set(TREKS)


@three_or_four
@given(data=st.data())
@law
def test_four_peaceful_cards_take_two_rounds_and_six_dangerous_ones_three(seats: int, data: st.DataObject) -> None:
    """H-T2; and two rounds are enough only when both are peaceful."""
    position, outcome = ended(data.draw(options_of(ENTRY, seats)), seats, data.draw(seeds))
    trek = sides(position)
    assert (outcome.reason == "trek_peaceful") == (trek.count(P) == 2)
    assert (outcome.reason == "trek_dangerous") == (trek == (D, D, D))
    assert (len(trek) == 2) == (trek == (P, P))


@three_or_four
@given(data=st.data())
@law
def test_nobody_runs_out_of_cards_before_the_fork(seats: int, data: st.DataObject) -> None:
    """H-T3: whoever is to play has something to play."""
    for ply in games(data.draw(options_of(ENTRY, seats)), seats, data.draw(seeds)):
        position: Position = ply.played.position
        if phase_of(position) is Phase.DISCUSS:
            number = GAME.view(position, None).round
            assert number <= 3
            assert all(len(player.hand) >= 4 - number for player in position.players)


@three_or_four
@given(data=st.data())
@law
def test_after_three_rounds_3n_minus_6_cards_are_left(seats: int, data: st.DataObject) -> None:
    """H-T4: and nobody looks into an empty hand."""
    for ply in games(data.draw(options_of(ENTRY, seats)), seats, data.draw(seeds)):
        position: Position = ply.played.position
        if len(position.rounds) < 3:
            continue
        assert sum(len(player.hand) for player in position.players) == 3 * seats - 6
        for seat, player in enumerate(position.players):
            in_all_three = all(seat in each.pair_seats for each in position.rounds)
            assert in_all_three == (not player.hand)
            if in_all_three:
                assert not any(Peek(seat) in GAME.moves(position, other) for other in range(seats))


@three_or_four
@given(seed=seeds)
@law
def test_the_host_alone_brings_a_game_to_its_end(seats: int, seed: int) -> None:
    """H-H1: nobody who is silent stalls a game. A round takes four time-outs at most, the Fork one."""
    position = next(games(GAME.options, seats, seed)).played.position
    time_outs = 0
    while timeout := GAME.moves(position, None):
        time_outs += 1
        position = GAME.play(position, None, timeout[0], dice_for(seed.to_bytes(32, "big"), time_outs)).position
    assert GAME.standing(position).over
    assert time_outs <= 4 * 3 + 1


@three_or_four
@given(data=st.data())
@law
def test_a_stand_in_plays_what_is_legal_and_does_not_talk(seats: int, data: st.DataObject) -> None:
    """On every seat that is awaited; nobody talks for somebody who is away. With an open offer it waits."""
    options = data.draw(options_of(ENTRY, seats))
    reached = [ply.played.position for ply in games(options, seats, data.draw(seeds))]
    for position in reached[:-1]:
        for seat in GAME.standing(position).awaited:
            legal = GAME.moves(position, seat)
            move = GAME.suggest(GAME.view(position, seat), legal, dice_for(bytes(32), 0))
            if move is None:
                assert position.players[seat].proposed_seat is not None
                continue
            assert move in legal
            assert not isinstance(move, Say | Decline | Withdraw)


@three_or_four
@given(seed=seeds)
@law
def test_stand_ins_alone_bring_a_game_to_its_end(seats: int, seed: int) -> None:
    """When one of them waits for the others, another has something to do."""
    position = next(games(GAME.options, seats, seed)).played.position
    moves = 0
    while awaited := GAME.standing(position).awaited:
        moves += 1
        suggested = [
            (seat, GAME.suggest(GAME.view(position, seat), GAME.moves(position, seat), dice_for(bytes(32), 0)))
            for seat in awaited
        ]
        seat, move = next((seat, move) for seat, move in suggested if move is not None)
        position = GAME.play(position, seat, move, dice_for(seed.to_bytes(32, "big"), moves)).position
    assert moves <= 4 * 5 * 3


@three_or_four
@given(data=st.data())
@law
def test_a_stage_begins_when_the_round_or_what_is_going_on_changes(seats: int, data: st.DataObject) -> None:
    """A clock runs on while one of the pair has played and the other has not."""
    before = None
    for ply in games(data.draw(options_of(ENTRY, seats)), seats, data.draw(seeds)):
        position = ply.played.position
        if not GAME.standing(position).over:
            now = (GAME.view(position, None).round, phase_of(position)), GAME.standing(position).stage
            assert before is None or (before[0] == now[0]) == (before[1] == now[1])
            before = now


@three_or_four
@given(data=st.data())
@law
def test_what_two_seats_do_at_once_comes_to_the_same_in_either_order(seats: int, data: st.DataObject) -> None:
    """H-A14, and that a move which is still legal after another's is applied: cards, nominations, and talk."""
    reached = [ply.played.position for ply in games(GAME.options, seats, data.draw(seeds))]
    at_once = [position for position in reached if phase_of(position) in (Phase.PLAY, Phase.NOMINATE)]
    for position in at_once:
        standing = GAME.standing(position)
        if len(standing.awaited) < 2:
            continue
        one, other = standing.awaited
        first, second = (data.draw(st.sampled_from(GAME.moves(position, seat))) for seat in (one, other))
        orders = (((one, first), (other, second)), ((other, second), (one, first)))
        assert after(position, orders[0]) == after(position, orders[1])


def after(position: Position, moves: Sequence[tuple[Seat, Move]]) -> Position:
    """The position after these moves. Whatever is drawn comes out as 1."""
    for seat, move in moves:
        position = GAME.play(position, seat, move, Dice(scripted([1]))).position
    return position


# Exact numbers


@pytest.mark.parametrize(
    ("seats", "x_high_from", "peaceful", "pairs"),
    [(4, 4, 38, 66), (4, 5, 40, 66), (4, 6, 42, 66), (3, 4, 19, 36), (3, 5, 20, 36), (3, 6, 21, 36)],
)
def test_so_many_pairs_of_cards_are_peaceful(seats: int, x_high_from: int, peaceful: int, pairs: int) -> None:
    """H-R13 and H-R15, every pair of the deck played through the engine."""
    seen: Counter[str] = Counter()
    for one, other in combinations(DECKS[seats], 2):
        rest = other_cards(seats, one, other)
        hands = [[one, *rest[:2]], [other, *rest[2:4]], *(rest[at : at + 3] for at in range(4, len(rest), 3))]
        position = with_pair(dealt(hands, 2, Options(redeal=False, x_high_from=x_high_from)), 0, 1)
        position = played(played(position, 0, f"play {one.text}"), 1, f"play {other.text}")
        if seats == 4:
            position = played(played(position, 0, "nominate seat 2"), 1, "nominate seat 2")
        assert not GAME.check(position)
        seen[GAME.view(position, None).rounds[0].side.value] += 1
    assert seen == {"peaceful": peaceful, "dangerous": pairs - peaceful}


@pytest.mark.parametrize(("seats", "odds"), [(3, Fraction(1, 21)), (4, Fraction(1, 55))])
def test_so_often_all_is_dealt_again(seats: int, odds: Fraction) -> None:
    """H-R7: every hand of the peaceful player on every seat, dealt by the engine. The rest of a deal doesn't matter."""
    places = range(3 * seats)
    good = script_of(seats, 0, places[::-1])
    again = deals = 0
    for peaceful in range(seats):
        for hand in combinations(places, 3):
            others = [place for place in places if place not in hand]
            deck = [*others[: 3 * peaceful], *hand, *others[3 * peaceful :]]
            _, dice = start_with(Options(), seats, [*script_of(seats, peaceful, deck), *good])
            again += len(dice.draws) > 2
            deals += 1
    assert deals == seats * comb(3 * seats, 3)
    assert Fraction(again, deals) == odds


@pytest.mark.parametrize(("seats", "deals"), [(3, 1680), (4, 369_600)])
def test_so_many_deals_there_are(seats: int, deals: int) -> None:
    """H-R5: each hand of one player goes with equally many deals of the others."""
    cards = len(DECKS[seats])
    assert cards == 3 * seats
    assert factorial(cards) // factorial(3) ** seats == deals
    assert deals % comb(cards, 3) == 0
