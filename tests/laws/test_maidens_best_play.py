"""What the rulebook of Monsters & Maidens says of playing well, by all decisions that a turn can come to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from services.games.maidens.position import (
    MAIDEN,
    STANDARD,
    Act,
    Die,
    DieKind,
    Maidens,
    Options,
    Phase,
    Position,
    UniformEnd,
)
from tests.support.maidens import played, rolls, started

NOTHING = 1e-9
"""Averages that differ by less are equal."""


@dataclass(frozen=True)
class Place:
    """What a decision depends on: the dice that would be rolled, and where the Maidens are."""

    pool: tuple[tuple[DieKind, int], ...]
    maidens: Maidens


Prospects = Counter[Place | int]
"""In how many ways a roll leads to another decision, or ends the turn with so many points."""


def place_of(position: Position) -> Place:
    pool = Counter(die.kind for die in position.dice if die.in_pool)
    return Place(tuple(sorted(pool.items(), key=lambda item: item[0].value)), position.maidens)


def all_prospects(options: Options) -> tuple[Prospects, dict[Place, Prospects]]:
    """What the first roll of a turn leads to, and what rolling again leads to from every decision there is."""
    begin = started(options)
    known: dict[Place, Prospects] = {}
    first, waiting = prospects(begin, Act.ROLL, [Die(kind, MAIDEN) for kind in STANDARD])
    while waiting:
        position = waiting.pop()
        if place_of(position) not in known:
            pool = [die for die in position.dice if die.in_pool]
            known[place_of(position)], more = prospects(position, Act.ROLL_AGAIN, pool)
            waiting += [found for found in more if place_of(found) not in known]
    return first, known


def prospects(position: Position, move: Act, pool: Sequence[Die]) -> tuple[Prospects, list[Position]]:
    """What a roll of these dice leads to, and a position for each decision among it."""
    ways: Prospects = Counter()
    found: dict[Place, Position] = {}
    for results, count in rolls(pool):
        after = played(position, move, *results).position
        if after.phase is Phase.DECIDE:
            found.setdefault(place_of(after), after)
            ways[place_of(after)] += count
        else:
            ways[after.points[0]] += count
    return ways, list(found.values())


def value(ways: Prospects, of_places: dict[Place, float]) -> float:
    """What a roll is worth on average."""
    total = sum(count * (goal if isinstance(goal, int) else of_places[goal]) for goal, count in ways.items())
    return total / ways.total()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("uniform_end", "better_to_stop", "level", "worth"),
    [(UniformEnd.SCORE, 0, 0, 4.786), (UniformEnd.BATTLE, 6, 5, 4.279), (UniformEnd.BUST, 156, 0, 2.863)],
)
def test_uniform_end_does_to_play_what_the_rulebook_says(
    uniform_end: UniformEnd, better_to_stop: int, level: int, worth: float
) -> None:
    """Of the 249 decisions of a turn with nine dice: how many are better stopped at, by whoever plays for points."""
    first, known = all_prospects(Options(uniform_end=uniform_end))
    assert len(known) == 249
    values, rolling = best_play(known)
    gains = [rolling[place] - place.maidens.rescued for place in known]
    assert sum(gain < -NOTHING for gain in gains) == better_to_stop
    assert sum(abs(gain) <= NOTHING for gain in gains) == level
    assert round(value(first, values), 3) == worth


def best_play(known: dict[Place, Prospects]) -> tuple[dict[Place, float], dict[Place, float]]:
    """What every decision is worth, and what rolling again there is.

    Found by taking the better of stopping and of rolling again, over and over: as every roll may end the turn, each
    round comes nearer to the truth, until nothing changes.
    """
    values = {place: float(place.maidens.rescued) for place in known}
    while True:
        rolling = {place: value(ways, values) for place, ways in known.items()}
        better = {place: max(place.maidens.rescued, rolling[place]) for place in known}
        if max(better[place] - values[place] for place in known) < NOTHING / 100:
            return better, rolling
        values = better
