"""What happens in 3 to 4 Headed Monster, as somebody at the table would say it."""

from collections.abc import Callable, Mapping
from typing import Any

from monsters.heads.v1.heads_pb2 import (
    CardPlayed,
    Dealt,
    Event,
    Peeked,
    Placed,
    Revealed,
    Said,
    Say,
    TimedOut,
    ValidatorChosen,
)

from lair.cli.drawings.heads.words import FEELS, UNKNOWN, card_words, hand_words, role_words, side_words
from lair.cli.sitting import Sitting, counted


def tell(event: Event, sitting: Sitting) -> str | None:
    """What happened, in a sentence."""
    kind = event.WhichOneof("kind")
    teller = TELLERS.get(kind) if kind else None
    return teller(getattr(event, kind), sitting) if kind and teller else None


def _dealt(dealt: Dealt, sitting: Sitting) -> str:
    return f"{sitting.who(dealt.seat)} is {role_words(dealt.role)} and is dealt {hand_words(dealt.hand)}."


def _card_played(play: CardPlayed, sitting: Sitting) -> str:
    card = f"the {card_words(play.card)}" if play.HasField("card") else "a card"
    return f"{sitting.who(play.seat)} plays {card} face down."


def _validator(chosen: ValidatorChosen, sitting: Sitting) -> str:
    named = [sitting.who(seat) for seat in chosen.nominated_seats]
    wanted = f"Named were {' and '.join(named)}: " if len(set(named)) > 1 else ""
    return f"{wanted}{sitting.who(chosen.seat)} validates."


def _placed(placed: Placed, sitting: Sitting) -> str:
    seen = f" sees {hand_words(placed.cards)}, and" if placed.cards else ""
    where = f"puts the cards of round {placed.round} on the {side_words(placed.side)} side"
    return f"{sitting.who(placed.validator_seat)}{seen} {where}."


def _peeked(peeked: Peeked, sitting: Sitting) -> str:
    seen = f": it is the {card_words(peeked.card)}" if peeked.HasField("card") else ""
    return f"{sitting.who(peeked.seat)} looks at a card of {sitting.who(peeked.target_seat)}{seen}."


def _timed_out(late: TimedOut, sitting: Sitting) -> str:
    return f"{sitting.everyone(late.seats)} {'is' if len(late.seats) == 1 else 'are'} out of time."


def _revealed(revealed: Revealed, sitting: Sitting) -> str:
    held = [
        f"{sitting.who(seat)} was {role_words(role)} and still held {hand_words(hand.cards)}"
        for seat, (role, hand) in enumerate(zip(revealed.roles, revealed.hands, strict=False))
    ]
    return "; ".join(["Everything is turned up", *held]) + "."


def _said(said: Said, sitting: Sitting) -> str:
    return f'{sitting.who(said.seat)} says: "{_statement(said.say, sitting)}"'


def _statement(say: Say, sitting: Sitting) -> str:
    match say.WhichOneof("statement"):
        case "hand_feels":
            feels = say.hand_feels
            whose = f"{sitting.who(feels.seat)}'s hand" if feels.HasField("seat") else "My hand"
            return f"{whose} feels {FEELS.get(feels.feel, UNKNOWN)}."
        case "take_part":
            return f"I can take part safely {counted(say.take_part.times, 'time')}."
        case "seems":
            return f"{sitting.who(say.seems.seat)} seems {role_words(say.seems.role)}."
        case "want":
            return f"I want {'in' if say.want.to_play else 'out'}."
        case "suggest_pair":
            return f"I suggest {sitting.everyone(say.suggest_pair.seats)}."
    return "..."


TELLERS: Mapping[str, Callable[[Any, Sitting], str]] = {
    "started": lambda _, __: "Everybody is dealt a role and three cards.",
    "dealt": _dealt,
    "proposed": lambda fact, at: f"{at.who(fact.seat)} offers {at.who(fact.to_seat)} to play together.",
    "withdrawn": lambda fact, at: f"{at.who(fact.seat)} takes the offer back.",
    "declined": lambda fact, at: f"{at.who(fact.seat)} turns the offer of {at.who(fact.from_seat)} down.",
    "agreed": lambda fact, at: f"{at.everyone(fact.pair_seats)} agree to play.",
    "pair_drawn": lambda fact, at: f"{at.everyone(fact.pair_seats)} are drawn to play.",
    "backed_out": lambda fact, at: f"{at.who(fact.seat)} backs out, and the talk goes on.",
    "card_played": _card_played,
    "nominated": lambda fact, at: f"{at.who(fact.seat)} has named a validator.",
    "validator_chosen": _validator,
    "placed": _placed,
    "peeked": _peeked,
    "peek_skipped": lambda fact, at: f"{at.who(fact.seat)} looks at no card.",
    "round_began": lambda fact, _: f"Round {fact.round} begins.",
    "fork_reached": lambda _, __: "The Fork in the Road: two have to play their roles.",
    "said": _said,
    "timed_out": _timed_out,
    "revealed": _revealed,
}
"""By the kind of event. How the game ended is told elsewhere."""
