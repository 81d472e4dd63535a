"""A game made to be overheard: every card is a long random text, and is known to those who may know it.

In a turn a seat draws a card, plays one face down, or shows one to another seat. After some turns the card at the
bottom is opened to everybody; hands and pile stay as they are, for ever. The most cards in hand win.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from services.kernel.audience import EVERYBODY, NOBODY, Audience, only
from services.kernel.chance import Dice
from services.kernel.game import Event, Played
from services.kernel.refusals import Flaw, IllegalMove, Refusal
from services.kernel.standing import Outcome, Seat, Standing, ended, waiting_for
from tests.support.canary.position import (
    Card,
    Draw,
    Drawn,
    Ended,
    Fact,
    Move,
    Opened,
    Options,
    Play,
    PlayedDown,
    Position,
    Show,
    Shown,
    Timeout,
    View,
)

SEATS = range(2, 5)
HAND_CARDS = 2
BYTES = 12
SIDES = 256
CARD = re.compile(r"[0-9a-f]{24}")
MOST_TURNS = 40

GAME_OVER = Refusal("GAME_OVER", "K-R4", "The game is over.")
SEAT_ONLY = Refusal("SEAT_ONLY", "K-H1", "The host makes no move but the time-out.")
HOST_ONLY = Refusal("HOST_ONLY", "K-H1", "Only the host says that time is up.")
NOT_YOUR_TURN = Refusal("NOT_YOUR_TURN", "K-R2", "It is another seat's turn.")
NOT_IN_HAND = Refusal("NOT_IN_HAND", "K-R3", "You don't hold this card.")
BAD_SEAT = Refusal("BAD_SEAT", "K-R3", "A card is shown to another seat of the game.")


def flaws(options: Options, seats: int) -> Sequence[Flaw]:
    """What is wrong with these options."""
    if 0 < options.turns <= MOST_TURNS:
        return ()
    return (Flaw("turns", f"must be 1 to {MOST_TURNS}, is {options.turns}"),)


def new_card(dice: Dice, known: Audience) -> Card:
    """A card that there was never before."""
    return Card(bytes(result - 1 for result in dice.roll(BYTES, SIDES, "card", known)).hex(), known)


def start(options: Options, seats: int, dice: Dice) -> Played[Position, Fact]:
    """Deal to each seat what only that seat may know, and a card that nobody may."""
    hands = tuple(tuple(new_card(dice, only(seat)) for _ in range(HAND_CARDS)) for seat in range(seats))
    events = [event for seat, hand in enumerate(hands) for card in hand for event in _drawn(seat, card, seats)]
    position = Position(hands, (), new_card(dice, NOBODY), 0, options.turns, options)
    return Played(position, tuple(events))


def check(position: Position) -> Sequence[Flaw]:
    """Why no game can come to this position."""
    cards = cards_of(position)
    if not {len(position.hands)} <= {*SEATS}:
        return (Flaw("hands", "must be 2 to 4"),)
    if not 0 <= position.turns <= position.options.turns or flaws(position.options, len(position.hands)):
        return (Flaw("turns", "must be 0 to those of the options"),)
    if not 0 <= position.active_seat < len(position.hands):
        return (Flaw("active_seat", "must be a seat of the game"),)
    if len({card.text for card in cards}) != len(cards) or not all(CARD.fullmatch(card.text) for card in cards):
        return (Flaw("hands", "every card must be another one, of 24 hexadecimal digits"),)
    return ()


def cards_of(position: Position) -> list[Card]:
    """Every card that there is."""
    return [*(card for hand in position.hands for card in hand), *position.pile, position.bottom]


def standing(position: Position) -> Standing:
    """The game waits for the active seat, until no turn is left."""
    if position.turns:
        return waiting_for(position.active_seat)
    scores = tuple(len(hand) for hand in position.hands)
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    return ended(Outcome(winners, scores, "turns"))


def moves(position: Position, seat: Seat | None) -> Sequence[Move]:
    """Exactly what `refuse` accepts."""
    if seat is None:
        return (Timeout(),) if position.turns else ()
    if not position.turns or seat != position.active_seat:
        return ()
    others = [other for other in range(len(position.hands)) if other != seat]
    held = [card.text for card in position.hands[seat]]
    return (Draw(), *map(Play, held), *(Show(card, other) for card in held for other in others))


def refuse(position: Position, seat: Seat | None, move: Move) -> Refusal | None:
    """Why not: game over, host or seat, turn, detail."""
    if not position.turns:
        return GAME_OVER
    if seat is None:
        return None if isinstance(move, Timeout) else SEAT_ONLY
    if isinstance(move, Timeout):
        return HOST_ONLY
    return NOT_YOUR_TURN if seat != position.active_seat else _refuse_in_turn(position, seat, move)


def _refuse_in_turn(position: Position, seat: Seat, move: Draw | Play | Show) -> Refusal | None:
    if isinstance(move, Draw):
        return None
    if isinstance(move, Show) and (move.seat == seat or not 0 <= move.seat < len(position.hands)):
        return BAD_SEAT
    return None if move.card in {card.text for card in position.hands[seat]} else NOT_IN_HAND


def play(position: Position, seat: Seat | None, move: Move, dice: Dice) -> Played[Position, Fact]:
    """Take a turn. The last one opens the card at the bottom."""
    if refusal := refuse(position, seat, move):
        raise IllegalMove(refusal)
    mover, seats = position.active_seat, len(position.hands)
    hand = position.hands[mover]
    events: tuple[Event[Fact], ...]
    match move:
        case Draw() | Timeout():
            card = new_card(dice, only(mover))
            after, events = _with_hand(position, (*hand, card)), _drawn(mover, card, seats)
        case Play(text):
            (card,) = (card for card in hand if card.text == text)
            after = _with_hand(position, tuple(other for other in hand if other is not card))
            after = replace(after, pile=(*position.pile, card))
            events = _told(PlayedDown(mover, text), PlayedDown(mover, ""), (mover,), seats)
        case Show(text, other):
            known = tuple(_shown(card, other) if card.text == text else card for card in hand)
            after = _with_hand(position, known)
            events = _told(Shown(mover, other, text), Shown(mover, other, ""), (mover, other), seats)
    after = replace(after, turns=position.turns - 1, active_seat=(mover + 1) % seats)
    if not after.turns:
        after = replace(after, bottom=Card(after.bottom.text, EVERYBODY))
        outcome = standing(after).outcome
        assert outcome
        events = (*events, Event(Opened(after.bottom.text)), Event(Ended(outcome)))
    return Played(after, events)


def view(position: Position, seat: Seat | None) -> View:
    """Every card that the seat may know."""
    hands = tuple(tuple(card.as_seen_by(seat) for card in hand) for hand in position.hands)
    pile = tuple(card.as_seen_by(seat) for card in position.pile)
    return replace(position, hands=hands, pile=pile, bottom=position.bottom.as_seen_by(seat))


def resample(position: Position, seat: Seat | None, dice: Dice) -> Position:
    """Other cards in the place of all those that the seat may not know."""

    def anew(card: Card) -> Card:
        return card if card.known.admits(seat) else replace(new_card(dice, NOBODY), known=card.known)

    hands = tuple(tuple(anew(card) for card in hand) for hand in position.hands)
    return replace(position, hands=hands, pile=tuple(map(anew, position.pile)), bottom=anew(position.bottom))


def _with_hand(position: Position, hand: tuple[Card, ...]) -> Position:
    hands = position.hands
    mover = position.active_seat
    return replace(position, hands=(*hands[:mover], hand, *hands[mover + 1 :]))


def _shown(card: Card, seat: Seat) -> Card:
    return Card(card.text, only(*sorted({*card.known.seats, seat})))


def _drawn(seat: Seat, card: Card, seats: int) -> tuple[Event[Fact], ...]:
    return _told(Drawn(seat, card.text), Drawn(seat, ""), (seat,), seats)


def _told(whole: Fact, without: Fact, knowing: tuple[Seat, ...], seats: int) -> tuple[Event[Fact], ...]:
    """The whole fact to those who may know it, and to everybody else that it happened."""
    others = tuple(seat for seat in range(seats) if seat not in knowing)
    return Event(whole, only(*knowing)), Event(without, Audience(seats=others, spectators=True))
