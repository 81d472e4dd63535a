"""What happens, in sentences. What only some may know is in the sentence for them, and in no other."""

from collections.abc import Mapping, Sequence

from services.games.heads import events
from services.games.heads.events import Fact
from services.games.heads.moves import words_of
from services.games.heads.position import Card, Role
from services.games.heads.trek import FORK_ENDS, TREK_ENDS
from services.kernel.wording import late, listed, result, seats_listed, sentence

WHY: Mapping[str, str] = {
    TREK_ENDS[Role.PEACEFUL]: "Two rounds went to the peaceful side",
    TREK_ENDS[Role.DANGEROUS]: "All three rounds went to the dangerous side",
    FORK_ENDS[Role.PEACEFUL]: "The peaceful head was one of the two at the Fork",
    FORK_ENDS[Role.DANGEROUS]: "Two dangerous heads were at the Fork",
}
"""Why the game ended, by the reason of its outcome."""


def tell(fact: Fact) -> str:  # noqa: C901, PLR0911, PLR0912 - a case for each fact
    """What happened, in a sentence."""
    match fact:
        case events.Started():
            return "Everybody is dealt a role and three cards."
        case events.Dealt(seat, role, hand):
            return f"Seat {seat} is {role.value} and is dealt {_cards(hand)}."
        case events.Proposed(seat, to_seat):
            return f"Seat {seat} offers seat {to_seat} to play together."
        case events.Withdrawn(seat):
            return f"Seat {seat} takes the offer back."
        case events.Declined(seat, from_seat):
            return f"Seat {seat} turns the offer of seat {from_seat} down."
        case events.Agreed(pair_seats):
            return sentence(f"{seats_listed(pair_seats)} agree to play")
        case events.PairDrawn(pair_seats):
            return sentence(f"{seats_listed(pair_seats)} are drawn to play")
        case events.BackedOut(seat):
            return f"Seat {seat} backs out, and the talk goes on."
        case events.CardPlayed(seat, card):
            return f"Seat {seat} plays {'a card' if card is None else f'the {card.text}'} face down."
        case events.Nominated(seat):
            return f"Seat {seat} has named a validator."
        case events.ValidatorChosen(seat, nominated_seats):
            differ = len(set(nominated_seats)) > 1
            return sentence(f"{f'named were {seats_listed(nominated_seats)}: ' if differ else ''}seat {seat} validates")
        case events.Placed(number, validator_seat, side, cards):
            seen = f" sees {_cards(cards)}, and" if cards else ""
            return f"Seat {validator_seat}{seen} puts the cards of round {number} on the {side.value} side."
        case events.Peeked(seat, target_seat, card):
            seen = "" if card is None else f": it is the {card.text}"
            return f"Seat {seat} looks at a card of seat {target_seat}{seen}."
        case events.PeekSkipped(seat):
            return f"Seat {seat} looks at no card."
        case events.RoundBegan(number):
            return f"Round {number} begins."
        case events.ForkReached():
            return "The Fork in the Road is reached: two have to play their roles."
        case events.Said(seat, say):
            return f'Seat {seat} says "{words_of(say.statement)}".'
        case events.TimedOut(seats):
            return late(seats)
        case events.Revealed(roles, hands, _):
            held = [
                f"seat {seat} was {role.value} and still held {_cards(hand.cards)}"
                for seat, (role, hand) in enumerate(zip(roles, hands, strict=True))
            ]
            return f"Everything is turned up: {'; '.join(held)}."
        case events.Ended(outcome):
            return result(WHY[outcome.reason], outcome)


def _cards(cards: Sequence[Card]) -> str:
    return listed([card.text for card in cards]) or "no cards"
