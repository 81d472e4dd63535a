"""What can be done, and what can be said: both lists are closed, so every move has its text in a table.

No statement can name a card (H-R22, H-L3).
"""

from collections.abc import Iterator
from enum import Enum
from itertools import combinations

from msgspec import Struct

from services.games.heads.position import HAND_CARDS, SEATS, Card, Role
from services.kernel.standing import Seat
from services.kernel.wording import counted

ALL_SEATS = range(SEATS[-1])
"""The seats that some game has."""
MOST_TIMES = HAND_CARDS


class Feel(Enum):
    """How a hand feels. The values are words of moves' texts."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    MIXED = "mixed"


class HandFeels(Struct, frozen=True):
    """How somebody's hand feels; without a seat, the speaker's own."""

    seat: Seat | None
    feel: Feel


class TakePart(Struct, frozen=True):
    """How often the speaker could play without harm."""

    times: int


class Seems(Struct, frozen=True):
    """What somebody seems to be."""

    seat: Seat
    role: Role


class Want(Struct, frozen=True):
    """Whether the speaker wants to play."""

    to_play: bool


class SuggestPair(Struct, frozen=True):
    """Who should play, the lower seat first."""

    seats: tuple[Seat, Seat]


Statement = HandFeels | TakePart | Seems | Want | SuggestPair


class Propose(Struct, frozen=True):
    """Offer a seat to play together. Towards one that has offered the same this accepts."""

    seat: Seat


class Withdraw(Struct, frozen=True):
    """Take one's proposal back; where agreements don't bind, back out of one."""


class Accept(Struct, frozen=True):
    """Agree to this seat's proposal."""

    seat: Seat


class Decline(Struct, frozen=True):
    """Turn this seat's proposal down."""

    seat: Seat


class Play(Struct, frozen=True):
    """Play a card face down."""

    card: Card


class Nominate(Struct, frozen=True):
    """Say whom one wants as the validator."""

    seat: Seat


class Peek(Struct, frozen=True):
    """Look at a random card of this seat."""

    seat: Seat


class SkipPeek(Struct, frozen=True):
    """Look at nobody's card."""


class Say(Struct, frozen=True):
    """Say something, true or not."""

    statement: Statement


class Timeout(Struct, frozen=True):
    """The host's: those who are awaited are out of time."""


Discussing = Propose | Withdraw | Accept | Decline | Say
SeatMove = Discussing | Play | Nominate | Peek | SkipPeek
Move = SeatMove | Timeout


def statements() -> Iterator[Statement]:
    """Every statement there is."""
    yield from [HandFeels(whose, feel) for whose in (None, *ALL_SEATS) for feel in Feel]
    yield from [TakePart(times) for times in range(MOST_TIMES + 1)]
    yield from [Seems(seat, role) for seat in ALL_SEATS for role in Role]
    yield Want(to_play=True)
    yield Want(to_play=False)
    yield from [SuggestPair(pair) for pair in combinations(ALL_SEATS, 2)]


def words_of(statement: Statement) -> str:
    """What is said, in words."""
    match statement:
        case HandFeels(seat, feel):
            return f"{'my hand' if seat is None else f'the hand of seat {seat}'} feels {feel.value}"
        case TakePart(times):
            return f"I can take part safely {counted(times, 'time')}"
        case Seems(seat, role):
            return f"seat {seat} seems {role.value}"
        case Want(to_play):
            return f"I want {'in' if to_play else 'out'}"
        case SuggestPair((one, other)):
            return f"I suggest the pair seat {one} and seat {other}"


def every_move() -> Iterator[tuple[Move, str]]:
    """Every move there is, with its text."""
    for verb in (Accept, Decline, Propose, Nominate, Peek):
        for seat in ALL_SEATS:
            yield verb(seat), f"{verb.__name__.lower()} seat {seat}"
    for card in Card:
        yield Play(card), f"play {card.text}"
    yield Withdraw(), "withdraw"
    yield SkipPeek(), "skip peek"
    yield Timeout(), "timeout"
    for statement in statements():
        yield Say(statement), f"say {words_of(statement)}"


TEXTS = dict(every_move())
MOVES = {text: move for move, text in TEXTS.items()}
for _pair in combinations(ALL_SEATS, 2):  # two who are suggested may be named in any order, as on the wire
    MOVES[f"say {words_of(SuggestPair(_pair[::-1]))}"] = Say(SuggestPair(_pair))


def write_move(move: Move) -> str:
    """A move's text."""
    return TEXTS[move]


def read_move(text: str) -> Move:
    """The move of a text. Raises ValueError when there is none."""
    if text not in MOVES:
        verbs = sorted({known.split()[0] for known in MOVES})
        raise ValueError(f"no move of this game is called {text!r}; moves begin with {', '.join(verbs)}")
    return MOVES[text]
