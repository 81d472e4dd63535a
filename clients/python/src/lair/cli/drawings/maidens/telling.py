"""What happened, as somebody at the table would say it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from monsters.maidens.v1.maidens_pb2 import DieKind, EndCondition, Event, RolledDie

from lair.cli.drawings.maidens.dice import face_name
from lair.cli.sitting import Sitting, in_a_row

ENDINGS = {
    EndCondition.END_CONDITION_STOPPED: "{who} stops.",
    EndCondition.END_CONDITION_ALL_MAIDENS: "All nine dice have shown Maidens: {who}'s turn ends.",
    EndCondition.END_CONDITION_UNIFORM: "The other dice are all Heroes or all Monsters: {who}'s turn ends.",
    EndCondition.END_CONDITION_NO_RESCUED: "Nobody is left on the Hero card: {who}'s turn ends.",
}


def tell(event: Event, sitting: Sitting) -> str | None:
    """A sentence, or None where the event says it best itself."""
    kind = event.WhichOneof("kind")
    told = TOLD.get(kind or "")
    return told(getattr(event, kind), sitting) if kind and told else None


def count(number: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else several}"


def maidens(number: int) -> str:
    """So many Maidens."""
    return count(number, "Maiden", "Maidens")


def _shown(dice: Sequence[RolledDie]) -> str:
    """What a roll shows: the standard dice, most of it first, then the Adventure Die."""
    faces = Counter(die.face for die in dice if die.kind != DieKind.DIE_KIND_ADVENTURE)
    parts = [f"{number} {face_name(face, number)}" for face, number in faces.most_common()]
    parts += [f"{face_name(die.face)} on the Adventure Die" for die in dice if die.kind == DieKind.DIE_KIND_ADVENTURE]
    return in_a_row(parts) if parts else "nothing"


def _tell_scored(fact: Any, sitting: Sitting) -> str:
    saved = f" ({fact.castle} from the castle)" if fact.castle else ""
    left = f"{fact.supply} left in the supply" if fact.supply else "and the supply is used up"
    return (
        f"{sitting.who(fact.seat)} scores {fact.rescued + fact.castle}{saved}: "
        f"{count(fact.points, 'point', 'points')} now, {left}."
    )


def _tell_chip_used(fact: Any, sitting: Sitting) -> str:
    before, after = face_name(fact.before), face_name(fact.face)
    return f"{sitting.who(fact.seat)} uses the chip: die {fact.die} turns from {before} to {after}."


def _tell_moved(done: str) -> Callable[[Any, Sitting], str]:
    """The sentence for Maidens who change their card."""

    def told(fact: Any, _: Sitting) -> str:
        verb = "is" if fact.maidens == 1 else "are"
        return f"{maidens(fact.maidens)} {verb} {done}: {fact.rescued} on the Hero card, {fact.captured} captured."

    return told


def _tell_rescued(fact: Any, _: Sitting) -> str:
    verb = "comes" if fact.maidens == 1 else "come"
    return f"{maidens(fact.maidens)} {verb} to the Hero card: {fact.rescued} on it now."


def _tell_fought(fact: Any, _: Sitting) -> str:
    heroes, monsters = count(fact.heroes, "Hero", "Heroes"), count(fact.monsters, "Monster", "Monsters")
    return f"{heroes} against {monsters}."


def _tell_rolled(fact: Any, sitting: Sitting) -> str:
    return f"{sitting.who(fact.seat)} rolls {count(len(fact.dice), 'die', 'dice')}: {_shown(fact.dice)}."


def _tell_rerolled(fact: Any, sitting: Sitting) -> str:
    return f"{sitting.who(fact.seat)} rolls them all once more: {_shown(fact.dice)}."


TOLD: Mapping[str, Callable[[Any, Sitting], str]] = {
    "started": lambda fact, sitting: f"{sitting.who(fact.first_seat)} begins.",
    "rolled": _tell_rolled,
    "rerolled": _tell_rerolled,
    "chip_used": _tell_chip_used,
    "rescued": _tell_rescued,
    "fought": _tell_fought,
    "captured": _tell_moved("captured"),
    "freed": _tell_moved("freed"),
    "taken_to_castle": lambda fact, _: f"The King takes {maidens(fact.maidens)} to the castle.",
    "taken_by_dragon": lambda fact, _: f"The Dragon takes {maidens(fact.maidens)} away.",
    "turn_ended": lambda fact, sitting: ENDINGS.get(fact.condition, "{who}'s turn ends.").format(
        who=sitting.who(fact.seat)
    ),
    "scored": _tell_scored,
    "chip_earned": lambda fact, sitting: f"{sitting.who(fact.seat)} gets a chip for the next turn.",
    "chip_lost": lambda fact, sitting: f"{sitting.who(fact.seat)} loses the chip.",
    "timed_out": lambda fact, sitting: f"{sitting.who(fact.seat)} is out of time.",
}
