"""What happens, in sentences. Which card somebody draws is in the sentence for its owner alone."""

from collections.abc import Mapping, Sequence

from services.games.sprinkleton import events
from services.games.sprinkleton.deck import Card
from services.games.sprinkleton.ending import DECK, IDLE, ROUND_LIMIT
from services.games.sprinkleton.events import Fact
from services.games.sprinkleton.position import Dice
from services.kernel.wording import counted, late, listed, result

WHY: Mapping[str, str] = {
    DECK: "The deck has run out",
    IDLE: "Nobody has picked anything for too many rounds",
    ROUND_LIMIT: "The limit of rounds is reached",
}
"""Why the game ended, by the reason of its outcome."""


def tell(fact: Fact) -> str:  # noqa: C901, PLR0911, PLR0912 - a case for each fact
    """What happened, in a sentence."""
    match fact:
        case events.Started(baker_seat, _, _):
            return f"Seat {baker_seat} is the first Baker."
        case events.Rolled(seat, dice):
            return f"Seat {seat} rolls {_wanted(dice)}."
        case events.Claimed(seat, card):
            return f"Seat {seat} claims card {card.id}."
        case events.PickedWrong(seat, card):
            return f"Seat {seat} touches card {card.id}: it doesn't match."
        case events.TooLate(seat, card):
            return f"Seat {seat} is too late for card {card.id}."
        case events.ZilchRight(seat):
            return f"Seat {seat} touches the Zilch token and is right: no card matches."
        case events.ZilchWrong(seat):
            return f"Seat {seat} touches the Zilch token, but a card matches."
        case events.Passed(seat):
            return f"Seat {seat} passes."
        case events.PenaltyPaid(seat, card, pile_size):
            return f"Seat {seat} lays card {card.id} back on the table: {counted(pile_size, 'card')} left."
        case events.Collected(seat, card, pile_size):
            return f"Seat {seat} collects card {card.id} with {_donuts([card])}: {counted(pile_size, 'card')} now."
        case events.Drawn(seat, card, _, deck_size):
            which = "a card" if card is None else f"card {card.id} with {_donuts([card])}"
            return f"Seat {seat} gets {which} from the deck: {counted(deck_size, 'card')} left in it."
        case events.Refilled(cards, deck_size):
            new = listed([str(card.id) for card in cards])
            return f"New on the table: {new}, and {counted(deck_size, 'card')} left in the deck."
        case events.DicePassed(baker_seat, number):
            return f"Round {number}: seat {baker_seat} has the dice."
        case events.TimedOut(seats):
            return late(seats)
        case events.Revealed(piles):
            held = [f"seat {seat} has {_donuts(pile.cards)}" for seat, pile in enumerate(piles)]
            return f"The piles are turned over: {listed(held)}."
        case events.Ended(outcome):
            return result(WHY[outcome.reason], outcome)


def _wanted(dice: Dice) -> str:
    """What monsters shall have: "3 arms"."""
    return f"{dice.number or 'no'} {dice.part.value.removesuffix('s') if dice.number == 1 else dice.part.value}"


def _donuts(cards: Sequence[Card]) -> str:
    return counted(sum(card.donuts for card in cards), "donut")
