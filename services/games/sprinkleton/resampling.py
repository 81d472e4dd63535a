"""Another deal that a seat can't tell from the true one: the deck, and until the end the piles of the others.

This says once more, apart from the view, what a seat knows: so each can be held against the other.
"""

from itertools import islice

from msgspec.structs import replace

from services.games.sprinkleton.ending import phase_of
from services.games.sprinkleton.position import Phase, Position
from services.kernel.audience import NOBODY
from services.kernel.chance import Dice
from services.kernel.standing import Seat


def resample(position: Position, seat: Seat | None, dice: Dice) -> Position:
    """Deal what lies face down, and isn't this seat's own, anew (S-R15, S-R16). At the end all piles are open (D19).

    Every other time only the top of the deck is exchanged: a Zilch shows the next ten cards to everybody, and the one
    card that stays hidden then is easily lost among them.
    """
    over = phase_of(position) is Phase.OVER
    hidden = [each for each in range(position.seats) if each != seat and not over]
    cards = [*position.deck, *[card_id for each in hidden for card_id in position.piles[each]]]
    if dice.pick((True, False), "all anew", NOBODY):
        cards = list(dice.shuffle(cards, "cards", NOBODY))
    elif cards:
        other = dice.pick(range(len(cards)), "exchange", NOBODY)
        cards[0], cards[other] = cards[other], cards[0]
    left = iter(cards)
    deck = tuple(islice(left, len(position.deck)))
    piles = list(position.piles)
    for each in hidden:
        piles[each] = tuple(islice(left, len(piles[each])))
    return replace(position, deck=deck, piles=tuple(piles))
