"""When the game ends, and who wins then."""

from functools import lru_cache

from services.games.cabbages.position import SIDES, MultiSet, Options, Position, Roll
from services.kernel.standing import Outcome

HUNGRY = 25
TRIPLES = 3
FACES = range(1, SIDES + 1)
REMEMBERED_ROLLS = 10_000
"""Every roll of up to five dice, which are nearly all that come up."""

EATEN = "eaten"
TURN_LIMIT = "turn_limit"
ROWS = ("row_1_2", "row_3_4", "row_5_6")


def is_ending(roll: Roll) -> bool:
    """Say whether this roll ends the game: by 25 or more, or by triples (C-R13).

    Fewer than three dice can do neither, so that no Harvest ends it (C-R9), nor a roll of no dice (C-R12).
    """
    dice = roll.dice
    return len(dice) >= TRIPLES and _ends(dice)


def is_over(position: Position) -> bool:
    """Say whether the game has ended. It takes any position, also one whose seats don't fit together."""
    return _why_over(position) is not None


def outcome(position: Position) -> Outcome | None:
    """How the game ended, or None while it goes on."""
    reason = _why_over(position)
    return None if reason is None else _outcome(reason, position.cabbages, position.feedings)


def _why_over(position: Position) -> str | None:
    """Why the game has ended, or None while it goes on. An ending roll comes before the limit of turns (D7)."""
    rolls, options = position.last_roll, position.options
    if rolls and is_ending(rolls[-1]):
        return _reason(rolls[-1].dice, options)
    return TURN_LIMIT if 0 < options.max_turns < position.turn else None


@lru_cache(REMEMBERED_ROLLS)  # a move asks for the same few dice some six times
def _ends(dice: tuple[int, ...]) -> bool:
    return sum(dice) >= HUNGRY or _has_triples(dice)


def _has_triples(dice: tuple[int, ...]) -> bool:
    return max(map(dice.count, FACES)) >= TRIPLES


def _reason(dice: tuple[int, ...], options: Options) -> str:
    """What an ending roll means: everybody is eaten (C-R17), or the row of its triples (C-R18)."""
    if sum(dice) >= HUNGRY and (options.hungry_first or not _has_triples(dice)):
        return EATEN
    higher = 1 if options.multi_set is MultiSet.BIG_HIGH else -1
    face = max(FACES, key=lambda face: (dice.count(face), higher * face))
    return ROWS[(face - 1) // 2]


def _outcome(reason: str, cabbages: tuple[int, ...], feedings: tuple[int, ...]) -> Outcome:
    """Compare the seats by what the row says first, then by its tie-break; who is level then shares (C-R22)."""
    if reason not in ROWS:
        return Outcome((), cabbages, reason)
    results = [_compare(reason, *counters) for counters in zip(cabbages, feedings, strict=True)]
    best = max(results)
    winners = tuple(seat for seat, result in enumerate(results) if result == best)
    return Outcome(winners, tuple(first for first, _ in results), reason)


def _compare(row: str, cabbages: int, feedings: int) -> tuple[int, int]:
    """What a row compares, and its tie-break: more is better (C-R19, C-R20, C-R21)."""
    if row == "row_1_2":
        return cabbages, -feedings
    if row == "row_3_4":
        return feedings, -cabbages
    return cabbages * feedings, 0
