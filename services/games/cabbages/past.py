"""What the number of turns tells of the past: whose they were, and how often the cup acted (C-T1). All arithmetic."""

from dataclasses import dataclass

from services.games.cabbages.position import CupMove, Position
from services.kernel.standing import Seat


@dataclass(frozen=True, slots=True)
class Past:
    """The turns that were taken before a position."""

    seats: int
    turns: int
    first_seat: Seat
    last_seat: Seat
    """Who took the last of them."""
    cup_stays: bool

    def taken(self, seat: Seat, turns: int) -> int:
        """How many of the first so many turns were this seat's."""
        return (turns + self.seats - 1 - (seat - self.first_seat) % self.seats) // self.seats

    def cup_turns(self, turns: int) -> int:
        """How often the cup acts within the first so many turns: it follows turn n, then every n - 1, or every n."""
        if turns < self.seats:
            return 0
        return turns // self.seats if self.cup_stays else (turns - self.seats) // (self.seats - 1) + 1

    def before_cup_turn(self, number: int) -> int:
        """How many turns are taken before the cup acts for this number of times."""
        return number * self.seats if self.cup_stays else self.seats + (number - 1) * (self.seats - 1)

    def cup_follows(self, turns: int) -> bool:
        """Whether the cup acts after so many turns, if the last of them doesn't end the game."""
        return self.cup_turns(turns) > self.cup_turns(turns - 1)


def past_of(position: Position) -> Past:
    """The past of a position whose seats, turn and active seat are within their ranges."""
    seats, turns = len(position.cabbages), position.turn - 1
    return Past(
        seats,
        turns,
        first_seat=(position.active_seat - turns) % seats,
        last_seat=(position.active_seat - 1) % seats,
        cup_stays=position.options.cup_move is CupMove.STAY,
    )
