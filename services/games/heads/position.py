"""What lies on the table: cards, roles, options, and the position. The whole truth, hidden cards included."""

from enum import Enum, IntEnum

from msgspec import Struct

from services.kernel.standing import Seat

SEATS = range(3, 5)
HAND_CARDS = 3
PAIR = 2
MOST_ROUNDS = 3
"""Six cards lie on the trek card then: what follows is the Fork in the Road (H-R18)."""


class Card(IntEnum):
    """A danger card. The order is the one in which hands are kept (D8)."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    X = 9

    @property
    def text(self) -> str:
        """What is printed on it."""
        return "X" if self is Card.X else str(self.value)


class Role(Enum):
    """A role card. The values are words of moves' texts."""

    PEACEFUL = "peaceful"
    DANGEROUS = "dangerous"


class Side(Enum):
    """A side of the trek card."""

    PEACEFUL = "peaceful"
    DANGEROUS = "dangerous"


class OnStall(Enum):
    """What happens when nobody agrees."""

    RANDOM_PAIR = "random_pair"
    NONE = "none"


DECKS = {
    # By the number of players (H-R3, H-R4).
    3: tuple(Card),
    4: tuple(sorted((*Card, Card.FOUR, Card.FIVE, Card.SEVEN))),
}


class Options(Struct, frozen=True):
    """What is chosen at the start. A `stall_limit` of 0 is no limit."""

    x_high_from: int = 5
    redeal: bool = True
    binding: bool = True
    on_stall: OnStall = OnStall.RANDOM_PAIR
    stall_limit: int = 60
    peek_told: bool = False
    statements: bool = True


DEFAULTS = Options()


class Player(Struct, frozen=True):
    """One seat: its role, its hand in order, and what it has done in the running round."""

    role: Role
    hand: tuple[Card, ...]
    proposed_seat: Seat | None = None
    """Whom it has offered to play with."""
    played_card: Card | None = None
    """Its card that lies face down."""
    nominated_seat: Seat | None = None
    """Whom it wants as the validator, while the other nomination is out."""


class Hand(Struct, frozen=True):
    """Some cards that are shown."""

    cards: tuple[Card, ...]


class Look(Struct, frozen=True):
    """What the fourth player did: looked at this card in this hand, or at none."""

    target_seat: Seat | None = None
    card: Card | None = None


class Round(Struct, frozen=True):
    """A round whose cards lie on the trek card. Which side they lie on follows from them."""

    pair_seats: tuple[Seat, ...]
    """The two who played, the lower seat first."""
    cards: tuple[Card, ...]
    """What they played, in the same order."""
    validator_seat: Seat
    look: Look | None = None
    """None while it is still to come, and where there is none: for three players, and after a round that decides."""
    nominated_seats: tuple[Seat, ...] = ()
    """Whom each of the pair nominated, in its order (H-L4). Empty with three players, and where older rules played."""


class Position(Struct, frozen=True):
    """A game at one moment.

    The phase and whether the game is over follow from the rest; so they can't contradict it. Statements leave no trace:
    what was said is in the history, and changes nothing.
    """

    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    discussed: int
    """How many moves this round's discussion has had (D9). A round goes on until its look at a card is done."""
    pair_seats: tuple[Seat, ...]
    """The two who are to play, the lower seat first, or nobody. Once two have agreed at the Fork the game is over."""
    pair_drawn: bool
    """Whether that pair was drawn."""
    options: Options

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)
