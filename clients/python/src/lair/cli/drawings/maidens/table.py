"""The table: seats and supply, the dice, the cards, and what the turn waits for."""

from monsters.maidens.v1.maidens_pb2 import Face, Phase, View
from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from lair import Standing
from lair.cli.drawings.maidens.dice import draw_dice
from lair.cli.drawings.maidens.odds import ends_in_hundred
from lair.cli.sitting import Sitting, counted

SEAT_WIDTH = 16
TITLE = SEAT_WIDTH - 6
CARD_WIDTH = 25
"""Eleven Maidens stand on a card side by side, and four cards on a hundred columns."""
SUPPLY_A_SEAT = 20
SUPPLY_WIDTH = 40


def draw(view: View, standing: Standing, sitting: Sitting) -> RenderableType:
    """Who has what, what lies there, and what can be done about it."""
    seats = [_seat(view, seat, standing, sitting) for seat in range(len(view.points))]
    parts: list[RenderableType] = [Columns(seats, padding=(0, 0)), _supply(view, standing)]
    if view.dice:
        parts += [Columns(list(draw_dice(view.dice)), padding=(0, 1)), Columns(_cards(view), padding=(0, 0))]
    if not standing.over:
        parts.append(_waiting(view, sitting))
    return Group(*parts)


def _seat(view: View, seat: int, standing: Standing, sitting: Sitting) -> Panel:
    awaited = seat in standing.awaited
    mark = "> " if awaited else ""
    name = Text(mark + sitting.short(seat, TITLE - len(mark)), style="bold" if awaited else "")
    holds = seat < len(view.chips) and view.chips[seat] > 0
    return Panel(
        Group(Text(counted(view.points[seat], "point")), Text("(*) chip" if holds else "", style="yellow")),
        title=name,
        box=box.ROUNDED if awaited else box.SQUARE,
        width=SEAT_WIDTH,
    )


def _supply(view: View, standing: Standing) -> Text:
    full = SUPPLY_A_SEAT * len(view.points)
    left = SUPPLY_WIDTH * view.supply // full if full else 0
    bar = f"[{'$' * left}{'.' * (SUPPLY_WIDTH - left)}]"
    last = " Last round!" if view.last_round and not standing.over else ""
    return Text.assemble("Supply ", (bar, "yellow"), f" {view.supply} of {full}.", (last, "bold"))


def _cards(view: View) -> list[RenderableType]:
    cards: list[RenderableType] = [
        _card("Hero card", view.rescued, "rescued", "yellow"),
        _card("Monster card", view.captured, "captured", "green"),
    ]
    if view.options.adventure_die:
        cards.append(_card("Castle", view.castle, "safe", "cyan"))
        cards.append(_card("Dragon", view.dragon, "lost", "red"))
    return cards


def _card(title: str, maidens: int, what: str, colour: str) -> Panel:
    figures = Text("\n".join([" ".join("o" * maidens), " ".join("A" * maidens)]), style="magenta", no_wrap=True)
    return Panel(Group(figures, Text(f"{maidens} {what}")), title=title, border_style=colour, width=CARD_WIDTH)


def _waiting(view: View, sitting: Sitting) -> Text:
    who = sitting.who(view.active_seat)
    pool = sum(die.in_pool for die in view.dice)
    if view.phase == Phase.PHASE_WINDOW:
        again = any(die.in_pool and die.face == Face.FACE_REROLL for die in view.dice)
        chip = view.chips[view.active_seat] > 0
        ways = " or ".join(["one die can be changed with the chip"] * chip + ["all of them can be rolled anew"] * again)
        return Text(f"{who} looks at roll {view.roll_number}: {ways}; or it is kept.")
    if view.phase == Phase.PHASE_DECIDE:
        scored, dice = view.rescued + view.castle, counted(pool, "die", "dice")
        often = ends_in_hundred(view)
        return Text(f"{who} scores {scored} by stopping. Rolling {dice} again ends the turn {often} times in 100.")
    return Text(f"{who} is to roll.")
