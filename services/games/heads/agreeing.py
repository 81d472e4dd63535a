"""How a pair comes about: proposals and answers, a draw when nobody agrees, and backing out where that is allowed."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from services.games.heads.events import Agreed, BackedOut, Declined, Fact, PairDrawn, Proposed, Said, Withdrawn
from services.games.heads.moves import Accept, Decline, Discussing, Propose, Say, Withdraw
from services.games.heads.phases import DISCUSSIONS, Phase, can_back_out, limit_of
from services.games.heads.position import PAIR, Player, Position
from services.games.heads.talking import every_saying, refuse_saying
from services.kernel.chance import Dice
from services.kernel.game import Event
from services.kernel.refusals import Refusal
from services.kernel.standing import Seat

MOST_DISCUSSED = 2**31 - 1
"""Counting ends where the wire's number does. Without a limit nothing depends on it."""


NOT_NOW = Refusal("WRONG_PHASE", "H-R8", "Nobody looks for a pair now.")
BOUND = Refusal("WRONG_PHASE", "H-L1", "This pair can't back out.")
YOURSELF = Refusal("SELF", "H-L1", "It takes another to play together.")
NO_SUCH_SEAT = Refusal("BAD_CANDIDATE", "H-R1", "This game has no such seat.")
NO_SUCH_PROPOSAL = Refusal("NO_SUCH_PROPOSAL", "H-L1", "This player has no open proposal to you.")
NOTHING_OPEN = Refusal("NO_SUCH_PROPOSAL", "H-L1", "You have no open proposal.")


def discussion_moves(position: Position, seat: Seat) -> Sequence[Discussing]:
    """What a seat can do in a discussion."""
    players = position.players
    offering = tuple([other for other, player in enumerate(players) if player.proposed_seat == seat])
    has_offered = players[seat].proposed_seat is not None
    return _discussion_moves(position.seats, seat, offering, has_offered, position.options.statements)


@lru_cache(1024)  # more than there are: some forty moves each, asked for at every move of a discussion
def _discussion_moves(
    seats: int,
    seat: Seat,
    offering: tuple[Seat, ...],
    has_offered: bool,  # noqa: FBT001 - a key of the table
    statements: bool,  # noqa: FBT001 - a key of the table
) -> Sequence[Discussing]:
    answers = [verb(other) for verb in (Accept, Decline) for other in offering]
    offers = [Propose(other) for other in range(seats) if other != seat]
    return (
        *answers,
        *offers,
        *([Withdraw()] if has_offered else ()),
        *(every_saying(seats, seat) if statements else ()),
    )


def refuse_discussing(position: Position, phase: Phase, seat: Seat, move: Discussing) -> Refusal | None:
    """Why a seat can't propose, answer, withdraw or speak (H-L1)."""
    match move:
        case Say(statement):
            return refuse_saying(position, phase, seat, statement)
        case Withdraw():
            return _refuse_withdrawing(position, phase, seat)
        case Propose(other) | Accept(other) | Decline(other):
            if phase not in DISCUSSIONS:
                return NOT_NOW
            return YOURSELF if other == seat else _refuse_other(position, seat, other, offers=isinstance(move, Propose))


def _refuse_other(position: Position, seat: Seat, other: Seat, *, offers: bool) -> Refusal | None:
    """An offer needs somebody who is there, an answer needs somebody who has offered."""
    there = other < position.seats
    if offers:
        return None if there else NO_SUCH_SEAT
    if there and position.players[other].proposed_seat == seat:
        return None
    return NO_SUCH_PROPOSAL


def _refuse_withdrawing(position: Position, phase: Phase, seat: Seat) -> Refusal | None:
    if phase in DISCUSSIONS:
        return NOTHING_OPEN if position.players[seat].proposed_seat is None else None
    if phase is not Phase.PLAY:
        return NOT_NOW
    if seat not in position.pair_seats:
        one, other = position.pair_seats
        return Refusal("NOT_IN_PAIR", "H-L1", f"Seat {one} and seat {other} are the pair.")
    return None if can_back_out(position, phase) else BOUND


def discuss(
    position: Position, phase: Phase, seat: Seat, move: Discussing, dice: Dice, events: list[Event[Fact]]
) -> Position:
    """Play a move of a discussion. The one that reaches the limit draws a pair, unless it has made one (H-L2).

    While cards are missing it is talk, or backing out, and isn't counted.
    """
    if phase not in DISCUSSIONS and isinstance(move, Withdraw):
        return _back_out(position, seat, events)
    after = _answer(position, seat, move, events)
    if phase not in DISCUSSIONS:
        return after
    discussed = min(position.discussed + 1, MOST_DISCUSSED)
    after = replace(after, discussed=discussed)
    if not after.pair_seats and 0 < limit_of(position.options) <= discussed:
        return draw_pair(after, dice, events)
    return after


def draw_pair(position: Position, dice: Dice, events: list[Event[Fact]]) -> Position:
    """Draw two players among all pairs in order (D8)."""
    pair = dice.pick(list(combinations(range(position.seats), PAIR)), "pair")
    events.append(Event(PairDrawn(pair)))
    return replace(_without_proposals(position), pair_seats=pair, pair_drawn=True)


def _answer(position: Position, seat: Seat, move: Discussing, events: list[Event[Fact]]) -> Position:
    match move:
        case Propose(other) if position.players[other].proposed_seat != seat:
            events.append(Event(Proposed(seat, other)))
            return _propose(position, seat, other)
        case Propose(other) | Accept(other):
            pair = (min(seat, other), max(seat, other))
            events.append(Event(Agreed(pair)))
            return replace(_without_proposals(position), pair_seats=pair)
        case Decline(other):
            events.append(Event(Declined(seat, other)))
            return _propose(position, other, None)
        case Withdraw():
            events.append(Event(Withdrawn(seat)))
            return _propose(position, seat, None)
        case Say():
            events.append(Event(Said(seat, move)))
            return position


def _propose(position: Position, seat: Seat, other: Seat | None) -> Position:
    """One proposal a seat: a new one replaces the old."""
    players = list(position.players)
    players[seat] = replace(players[seat], proposed_seat=other)
    return replace(position, players=tuple(players))


def _without_proposals(position: Position) -> Position:
    return replace(position, players=tuple([replace(player, proposed_seat=None) for player in position.players]))


def _back_out(position: Position, seat: Seat, events: list[Event[Fact]]) -> Position:
    """Undo an agreement: the discussion goes on, and a card that lies face down goes back to its hand (D10)."""
    events.append(Event(BackedOut(seat)))
    return replace(position, players=tuple([_take_back(player) for player in position.players]), pair_seats=())


def _take_back(player: Player) -> Player:
    if player.played_card is None:
        return player
    return replace(player, hand=tuple(sorted((*player.hand, player.played_card))), played_card=None)
