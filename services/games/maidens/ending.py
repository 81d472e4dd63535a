"""When the game ends, and who wins then."""

from services.games.maidens.position import SUPPLY_A_SEAT, Position
from services.kernel.standing import Outcome

SUPPLY = "supply"


def supply_left(points: tuple[int, ...]) -> int:
    """The victory points that nobody has taken yet; what the reserve paid beyond them counts as none (M-R3, M-R21)."""
    return max(0, SUPPLY_A_SEAT * len(points) - sum(points))


def outcome(position: Position) -> Outcome | None:
    """How the game ended, or None while it goes on: with the round in which the supply was used up (M-R21, M-R22)."""
    turns = position.turn - 1
    if supply_left(position.points) or not turns or turns % len(position.points):
        return None
    best = max(position.points)
    winners = tuple([seat for seat, points in enumerate(position.points) if points == best])
    return Outcome(winners, position.points, SUPPLY)
