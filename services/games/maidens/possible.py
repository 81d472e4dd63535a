"""What can't be: options that make no game, and positions that no game comes to.

A position costs the same to check however long its game and however absurd it is.
"""

from collections.abc import Iterator, Sequence

from services.games.maidens.ending import outcome
from services.games.maidens.position import (
    SEATS,
    STANDARD,
    SUPPLY_A_SEAT,
    WITH_ADVENTURE,
    Options,
    Phase,
    Position,
)
from services.games.maidens.tray import PLACES, dice_flaws, turn_flaws
from services.kernel.refusals import Flaw
from services.kernel.standing import Seat

MOST_TURNS = 100_000_000
MOST_ROLLS = 1_000_000
"""No game comes near them, and every number still fits the 32 bits that it has on the wire."""
MOST_A_TURN = {False: 9, True: 11}
"""Nine Maidens; with the Adventure Die two more."""


def flaws(options: Options, seats: int) -> Sequence[Flaw]:
    """What is wrong with these options for so many seats."""
    if options.first_seat is None or 0 <= options.first_seat < seats:
        return ()
    return (Flaw("first_seat", f"must be 0 to {seats - 1}, is {options.first_seat}"),)


def check(position: Position) -> Sequence[Flaw]:
    """Why no game can come to this position.

    What the rest is measured by comes first: seats, options, turn, rolls, number of dice. While these are flawed only
    they are named; while single dice are, what follows from them is left out.
    """
    found = list(_frame(position))
    if found:
        return found
    found = [*_points(position), *_chips(position)]
    if position.phase is Phase.ROLL:
        return [*found, *_before_the_roll(position)]
    if outcome(position) is not None:
        found.append(Flaw("phase", "must be that of a first roll: the game is over"))
    flawed_dice = list(dice_flaws(position))
    return [*found, *(flawed_dice or turn_flaws(position))]


def _frame(position: Position) -> Iterator[Flaw]:
    seats, options = len(position.points), position.options
    if seats not in SEATS:
        yield Flaw("points", f"must have {SEATS[0]} to {SEATS[-1]} seats, has {seats}")
        return
    if len(position.chips) != seats:
        yield Flaw("chips", f"must have {seats} seats as points has, has {len(position.chips)}")
    for flaw in flaws(options, seats):
        yield Flaw(f"options.{flaw.field}", flaw.description)
    if not 1 <= position.turn <= MOST_TURNS:
        yield Flaw("turn", f"must be 1 to {MOST_TURNS}, is {position.turn}")
    if not 0 <= position.active_seat < seats:
        yield Flaw("active_seat", f"must be 0 to {seats - 1}, is {position.active_seat}")
    elif options.first_seat not in (None, _first_seat(position)):
        yield Flaw("active_seat", f"can't be {position.active_seat} in turn {position.turn} after this first seat")
    rolled = position.phase is not Phase.ROLL
    dice = len(WITH_ADVENTURE if options.adventure_die else STANDARD) if rolled else 0
    if len(position.dice) != dice:
        yield Flaw("dice", f"must be {dice} in this phase and with these options, are {len(position.dice)}")
    least_rolls, most_rolls = (1, MOST_ROLLS) if rolled else (0, 0)
    if not least_rolls <= position.roll_number <= most_rolls:
        yield Flaw("roll_number", f"must be {least_rolls} to {most_rolls} in this phase, is {position.roll_number}")


def _points(position: Position) -> Iterator[Flaw]:
    """What turns can have brought, and that the game was not over before the present round began (M-R21)."""
    most = MOST_A_TURN[position.options.adventure_die]
    before = 0
    for seat, points in enumerate(position.points):
        limit = most * (_taken(position, seat) - bool(position.chips[seat]))
        if not 0 <= points <= max(0, limit):
            yield Flaw(f"points[{seat}]", f"must be 0 to {max(0, limit)} by turn {position.turn}, is {points}")
        now = 0 if position.chips[seat] or not _has_played(position, seat) else most
        before += max(0, points - now)
    if before >= SUPPLY_A_SEAT * len(position.points):
        yield Flaw("points", "were enough to end the game before this round")


def _chips(position: Position) -> Iterator[Flaw]:
    """A chip was earned in its seat's last turn (M-R18), and is gone after the first roll of the next (M-R20)."""
    for seat, chips in enumerate(position.chips):
        if chips not in (0, 1):
            yield Flaw(f"chips[{seat}]", f"must be 0 or 1, is {chips}")
        elif chips and not _taken(position, seat):
            yield Flaw(f"chips[{seat}]", "can't be earned before the seat's first turn")
    seat = position.active_seat
    if position.chip_used and not _taken(position, seat):
        yield Flaw("chip_used", "can't be in the seat's first turn")
    chip_can_be_held = position.phase is Phase.ROLL or (position.phase is Phase.WINDOW and position.roll_number == 1)
    if position.chips[seat] and (position.chip_used or not chip_can_be_held):
        yield Flaw(f"chips[{seat}]", "must be gone after the first roll of the turn, or once it is used")


def _before_the_roll(position: Position) -> Iterator[Flaw]:
    for place in PLACES:
        if getattr(position.maidens, place):
            yield Flaw(place, "must be 0 before the first roll of a turn")
    if position.chip_used:
        yield Flaw("chip_used", "can't be before the first roll of a turn")


def _first_seat(position: Position) -> Seat:
    return (position.active_seat - position.turn + 1) % len(position.points)


def _taken(position: Position, seat: Seat) -> int:
    """How many turns this seat has had."""
    seats = len(position.points)
    return (position.turn - 1 + seats - 1 - (seat - _first_seat(position)) % seats) // seats


def _has_played(position: Position, seat: Seat) -> bool:
    """Whether this seat has had its turn in the present round; while none has, in the round before."""
    seats = len(position.points)
    played = (position.turn - 1) % seats or (seats if position.turn > 1 else 0)
    return (seat - _first_seat(position)) % seats < played
