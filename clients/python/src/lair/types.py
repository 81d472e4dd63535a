"""What the methods of this library return: frozen values. A game's own messages are its generated ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Generic

from google.protobuf.message import Message
from typing_extensions import TypeVar

# Any, where a game is given by its token: a type checker can't know more.
Position = TypeVar("Position", bound=Message, default=Any)
Move = TypeVar("Move", bound=Message, default=Any)
View = TypeVar("View", bound=Message, default=Any)


class State(StrEnum):
    """Where a session is in its life."""

    UNKNOWN = "unknown"
    """One that this library doesn't know."""
    LOBBY = "lobby"
    """It waits for players."""
    PLAYING = "playing"
    OVER = "over"
    """It has an outcome."""
    ABORTED = "aborted"
    """It was ended without one: by the host, or because nobody touched it for as long as its idle limit."""


class SeatKind(StrEnum):
    """What sits on a seat."""

    HUMAN = "human"
    BOT = "bot"
    """The server plays the seat from the start."""


@dataclass(frozen=True, slots=True)
class Bot:
    """Stands for a name among the `seats` of `Client.create` and `Client.open`: the server plays this seat.

    Nobody has its key, so `Session.seats` has no handle of it. It moves as a stand-in does, at the pace of `stand_in`.
    """

    name: str = ""
    """At most 64 characters. Empty: the server calls it "Bot 1", "Bot 2" and so on."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. No winners: everybody lost. Several: they share the victory."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    """What was compared, by seat."""
    reason: str
    """Why it ended, one of those that `Rules.describe` lists."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The seats that the game waits for, those that may act (a superset), and the outcome once it is over."""

    awaited: tuple[int, ...]
    may_act: tuple[int, ...]
    outcome: Outcome | None = None
    stage: int = 0
    """Counts what a clock runs for, a turn or a round of everybody's: when it changes, the clock starts anew."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may know of something: everybody, or some seats, or spectators."""

    everybody: bool = False
    seats: tuple[int, ...] = ()
    spectators: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """A receipt: one roll of dice, one pick or one shuffle, with what came out.

    The results run from 1. Of a shuffle `sides` is the number of items: its first result is of a die with so many
    sides, and each next one has one side less.
    """

    purpose: str
    sides: int
    results: tuple[int, ...]
    shuffle: bool = False
    audience: Audience = Audience(everybody=True)
    """Who may see the result in their view."""


@dataclass(frozen=True, slots=True)
class LegalMove(Generic[Move]):
    """A legal move: the game's Move, and its one-line text. Both can be played as they are."""

    text: str
    move: Move


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not legal."""

    reason: str
    """The game's reason, such as CUP_EMPTY."""
    rule: str
    """The rule that the move breaks, such as C-R10."""
    message: str
    """The same for people, in a sentence."""


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[View]):
    """How things stand for one reader."""

    state: State
    revision: int
    etag: str
    seat: int | None
    """Whose view it is: None is a spectator's."""
    view: View | None
    """None before the start."""
    moves: tuple[LegalMove[Any], ...]
    """The reader's legal moves."""
    standing: Standing | None
    """None before the start."""
    deadline: datetime | None = None
    """When the host's time-out is due (UTC). None: never."""
    server_time: datetime | None = None
    """With a deadline, the server's time (UTC): what a countdown counts from."""

    @property
    def time_left(self) -> timedelta | None:
        """How long it was until the deadline when the server said so. None: there is none."""
        return self.deadline - self.server_time if self.deadline and self.server_time else None


@dataclass(frozen=True, slots=True)
class Update(Generic[View]):
    """One revision, as far as its reader may know it."""

    revision: int
    etag: str
    seat: int | None
    """Who moved: None is the host, or the start."""
    events: tuple[Any, ...]
    """What happened, in order: the game's Events."""
    draws: tuple[Draw, ...]
    """What was drawn, as far as the reader's view shows it."""
    view: View | None
    """The reader's view. None in a history."""
    moves: tuple[LegalMove[Any], ...]
    """The reader's next legal moves. Empty in a history."""
    standing: Standing
    commit_time: datetime
    """When it became durable, by the server's clock (UTC)."""
    deadline: datetime | None = None
    """When the host's time-out is due after it (UTC). None: never."""
    rules_version: str = ""
    """The version of the rules that made it."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The clocks of a session. None is no limit, or the server's own where it doesn't say."""

    turn: timedelta | None = None
    """How long the game may wait in one turn or round. Then the host's time-out is played."""
    idle: timedelta | None = None
    """How long nobody may touch the session. Then it is ended without a result."""
    keep: timedelta | None = None
    """How long it is kept once it has ended. Then it is deleted."""
    stand_in: timedelta | None = None
    """How long a stand-in waits after the last change before it moves in a seat that was left."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What everybody may know of a seat."""

    index: int
    """From 0, clockwise."""
    name: str
    kind: SeatKind
    taken: bool
    left: bool = False
    """Whether its player has left: a stand-in plays it."""


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What everybody may know of a session."""

    name: str
    """sessions/{id}."""
    game: str
    """The game's token."""
    state: State
    revision: int
    """Counts the accepted moves: 0 after the start."""
    etag: str
    seats: tuple[SeatFacts, ...]
    options: Message | None
    """The game's Options, or None for the defaults. Of a game whose messages are not installed here, an Any."""
    rules_version: str
    """The version of the rules that the session started with. Empty before the start."""
    commitment: bytes
    """SHA-256 of the server seed, published before anything was drawn."""
    standing: Standing | None
    """None before the start."""
    create_time: datetime
    update_time: datetime
    limits: TimeLimits = TimeLimits()
    deadline: datetime | None = None
    """When the host's time-out is due, unless the game gets on before (UTC). None: never."""
    rematch: str = ""
    """The name of its rematch, once it has ended and its host has asked for one."""
    listed: bool = False
    """Whether `Client.lobbies` shows it while it waits for players, who can join it by its name."""
    chance_version: int = 1
    """How its seeds are derived, a version of docs/chance.md: known before anything is drawn, as the commitment is."""


@dataclass(frozen=True, slots=True)
class Step:
    """One revision of a finished game, whole."""

    revision: int
    seat: int | None
    """Who moved: None is the host, or the start."""
    move: Any
    """The game's Move. None at the start."""
    position: Any
    """The game's Position after it."""
    standing: Standing
    events: tuple[Any, ...]
    """Everything that happened, in order: the game's Events."""
    draws: tuple[Draw, ...]
    commit_time: datetime
    rules_version: str = ""
    """The version of the rules that made it."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Everything of a finished game: all that a replay needs."""

    session: SessionFacts
    server_seed: bytes
    """Its SHA-256 is the commitment."""
    entropies: tuple[bytes, ...]
    """What each seat added to the seeds."""
    steps: tuple[Step, ...]
    """One for each revision; revision 0 is the start."""


@dataclass(frozen=True, slots=True)
class Started(Generic[Position, View]):
    """A new game."""

    position: Position
    standing: Standing
    seed: bytes | None
    """The seed that was used, unless it was a script."""
    script: tuple[int, ...] | None
    events: tuple[Any, ...]
    draws: tuple[Draw, ...]
    views: Mapping[int | None, View]
    """The views that were asked for, by seat: None is a spectator's."""
    rules_version: str
    """The version of the rules that have answered. Another version may answer the same call in another way."""


@dataclass(frozen=True, slots=True)
class Applied(Generic[Position, Move, View]):
    """What a move led to."""

    position: Position
    move: Move
    """As it was played, also when it was given by its text."""
    standing: Standing
    seed: bytes | None
    """The seed that was used, unless it was a script."""
    script: tuple[int, ...] | None
    events: tuple[Any, ...]
    draws: tuple[Draw, ...]
    views: Mapping[int | None, View]
    """The views that were asked for, by seat: None is a spectator's."""
    rules_version: str
    """The version of the rules that have answered. Another version may answer the same call in another way."""


@dataclass(frozen=True, slots=True)
class NextMove:
    """One of many moves that `Simulation.apply` plays."""

    seat: int | None
    """Who moves: None is the host."""
    move: str | Message | LegalMove[Any]
    """Its text, the game's Move, or one of the legal moves."""
    position: Message | None = None
    """The game's Position to play on. None: where the chain has come to."""
    chain: int = 0
    """The chain that it goes on with, 0 to 255: a game among those that are played side by side."""
    seed: bytes | None = None
    """What feeds the draws, unless it is a script. None: the server draws."""
    script: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class Simulated(Generic[Position, Move, View]):
    """What a move of a simulation led to, as far as it was asked for."""

    standing: Standing
    position: Position | None
    """None, unless it was asked for."""
    moves: Mapping[int, tuple[LegalMove[Move], ...]]
    """The legal moves of each seat that may act next, if they were asked for."""
    events: tuple[Any, ...]
    """What happened, in order, if it was asked for: the game's Events."""
    draws: tuple[Draw, ...]
    """What was drawn, in order, if it was asked for."""
    seed: bytes | None
    """With the draws: the seed that was used, unless it was a script."""
    script: tuple[int, ...] | None
    views: Mapping[int | None, View]
    """The views that were asked for, by seat: None is a spectator's."""
    rules_version: str
    """The version of the rules that have answered. Another version may answer the same call in another way."""
