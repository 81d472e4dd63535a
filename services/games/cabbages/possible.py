"""What can't be: options that make no game, and positions that no game comes to.

A position costs the same to check however long its game and however absurd it is.
"""

from collections.abc import Iterator, Sequence

from services.games.cabbages.cup import cup_flaws
from services.games.cabbages.ending import is_ending
from services.games.cabbages.past import Past, past_of
from services.games.cabbages.position import (
    CUP_LIMITS,
    HARVEST_DICE,
    MOST_QUIET_DICE,
    MOST_START_DICE,
    SEATS,
    SIDES,
    Cause,
    Options,
    Position,
    Roll,
)
from services.kernel.refusals import Flaw
from services.kernel.standing import Seat

MOST_TURNS = 100_000_000
"""After so many turns every counter still fits the 32 bits that it has on the wire, whatever the next one brings."""
MOST_ROLLS = 2
"""In one turn: the player's, and the cup's."""


def flaws(options: Options, seats: int) -> Sequence[Flaw]:
    """What is wrong with these options for so many seats."""
    found = []
    if not 0 <= options.cup_start <= MOST_START_DICE:
        found.append(Flaw("cup_start", f"must be 0 to {MOST_START_DICE}, is {options.cup_start}"))
    if options.cup_max not in CUP_LIMITS:
        found.append(Flaw("cup_max", f"must be 6, 8 or 0 for no limit, is {options.cup_max}"))
    if options.max_turns < 0:
        found.append(Flaw("max_turns", f"must be 0 for no limit or more, is {options.max_turns}"))
    if options.first_seat is not None and not 0 <= options.first_seat < seats:
        found.append(Flaw("first_seat", f"must be 0 to {seats - 1}, is {options.first_seat}"))
    return found


def check(position: Position) -> Sequence[Flaw]:
    """Why no game can come to this position.

    What the rest is measured by comes first: seats, options, turn and size of the cup, then the last rolls. While the
    first are flawed only they are named; while the rolls are, the cup's own history is left out.

    With the default options, whatever is in the cup at the start, this is exact: what has no flaw can be reached. Where
    the cup is limited, or may be fed while it is empty, the same totals have several histories, and a few more pass.
    """
    found = list(_frame(position))
    if found:
        return found
    past = past_of(position)
    found = list(_rolls(position, past))
    rolls_known = not found
    for seat in range(past.seats):
        found += _counters(position, past, seat, last_known=rolls_known and seat == past.last_seat)
    if rolls_known:
        found += cup_flaws(position, past)
    return found


def _frame(position: Position) -> Iterator[Flaw]:
    seats, options = len(position.cabbages), position.options
    if seats not in SEATS:
        yield Flaw("cabbages", f"must have {SEATS[0]} to {SEATS[-1]} seats, has {seats}")
        return
    if len(position.feedings) != seats:
        yield Flaw("feedings", f"must have {seats} seats as cabbages has, has {len(position.feedings)}")
    for flaw in flaws(options, seats):
        yield Flaw(f"options.{flaw.field}", flaw.description)
    most_turns = min(options.max_turns, MOST_TURNS) if options.max_turns > 0 else MOST_TURNS
    if not 1 <= position.turn <= most_turns + 1:
        yield Flaw("turn", f"must be 1 to {most_turns + 1}, is {position.turn}")
    if not 0 <= position.active_seat < seats:
        yield Flaw("active_seat", f"must be 0 to {seats - 1}, is {position.active_seat}")
    elif options.first_seat not in (None, (position.active_seat - position.turn + 1) % seats):
        yield Flaw("active_seat", f"can't be {position.active_seat} in turn {position.turn} after this first seat")
    most_dice = options.cup_max or MOST_QUIET_DICE + 1
    if not 0 <= position.cup_dice <= most_dice:
        yield Flaw("cup_dice", f"must be 0 to {most_dice}, is {position.cup_dice}")


def _rolls(position: Position, past: Past) -> Iterator[Flaw]:
    rolls = position.last_roll
    if past.turns == 0:
        if rolls:
            yield Flaw("last_roll", "must be empty before the first turn")
        return
    if not 1 <= len(rolls) <= MOST_ROLLS:
        yield Flaw("last_roll", f"must have the player's roll, and the cup's if it acted; has {len(rolls)} rolls")
        return
    player, *cup = rolls
    if player.cause is Cause.CUP:
        yield Flaw("last_roll[0].cause", "must be the player's")
        return
    found = list(_dice(0, player, HARVEST_DICE if player.cause is Cause.HARVEST else position.cup_dice - len(cup)))
    for roll in cup:
        if roll.cause is not Cause.CUP:
            found.append(Flaw("last_roll[1].cause", "must be the cup's"))
        found += _dice(1, roll, position.cup_dice)
    yield from found
    if not found:
        follows = past.cup_follows(past.turns) and not is_ending(player)
        if follows and not cup:
            yield Flaw("last_roll", f"must have the cup's roll: it acts after turn {past.turns}")
        if cup and not follows:
            yield Flaw("last_roll", f"can't have the cup's roll: it doesn't act after turn {past.turns}")


def _dice(index: int, roll: Roll, count: int) -> Iterator[Flaw]:
    path = f"last_roll[{index}].dice"
    if len(roll.dice) != count:
        yield Flaw(path, f"must be {count} dice, has {len(roll.dice)}")
        return
    for die, face in enumerate(roll.dice):
        if not 1 <= face <= SIDES:
            yield Flaw(f"{path}[{die}]", f"must be 1 to {SIDES}, is {face}")


def _counters(position: Position, past: Past, seat: Seat, *, last_known: bool) -> Iterator[Flaw]:
    """In each turn a seat has fed once or harvested 2 to 12. Of the last turn it is known which."""
    taken = past.taken(seat, past.turns)
    fewest, most, harvested = 0, taken, 0
    if last_known and taken:
        last = position.last_roll[0]
        if last.cause is Cause.FEED:
            fewest = 1
        else:
            most, harvested = taken - 1, sum(last.dice)
    feedings, cabbages = position.feedings[seat], position.cabbages[seat]
    if not fewest <= feedings <= most:
        yield Flaw(f"feedings[{seat}]", f"must be {fewest} to {most} after {taken} turns, is {feedings}")
        return
    least = (most - feedings) * HARVEST_DICE
    if not least <= cabbages - harvested <= least * SIDES:
        yield Flaw(f"cabbages[{seat}]", f"must be {least + harvested} to {least * SIDES + harvested}, is {cabbages}")
