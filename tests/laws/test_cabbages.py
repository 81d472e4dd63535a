"""What follows from the rules of Monster in the Cabbages: its theorems, its exact tables, and what can't be."""

import re
import time
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, pairwise, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games import find_games
from services.games.cabbages.ending import is_ending
from services.games.cabbages.events import MonsterRoll
from services.games.cabbages.position import Cause, CupMove, EmptyFeed, Move, Options, Position, Roll
from services.kernel.chance import Dice, scripted
from tests.support.laws import examples
from tests.support.walks import walks

ENTRY = find_games()["cabbages"]
GAME = ENTRY.game
QUIET = (1, 1, 2, 2, 3, 3, 4, 4)
"""As many dice as can be without ending the game."""
LOUD = (1, 1, 1, 2, 2, 3, 3, 4, 4)
"""Three or more of these end it."""

law = examples(60)


def played(position: Position, move: Move, *results: int) -> Position:
    """The position after a move of the active seat, with these results."""
    after: Position = GAME.play(position, position.active_seat, move, Dice(scripted(results))).position
    return after


def started(seats: int, options: Options) -> Position:
    """A new game in which seat 0 begins."""
    position: Position = GAME.start(replace(options, first_seat=0), seats, Dice(scripted(()))).position
    return position


def before_a_roll_of(dice: int, *, hungry_first: bool = True) -> Position:
    """A position in which a Feed rolls so many dice, and no turn of the cup follows."""
    position = started(5, Options(cup_start=min(dice + 1, 6), hungry_first=hungry_first))
    while position.cup_dice <= dice:
        cup = QUIET[: position.cup_dice + 1] if position.cup_gap == position.active_seat else ()
        position = played(position, Move.HARVEST, 1, 1, *cup)
    assert position.cup_gap != position.active_seat
    return position


# Theorems


@given(data=st.data())
@law
def test_the_cup_acts_after_turn_n_and_then_after_every_n_minus_1_turns(data: st.DataObject) -> None:
    """C-T1; with cup_move stay once a round."""
    walk = data.draw(walks(ENTRY))
    step = walk.seats if walk.options.cup_move is CupMove.STAY else walk.seats - 1
    for turn, ply in enumerate(walk.plies[1:], start=1):
        acted = any(
            isinstance(event.fact, MonsterRoll) and event.fact.cause is Cause.CUP for event in ply.played.events
        )
        ended_before = any(is_ending(roll) for roll in ply.played.position.last_roll[:1])
        assert acted == (turn >= walk.seats and (turn - walk.seats) % step == 0 and not ended_before)


def test_nine_dice_always_end_the_game() -> None:
    """C-T2."""
    position = started(5, Options(cup_start=6))
    while position.cup_dice < 8 or position.cup_gap != position.active_seat:
        cup = QUIET[: position.cup_dice + 1] if position.cup_gap == position.active_seat else ()
        position = played(position, Move.HARVEST, 1, 1, *cup)
    for dice in combinations_with_replacement(range(1, 7), 9):
        assert GAME.standing(played(position, Move.HARVEST, 1, 1, *dice)).over


@given(data=st.data())
@law
def test_the_cup_never_holds_more_than_nine_dice(data: st.DataObject) -> None:
    """C-T2; so eleven dice are always enough."""
    for ply in data.draw(walks(ENTRY)).plies:
        assert ply.played.position.cup_dice <= 9


@pytest.mark.parametrize("dice", [0, 1, 2])
def test_up_to_two_dice_never_end_the_game(dice: int) -> None:
    """C-T3."""
    assert table(dice)["go on"] == 6**dice


@pytest.mark.parametrize(("dice", "triples"), [(3, 6), (4, 126)])
def test_three_dice_can_show_triples_but_25_needs_five(dice: int, triples: int) -> None:
    """C-T4."""
    assert table(dice)["25"] == 0
    assert table(dice)["triples"] == triples


# Exact tables: every roll of so many dice, through the engine


def table(dice: int) -> Counter[str]:
    """Play a Feed with every roll of so many dice, and count how each ends."""
    position = before_a_roll_of(dice)
    counts: Counter[str] = Counter()
    for roll in product(range(1, 7), repeat=dice):
        outcome = GAME.standing(played(position, Move.FEED, *roll)).outcome
        if outcome is None:
            counts["go on"] += 1
            continue
        counts["end"] += 1
        counts[outcome.reason] += 1
        counts["25"] += outcome.reason == "eaten"
        counts["triples"] += outcome.reason != "eaten" or shows_triples(tuple(sorted(roll)))
    return counts


@cache
def shows_triples(roll: tuple[int, ...]) -> bool:
    """Ask a game in which triples decide also at 25."""
    outcome = GAME.standing(played(before_a_roll_of(len(roll), hungry_first=False), Move.FEED, *roll)).outcome
    return outcome is not None and outcome.reason != "eaten"


@pytest.mark.parametrize(
    ("dice", "row"),
    [
        (3, (0, 6, 6, 0, 2, 2, 2, 210)),
        (5, (252, 1656, 1746, 252, 552, 552, 390, 6030)),
        (6, (9604, 17136, 21816, 9604, 5632, 4830, 1750, 24840)),
        pytest.param(7, (139968, 151416, 215676, 139968, 44942, 26356, 4410, 64260), marks=pytest.mark.slow),
    ],
)
def test_of_all_rolls_so_many_end_the_game_in_each_way(dice: int, row: tuple[int, ...]) -> None:
    """C-R13, C-R17, C-R18 with the default options, as exact counts."""
    columns = ("25", "triples", "end", "eaten", "row_1_2", "row_3_4", "row_5_6", "go on")
    counts = table(dice)
    assert tuple(counts[column] for column in columns) == row
    assert counts["end"] + counts["go on"] == 6**dice


@pytest.mark.parametrize("dice", [3, 5])
def test_the_cup_ends_the_game_by_the_same_rolls_as_a_feed(dice: int) -> None:
    """C-R13 holds for both."""
    fed = before_a_roll_of(dice)
    cup = played(started(2, Options(cup_start=dice - 1)), Move.HARVEST, 1, 1)
    for roll in product(range(1, 7), repeat=dice):
        by_feed, by_cup = played(fed, Move.FEED, *roll), played(cup, Move.HARVEST, 1, 1, *roll)
        assert GAME.standing(by_feed).over == GAME.standing(by_cup).over


# What can't be


@given(data=st.data())
@law
def test_what_hangs_together_in_a_position_can_not_be_changed_alone(data: st.DataObject) -> None:
    walk = data.draw(walks(ENTRY))
    position: Position = walk.position
    assume(position.turn > 1)
    forged = [
        replace(position, cup_dice=-1),
        replace(position, cup_gap=walk.seats),
        replace(position, active_seat=walk.seats),
        replace(position, last_roll=(*position.last_roll, Roll(Cause.FEED, ()), Roll(Cause.CUP, ()))),
        replace(position, cabbages=(*position.cabbages, 0)),
        replace(position, cabbages=(-1, *position.cabbages[1:])),
        replace(position, feedings=position.feedings[1:]),
        replace(position, feedings=(position.turn, *position.feedings[1:])),
        replace(position, turn=1),
    ]
    if position.options.empty_feed is EmptyFeed.FORBID or position.cup_dice:
        forged.append(replace(position, last_roll=()))
    for forgery in forged:
        assert GAME.check(forgery), GAME.write(forgery)


@given(data=st.data())
@law
def test_who_feeds_an_empty_cup_rolls_nothing_and_who_feeds_the_last_die_rolls_no_dice(data: st.DataObject) -> None:
    """C-R10, C-R12: the first leaves no roll in the position, the second a roll without dice."""
    free = st.builds(Options, empty_feed=st.just(EmptyFeed.FREE), cup_start=st.integers(0, 2))
    walk = data.draw(walks(ENTRY, options=free))
    for before, ply in pairwise(walk.plies):
        if ply.move is Move.FEED:
            mine = [roll for roll in ply.played.position.last_roll if roll.cause is not Cause.CUP]
            cup_dice = before.played.position.cup_dice
            assert [len(roll.dice) for roll in mine] == ([cup_dice - 1] if cup_dice else [])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "turn 1; seat 0",
        "turn 1; seat 0; cabbages 0 0; feedings 0 0; cup 0; gap 1; turn 2",
        "seat 0; turn 1; cabbages 0 0; feedings 0 0; cup 0; gap 1",
        "turn one; seat 0; cabbages 0 0; feedings 0 0; cup 0; gap 1",
        "turn 1; seat 0; cabbages 0 x; feedings 0 0; cup 0; gap 1",
        "turn 1; seat 0; cabbages 0 0; feedings 0 0; cup 0; gap 1; rolled steal 1",
        "turn 1; seat 0; cabbages 0 0; feedings 0 0; cup 0; gap 1; options colour 1",
        "turn 1; seat 0; cabbages 0 0; feedings 0 0; cup 0; gap 1; options hungry_first maybe",
        "turn 1; seat 0; cabbages 0 0; feedings 0 0; cup 0; gap 1; options cup_move left",
        "turn 1; seat 0; cabbages 0 0; feedings 0 0; cup 0; gap 1; weather fine",
    ],
)
def test_a_text_that_is_no_position_is_quoted(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        GAME.read(text)


MOST = 2**31 - 1
ABSURD = GAME.read("turn 6; seat 2; cabbages 9 6 7; feedings 0 1 0; cup 1; gap 0; rolled feed, cup 4")


@pytest.mark.parametrize(
    ("forged", "fields"),
    [
        (replace(ABSURD, turn=MOST), ["turn"]),
        (replace(ABSURD, turn=MOST, options=Options(max_turns=MOST)), ["turn"]),
        (replace(ABSURD, turn=100_000_001, options=Options(max_turns=0)), []),
        (replace(ABSURD, turn=100_000_002, options=Options(max_turns=0)), ["turn"]),
        (replace(ABSURD, feedings=(MOST, MOST, MOST)), None),
        (replace(ABSURD, feedings=(-MOST, -MOST, -MOST), options=Options(cup_max=6)), None),
        (replace(ABSURD, cabbages=(0,) * 10_000), ["cabbages"]),
        (replace(ABSURD, feedings=(0,) * 10_000), ["feedings"]),
        (replace(ABSURD, feedings=(0, 1), cup_dice=9), ["feedings", "cup_dice"]),
        (replace(ABSURD, feedings=(0, 1), cup_dice=9, last_roll=(Roll(Cause.FEED, (1,) * 9),)), ["feedings"]),
        (replace(ABSURD, last_roll=(Roll(Cause.FEED, (6,) * 10_000),) * 10_000), ["last_roll"]),
        (replace(ABSURD, last_roll=(Roll(Cause.FEED, (6,) * 10_000),)), None),
        (replace(ABSURD, cup_dice=10_000, last_roll=(Roll(Cause.FEED, (6,) * 10_000),)), ["cup_dice"]),
        (replace(ABSURD, cup_dice=-MOST, cup_gap=-MOST, active_seat=-MOST), ["active_seat", "cup_gap", "cup_dice"]),
        (replace(ABSURD, options=Options(-1, -1, max_turns=-1, first_seat=MOST)), None),
    ],
)
def test_absurd_numbers_are_refused_at_once(forged: Position, fields: list[str] | None) -> None:
    began = time.process_time()
    found = [flaw.field for flaw in GAME.check(forged)]
    assert time.process_time() - began < 1, "far less, if nothing else of this process comes between"
    assert found if fields is None else found == fields
