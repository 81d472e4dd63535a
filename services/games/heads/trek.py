"""The trek card: what two cards are together, which side they go to, when the game ends, and who wins then."""

from functools import lru_cache

from services.games.heads.position import MOST_ROUNDS, Card, Options, Position, Role, Side
from services.kernel.standing import Outcome

PEACEFUL_FROM = 9
X_BESIDE_LOW = 10
PEACEFUL_ROUNDS = 2
"""Two cards each: four lie on the peaceful side then."""
DANGEROUS_ROUNDS = 3

TREK_ENDS = {Role.PEACEFUL: "trek_peaceful", Role.DANGEROUS: "trek_dangerous"}
FORK_ENDS = {Role.PEACEFUL: "fork_peaceful", Role.DANGEROUS: "fork_dangerous"}


def side_of(cards: tuple[Card, ...], options: Options) -> Side:
    """The side that two cards go to (H-R13)."""
    return _side_of(cards, options.x_high_from)


@lru_cache(1024)  # more than there are; every move asks for those on the trek card several times
def _side_of(cards: tuple[Card, ...], x_high_from: int) -> Side:
    return Side.PEACEFUL if _value_of(cards, x_high_from) >= PEACEFUL_FROM else Side.DANGEROUS


def _value_of(cards: tuple[Card, ...], x_high_from: int) -> int:
    """What two cards are together: X is 0 beside a high card and 10 beside a low one (H-R15)."""
    lower, higher = sorted(cards)
    if higher is not Card.X:
        return lower + higher
    return lower if lower >= x_high_from else lower + X_BESIDE_LOW


def sides(position: Position) -> tuple[Side, ...]:
    """The side of each round, in order."""
    return tuple([side_of(played.cards, position.options) for played in position.rounds])


def trek_winner(trek: tuple[Side, ...]) -> Role | None:
    """Who has won on the trek card, if anybody has (H-R18)."""
    if trek.count(Side.PEACEFUL) >= PEACEFUL_ROUNDS:
        return Role.PEACEFUL
    return Role.DANGEROUS if trek.count(Side.DANGEROUS) >= DANGEROUS_ROUNDS else None


def outcome(position: Position) -> Outcome | None:
    """How the game ended, or None while it goes on: on the trek card, or with two roles at the Fork (H-R20)."""
    rounds = len(position.rounds)
    if rounds < PEACEFUL_ROUNDS:
        return None
    if winner := trek_winner(sides(position)):
        return _won(position, winner, TREK_ENDS[winner])
    if rounds < MOST_ROUNDS or not position.pair_seats:
        return None
    played = [position.players[seat].role for seat in position.pair_seats]
    winner = Role.PEACEFUL if Role.PEACEFUL in played else Role.DANGEROUS
    return _won(position, winner, FORK_ENDS[winner])


def _won(position: Position, winner: Role, reason: str) -> Outcome:
    """Everybody of that role has won, also who didn't play."""
    scores = tuple([int(player.role is winner) for player in position.players])
    return Outcome(tuple([seat for seat, score in enumerate(scores) if score]), scores, reason)
