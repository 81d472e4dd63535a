"""What lies on the table: options, dice, cards, what was picked, and the position. The whole truth."""

from enum import Enum

from msgspec import Struct

from services.games.sprinkleton.deck import Deck
from services.kernel.standing import Seat

SEATS = range(2, 7)


class LateTouch(Enum):
    """What touching a claimed card means (S-R9)."""

    RETRY = "retry"
    SPENT = "spent"


class Options(Struct, frozen=True):
    """What is chosen at the start. A limit of 0 is none, and no `first_seat` means drawn."""

    deck: Deck = Deck.OURS
    late_touch: LateTouch = LateTouch.RETRY
    penalty_at_once: bool = False
    round_limit_ms: int = 0
    """A word to the host, who keeps the time."""
    max_idle_rounds: int = 20
    max_rounds: int = 200
    first_seat: Seat | None = None


DEFAULTS = Options()


class Part(Enum):
    """What monsters have, in the order of the part die (D16). The values are the fields of cards."""

    ARMS = "arms"
    LEGS = "legs"
    EYES = "eyes"

    __hash__ = object.__hash__
    """By identity, as members are compared: many tables ask for it, and hashing the name takes five times as long."""


class Dice(Struct, frozen=True):
    """What the dice show: monsters with so many of this part match."""

    number: int
    part: Part


class Verdict(Enum):
    """What a pick was worth. The values are words of the notation."""

    CLAIMED = "claimed"
    WRONG_CARD = "wrong"
    WRONG_ZILCH = "zilch"
    TOO_LATE = "late"
    PASSED = "passed"

    __hash__ = object.__hash__
    """By identity, as members are compared: many tables ask for it, and hashing the name takes five times as long."""


WRONG = frozenset({Verdict.WRONG_CARD, Verdict.WRONG_ZILCH})
"""What is paid for (S-R12)."""
NO_CARD = 0


class Picked(Struct, frozen=True):
    """What a seat did in a round's search, and what it was worth. A right Zilch is none: it ends the round."""

    seat: Seat
    verdict: Verdict
    card_id: int = NO_CARD


class Phase(Enum):
    """What the game waits for."""

    ROLL = "roll"
    SEARCH = "search"
    OVER = "over"


class Position(Struct, frozen=True):
    """A game at one moment.

    The phase, the matches and whether the game is over follow from the rest; so they can't contradict it.
    """

    table: tuple[int, ...]
    """The cards on the table by their ids, in ascending order: where a card lies says nothing (S-A18)."""
    deck: tuple[int, ...]
    """The top card first."""
    piles: tuple[tuple[int, ...], ...]
    """The score piles by seat, the top card last."""
    baker_seat: Seat
    round: int
    """From 1. Once the game is over by a limit, the round that is not played any more."""
    idle_rounds: int
    """In how many rounds in a row before this one nobody has picked anything (D19)."""
    dice: Dice | None
    """None until the Baker has rolled."""
    picks: tuple[Picked, ...]
    """What was picked in this round, in order."""
    options: Options

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.piles)
