"""What happens, in sentences."""

from collections.abc import Mapping, Sequence

from services.games.maidens import events
from services.games.maidens.ending import SUPPLY
from services.games.maidens.events import EndCondition, Fact, RolledDie
from services.games.maidens.position import Face
from services.kernel.wording import counted, listed, result

WHY: Mapping[str, str] = {SUPPLY: "The supply is used up and the round played to its end"}
"""Why the game ended, by the reason of its outcome."""
ENDINGS: Mapping[EndCondition, str] = {
    EndCondition.ALL_MAIDENS: "All nine dice have shown Maidens",
    EndCondition.UNIFORM: "The other dice are all Heroes or all Monsters",
    EndCondition.NO_RESCUED: "Nobody is left on the Hero card",
}
"""What ends a turn by itself."""
NAMES: Mapping[Face, tuple[str, str]] = {
    Face.HERO: ("Hero", "Heroes"),
    Face.MONSTER: ("Monster", "Monsters"),
    Face.MAIDEN: ("Maiden", "Maidens"),
}
"""One and several of them."""
ADVENTURES: Mapping[Face, str] = {
    Face.TWO_MAIDENS: "2 Maidens",
    Face.TWO_HEROES: "2 Heroes",
    Face.TWO_MONSTERS: "2 Monsters",
    Face.KING: "King",
    Face.DRAGON: "Dragon",
    Face.REROLL: "Re-Roll",
}
"""What the Adventure Die shows."""


def tell(fact: Fact) -> str:  # noqa: C901, PLR0911, PLR0912 - a case for each fact
    """What happened, in a sentence."""
    match fact:
        case events.Started(first_seat):
            return f"Seat {first_seat} begins."
        case events.TimedOut(seat):
            return f"Seat {seat} is out of time."
        case events.Rolled(seat, _, dice):
            return f"Seat {seat} rolls {counted(len(dice), 'die', 'dice')}: {_shown(dice)}."
        case events.Rerolled(seat, _, dice):
            return f"Seat {seat} rolls them all once more: {_shown(dice)}."
        case events.ChipUsed(seat, die, before, face):
            return f"Seat {seat} uses the chip: die {die} turns from {_face(before)} to {_face(face)}."
        case events.ChipLost(seat):
            return f"Seat {seat} loses the chip."
        case events.ChipEarned(seat):
            return f"Seat {seat} gets a chip for the next turn."
        case events.Rescued(maidens, _, rescued):
            return f"The Hero card gets {_some(Face.MAIDEN, maidens)}: {rescued} on it now."
        case events.Fought(heroes, monsters):
            return f"It is {_some(Face.HERO, heroes)} against {_some(Face.MONSTER, monsters)}."
        case events.Captured(maidens, rescued, captured):
            return f"The Monsters capture {_some(Face.MAIDEN, maidens)}: {_where(rescued, captured)}."
        case events.Freed(maidens, rescued, captured):
            return f"The Heroes free {_some(Face.MAIDEN, maidens)}: {_where(rescued, captured)}."
        case events.TakenToCastle(maidens, castle):
            return f"The King takes {_some(Face.MAIDEN, maidens)} to the castle: {castle} there now."
        case events.TakenByDragon(maidens, _):
            return f"The Dragon takes {_some(Face.MAIDEN, maidens)} away."
        case events.TurnEnded(seat, condition):
            why = ENDINGS.get(condition)
            return f"Seat {seat} stops." if why is None else f"{why}: the turn of seat {seat} ends."
        case events.Scored(seat, rescued, castle, points, supply):
            saved = f" ({castle} from the castle)" if castle else ""
            left = f"{supply} left in the supply" if supply else "and the supply is used up"
            return f"Seat {seat} scores {rescued + castle}{saved}: {counted(points, 'point')} now, {left}."
        case events.Ended(outcome):
            return result(WHY[outcome.reason], outcome)


def _some(face: Face, number: int) -> str:
    """So many Heroes, Monsters or Maidens."""
    return counted(number, *NAMES[face])


def _face(face: Face) -> str:
    """What one die shows."""
    return NAMES[face][0] if face in NAMES else ADVENTURES[face]


def _where(rescued: int, captured: int) -> str:
    return f"{rescued} on the Hero card now, {captured} on the Monster card"


def _shown(dice: Sequence[RolledDie]) -> str:
    """What a roll shows: the standard dice, then the Adventure Die."""
    faces = [die.face for die in dice]
    shown = [counted(number, *names) for face, names in NAMES.items() if (number := faces.count(face))]
    shown += [f"{ADVENTURES[face]} on the Adventure Die" for face in faces if face in ADVENTURES]
    return listed(shown)
