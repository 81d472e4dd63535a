"""How the game is played: the start, the moves, what is seen. rulebook.toml words the rules that are named."""

from collections.abc import Sequence

from services.games.maidens import turn
from services.games.maidens.ending import outcome, supply_left
from services.games.maidens.events import EndCondition, Fact, Started, TimedOut
from services.games.maidens.moves import refuse
from services.games.maidens.position import NO_MAIDENS, Act, Move, Options, Phase, Position, UseChip, View
from services.kernel.chance import Dice
from services.kernel.game import Event, Played
from services.kernel.refusals import IllegalMove
from services.kernel.standing import Seat, Standing, ended, waiting_for

AT_THE_TIMEOUT = {Phase.ROLL: Act.ROLL, Phase.WINDOW: Act.KEEP, Phase.DECIDE: Act.STOP}
"""What the host does for a seat that is out of time (D15)."""


ENOUGH = 4
"""Maidens that a stand-in is content with."""


def start(options: Options, seats: int, dice: Dice) -> Played[Position, Fact]:
    """Begin with the whole supply, and with a seat that is drawn (M-R3, M-R4)."""
    first = options.first_seat
    if first is None:
        first = dice.pick(range(seats), "first seat")
    nothing = (0,) * seats
    position = Position(nothing, nothing, 1, first, Phase.ROLL, 0, (), NO_MAIDENS, chip_used=False, options=options)
    return Played(position, (Event(Started(first)),))


def seat_count(position: Position) -> int:
    """How many play."""
    return len(position.points)


def standing(position: Position) -> Standing:
    """The game waits for the active seat (M-R4), until it is over."""
    result = outcome(position)
    return waiting_for(position.active_seat, stage=position.turn) if result is None else ended(result)


def play(position: Position, seat: Seat | None, move: Move, dice: Dice) -> Played[Position, Fact]:
    """Take a step of a turn. Raises IllegalMove."""
    refusal = refuse(position, seat, move)
    if refusal is not None:
        raise IllegalMove(refusal)
    facts: list[Fact] = []
    if move is Act.TIMEOUT:
        facts.append(TimedOut(position.active_seat))
        move = AT_THE_TIMEOUT[position.phase]
    after = _act(position, move, dice, facts)
    return Played(after, tuple([Event(fact) for fact in facts]))


def view(position: Position, seat: Seat | None) -> View:  # noqa: ARG001 - every seat sees the same
    """Show everything to everybody, with what is left of the supply (M-R3)."""
    supply = supply_left(position.points)
    return View(position, supply, last_round=not supply and outcome(position) is None)


def resample(position: Position, seat: Seat | None, dice: Dice) -> Position:  # noqa: ARG001 - nothing is dealt anew
    """Nothing is hidden, so no other position looks like this one (M-R3)."""
    return position


def suggest(view: View, moves: Sequence[Move], dice: Dice) -> Move:  # noqa: ARG001 - it has no whims
    """Take each roll as it is, and stop with a handful of Maidens."""
    if Act.STOP not in moves:
        return moves[0]
    maidens = view.position.maidens
    return Act.STOP if maidens.rescued + maidens.castle >= ENOUGH else Act.ROLL_AGAIN


def _act(position: Position, move: Move, dice: Dice, facts: list[Fact]) -> Position:
    if isinstance(move, UseChip):
        return turn.use_chip(position, move, facts)
    match move:
        case Act.ROLL:
            return turn.roll_all(position, dice, facts)
        case Act.ROLL_AGAIN:
            return turn.roll_again(position, dice, facts)
        case Act.REROLL:
            return turn.reroll(position, dice, facts)
        case Act.KEEP:
            return turn.keep(position, facts)
    return turn.end(position, EndCondition.STOPPED, facts)
