"""What a roll brings once it stands: Maidens are rescued, Heroes fight Monsters, King and Dragon act."""

from msgspec.structs import replace

from services.games.maidens.events import (
    Captured,
    EndCondition,
    Fact,
    Fought,
    Freed,
    Rescued,
    TakenByDragon,
    TakenToCastle,
)
from services.games.maidens.position import MAIDEN, Die, DieKind, Face, Maidens, Options, UniformEnd

MAIDENS_ON = {MAIDEN: 1, Face.TWO_MAIDENS: 2}
HEROES_ON = {Face.HERO: 1, Face.TWO_HEROES: 2}
MONSTERS_ON = {Face.MONSTER: 1, Face.TWO_MONSTERS: 2}

ADVENTURE = DieKind.ADVENTURE


def settle(
    dice: tuple[Die, ...], maidens: Maidens, options: Options, facts: list[Fact]
) -> tuple[tuple[Die, ...], Maidens, EndCondition | None]:
    """The dice and the Maidens after a roll, and what ends the turn, if anything does.

    All Maidens and uniform are looked at after the rescue, in this order, and an empty Hero card after the battle: all
    of them before King and Dragon act (M-R8, M-R9, M-R13, M-R35, M-R37).
    """
    dice, maidens = _rescue(dice, maidens, facts)
    if not any(die.in_pool and die.kind is not ADVENTURE for die in dice):
        return dice, maidens, EndCondition.ALL_MAIDENS
    heroes, monsters = fighters(dice)
    uniform = not heroes or not monsters
    if not uniform or options.uniform_end is UniformEnd.BATTLE:
        maidens = _fight(heroes, monsters, maidens, facts)
    if uniform:
        return dice, maidens, EndCondition.UNIFORM
    if not maidens.rescued and not (options.castle_counts_as_rescued and maidens.castle):
        return dice, maidens, EndCondition.NO_RESCUED
    return *_resolve_adventure(dice, maidens, facts), None


def fighters(dice: tuple[Die, ...]) -> tuple[int, int]:
    """How many Heroes and Monsters the dice in the pool show (M-R33)."""
    pool = [die.face for die in dice if die.in_pool]
    return sum([HEROES_ON.get(face, 0) for face in pool]), sum([MONSTERS_ON.get(face, 0) for face in pool])


def _rescue(dice: tuple[Die, ...], maidens: Maidens, facts: list[Fact]) -> tuple[tuple[Die, ...], Maidens]:
    """Each Maiden goes to the Hero card, and its die is out (M-R7, M-R32)."""
    showing = [index for index, die in enumerate(dice) if die.in_pool and die.face in MAIDENS_ON]
    if not showing:
        return dice, maidens
    count = sum([MAIDENS_ON[dice[index].face] for index in showing])
    rescued = maidens.rescued + count
    facts.append(Rescued(count, tuple(showing), rescued))
    return _take_out(dice, *showing), replace(maidens, rescued=rescued)


def _fight(heroes: int, monsters: int, maidens: Maidens, facts: list[Fact]) -> Maidens:
    """Heroes and Monsters cancel each other; who is left captures or frees (M-R10, M-R11, M-R12)."""
    facts.append(Fought(heroes, monsters))
    taken = min(monsters - heroes, maidens.rescued)
    if taken > 0:
        maidens = replace(maidens, rescued=maidens.rescued - taken, captured=maidens.captured + taken)
        facts.append(Captured(taken, maidens.rescued, maidens.captured))
    freed = min(heroes - monsters, maidens.captured)
    if freed > 0:
        maidens = replace(maidens, rescued=maidens.rescued + freed, captured=maidens.captured - freed)
        facts.append(Freed(freed, maidens.rescued, maidens.captured))
    return maidens


def _resolve_adventure(dice: tuple[Die, ...], maidens: Maidens, facts: list[Fact]) -> tuple[tuple[Die, ...], Maidens]:
    """King or Dragon takes whom there is to take, and is out then (M-R34, M-R37)."""
    last = dice[-1]
    if last.face is Face.KING and last.in_pool and maidens.rescued:
        castle = maidens.castle + maidens.rescued
        facts.append(TakenToCastle(maidens.rescued, castle))
        return _take_out(dice, len(dice) - 1), replace(maidens, rescued=0, castle=castle)
    if last.face is Face.DRAGON and last.in_pool and maidens.captured:
        dragon = maidens.dragon + maidens.captured
        facts.append(TakenByDragon(maidens.captured, dragon))
        return _take_out(dice, len(dice) - 1), replace(maidens, captured=0, dragon=dragon)
    return dice, maidens


def _take_out(dice: tuple[Die, ...], *indices: int) -> tuple[Die, ...]:
    return tuple([Die(die.kind, die.face, False) if index in indices else die for index, die in enumerate(dice)])
