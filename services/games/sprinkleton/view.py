"""What a seat or a spectator may know, with the names and fields that it has on the wire.

The deck is hidden from all, a score pile from everybody but its owner until the game is over (S-R16, D19). Picks and
what they were worth are open: the table can check.
"""

from msgspec import Struct

from services.games.sprinkleton.deck import Card, cards
from services.games.sprinkleton.ending import phase_of
from services.games.sprinkleton.position import Dice, Options, Phase, Picked, Position
from services.kernel.standing import Seat


class Pile(Struct, frozen=True):
    """Some cards, the top one last."""

    cards: tuple[Card, ...]


class View(Struct, frozen=True):
    """What one viewer may know."""

    table: tuple[Card, ...]
    dice: Dice | None
    picks: tuple[Picked, ...]
    pile_sizes: tuple[int, ...]
    pile: tuple[Card, ...]
    """The viewer's own."""
    deck_size: int
    baker_seat: Seat
    round: int
    phase: Phase
    idle_rounds: int
    piles: tuple[Pile, ...]
    """At the end, by seat."""
    options: Options


def view(position: Position, seat: Seat | None) -> View:
    """What a seat may know, or a spectator."""
    phase = phase_of(position)
    return View(
        table=cards(position.table),
        dice=position.dice,
        picks=position.picks,
        pile_sizes=tuple([len(pile) for pile in position.piles]),
        pile=() if seat is None else cards(position.piles[seat]),
        deck_size=len(position.deck),
        baker_seat=position.baker_seat,
        round=position.round,
        phase=phase,
        idle_rounds=position.idle_rounds,
        piles=all_piles(position) if phase is Phase.OVER else (),
        options=position.options,
    )


def all_piles(position: Position) -> tuple[Pile, ...]:
    """Every score pile."""
    return tuple([Pile(cards(pile)) for pile in position.piles])
