"""What happened, as somebody at the table would say it."""

from collections.abc import Callable, Mapping
from typing import Any

from monsters.sprinkleton.v1.sprinkleton_pb2 import Event

from lair.cli.drawings.sprinkleton.table import looked_for
from lair.cli.sitting import Sitting, counted, in_a_row


def tell(event: Event, sitting: Sitting) -> str | None:
    """A sentence, or None where the event says it best itself."""
    kind = event.WhichOneof("kind")
    told = TOLD.get(kind or "")
    return told(getattr(event, kind), sitting) if kind and told else None


def _tell_drawn(fact: Any, sitting: Sitting) -> str:
    """Only its owner is told which card it is."""
    which = f"card {fact.card.id} with {counted(fact.card.donuts, 'donut')}" if fact.HasField("card") else "a card"
    return f"{sitting.who(fact.seat)} gets {which} from the deck: {counted(fact.deck_size, 'card')} left in it."


def _tell_refilled(fact: Any, _: Sitting) -> str:
    cards = in_a_row([str(card.id) for card in fact.cards])
    return f"New on the table: {cards}. {counted(fact.deck_size, 'card')} left in the deck."


def _tell_collected(fact: Any, sitting: Sitting) -> str:
    worth = counted(fact.card.donuts, "donut")
    pile = counted(fact.pile_size, "card")
    return f"{sitting.who(fact.seat)} collects card {fact.card.id} with {worth}: {pile} now."


def _tell_penalty(fact: Any, sitting: Sitting) -> str:
    return (
        f"{sitting.who(fact.seat)} lays card {fact.card.id} back on the table: {counted(fact.pile_size, 'card')} left."
    )


def _tell_revealed(fact: Any, sitting: Sitting) -> str:
    piles = [
        f"{sitting.who(seat)} has {counted(sum(card.donuts for card in pile.cards), 'donut')}"
        for seat, pile in enumerate(fact.piles)
    ]
    return f"The piles are turned over: {in_a_row(piles)}."


def _tell_timed_out(fact: Any, sitting: Sitting) -> str:
    return f"{sitting.everyone(fact.seats)} {'is' if len(fact.seats) == 1 else 'are'} out of time."


TOLD: Mapping[str, Callable[[Any, Sitting], str]] = {
    "started": lambda fact, sitting: f"{sitting.who(fact.baker_seat)} is the first Baker.",
    "rolled": lambda fact, sitting: f"{sitting.who(fact.seat)} rolls: {looked_for(fact.dice.number, fact.dice.part)}!",
    "claimed": lambda fact, sitting: f"{sitting.who(fact.seat)} claims card {fact.card.id}.",
    "picked_wrong": lambda fact, sitting: f"{sitting.who(fact.seat)} touches card {fact.card.id}: it doesn't match.",
    "too_late": lambda fact, sitting: f"{sitting.who(fact.seat)} is too late for card {fact.card.id}.",
    "zilch_right": lambda fact, sitting: f"Zilch! {sitting.who(fact.seat)} is right: no card matches.",
    "zilch_wrong": lambda fact, sitting: f"{sitting.who(fact.seat)} touches the Zilch token, but a card matches.",
    "passed": lambda fact, sitting: f"{sitting.who(fact.seat)} passes.",
    "penalty_paid": _tell_penalty,
    "collected": _tell_collected,
    "drawn": _tell_drawn,
    "refilled": _tell_refilled,
    "dice_passed": lambda fact, sitting: f"Round {fact.round}: {sitting.who(fact.baker_seat)} has the dice.",
    "timed_out": _tell_timed_out,
    "revealed": _tell_revealed,
}
