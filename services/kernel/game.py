"""What a game is: functions over its own position. Everything else is derived from these, once for all games."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from services.kernel.audience import EVERYBODY, Audience
from services.kernel.chance import Dice
from services.kernel.refusals import Flaw, Refusal
from services.kernel.standing import Seat, Standing

Options = TypeVar("Options")
Position = TypeVar("Position")
Move = TypeVar("Move")
View = TypeVar("View")
Fact = TypeVar("Fact")


class Event(Struct, Generic[Fact], frozen=True):
    """Something that happened, and who may know of it."""

    fact: Fact
    """A frozen value: it is told and encoded once, however often it happens."""
    audience: Audience = EVERYBODY


class Played(Struct, Generic[Position, Fact], frozen=True):
    """What a start or a move led to: the new position, and the events in the order in which they happened."""

    position: Position
    events: tuple[Event[Fact], ...]


class Game(Struct, Generic[Options, Position, Move, View, Fact], frozen=True):
    """The rules of one game. Every function is pure; dice are the only thing that it changes.

    A seat of None is the host where somebody moves, and a spectator where somebody looks.
    """

    token: str
    version: str
    """Changes whenever an equal call might have another answer."""
    seats: range
    options: Options
    """The defaults."""
    flaws: Callable[[Options, int], Sequence[Flaw]]
    """What is wrong with these options for so many seats: field paths within the options."""
    start: Callable[[Options, int, Dice], Played[Position, Fact]]
    """A new game for so many seats."""
    check: Callable[[Position], Sequence[Flaw]]
    """What is wrong with a position that comes from outside: every flaw, with field paths within the position.

    No game comes to a position with a flaw. One without can be played on: no function here fails with it, nor with what
    follows from it. Whether it was ever played is not asked.
    """
    seat_count: Callable[[Position], int]
    """How many seats the game has."""
    standing: Callable[[Position], Standing]
    """Whom it waits for, or how it ended."""
    moves: Callable[[Position, Seat | None], Sequence[Move]]
    """Exactly the moves that `refuse` accepts from this seat."""
    refuse: Callable[[Position, Seat | None, Move], Refusal | None]
    """The reason that `play` would raise, or None."""
    play: Callable[[Position, Seat | None, Move, Dice], Played[Position, Fact]]
    """The position after a move. Raises IllegalMove."""
    view: Callable[[Position, Seat | None], View]
    """What a seat or a spectator may know."""
    resample: Callable[[Position, Seat | None, Dice], Position]
    """Another position that this seat (None: a spectator) can't tell from this one.

    It is drawn at random among those that may be: what the seat may not know is dealt anew, and what it has seen or
    done stays. Where nothing is hidden it is the position itself. This says a second time what is hidden, so it must
    not ask `view`: each is held against the other. A stand-in player may think with it: it knows what its seat knows.
    """
    suggest: Callable[[View, Sequence[Move], Dice], Move | None]
    """A plausible move for a seat whose player is away: one of its legal moves, chosen from what its view shows.

    None: it rather waits for the others. It must not, where they may be waiting for it.
    """
    tell: Callable[[Fact], str]
    """What happened, in one English sentence, made of what the fact says and nothing else.

    Here, in the text of a move and in a refusal a seat is written `seat 0`, or `Seat 0` where a sentence begins, and
    nothing else is: whoever shows a text puts the names of players in by this.
    """
    write_move: Callable[[Move], str]
    """A move's one-line text, unique among the legal moves of a position."""
    read_move: Callable[[str], Move]
    """The move of a text, legal or not. Raises ValueError when there is none."""
    write: Callable[[Position], str]
    """A position's one-line text: what scenarios, logs and bug reports show."""
    read: Callable[[str], Position]
    """The position of a text. Raises ValueError when it can't be read."""


AnyGame = Game[Any, Any, Any, Any, Any]
"""A game whose types don't matter to the caller."""
