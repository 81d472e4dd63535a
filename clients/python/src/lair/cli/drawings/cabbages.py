"""Monster in the Cabbages: the patches in a row, and the Monster Cup between two of them.

ASCII except for the dice, at most 100 columns wide, and without a meaning that only a colour has.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from monsters.cabbages.v1.cabbages_pb2 import Cause, Roll, View
from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from lair import Standing
from lair.cli.sitting import Sitting, counted

PATCH_WIDTH = 17
TITLE = PATCH_WIDTH - 6
INSIDE = PATCH_WIDTH - 4
PATCH_ROWS = 2
CABBAGES_A_HEAD = 5
MOST_DICE = 9
"""So many dice always end the game (C-T2)."""
FACES = range(1, 7)
HUNGER = (
    # From so many dice on: a word, the monster's eyes and mouth, a colour.
    (7, "ravenous", "0   0", "WWWWW", "bold red"),
    (5, "hungry", "O   O", "vVVVv", "red"),
    (3, "restless", "o   o", " vvv ", "yellow"),
    (0, "asleep", "-   -", " ___ ", "cyan"),
)
ROLLED_FOR = {
    Cause.CAUSE_HARVEST: "harvest",
    Cause.CAUSE_FEED: "feeding",
    Cause.CAUSE_CUP: "Monster Cup",
}


def draw(view: View, standing: Standing, sitting: Sitting) -> RenderableType:
    """The patches and the cup, the last rolls, and how near the end is."""
    cells: list[RenderableType] = []
    for seat in range(len(view.cabbages)):
        cells.append(_patch(view, seat, standing, sitting))
        if seat == view.cup_gap:
            cells.append(_cup(view.cup_dice))
    row = Columns(cells, padding=(0, 0))  # goes on in the next line on a narrow terminal
    rolls = [f"{_roll(roll, sitting)} ({ROLLED_FOR.get(roll.cause, 'a roll')})" for roll in view.last_roll]
    last = Text(f"Last rolled: {', then '.join(rolls)}." if rolls else "Nothing has been rolled yet.")
    return Group(row, last, *(() if standing.over else (_danger(view, sitting),)))


def _patch(view: View, seat: int, standing: Standing, sitting: Sitting) -> Panel:
    cabbages, feedings = view.cabbages[seat], view.feedings[seat]
    heads = "@" * (cabbages // CABBAGES_A_HEAD) + "." * (cabbages % CABBAGES_A_HEAD > 0)
    rows = [heads[start : start + INSIDE] for start in range(0, INSIDE * PATCH_ROWS, INSIDE)]
    tally = "|" * feedings if feedings <= INSIDE else f"{'|' * (INSIDE - 3)}..."
    awaited = seat in standing.awaited
    mark = "> " if awaited else ""
    name = Text(mark + sitting.short(seat, TITLE - len(mark)), style="bold" if awaited else "")
    return Panel(
        Group(
            *(Text(row, style="green") for row in rows),
            Text(counted(cabbages, "cabbage")),
            Text(counted(feedings, "feeding")),
            Text(tally, style="magenta"),
        ),
        title=name,
        box=box.ROUNDED if awaited else box.SQUARE,
        width=PATCH_WIDTH,
    )


def _cup(dice: int) -> Text:
    _, _, eyes, mouth, colour = _hunger(dice)
    lines = (
        "",
        '    .-"^"-.',
        f"   ( {eyes} )",
        rf"  |\ {mouth} /|",
        f"  |{'#' * dice:^9}|",
        r"   \_______/",
        f"{counted(dice, 'die', 'dice'):^13}",
    )
    return Text("\n".join(lines), style=colour)


def _danger(view: View, sitting: Sitting) -> Text:
    """Where the cup stands, what it does next, and how often such a roll ends the game."""
    dice = view.cup_dice
    _, word, _, _, colour = _hunger(dice)
    unfed = min(dice + 1, view.options.cup_max or MOST_DICE)
    text = Text.assemble(
        f"The monster is {word} ",
        (f"[{'#' * dice}{'.' * (MOST_DICE - dice)}]", colour),
        f". Unfed, it rolls {counted(unfed, 'die', 'dice')} after {sitting.who(view.cup_gap)}'s turn, ",
        f"which {_odds(unfed)}.",
    )
    if dice > 1:
        text.append(f" Fed now, it rolls {counted(dice - 1, 'die', 'dice')}, which {_odds(dice - 1)}.")
    return text


def _hunger(dice: int) -> tuple[int, str, str, str, str]:
    return next(mood for mood in HUNGER if dice >= mood[0])


def _odds(dice: int) -> str:
    often = ends_in_hundred(dice)
    return f"ends the game {often} times in 100" if often else "ends nothing"


@cache
def ends_in_hundred(dice: int) -> int:
    """How many of 100 rolls of so many Monster Dice end the game, to the nearest whole one (C-R13)."""
    ending, rolls = 0, 0
    for roll in combinations_with_replacement(FACES, dice):
        alike = Counter(roll).values()
        ways = factorial(dice) // prod(factorial(count) for count in alike)
        rolls += ways
        if sum(roll) >= 25 or max(alike, default=0) >= 3:  # noqa: PLR2004  # the numbers of C-R13
            ending += ways
    return round(100 * ending / rolls)


def _roll(roll: Roll, sitting: Sitting) -> str:
    return f"{sitting.dice(roll.dice)} = {sum(roll.dice)}" if len(roll.dice) > 1 else sitting.dice(roll.dice)
