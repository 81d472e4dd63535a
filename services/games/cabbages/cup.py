"""What the Monster Cup tells of a position: where it stands, and how many dice can be in it.

Each turn of the cup adds a die, unless the cup is full; each Feeding takes one out, unless the cup is empty and may be
fed all the same. When the Feedings were can't be seen, only how many each seat has: so the bounds come from the latest
and the earliest turns in which they can have been.
"""

from collections.abc import Iterator

from services.games.cabbages.ending import is_ending
from services.games.cabbages.past import Past
from services.games.cabbages.position import MOST_QUIET_DICE, Cause, EmptyFeed, Position
from services.kernel.refusals import Flaw


def cup_flaws(position: Position, past: Past) -> Iterator[Flaw]:
    """What is wrong with the cup, and with the Feedings for want of dice. The last rolls must be without a flaw."""
    acted = len(position.last_roll) > 1
    acts = past.cup_turns(past.turns - 1) + acted
    moves = acts - (acted and is_ending(position.last_roll[-1]))
    gap = (past.first_seat - 1 - (0 if past.cup_stays else moves)) % past.seats
    if position.cup_gap != gap:
        yield Flaw("cup_gap", f"must be {gap} after {past.turns} turns, is {position.cup_gap}")
    if position.options.empty_feed is EmptyFeed.FORBID:
        yield from _missing_dice(position, past)
    fewest, most = _dice_range(position, past, acts)
    if not fewest <= position.cup_dice <= most:
        yield Flaw("cup_dice", f"can't be {position.cup_dice} after {past.turns} turns with these Feedings")


def _missing_dice(position: Position, past: Past) -> Iterator[Flaw]:
    """Feedings that found no die. That shows at a turn of the cup: at the first or at the last."""
    acts, fed = past.cup_turns(past.turns - 1), sum(position.feedings)
    for number in sorted({1, acts}):
        dice = position.options.cup_start + number - 1
        if 1 <= number <= acts and dice < fed and dice < _early(position, past, number):
            yield Flaw("feedings", f"more than {dice} must lie before turn {number} of the cup: too few dice for them")
            return


def _early(position: Position, past: Past, number: int) -> int:
    """How many Feedings at least lie before this turn of the cup: as many as later turns have no room for."""
    turns = past.before_cup_turn(number)
    harvested = position.last_roll[0].cause is Cause.HARVEST
    early = 0
    for seat, feedings in enumerate(position.feedings):
        room = past.taken(seat, past.turns) - past.taken(seat, turns) - (harvested and seat == past.last_seat)
        early += feedings - min(feedings, max(0, room))
    return early


def _dice_range(position: Position, past: Past, acts: int) -> tuple[int, int]:
    """The fewest and the most dice that can be in the cup after it acted so often."""
    options, fed = position.options, sum(position.feedings)
    added, removed = acts, fed
    if options.cup_max and options.cup_start + acts > options.cup_max:
        added = min(acts, options.cup_max - options.cup_start + _fewest_refills(position, past, acts))
    if options.empty_feed is EmptyFeed.FREE:
        removed = min(fed, options.cup_start + _fewest_removals(position, past))
    fewest, most = options.cup_start + added - fed, options.cup_start + acts - removed
    if not past.turns:
        return fewest, most
    acted = len(position.last_roll) > 1
    harvested = position.last_roll[0].cause is Cause.HARVEST
    fewest = max(fewest, acted + (harvested and past.cup_follows(past.turns - 1)))
    most_after_player = (options.cup_max or MOST_QUIET_DICE) - (not harvested)
    return fewest, min(most, most_after_player + acted, options.cup_max or most)


def _fewest_refills(position: Position, past: Past, acts: int) -> int:
    """How many dice at least came into a limited cup in place of one that a Feeding took out.

    The fewest with Feedings as late as can be. At each turn of the cup: the early Feedings had made room by then, and
    from then on it added at every turn. The least of these sums is at the last turn, or about where all seats but one
    have to feed without a break from then on.
    """
    if position.options.empty_feed is EmptyFeed.FREE:
        return _swaps(position)
    second = sorted(position.feedings)[-2]
    about = past.cup_turns(past.turns - second * past.seats)
    turns_of_cup: set[int] = {*range(max(1, about - 2), min(acts, about + 3)), acts}
    return min([_early(position, past, number) + acts - number for number in turns_of_cup])


def _fewest_removals(position: Position, past: Past) -> int:
    """How many dice at least Feedings took out beyond the starting ones, where an empty cup may be fed.

    The fewest with Feedings as early as can be: then most of them find the cup empty.
    """
    if position.options.cup_max:
        return _swaps(position)
    return max(_swaps(position), past.cup_turns(sum(position.feedings) - 1))


def _swaps(position: Position) -> int:
    """Between two Feedings of one seat the cup acts at least once: a die comes in, and one is taken out."""
    return max(0, max(position.feedings) - 1)
