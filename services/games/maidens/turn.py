"""How a turn goes: its rolls, the moment of choice after a roll, its end."""

from msgspec.structs import replace

from services.games.maidens.battle import settle
from services.games.maidens.ending import outcome, supply_left
from services.games.maidens.events import (
    ChipEarned,
    ChipLost,
    ChipUsed,
    EndCondition,
    Ended,
    Fact,
    Rerolled,
    Rolled,
    RolledDie,
    Scored,
    TurnEnded,
)
from services.games.maidens.position import (
    NO_MAIDENS,
    SIDES,
    SIDES_OF,
    STANDARD,
    WITH_ADVENTURE,
    Die,
    Face,
    Phase,
    Position,
    UniformEnd,
    UseChip,
)
from services.kernel.chance import Dice
from services.kernel.standing import Seat

LYING = {kind: tuple([Die(kind, face) for face in sides]) for kind, sides in SIDES_OF.items()}
"""A die in the pool by its kind and by its result, from 1: there are so few that they are made once."""
REROLL = Face.REROLL


def roll_all(position: Position, dice: Dice, facts: list[Fact]) -> Position:
    """Begin the turn with a roll of all dice (M-R6, M-R31)."""
    kinds = WITH_ADVENTURE if position.options.adventure_die else STANDARD
    collected = tuple([LYING[kind][0] for kind in kinds])  # no face counts before they are rolled
    return _roll(replace(position, dice=collected, roll_number=1), dice, facts)


def roll_again(position: Position, dice: Dice, facts: list[Fact]) -> Position:
    """Roll every die that is still in the pool (M-R15)."""
    return _roll(replace(position, roll_number=position.roll_number + 1), dice, facts)


def reroll(position: Position, dice: Dice, facts: list[Fact]) -> Position:
    """Roll the dice just rolled once more: they are the pool, as nobody has been rescued since (M-R38)."""
    return _after_roll(_rolled(position, dice, Rerolled, facts), facts)


def use_chip(position: Position, move: UseChip, facts: list[Fact]) -> Position:
    """Give a die another face (M-R19). The window stays open only for a Re-Roll (D13)."""
    seat, before = position.active_seat, position.dice[move.die]
    facts.append(ChipUsed(seat, move.die, before.face, move.face))
    dice = (*position.dice[: move.die], replace(before, face=move.face), *position.dice[move.die + 1 :])
    return _after_roll(replace(position, dice=dice, chips=_with(position.chips, seat, 0), chip_used=True), facts)


def keep(position: Position, facts: list[Fact]) -> Position:
    """Take the roll as it is. A chip is lost by that (M-R20)."""
    seat = position.active_seat
    if position.chips[seat]:
        facts.append(ChipLost(seat))
        position = replace(position, chips=_with(position.chips, seat, 0))
    return _settle(position, facts)


def end(position: Position, condition: EndCondition, facts: list[Fact]) -> Position:
    """Score the turn, give the chip where it is due, and pass the dice on (M-R17, M-R18, M-R40)."""
    seat, maidens, options = position.active_seat, position.maidens, position.options
    bust = condition is EndCondition.UNIFORM and options.uniform_end is UniformEnd.BUST
    rescued = 0 if bust else maidens.rescued
    points = _with(position.points, seat, position.points[seat] + rescued + maidens.castle)
    facts.append(TurnEnded(seat, condition))
    facts.append(Scored(seat, rescued, maidens.castle, points[seat], supply_left(points)))
    chips = position.chips
    if position.roll_number == 1 and condition is not EndCondition.STOPPED and not maidens.rescued:
        chips = _with(chips, seat, 1)
        facts.append(ChipEarned(seat))
    following = (seat + 1) % len(points)
    after = Position(points, chips, position.turn + 1, following, Phase.ROLL, 0, (), NO_MAIDENS, False, options)
    result = outcome(after)
    if result is not None:
        facts.append(Ended(result))
    return after


def shows_reroll(position: Position) -> bool:
    """Say whether the Adventure Die was just rolled and shows Re-Roll."""
    last = position.dice[-1]
    return last.face is REROLL and last.in_pool


def _roll(position: Position, dice: Dice, facts: list[Fact]) -> Position:
    return _after_roll(_rolled(position, dice, Rolled, facts), facts)


def _rolled(position: Position, dice: Dice, happened: type[Rolled] | type[Rerolled], facts: list[Fact]) -> Position:
    """Roll the pool in the order of the dice (D12)."""
    purpose = "roll" if happened is Rolled else "reroll"
    results = iter(dice.roll(sum([die.in_pool for die in position.dice]), SIDES, purpose))
    lying = tuple([LYING[die.kind][next(results) - 1] if die.in_pool else die for die in position.dice])
    shown = tuple([RolledDie(index, die.kind, die.face) for index, die in enumerate(lying) if die.in_pool])
    facts.append(happened(position.active_seat, position.roll_number, shown))
    return replace(position, dice=lying)


def _after_roll(position: Position, facts: list[Fact]) -> Position:
    """Wait in the window while there is a choice in it, else see what the roll brings (D13)."""
    if position.chips[position.active_seat] or shows_reroll(position):
        return replace(position, phase=Phase.WINDOW)
    return _settle(position, facts)


def _settle(position: Position, facts: list[Fact]) -> Position:
    dice, maidens, condition = settle(position.dice, position.maidens, position.options, facts)
    settled = replace(position, phase=Phase.DECIDE, dice=dice, maidens=maidens)
    return settled if condition is None else end(settled, condition, facts)


def _with(numbers: tuple[int, ...], seat: Seat, number: int) -> tuple[int, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])
