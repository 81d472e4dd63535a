"""The deal: roles, then cards, and all of it again when the peaceful player's hand is hopeless."""

from services.games.heads.position import DECKS, HAND_CARDS, Card, Options, Player, Role
from services.kernel.audience import NOBODY
from services.kernel.chance import Dice

HOPELESS = frozenset({Card.ONE, Card.TWO, Card.THREE, Card.X})


def deal(options: Options, seats: int, dice: Dice) -> tuple[Player, ...]:
    """A role and three cards for everybody (H-R2 to H-R5).

    A re-deal repeats both (H-R7). Nobody may know of it, nor of how the cards came to lie; so no receipt is for
    anybody's eyes.
    """
    roles = (Role.PEACEFUL, *[Role.DANGEROUS] * (seats - 1))
    while True:
        dealt = dice.shuffle(roles, "roles", NOBODY)
        deck = dice.shuffle(DECKS[seats], "deck", NOBODY)
        players = tuple(
            [
                Player(role, tuple(sorted(deck[seat * HAND_CARDS : (seat + 1) * HAND_CARDS])))
                for seat, role in enumerate(dealt)
            ]
        )
        if not (options.redeal and any(is_hopeless(player.role, player.hand) for player in players)):
            return players


def is_hopeless(role: Role, dealt: tuple[Card, ...]) -> bool:
    """Whether this player's three cards make everybody deal again, where the option says so (H-R7)."""
    return role is Role.PEACEFUL and HOPELESS.issuperset(dealt)
