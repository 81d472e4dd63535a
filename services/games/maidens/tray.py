"""What the dice of a turn tell of it: which can lie so, and where the Maidens must be then."""

from collections.abc import Iterator
from dataclasses import replace

from services.games.maidens.battle import MAIDENS_ON, fighters, settle
from services.games.maidens.position import (
    FACES_OF,
    MAIDEN,
    NO_MAIDENS,
    STANDARD,
    WITH_ADVENTURE,
    DieKind,
    Face,
    Phase,
    Position,
)
from services.games.maidens.turn import shows_reroll
from services.kernel.refusals import Flaw

OUT_WITH = {
    **dict.fromkeys(DieKind, (MAIDEN,)),
    DieKind.ADVENTURE: (Face.TWO_MAIDENS, Face.KING, Face.DRAGON),
}
"""The faces with which a die is out."""
PLACES = ("rescued", "captured", "castle", "dragon")


def dice_flaws(position: Position) -> Iterator[Flaw]:
    """Dice that no roll shows, or that can't be out. There must be as many as there are."""
    for index, (die, kind) in enumerate(zip(position.dice, WITH_ADVENTURE, strict=False)):
        if die.kind is not kind:
            yield Flaw(f"dice[{index}].kind", f"must be {kind.value}, is {die.kind.value}")
        elif die.face not in FACES_OF[kind]:
            yield Flaw(f"dice[{index}].face", f"is not on this die: {die.face.value}")
        elif not die.in_pool and die.face not in OUT_WITH[kind]:
            yield Flaw(f"dice[{index}].in_pool", f"can't be out with {die.face.value}")


def turn_flaws(position: Position) -> Iterator[Flaw]:
    """What the cards, the castle and the Dragon can't hold with these dice, and what the phase can't be."""
    maidens = position.maidens
    out = [die.face for die in position.dice if not die.in_pool]
    negative = [place for place in PLACES if getattr(maidens, place) < 0]
    if negative:
        yield from [Flaw(place, f"must be 0 or more, is {getattr(maidens, place)}") for place in negative]
        return
    for place, face in (("castle", Face.KING), ("dragon", Face.DRAGON)):
        if (getattr(maidens, place) > 0) != (face in out):
            yield Flaw(place, f"must be more than 0 exactly when the Adventure Die is out with {face.value}")
    came, are = sum(MAIDENS_ON.get(face, 0) for face in out), sum(getattr(maidens, place) for place in PLACES)
    if came != are:
        yield Flaw("dice", f"have brought {came} Maidens; on the cards, in the castle and with the Dragon are {are}")
    if position.phase is Phase.WINDOW:
        yield from _window_flaws(position)
    elif position.roll_number == 1:
        yield from _first_decision_flaws(position)
    else:
        yield from _later_decision_flaws(position)


def _window_flaws(position: Position) -> Iterator[Flaw]:
    """The roll lies as it fell. A choice is left in it, and the roll before, if there was one, went on."""
    if not position.chips[position.active_seat] and not shows_reroll(position):
        yield Flaw("phase", "can't be the window: neither a chip nor Re-Roll offers a choice")
    if position.roll_number == 1:
        if not all(die.in_pool for die in position.dice):
            yield Flaw("dice", "must all be in the pool: this is their first roll")
    elif not position.maidens.rescued or not any(die.in_pool for die in position.dice[: len(STANDARD)]):
        yield Flaw("roll_number", "must be 1: with nobody rescued, or all nine dice out, the turn has ended")


def _first_decision_flaws(position: Position) -> Iterator[Flaw]:
    """On the first roll everything follows from the dice."""
    fallen = tuple([replace(die, in_pool=True) for die in position.dice])
    dice, expected, condition = settle(fallen, NO_MAIDENS, position.options, [])
    if condition is not None:
        yield Flaw("dice", f"end the turn: {condition.value}")
    elif dice != position.dice:
        yield Flaw("dice", "can't be in the pool, or out of it, like this after the first roll")
    else:
        for place in PLACES:
            if getattr(position.maidens, place) != getattr(expected, place):
                yield Flaw(place, f"must be {getattr(expected, place)} after this first roll")


def _later_decision_flaws(position: Position) -> Iterator[Flaw]:
    """The dice are settled, the turn has not ended, and the latest battle fits."""
    maidens = position.maidens
    pool = [die.face for die in position.dice if die.in_pool]
    if not set(pool).isdisjoint((*MAIDENS_ON, Face.KING)) or (Face.DRAGON in pool and maidens.captured):
        yield Flaw("dice", "must be settled: Maidens, the King, and the Dragon that finds somebody, leave the pool")
    heroes, monsters = fighters(position.dice)
    if not heroes or not monsters:
        yield Flaw("dice", "must show Heroes and Monsters, or the turn has ended")
    lost, held = maidens.captured + maidens.dragon, maidens.rescued + maidens.castle
    spared = position.options.castle_counts_as_rescued and not maidens.rescued
    if not held:
        yield Flaw("rescued", "can't be 0 with an empty castle, or the turn has ended")
    elif monsters - heroes > lost and not spared:
        yield Flaw("captured", f"must be at least {monsters - heroes} after this battle, with the Dragon's")
    elif heroes - monsters >= held and maidens.captured:
        yield Flaw("captured", f"must be 0: {heroes - monsters} were to be freed")
