"""What can be done, what can't and why, and the texts of moves."""

import re
from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from services.games.sprinkleton.deck import CARDS
from services.games.sprinkleton.ending import phase_of
from services.games.sprinkleton.position import LateTouch, Phase, Position
from services.games.sprinkleton.search import claimed, searching
from services.kernel.refusals import Refusal
from services.kernel.standing import Seat


class Act(Enum):
    """What can be done, but for picking a card. The values are the moves' texts."""

    ROLL = "roll"
    ZILCH = "zilch"
    PASS = "pass"  # noqa: S105 - a move, no password
    TIMEOUT = "timeout"


class Pick(Struct, frozen=True):
    """Touch a card on the table, by its id (S-R8)."""

    card_id: int


Move = Act | Pick

GAME_OVER = Refusal("GAME_OVER", "S-R17", "The game is over.")
SEAT_ONLY = Refusal("SEAT_ONLY", "S-H1", "The host makes no move but the time-out.")
HOST_ONLY = Refusal("HOST_ONLY", "S-H1", "Only the host says that time is up.")
NOT_ROLLED = Refusal("WRONG_PHASE", "S-R6", "The search begins when the Baker rolls.")
ROLLED = Refusal("WRONG_PHASE", "S-R6", "The dice lie on the table until this round is over.")
NOTHING_LEFT = Refusal("NOT_YOUR_TURN", "S-R8", "This seat is done for this round, and the dice lie on the table.")
ALREADY_PICKED = Refusal("ALREADY_PICKED", "S-R8", "This seat is done for this round.")

PICKS = {card_id: Pick(card_id) for card_id in CARDS}
"""Every pick there is, made once."""
PICK = re.compile(r"pick (?P<card>[0-9]{1,9})")


def moves(position: Position, seat: Seat | None) -> Sequence[Move]:
    """The roll for the Baker; for those who search every card that is free, right or wrong, Zilch and Pass (S-R8)."""
    phase = phase_of(position)
    if phase is Phase.OVER:
        return ()
    if seat is None:
        return (Act.TIMEOUT,)
    if phase is Phase.ROLL:
        return (Act.ROLL,) if seat == position.baker_seat else ()
    if seat not in searching(position):
        return ()
    taken = claimed(position) if position.options.late_touch is LateTouch.RETRY else frozenset[int]()
    return (*[PICKS[card_id] for card_id in position.table if card_id not in taken], Act.ZILCH, Act.PASS)


def refuse(position: Position, seat: Seat | None, move: Move) -> Refusal | None:
    """Why not: game over, host or seat, phase and turn, detail, in this order (D3)."""
    phase = phase_of(position)
    if phase is Phase.OVER:
        return GAME_OVER
    if seat is None:
        return None if move is Act.TIMEOUT else SEAT_ONLY
    if move is Act.TIMEOUT:
        return HOST_ONLY
    if phase is Phase.ROLL:
        return _refuse_roll(position, seat) if move is Act.ROLL else NOT_ROLLED
    return _refuse_search(position, seat, move)


def write_move(move: Move) -> str:
    """A move's text."""
    return move.value if isinstance(move, Act) else f"pick {move.card_id}"


def read_move(text: str) -> Move:
    """The move of a text. Raises ValueError when there is none."""
    if picked := PICK.fullmatch(text):
        return Pick(int(picked["card"]))
    try:
        return Act(text)
    except ValueError:
        known = ", ".join(act.value for act in Act)
        raise ValueError(f"no move of this game is called {text!r}; there are {known}, pick <card>") from None


def _refuse_roll(position: Position, seat: Seat) -> Refusal | None:
    if seat == position.baker_seat:
        return None
    return Refusal("NOT_BAKER", "S-R6", f"Seat {position.baker_seat} has the dice.")


def _refuse_search(position: Position, seat: Seat, move: Move) -> Refusal | None:
    done = seat not in searching(position)
    if move is Act.ROLL:
        return NOTHING_LEFT if done else ROLLED
    if done:
        return ALREADY_PICKED
    return _refuse_card(position, move) if isinstance(move, Pick) else None


def _refuse_card(position: Position, move: Pick) -> Refusal | None:
    if move.card_id not in position.table:
        return Refusal("NO_SUCH_CARD", "S-R8", f"Card {move.card_id} is not on the table.")
    if position.options.late_touch is LateTouch.RETRY and move.card_id in claimed(position):
        return Refusal("CARD_TAKEN", "S-R9", f"Card {move.card_id} is claimed already.")
    return None
