"""When the game ends, and who wins then."""

from services.games.sprinkleton.deck import CARDS, LEVELS
from services.games.sprinkleton.position import Phase, Position
from services.kernel.standing import Outcome

DECK, IDLE, ROUND_LIMIT = "deck", "idle", "round_limit"


def phase_of(position: Position) -> Phase:
    """What the game waits for."""
    if reason_of(position) is not None:
        return Phase.OVER
    return Phase.ROLL if position.dice is None else Phase.SEARCH


def reason_of(position: Position) -> str | None:
    """Why the game is over: the deck has run out (S-R17), nobody has picked for long, or rounds enough (D19)."""
    options = position.options
    if len(position.deck) not in LEVELS[options.deck]:
        return DECK
    if 0 < options.max_idle_rounds <= position.idle_rounds:
        return IDLE
    return ROUND_LIMIT if 0 < options.max_rounds < position.round else None


def outcome(position: Position) -> Outcome | None:
    """How the game ended: the most donuts, then the most cards, then shared (S-R20, S-R21). None while it goes on."""
    reason = reason_of(position)
    if reason is None:
        return None
    donuts = tuple([sum(CARDS[card_id].donuts for card_id in pile) for pile in position.piles])
    ranks = [(score, len(pile)) for score, pile in zip(donuts, position.piles, strict=True)]
    best = max(ranks)
    return Outcome(tuple([seat for seat, rank in enumerate(ranks) if rank == best]), donuts, reason)
