"""What happens, in sentences. A card is in those for the ones who may know it."""

from services.kernel.wording import result
from tests.support.canary.position import Drawn, Ended, Fact, Opened, PlayedDown, Shown


def tell(fact: Fact) -> str:
    """What happened, in a sentence."""
    match fact:
        case Drawn(seat, card):
            return f"Seat {seat} draws {card or 'a card'}."
        case PlayedDown(seat, card):
            return f"Seat {seat} plays {card or 'a card'} face down."
        case Shown(seat, to, card):
            return f"Seat {seat} shows {card or 'a card'} to seat {to}."
        case Opened(card):
            return f"The card at the bottom is {card}."
        case Ended(outcome):
            return result("No turn is left", outcome)
