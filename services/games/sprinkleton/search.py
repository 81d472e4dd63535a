"""The search of a round: which cards match, who searches still, when it is over."""

from collections.abc import Iterable

from services.games.sprinkleton.deck import CARDS, NUMBERS
from services.games.sprinkleton.position import Dice, Part, Position, Verdict
from services.kernel.standing import Seat, every_seat

MATCHING = {
    Dice(number, part): frozenset([card.id for card in CARDS.values() if getattr(card, part.value) == number])
    for part in Part
    for number in NUMBERS
}
"""The cards that match, of all there are, for each of the eighteen rolls (S-R7)."""
NONE: frozenset[int] = frozenset()


def matching(table: Iterable[int], dice: Dice) -> frozenset[int]:
    """The cards on a table that match the dice: their count of the part is the number (S-R7)."""
    return MATCHING[dice].intersection(table)


def claimed(position: Position) -> frozenset[int]:
    """The cards that are claimed in this round (S-R9)."""
    if not position.picks:
        return NONE
    return frozenset([picked.card_id for picked in position.picks if picked.verdict is Verdict.CLAIMED])


def searching(position: Position) -> tuple[Seat, ...]:
    """The seats that have neither picked nor passed in this round (S-R8)."""
    if not position.picks:
        return every_seat(position.seats)
    done = [picked.seat for picked in position.picks]
    return tuple([seat for seat in range(position.seats) if seat not in done])


def is_searched(position: Position, dice: Dice) -> bool:
    """Whether the search is over: nobody is left to search, or of some matches none (S-R13).

    A right Zilch is over by itself. Nothing is claimed but what matches; so once something is, there were matches.
    """
    taken = claimed(position)
    return not searching(position) or (len(taken) > 0 and taken == matching(position.table, dice))
