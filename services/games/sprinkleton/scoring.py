"""The end of a round: penalties, claimed cards, the Zilch card, new cards, the next Baker; in this order."""

from msgspec.structs import replace

from services.games.sprinkleton.deck import CARDS, REFILL, cards
from services.games.sprinkleton.ending import outcome
from services.games.sprinkleton.events import Collected, DicePassed, Drawn, Ended, Fact, PenaltyPaid, Refilled, Revealed
from services.games.sprinkleton.position import WRONG, Position, Verdict
from services.games.sprinkleton.view import all_piles
from services.kernel.audience import Audience, only
from services.kernel.game import Event
from services.kernel.standing import Seat


def end_round(position: Position, zilch_seat: Seat | None, events: list[Event[Fact]]) -> Position:
    """Score a round that is over, by this seat's right Zilch or otherwise."""
    after = position
    if not position.options.penalty_at_once:
        for picked in position.picks:
            if picked.verdict in WRONG:
                after = pay(after, picked.seat, events)
    for picked in position.picks:
        if picked.verdict is Verdict.CLAIMED:
            after = _collect(after, picked.seat, picked.card_id, events)
    after = replace(after, dice=None, picks=())
    if zilch_seat is not None:
        after = _refill(_draw(after, zilch_seat, events), events)
    if outcome(after) is None:
        idle = zilch_seat is None and all(picked.verdict is Verdict.PASSED for picked in position.picks)
        after = _pass_dice(after, position.idle_rounds + 1 if idle else 0, events)
    result = outcome(after)
    if result is not None:
        events += Event(Revealed(all_piles(after))), Event(Ended(result))
    return after


def pay(position: Position, seat: Seat, events: list[Event[Fact]]) -> Position:
    """Lay the top card of a pile back on the table (S-R14). An empty pile costs nothing."""
    pile = position.piles[seat]
    if not pile:
        return position
    rest, top = pile[:-1], pile[-1]
    events.append(Event(PenaltyPaid(seat, CARDS[top], len(rest))))
    return replace(_with_pile(position, seat, rest), table=tuple(sorted((*position.table, top))))


def _collect(position: Position, seat: Seat, card_id: int, events: list[Event[Fact]]) -> Position:
    """Put a claimed card on top of its claimer's pile (S-R15)."""
    pile = (*position.piles[seat], card_id)
    events.append(Event(Collected(seat, CARDS[card_id], len(pile))))
    table = tuple([other for other in position.table if other != card_id])
    return replace(_with_pile(position, seat, pile), table=table)


def _draw(position: Position, seat: Seat, events: list[Event[Fact]]) -> Position:
    """Put the deck's top card on a pile (S-R16). Only its owner is told which it is."""
    top, *deck = position.deck
    pile = (*position.piles[seat], top)
    others = tuple([other for other in range(position.seats) if other != seat])
    events += (
        Event(Drawn(seat, CARDS[top], len(pile), len(deck)), only(seat)),
        Event(Drawn(seat, None, len(pile), len(deck)), Audience(seats=others, spectators=True)),
    )
    return replace(_with_pile(position, seat, pile), deck=tuple(deck), idle_rounds=0)


def _refill(position: Position, events: list[Event[Fact]]) -> Position:
    """Ten cards more (S-R18), or none where there are fewer: the game is over then (S-R17)."""
    if len(position.deck) < REFILL:
        return position
    new, deck = position.deck[:REFILL], position.deck[REFILL:]
    events.append(Event(Refilled(cards(new), len(deck))))
    return replace(position, table=tuple(sorted((*position.table, *new))), deck=deck)


def _pass_dice(position: Position, idle_rounds: int, events: list[Event[Fact]]) -> Position:
    """The dice go to the left (S-R19)."""
    baker_seat, number = (position.baker_seat + 1) % position.seats, position.round + 1
    events.append(Event(DicePassed(baker_seat, number)))
    return replace(position, baker_seat=baker_seat, round=number, idle_rounds=idle_rounds)


def _with_pile(position: Position, seat: Seat, pile: tuple[int, ...]) -> Position:
    return replace(position, piles=(*position.piles[:seat], pile, *position.piles[seat + 1 :]))
