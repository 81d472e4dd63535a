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

# What every move asks for or makes. An enum's member costs ten times a name, and `maker` says what a class costs.
HARVEST, FEED, TIMEOUT = Move.HARVEST, Move.FEED, Move.TIMEOUT
BY_HARVEST, BY_FEED, BY_CUP = Cause.HARVEST, Cause.FEED, Cause.CUP
HARVEST_ONLY, HARVEST_OR_FEED = (HARVEST,), (HARVEST, FEED)
RIGHT = CupMove.RIGHT


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
        return (TIMEOUT,)
    if seat != position.active_seat:
        return ()
    return HARVEST_OR_FEED if _can_feed(position) else HARVEST_ONLY


def refuse(position: Position, seat: Seat | None, move: Move) -> Refusal | None:
    """Why not: game over, host or seat, turn, detail, in this order (D3)."""
    if outcome(position) is not None:
        return GAME_OVER
    if seat is None:
        return None if move is TIMEOUT else SEAT_ONLY
    if move is TIMEOUT:
        return HOST_ONLY
    if seat != position.active_seat:
        return Refusal("NOT_YOUR_TURN", "C-R4", f"It is the turn of seat {position.active_seat}.")
    if move is FEED and not _can_feed(position):
        return CUP_EMPTY
    return None


def play(position: Position, seat: Seat | None, move: Move, dice: Dice) -> Played[Position, Fact]:
    """Take a whole turn: the player's part, then the cup's where it stands on that player's left (C-R14)."""
    refusal = refuse(position, seat, move)
    if refusal is not None:
        raise IllegalMove(refusal)
    active, cabbages, feedings, cup_dice = position.active_seat, position.cabbages, position.feedings, position.cup_dice
    facts: list[Fact] = []
    if move is TIMEOUT:
        facts.append(TimedOut(active))
    if move is FEED:
        feedings = _add(feedings, active, 1)
        cup_dice, rolls = _feed(position, feedings[active], dice, facts)
    else:
        roll = Roll(BY_HARVEST, dice.roll(HARVEST_DICE, SIDES, "harvest"))
        cabbages = _add(cabbages, active, sum(roll.dice))
        facts.append(Harvested(active, roll.dice, cabbages[active]))
        rolls = (roll,)
    cup_gap = position.cup_gap
    if cup_gap == active and not (rolls and is_ending(rolls[0])):
        cup_dice, cup_gap, cups = _cup_turn(position, cup_dice, dice, facts)
        rolls = (*rolls, cups)
    following = (active + 1) % len(cabbages)
    after = Position(cabbages, feedings, cup_dice, cup_gap, position.turn + 1, following, rolls, position.options)
    result = outcome(after)
    if result is not None:
        facts.append(Ended(result))
    return Played(after, tuple([Event(fact) for fact in facts]))


def view(position: Position, seat: Seat | None) -> View:  # noqa: ARG001 - every seat sees the same
    """Show everything to everybody (C-R24)."""
    return position


def resample(position: Position, seat: Seat | None, dice: Dice) -> Position:  # noqa: ARG001 - nothing is dealt anew
    """Nothing is hidden, so no other position looks like this one (C-R24)."""
    return position


def suggest(view: View, moves: Sequence[Move], dice: Dice) -> Move:
    """Feed a cup that may soon end the game, harvest otherwise; and now and then do the other thing."""
    if FEED not in moves:
        return HARVEST
    return FEED if dice.roll(1, DANGEROUS_DICE, "whim")[0] < view.cup_dice else HARVEST


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


def _feed(position: Position, feedings: int, dice: Dice, facts: list[Fact]) -> tuple[int, tuple[Roll, ...]]:
    """Take a die out, mark a Feeding, roll the rest (C-R11). Out of an empty cup only the Feeding is left: no roll."""
    if position.cup_dice == 0:
        facts.append(Fed(position.active_seat, feedings))
        return 0, ()
    cup_dice = position.cup_dice - 1
    roll = Roll(BY_FEED, dice.roll(cup_dice, SIDES, "feed"))
    facts += (
        DieRemoved(cup_dice),
        Fed(position.active_seat, feedings),
        MonsterRoll(BY_FEED, roll.dice),
    )
    return cup_dice, (roll,)


def _cup_turn(position: Position, cup_dice: int, dice: Dice, facts: list[Fact]) -> tuple[int, int, Roll]:
    """Add a die if there is room, roll them all, and unless that ends the game move to the right (C-R15, C-R16)."""
    options, cup_gap = position.options, position.cup_gap
    if cup_dice < options.cup_max or not options.cup_max:
        cup_dice += 1
        facts.append(DieAdded(cup_dice))
    roll = Roll(BY_CUP, dice.roll(cup_dice, SIDES, "cup"))
    facts.append(MonsterRoll(BY_CUP, roll.dice))
    if options.cup_move is RIGHT and not is_ending(roll):
        cup_gap = (cup_gap - 1) % len(position.cabbages)
        facts.append(CupMoved(cup_gap))
    return cup_dice, cup_gap, roll


def _add(counters: tuple[int, ...], seat: Seat, amount: int) -> tuple[int, ...]:
    return (*counters[:seat], counters[seat] + amount, *counters[seat + 1 :])
