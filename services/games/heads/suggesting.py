"""What a stand-in does on a seat whose player is away: it agrees, plays as its role would, and doesn't talk.

It knows what the seat's view shows. It brings no round to a stop: it takes the first offer that there is, makes one
where there is none, and waits for its answer.
"""

from collections.abc import Sequence

from services.games.heads.moves import Accept, Move, Peek, Play, Propose
from services.games.heads.position import Card, Role
from services.games.heads.view import View
from services.kernel.chance import Dice

X_AS = 5
"""What the X is taken for: it may be a zero or a ten."""


def suggest(view: View, moves: Sequence[Move], dice: Dice) -> Move | None:
    """One of these legal moves: an answer before an offer, a card that suits the role, a look before none.

    With an offer that nobody has answered it waits: the others shall have the time to talk.
    """
    for move in moves:
        if isinstance(move, Accept):
            return move
    cards = [move for move in moves if isinstance(move, Play)]
    if cards:
        better = max if view.role is Role.PEACEFUL else min
        return better(cards, key=lambda play: X_AS if play.card is Card.X else play.card)
    if any(proposal.seat == view.seat for proposal in view.proposals):
        return None
    return dice.pick([move for move in moves if isinstance(move, Propose | Peek)] or moves, "whim")
