"""What can't be: options that make no game, and positions that can't be played on.

A position costs the same to check however absurd it is. One without a flaw has sizes and numbers that fit together and
keep fitting; whether a game has come to it is not asked.
"""

from collections.abc import Iterator, Sequence

from services.games.maidens.battle import MAIDENS_ON
from services.games.maidens.position import FACES_OF, SEATS, STANDARD, WITH_ADVENTURE, Options, Phase, Position
from services.kernel.refusals import Flaw

MOST_TURNS = 100_000_000
MOST_ROLLS = 1_000_000
"""No game comes near them, and every number still fits the 32 bits that it has on the wire."""
MOST_A_TURN = 11
"""Nine Maidens; with the Adventure Die two more."""
PLACES = ("rescued", "captured", "castle", "dragon")


def flaws(options: Options, seats: int) -> Sequence[Flaw]:
    """What is wrong with these options for so many seats."""
    if options.first_seat is None or 0 <= options.first_seat < seats:
        return ()
    return (Flaw("first_seat", f"must be 0 to {seats - 1}, is {options.first_seat}"),)


def check(position: Position) -> Sequence[Flaw]:
    """What is wrong with a position. While its frame is flawed, only that is named."""
    return list(_frame(position)) or [*_points(position), *_chips(position), *_dice(position)]


def _frame(position: Position) -> Iterator[Flaw]:
    """Seats, options and turn, and how often and how many dice were rolled."""
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
    rolled = position.phase is not Phase.ROLL
    dice = len(WITH_ADVENTURE if options.adventure_die else STANDARD) if rolled else 0
    if len(position.dice) != dice:
        yield Flaw("dice", f"must be {dice} in this phase and with these options, are {len(position.dice)}")
    least_rolls, most_rolls = (1, MOST_ROLLS) if rolled else (0, 0)
    if not least_rolls <= position.roll_number <= most_rolls:
        yield Flaw("roll_number", f"must be {least_rolls} to {most_rolls} in this phase, is {position.roll_number}")


def _points(position: Position) -> Iterator[Flaw]:
    most = MOST_A_TURN * (position.turn - 1)
    for seat, points in enumerate(position.points):
        if not 0 <= points <= most:
            yield Flaw(f"points[{seat}]", f"must be 0 to {most} by turn {position.turn}, is {points}")


def _chips(position: Position) -> Iterator[Flaw]:
    """A chip is held until the first roll is settled, and used then or never (M-R19, M-R20)."""
    for seat, chips in enumerate(position.chips):
        if chips not in (0, 1):
            yield Flaw(f"chips[{seat}]", f"must be 0 or 1, is {chips}")
    if position.phase is Phase.ROLL and position.chip_used:
        yield Flaw("chip_used", "can't be before the first roll of a turn")
    seat = position.active_seat
    fallen = position.phase is Phase.WINDOW and position.roll_number == 1 and all(die.in_pool for die in position.dice)
    if position.chips[seat] and (position.chip_used or not (fallen or position.phase is Phase.ROLL)):
        yield Flaw(f"chips[{seat}]", "must be gone after the first roll of the turn, or once it is used")


def _dice(position: Position) -> Iterator[Flaw]:
    """Each die shows one of its faces, and the Maidens are those that the dice have brought."""
    for index, (die, kind) in enumerate(zip(position.dice, WITH_ADVENTURE, strict=False)):
        if die.kind is not kind:
            yield Flaw(f"dice[{index}].kind", f"must be {kind.value}, is {die.kind.value}")
        elif die.face not in FACES_OF[kind]:
            yield Flaw(f"dice[{index}].face", f"is not on this die: {die.face.value}")
    places = {place: getattr(position.maidens, place) for place in PLACES}
    for place, count in places.items():
        if count < 0:
            yield Flaw(place, f"must be 0 or more, is {count}")
    came, are = sum(MAIDENS_ON.get(die.face, 0) for die in position.dice if not die.in_pool), sum(places.values())
    if came != are:
        yield Flaw("dice", f"have brought {came} Maidens; on the cards, in the castle and with the Dragon are {are}")
