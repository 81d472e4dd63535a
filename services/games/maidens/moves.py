"""What can be done, what can't and why, and the texts of moves."""

import re
from collections.abc import Iterator, Mapping, Sequence

from services.games.maidens.ending import outcome
from services.games.maidens.position import FACES_OF, Act, DieKind, Face, Move, Phase, Position, UseChip
from services.games.maidens.turn import shows_reroll
from services.kernel.refusals import Refusal
from services.kernel.standing import Seat

GAME_OVER = Refusal("GAME_OVER", "M-R21", "The game is over.")
SEAT_ONLY = Refusal("SEAT_ONLY", "M-H1", "The host makes no move but the time-out.")
HOST_ONLY = Refusal("HOST_ONLY", "M-H1", "Only the host says that time is up.")
NO_REROLL_SHOWN = Refusal("NO_REROLL_SHOWN", "M-R38", "No Adventure Die shows Re-Roll.")
CHIP_USED = Refusal("CHIP_USED", "M-R19", "The chip has been used in this turn.")
NO_CHIP = Refusal("NO_CHIP", "M-R19", "This seat holds no chip.")
CHIP_SPARES_ADVENTURE = Refusal("NO_SUCH_DIE", "M-R19", "The chip doesn't change the Adventure Die in this game.")

WRONG_PHASE: Mapping[Act | type[UseChip], tuple[Phase, Refusal]] = {
    Act.ROLL: (Phase.ROLL, Refusal("WRONG_PHASE", "M-R6", "This turn has rolled already.")),
    UseChip: (Phase.WINDOW, Refusal("WRONG_PHASE", "M-R19", "A chip changes a die of a roll that isn't settled yet.")),
    Act.REROLL: (Phase.WINDOW, Refusal("WRONG_PHASE", "M-R38", "There is no roll that isn't settled yet.")),
    Act.KEEP: (Phase.WINDOW, Refusal("WRONG_PHASE", "M-R20", "There is no roll that could be anything but kept.")),
    Act.ROLL_AGAIN: (Phase.DECIDE, Refusal("WRONG_PHASE", "M-R14", "Rolling again comes after a battle.")),
    Act.STOP: (Phase.DECIDE, Refusal("WRONG_PHASE", "M-R14", "Stopping comes after a battle.")),
}
"""When each move has its place, and why not otherwise."""

CHIP = re.compile(r"chip (?P<die>[0-9]{1,3}) (?P<face>[a-z-]+)")


def moves(position: Position, seat: Seat | None) -> Sequence[Move]:
    """What the phase offers to the active seat; the time-out for the host."""
    if outcome(position) is not None:
        return ()
    if seat is None:
        return (Act.TIMEOUT,)
    if seat != position.active_seat:
        return ()
    match position.phase:
        case Phase.ROLL:
            return (Act.ROLL,)
        case Phase.DECIDE:
            return (Act.ROLL_AGAIN, Act.STOP)
    rerolls = (Act.REROLL,) if shows_reroll(position) else ()
    return (Act.KEEP, *rerolls, *_chips(position))


def refuse(position: Position, seat: Seat | None, move: Move) -> Refusal | None:
    """Why not: game over, host or seat, turn, phase, detail, in this order (D3)."""
    if outcome(position) is not None:
        return GAME_OVER
    if seat is None:
        return None if move is Act.TIMEOUT else SEAT_ONLY
    if move is Act.TIMEOUT:
        return HOST_ONLY
    if seat != position.active_seat:
        return Refusal("NOT_YOUR_TURN", "M-R4", f"It is the turn of seat {position.active_seat}.")
    phase, refusal = WRONG_PHASE[move if isinstance(move, Act) else UseChip]
    return _refuse_detail(position, move) if position.phase is phase else refusal


def write_move(move: Move) -> str:
    """A move's text."""
    return move.value if isinstance(move, Act) else f"chip {move.die} {move.face.value}"


def read_move(text: str) -> Move:
    """The move of a text. Raises ValueError when there is none."""
    try:
        chip = CHIP.fullmatch(text)
        return UseChip(int(chip["die"]), Face(chip["face"])) if chip else Act(text)
    except ValueError:
        known = ", ".join(act.value for act in Act)
        raise ValueError(f"no move of this game is called {text!r}; there are {known}, chip <die> <face>") from None


def _chips(position: Position) -> Iterator[UseChip]:
    """Every other face of every die that the chip may change (M-R19)."""
    if position.chips[position.active_seat]:
        for index, die in enumerate(position.dice):
            if position.options.chip_on_adventure or die.kind is not DieKind.ADVENTURE:
                yield from [UseChip(index, face) for face in FACES_OF[die.kind] if face is not die.face]


def _refuse_detail(position: Position, move: Move) -> Refusal | None:
    """Why not, where the active seat makes a move that has its place in this phase."""
    if move is Act.REROLL and not shows_reroll(position):
        return NO_REROLL_SHOWN
    if not isinstance(move, UseChip):
        return None
    if position.chip_used:
        return CHIP_USED
    return _refuse_change(position, move) if position.chips[position.active_seat] else NO_CHIP


def _refuse_change(position: Position, move: UseChip) -> Refusal | None:
    """Why the chip can't give this face to this die."""
    dice = position.dice
    if not 0 <= move.die < len(dice):
        return Refusal("NO_SUCH_DIE", "M-R19", f"There are dice 0 to {len(dice) - 1}, and no die {move.die}.")
    die = dice[move.die]
    if die.kind is DieKind.ADVENTURE and not position.options.chip_on_adventure:
        return CHIP_SPARES_ADVENTURE
    if move.face not in FACES_OF[die.kind]:
        return Refusal("FACE_NOT_ON_DIE", "M-R19", f"Die {move.die} has no face {move.face.value}.")
    if move.face is die.face:
        return Refusal("SAME_FACE", "M-R19", f"Die {move.die} shows {move.face.value} already.")
    return None
