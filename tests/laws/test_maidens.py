"""What follows from the rules of Monsters & Maidens: its exact tables, and that everything adds up."""

import os
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games.maidens.events import (
    Captured,
    ChipEarned,
    ChipLost,
    ChipUsed,
    EndCondition,
    Fact,
    Freed,
    Rescued,
    Rolled,
    Scored,
    TakenByDragon,
    TakenToCastle,
    TurnEnded,
)
from services.games.maidens.position import (
    MAIDEN,
    SIDES_OF,
    STANDARD,
    WITH_ADVENTURE,
    Act,
    Die,
    DieKind,
    Face,
    Maidens,
    Options,
    Phase,
    Position,
    UniformEnd,
)
from services.kernel.game import Event
from services.kernel.playing import random_play
from tests.support.laws import examples
from tests.support.maidens import ENTRY, GAME, Step, played, rolls, started, what_ended
from tests.support.walks import walks

GAMES = int(os.environ.get("LAIR_GAMES", "10"))
"""How many random games are played to the end, for each number of seats with and without the Adventure Die."""

law = examples(60)


# Exact tables: every roll, by the faces that it shows


def first_rolls(options: Options) -> Counter[str]:
    """Play every first roll and count what comes of it. A Re-Roll is not used."""
    position = started(options)
    unrolled = [Die(kind, MAIDEN) for kind in (WITH_ADVENTURE if options.adventure_die else STANDARD)]
    counts: Counter[str] = Counter()
    for results, ways in rolls(unrolled):
        step = played(position, Act.ROLL, *results)
        if step.position.phase is Phase.WINDOW:
            step = played(step.position, Act.KEEP)
        counts["all"] += ways
        counts[what_ended(step) or "decide"] += ways
        if any(isinstance(event.fact, ChipEarned) for event in step.events):
            counts["chip"] += ways
    return counts


@pytest.mark.parametrize(
    ("adventure_die", "row"),
    [
        (False, (6**9, 216, 431_568, 1_346_976, 8_298_936, 1_347_408)),
        (True, (6**10, 1_296, 2_157_840, 8_223_552, 50_083_488, 8_225_280)),
    ],
    ids=["nine dice", "with the Adventure Die"],
)
def test_of_all_first_rolls_so_many_go_each_way(*, adventure_die: bool, row: tuple[int, ...]) -> None:
    """M-R8, M-R9, M-R13, M-R18 as exact counts."""
    counts = first_rolls(Options(adventure_die=adventure_die))
    columns = ("all", "all maidens", "uniform", "no rescued", "decide", "chip")
    assert tuple(counts[column] for column in columns) == row


@given(data=st.data())
@law
def test_which_of_equal_dice_shows_a_face_does_not_matter(data: st.DataObject) -> None:
    """What the tables lean on: equal sides are one face, and equal dice may change places."""
    options = Options(adventure_die=data.draw(st.booleans()), uniform_end=data.draw(st.sampled_from(UniformEnd)))
    kinds = WITH_ADVENTURE if options.adventure_die else STANDARD
    results = data.draw(st.tuples(*(st.integers(1, 6) for _ in kinds)))
    order = [*(first + step for first in (0, 3, 6) for step in data.draw(st.permutations(range(3)))), *range(9, 10)]
    faces = [SIDES_OF[kind][results[index] - 1] for kind, index in zip(kinds, order, strict=False)]
    sides = [
        data.draw(st.sampled_from([side for side in range(1, 7) if SIDES_OF[kind][side - 1] is face]))
        for kind, face in zip(kinds, faces, strict=True)
    ]
    one, other = (played(started(options), Act.ROLL, *roll) for roll in (results, sides))
    assert without_numbers(one) == without_numbers(other)


def without_numbers(step: Step) -> tuple[object, ...]:
    """A step with its dice counted by sort and face."""
    facts = [
        replace(event.fact, die_indices=())
        if isinstance(event.fact, Rescued)
        else Counter((die.kind, die.face) for die in event.fact.dice)
        if isinstance(event.fact, Rolled)
        else event.fact
        for event in step.events
    ]
    return facts, Counter(step.position.dice), replace(step.position, dice=())


@pytest.mark.parametrize("kind", DieKind)
def test_a_die_has_the_faces_that_it_is_named_for(kind: DieKind) -> None:
    """M-R2, M-R30: a die named for a face shows it on three of its sides."""
    sides = Counter(SIDES_OF[kind])
    assert sum(sides.values()) == 6
    if kind is DieKind.ADVENTURE:
        assert set(sides.values()) == {1}
    else:
        assert sides[Face(kind.value)] == 3
        assert set(sides) == {Face.HERO, Face.MONSTER, Face.MAIDEN}


@pytest.mark.parametrize("uniform_end", UniformEnd)
@pytest.mark.parametrize("kind", [DieKind.HERO, DieKind.MONSTER, DieKind.MAIDEN])
def test_with_nine_dice_a_roll_of_one_die_ends_the_turn(kind: DieKind, uniform_end: UniformEnd) -> None:
    """M-R8, M-R9: it shows the ninth Maiden, or one Hero or Monster alone."""
    one = STANDARD.index(kind)
    dice = tuple([Die(sort, MAIDEN, in_pool=index == one) for index, sort in enumerate(STANDARD)])
    position = replace(
        started(Options(uniform_end=uniform_end)), phase=Phase.DECIDE, roll_number=2, dice=dice, maidens=Maidens(8)
    )
    for result, face in enumerate(SIDES_OF[kind], start=1):
        ended = what_ended(played(position, Act.ROLL_AGAIN, result))
        assert ended == (EndCondition.ALL_MAIDENS if face is MAIDEN else EndCondition.UNIFORM).value


# Sums


def maidens_from_nine(position: Position) -> int:
    """The Maidens that the nine standard dice have brought in this turn."""
    two = sum(2 for die in position.dice if die.face is Face.TWO_MAIDENS and not die.in_pool)
    maidens = position.maidens
    return maidens.rescued + maidens.captured + maidens.castle + maidens.dragon - two


def add_up(position: Position) -> bool:
    """Say whether the standard dice in the pool and the Maidens that the others have brought are nine."""
    pool = sum(die.in_pool for die in position.dice if die.kind is not DieKind.ADVENTURE)
    return position.phase is Phase.ROLL or pool + maidens_from_nine(position) == len(STANDARD)


@dataclass
class Ledger:
    """Points, chips and Maidens as the events alone tell them."""

    seats: int
    points: list[int] = field(init=False)
    chips: list[int] = field(init=False)
    maidens: Maidens = field(default_factory=Maidens)

    def __post_init__(self) -> None:
        self.points, self.chips = [0] * self.seats, [0] * self.seats

    def enter(self, event: Event[Fact]) -> None:
        match event.fact:
            case Rescued(_, _, rescued):
                self.maidens = replace(self.maidens, rescued=rescued)
            case Captured(_, rescued, captured) | Freed(_, rescued, captured):
                self.maidens = replace(self.maidens, rescued=rescued, captured=captured)
            case TakenToCastle(_, castle):
                self.maidens = replace(self.maidens, rescued=0, castle=castle)
            case TakenByDragon(_, dragon):
                self.maidens = replace(self.maidens, captured=0, dragon=dragon)
            case TurnEnded():
                self.maidens = Maidens()
            case Scored(seat, rescued, castle, points, supply):
                self.points[seat] += rescued + castle
                assert self.points[seat] == points
                assert supply == max(0, 20 * self.seats - sum(self.points))
            case ChipEarned(seat):
                self.chips[seat] += 1
            case ChipUsed(seat) | ChipLost(seat):
                self.chips[seat] -= 1

    def agrees(self, position: Position) -> bool:
        return (tuple(self.points), tuple(self.chips), self.maidens) == (
            position.points,
            position.chips,
            position.maidens,
        )


@given(data=st.data())
@law
def test_dice_add_up_and_everything_is_what_the_events_say(data: st.DataObject) -> None:
    """With any options."""
    walk = data.draw(walks(ENTRY, most_steps=120))
    ledger = Ledger(walk.seats)
    for ply in walk.plies:
        for event in ply.played.events:
            ledger.enter(event)
        assert add_up(ply.played.position)
        assert ledger.agrees(ply.played.position)


@pytest.mark.timeout(60 + GAMES)
@pytest.mark.parametrize("adventure_die", [False, True], ids=["nine dice", "with the Adventure Die"])
@pytest.mark.parametrize("seats", GAME.seats)
def test_random_games_end_and_add_up(seats: int, *, adventure_die: bool) -> None:
    """M-R21: with the round in which the supply is used up, and the best score wins (M-R23)."""
    options = Options(adventure_die=adventure_die)
    for number in range(GAMES):
        ledger = Ledger(seats)
        for ply in random_play(GAME, options, seats, number.to_bytes(32, "big")):
            position = ply.played.position
            for event in ply.played.events:
                ledger.enter(event)
            assert add_up(position)
            assert ledger.agrees(position)
        outcome = GAME.standing(position).outcome
        assert outcome is not None
        assert sum(position.points) >= 20 * seats
        assert (position.turn - 1) % seats == 0
        assert outcome.scores == tuple(ledger.points)
        assert outcome.winners == tuple(
            seat for seat, points in enumerate(ledger.points) if points == max(ledger.points)
        )


@given(data=st.data())
@law
def test_a_turn_scores_at_most_nine_or_eleven_with_the_adventure_die(data: st.DataObject) -> None:
    """M-R17, M-R40."""
    walk = data.draw(walks(ENTRY, most_steps=120))
    for ply in walk.plies:
        for event in ply.played.events:
            if isinstance(event.fact, Scored):
                assert 0 <= event.fact.rescued + event.fact.castle <= (11 if walk.options.adventure_die else 9)
