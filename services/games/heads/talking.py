"""What can be said: the closed list, true or not, in a discussion and until both cards are down."""

from collections.abc import Sequence
from functools import cache

from services.games.heads.moves import HandFeels, Say, Seems, Statement, SuggestPair, statements
from services.games.heads.phases import DISCUSSIONS, Phase
from services.games.heads.position import Position
from services.kernel.refusals import Refusal
from services.kernel.standing import Seat

TALKING = (*DISCUSSIONS, Phase.PLAY)

SILENCE = Refusal("STATEMENT_NOT_ALLOWED", "H-R10", "Nothing is said until the next round.")
NO_STATEMENTS = Refusal("STATEMENT_NOT_ALLOWED", "H-L3", "This game has no statements.")
OWN_HAND = Refusal("STATEMENT_NOT_ALLOWED", "H-L3", "Of your own hand you say how my hand feels.")
NOBODY_THERE = Refusal("STATEMENT_NOT_ALLOWED", "H-L3", "This speaks of a seat that the game doesn't have.")


def refuse_saying(position: Position, phase: Phase, seat: Seat, statement: Statement) -> Refusal | None:
    """Why a seat can't say this now (H-R10, H-L3)."""
    if phase not in TALKING:
        return SILENCE
    return _refuse_statement(position.seats, seat, statement) if position.options.statements else NO_STATEMENTS


def _refuse_statement(seats: int, seat: Seat, statement: Statement) -> Refusal | None:
    if isinstance(statement, HandFeels) and statement.seat == seat:
        return OWN_HAND
    for spoken in _spoken_of(statement):
        if spoken >= seats:
            return NOBODY_THERE
    return None


def _spoken_of(statement: Statement) -> tuple[Seat, ...]:
    """The seats that a statement names."""
    match statement:
        case HandFeels(int(seat)) | Seems(seat):
            return (seat,)
        case SuggestPair(pair):
            return pair
    return ()


@cache
def every_saying(seats: int, seat: Seat) -> Sequence[Say]:
    """Everything that a seat can say in a game for so many."""
    every = list(statements())
    return tuple([Say(statement) for statement in every if _refuse_statement(seats, seat, statement) is None])
