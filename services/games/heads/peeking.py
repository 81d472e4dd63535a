"""What the fourth player does: looks at a random card in a hand of choice, or at none."""

from collections.abc import Iterator

from msgspec.structs import replace

from services.games.heads.events import Fact, Peeked, PeekSkipped, told_apart
from services.games.heads.moves import Move, Peek, SkipPeek
from services.games.heads.phases import Phase, looker_of
from services.games.heads.position import Look, Position
from services.kernel.audience import NOBODY, only
from services.kernel.chance import Dice
from services.kernel.game import Event
from services.kernel.refusals import Refusal
from services.kernel.standing import Seat

NOT_PEEKING = Refusal("WRONG_PHASE", "H-R16", "Nobody looks at a card now.")
OWN_HAND = Refusal("SELF", "H-R16", "You know your own hand.")
NO_CARDS = Refusal("EMPTY_HAND", "H-R16", "This player has no card left.")


def peek_moves(position: Position, seat: Seat) -> Iterator[Move]:
    """Whose hand a seat can look into, and to let it be."""
    if seat == looker_of(position.rounds[-1]):
        for other, player in enumerate(position.players):
            if other != seat and player.hand:
                yield Peek(other)
        yield SkipPeek()


def refuse_peeking(position: Position, phase: Phase, seat: Seat, move: Peek | SkipPeek) -> Refusal | None:
    """Why a seat can't look at a card there, or let it be (H-R16)."""
    if phase is not Phase.PEEK:
        return NOT_PEEKING
    looker = looker_of(position.rounds[-1])
    if seat != looker:
        return Refusal("NOT_YOUR_TURN", "H-R16", f"It is for seat {looker} to look at a card or not.")
    if isinstance(move, SkipPeek):
        return None
    if move.seat == seat:
        return OWN_HAND
    return None if position.players[move.seat].hand else NO_CARDS


def look(position: Position, seat: Seat, move: Peek | SkipPeek, dice: Dice, events: list[Event[Fact]]) -> Position:
    """Look at a random card or at none; that none was looked at is public, too (D11). Then the next round begins."""
    if isinstance(move, Peek):
        seen = _peek(position, seat, move.seat, dice, events)
    else:
        events.append(Event(PeekSkipped(seat)))
        seen = Look()
    *earlier, last = position.rounds
    return replace(position, rounds=(*earlier, replace(last, look=seen)), discussed=0)


def _peek(position: Position, seat: Seat, target: Seat, dice: Dice, events: list[Event[Fact]]) -> Look:
    """Look at a random card. It stays where it is (H-R17).

    The receipt of the draw says at which place of the hand the card is: more than the looker may know, since it tells
    how many of the others are lower. The owner knows the hand, and so reads the card from it.
    """
    told = position.options.peek_told
    card = dice.pick(position.players[target].hand, "peek", only(target) if told else NOBODY)
    knowing = (seat, target) if told else (seat,)
    events += told_apart(Peeked(seat, target, card), Peeked(seat, target, None), knowing, position.seats)
    return Look(target, card)
