"""How the game is played: the start, the moves, the turn of the cup. rulebook.toml words the rules that are named."""

from collections.abc import Sequence

from services.games.cabbages.ending import is_ending, outcome
from services.games.cabbages.events import (
    CupMoved,
    DieAdded,
    DieRemoved,
    Ended,
    Fact,
    Fed,
    Harvested,
    MonsterRoll,
    Started,
    TimedOut,
)
from services.games.cabbages.position import (
    HARVEST_DICE,
    SIDES,
    Cause,
    CupMove,
    EmptyFeed,
    Move,
    Options,
    Position,
    Roll,
    View,
)
from services.kernel.chance import Dice
from services.kernel.game import Event, Played
from services.kernel.refusals import IllegalMove, Refusal
from services.kernel.standing import Seat, Standing, ended, waiting_for

GAME_OVER = Refusal("GAME_OVER", "C-R13", "The game is over.")
SEAT_ONLY = Refusal("SEAT_ONLY", "C-H1", "The host makes no move but the time-out.")
HOST_ONLY = Refusal("HOST_ONLY", "C-H1", "Only the host says that time is up.")
DANGEROUS_DICE = 6
"""A stand-in surely feeds a cup with more dice."""

CUP_EMPTY = Refusal("CUP_EMPTY", "C-R10", "The Monster Cup holds no die to take out.")


def start(options: Options, seats: int, dice: Dice) -> Played[Position, Fact]:
    """Begin: nothing harvested, nothing fed, the cup on the left of the last player (C-R3, C-R5, C-R6)."""
    first = options.first_seat
    if first is None:
        first = dice.pick(range(seats), "first seat")
    nothing = (0,) * seats
    position = Position(nothing, nothing, options.cup_start, (first - 1) % seats, 1, first, (), options)
    return Played(position, (Event(Started(first)),))


def seat_count(position: Position) -> int:
    """How many play."""
    return len(position.cabbages)


def standing(position: Position) -> Standing:
    """The game waits for the active seat (C-R4), until it is over."""
    result = outcome(position)
    return waiting_for(position.active_seat, stage=position.turn) if result is None else ended(result)


def moves(position: Position, seat: Seat | None) -> Sequence[Move]:
    """Harvest always, Feed while there is a die to take out (C-R7, C-R10); the time-out for the host."""
    if outcome(position) is not None:
        return ()
    if seat is None:
        return (Move.TIMEOUT,)
    if seat != position.active_seat:
        return ()
    return (Move.HARVEST, Move.FEED) if _can_feed(position) else (Move.HARVEST,)


def refuse(position: Position, seat: Seat | None, move: Move) -> Refusal | None:
    """Why not: game over, host or seat, turn, detail, in this order (D3)."""
    if outcome(position) is not None:
        return GAME_OVER
    if seat is None:
        return None if move is Move.TIMEOUT else SEAT_ONLY
    if move is Move.TIMEOUT:
        return HOST_ONLY
    if seat != position.active_seat:
        return Refusal("NOT_YOUR_TURN", "C-R4", f"It is the turn of seat {position.active_seat}.")
    if move is Move.FEED and not _can_feed(position):
        return CUP_EMPTY
    return None


def play(position: Position, seat: Seat | None, move: Move, dice: Dice) -> Played[Position, Fact]:
    """Take a whole turn: the player's part, then the cup's where it stands on that player's left (C-R14)."""
    refusal = refuse(position, seat, move)
    if refusal is not None:
        raise IllegalMove(refusal)
    facts: list[Fact] = []
    if move is Move.TIMEOUT:
        facts.append(TimedOut(position.active_seat))
    after = _feed(position, dice, facts) if move is Move.FEED else _harvest(position, dice, facts)
    if position.cup_gap == position.active_seat and not is_ending(after.last_roll[0]):
        after = _cup_turn(after, dice, facts)
    result = outcome(after)
    if result is not None:
        facts.append(Ended(result))
    return Played(after, tuple([Event(fact) for fact in facts]))


def view(position: Position, seat: Seat | None) -> View:  # noqa: ARG001 - every seat sees the same
    """Show everything to everybody (C-R24)."""
    return position


def twin(position: Position, seat: Seat | None, dice: Dice) -> Position:  # noqa: ARG001 - nothing is dealt anew
    """Nothing is hidden, so no other position looks like this one (C-R24)."""
    return position


def suggest(view: View, moves: Sequence[Move], dice: Dice) -> Move:
    """Feed a cup that may soon end the game, harvest otherwise; and now and then do the other thing."""
    if Move.FEED not in moves:
        return Move.HARVEST
    return Move.FEED if dice.roll(1, DANGEROUS_DICE, "whim")[0] < view.cup_dice else Move.HARVEST


def write_move(move: Move) -> str:
    """A move's text."""
    return move.value


def read_move(text: str) -> Move:
    """The move of a text. Raises ValueError when there is none."""
    try:
        return Move(text)
    except ValueError:
        known = ", ".join(move.value for move in Move)
        raise ValueError(f"no move of this game is called {text!r}; there are {known}") from None


def _can_feed(position: Position) -> bool:
    return position.cup_dice > 0 or position.options.empty_feed is EmptyFeed.FREE


def _harvest(position: Position, dice: Dice, facts: list[Fact]) -> Position:
    """Roll two dice and take their sum in cabbages (C-R8)."""
    rolled = dice.roll(HARVEST_DICE, SIDES, "harvest")
    cabbages = _add(position.cabbages, position.active_seat, sum(rolled))
    facts.append(Harvested(position.active_seat, rolled, cabbages[position.active_seat]))
    return _next_turn(position, cabbages, position.feedings, position.cup_dice, Roll(Cause.HARVEST, rolled))


def _feed(position: Position, dice: Dice, facts: list[Fact]) -> Position:
    """Take a die out, mark a Feeding, roll the rest (C-R11). Out of an empty cup only the Feeding is left (D7)."""
    seat = position.active_seat
    feedings = _add(position.feedings, seat, 1)
    if position.cup_dice == 0:
        facts.append(Fed(seat, feedings[seat]))
        return _next_turn(position, position.cabbages, feedings, 0, Roll(Cause.FEED, ()))
    cup_dice = position.cup_dice - 1
    rolled = dice.roll(cup_dice, SIDES, "feed")
    facts += DieRemoved(cup_dice), Fed(seat, feedings[seat]), MonsterRoll(Cause.FEED, rolled)
    return _next_turn(position, position.cabbages, feedings, cup_dice, Roll(Cause.FEED, rolled))


def _cup_turn(after: Position, dice: Dice, facts: list[Fact]) -> Position:
    """Add a die if there is room, roll them all, and unless that ends the game move to the right (C-R15, C-R16)."""
    options, cup_dice, cup_gap = after.options, after.cup_dice, after.cup_gap
    if cup_dice < options.cup_max or not options.cup_max:
        cup_dice += 1
        facts.append(DieAdded(cup_dice))
    roll = Roll(Cause.CUP, dice.roll(cup_dice, SIDES, "cup"))
    facts.append(MonsterRoll(Cause.CUP, roll.dice))
    if options.cup_move is CupMove.RIGHT and not is_ending(roll):
        cup_gap = (cup_gap - 1) % len(after.cabbages)
        facts.append(CupMoved(cup_gap))
    rolls = (*after.last_roll, roll)
    return Position(after.cabbages, after.feedings, cup_dice, cup_gap, after.turn, after.active_seat, rolls, options)


def _next_turn(
    position: Position, cabbages: tuple[int, ...], feedings: tuple[int, ...], cup_dice: int, roll: Roll
) -> Position:
    following = (position.active_seat + 1) % len(cabbages)
    return Position(
        cabbages, feedings, cup_dice, position.cup_gap, position.turn + 1, following, (roll,), position.options
    )


def _add(counters: tuple[int, ...], seat: Seat, amount: int) -> tuple[int, ...]:
    return (*counters[:seat], counters[seat] + amount, *counters[seat + 1 :])
