"""What laws of Monsters & Maidens share: a started game, a move with given results, and every roll of some dice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod

from msgspec.structs import replace

from services.games import find_games
from services.games.maidens.events import Fact, TurnEnded
from services.games.maidens.position import FACES_OF, SIDES_OF, Die, DieKind, Face, Options, Position
from services.kernel.chance import Dice, scripted
from services.kernel.game import Played

ENTRY = find_games()["maidens"]
GAME = ENTRY.game
Step = Played[Position, Fact]


def played(position: Position, move: object, *results: int) -> Step:
    """What a move of the active seat leads to, with these results."""
    step: Step = GAME.play(position, position.active_seat, move, Dice(scripted(results)))
    return step


def started(options: Options, seats: int = 2) -> Position:
    """A new game in which seat 0 begins."""
    position: Position = GAME.start(replace(options, first_seat=0), seats, Dice(scripted(()))).position
    return position


def what_ended(step: Step) -> str | None:
    """How the turn ended in this step, if it did."""
    return next((event.fact.condition.value for event in step.events if isinstance(event.fact, TurnEnded)), None)


def rolls(dice: Sequence[Die]) -> Iterator[tuple[tuple[int, ...], int]]:
    """One roll for each count of faces by sort of dice, and how many rolls of all 6^n have these counts.

    Dice of one sort are alike, and so are the sides of a die that show one face: which of the three Hero dice shows the
    Maiden, and whether a Hero is its first side or its third, changes nothing but the numbers of the dice. A law in
    tests/laws/test_maidens.py shows it. So one roll stands for all of its kind, and the ways to deal the faces to the
    dice, times the sides of each face, count them without a remainder.
    """
    sorts = [(kind, [index for index, die in enumerate(dice) if die.kind is kind]) for kind in DieKind]
    for shown in product(*(_shown(kind, len(indices)) for kind, indices in sorts)):
        results = {
            index: SIDES_OF[kind].index(face) + 1
            for (kind, indices), (faces, _) in zip(sorts, shown, strict=True)
            for index, face in zip(indices, faces, strict=True)
        }
        yield tuple([results[index] for index in range(len(dice))]), prod(ways for _, ways in shown)


@cache
def _shown(kind: DieKind, count: int) -> Sequence[tuple[tuple[Face, ...], int]]:
    """The faces that so many dice of one sort can show together, and in how many ways each."""
    found = []
    for faces in combinations_with_replacement(FACES_OF[kind], count):
        times = Counter(faces)
        orders = factorial(count) // prod(factorial(number) for number in times.values())
        found.append((faces, orders * prod(SIDES_OF[kind].count(face) ** number for face, number in times.items())))
    return found
