"""What a stand-in does on a seat whose player is away: it searches as anybody could, and never errs."""

from collections.abc import Sequence

from services.games.sprinkleton.deck import Card
from services.games.sprinkleton.moves import Act, Move, Pick
from services.games.sprinkleton.position import Dice as Shown
from services.games.sprinkleton.view import View
from services.kernel.chance import Dice


def suggest(view: View, moves: Sequence[Move], dice: Dice) -> Move:
    """Roll; else touch a card that fits, or Zilch where none does, or pass where others were faster (S-R7, S-R11)."""
    if view.dice is None:
        return Act.ROLL
    fitting = {card.id for card in view.table if _fits(card, view.dice)}
    if not fitting:
        return Act.ZILCH
    taken = {picked.card_id for picked in view.picks}
    free = [move for move in moves if isinstance(move, Pick) and move.card_id in fitting - taken]
    return dice.pick(free, "suggestion") if free else Act.PASS


def _fits(card: Card, shown: Shown) -> bool:
    count: int = getattr(card, shown.part.value)
    return count == shown.number
