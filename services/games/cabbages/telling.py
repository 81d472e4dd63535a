"""What happens, in sentences."""

from collections.abc import Mapping

from services.games.cabbages import ending, events
from services.games.cabbages.events import Fact
from services.kernel.wording import counted, result

WHY: Mapping[str, str] = {
    ending.EATEN: "The Monster Dice count 25 or more and everybody is eaten",
    ending.TURN_LIMIT: "The limit of turns is reached",
    **dict(zip(ending.ROWS, [f"Triples of {row} end the game" for row in ("1 or 2", "3 or 4", "5 or 6")], strict=True)),
}
"""Why the game ended, by the reason of its outcome."""


def tell(fact: Fact) -> str:  # noqa: C901, PLR0911 - a case for each fact
    """What happened, in a sentence."""
    match fact:
        case events.Started(first_seat):
            return f"Seat {first_seat} begins."
        case events.TimedOut(seat):
            return f"Seat {seat} is out of time."
        case events.Harvested(seat, dice, cabbages):
            return f"Seat {seat} harvests {_dice(dice)}: {sum(dice)} more, {counted(cabbages, 'cabbage')} now."
        case events.DieRemoved(cup_dice):
            return f"A die is taken out of the Monster Cup: {counted(cup_dice, 'die', 'dice')} left."
        case events.Fed(seat, feedings):
            return f"Seat {seat} feeds the monster: {counted(feedings, 'feeding')} now."
        case events.MonsterRoll(_, dice):
            if not dice:
                return "The Monster Cup is empty: nothing is rolled."
            return f"The Monster Dice show {_dice(dice)}: {sum(dice)} in all."
        case events.DieAdded(cup_dice):
            return f"A die goes into the Monster Cup: {counted(cup_dice, 'die', 'dice')} now."
        case events.CupMoved(cup_gap):
            return f"The Monster Cup moves to the left of seat {cup_gap}."
        case events.Ended(outcome):
            return result(WHY[outcome.reason], outcome)


def _dice(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice))
