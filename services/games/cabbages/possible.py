"""What can't be: options that make no game, and positions that can't be played on.

A position costs the same to check however absurd it is. One without a flaw has sizes and numbers that fit together and
keep fitting; whether a game has come to it is not asked.
"""

from collections.abc import Iterator, Sequence

from services.games.cabbages.ending import is_over
from services.games.cabbages.position import (
    CUP_LIMITS,
    HARVEST_DICE,
    MOST_QUIET_DICE,
    MOST_START_DICE,
    SEATS,
    SIDES,
    Cause,
    EmptyFeed,
    Options,
    Position,
    Roll,
)
from services.kernel.refusals import Flaw

MOST_TURNS = 100_000_000
"""After so many turns every counter still fits the 32 bits that it has on the wire."""
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
    """What is wrong with a position. While its frame is flawed, only that is named."""
    return list(_frame(position)) or [*_counters(position), *_rolls(position)]


def _frame(position: Position) -> Iterator[Flaw]:
    """Seats, options and turn, and where the cup stands."""
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
    for name in ("active_seat", "cup_gap"):
        if not 0 <= getattr(position, name) < seats:
            yield Flaw(name, f"must be 0 to {seats - 1}, is {getattr(position, name)}")
    most_dice = options.cup_max or MOST_QUIET_DICE + 1
    if not 0 <= position.cup_dice <= most_dice:
        yield Flaw("cup_dice", f"must be 0 to {most_dice}, is {position.cup_dice}")
    elif position.cup_dice > MOST_QUIET_DICE and not is_over(position):
        yield Flaw("cup_dice", f"must be {MOST_QUIET_DICE} at most while the game goes on, is {position.cup_dice}")


def _counters(position: Position) -> Iterator[Flaw]:
    """No turn brings more than one Feeding, or a harvest of two sixes."""
    turns = position.turn - 1
    for name, most in (("cabbages", turns * HARVEST_DICE * SIDES), ("feedings", turns)):
        for seat, count in enumerate(getattr(position, name)):
            if not 0 <= count <= most:
                yield Flaw(f"{name}[{seat}]", f"must be 0 to {most} after {turns} turns, is {count}")


def _rolls(position: Position) -> Iterator[Flaw]:
    """The player's roll, then the cup's if it acted, each of as many dice as there were.

    An empty cup can be fed without a roll where the options say so. Rules before version 3 noted that as a roll of no
    dice, and their positions are played on.
    """
    rolls = position.last_roll
    if position.turn == 1:
        if rolls:
            yield Flaw("last_roll", "must be empty before the first turn")
        return
    if position.options.empty_feed is EmptyFeed.FREE and (not rolls or rolls[0].cause is Cause.CUP):
        yield from _fed_freely(position)
        return
    if not 1 <= len(rolls) <= MOST_ROLLS:
        yield Flaw("last_roll", f"must have the player's roll, and the cup's if it acted; has {len(rolls)} rolls")
        return
    player, *cup = rolls
    if player.cause is Cause.CUP:
        yield Flaw("last_roll[0].cause", "must be the player's")
    else:
        yield from _dice(0, player, HARVEST_DICE if player.cause is Cause.HARVEST else position.cup_dice - len(cup))
    for roll in cup:
        if roll.cause is not Cause.CUP:
            yield Flaw("last_roll[1].cause", "must be the cup's")
        yield from _dice(1, roll, position.cup_dice)


def _fed_freely(position: Position) -> Iterator[Flaw]:
    """No roll of the player's: the cup was empty, and has the one die of its turn if it acted."""
    rolls = position.last_roll
    if len(rolls) > 1 or position.cup_dice != len(rolls):
        yield Flaw("last_roll", "must begin with the player's roll, unless an empty cup was fed")
        return
    for roll in rolls:
        yield from _dice(0, roll, 1)


def _dice(index: int, roll: Roll, count: int) -> Iterator[Flaw]:
    path = f"last_roll[{index}].dice"
    if len(roll.dice) != count:
        yield Flaw(path, f"must be {count} dice, has {len(roll.dice)}")
        return
    for die, face in enumerate(roll.dice):
        if not 1 <= face <= SIDES:
            yield Flaw(f"{path}[{die}]", f"must be 1 to {SIDES}, is {face}")
