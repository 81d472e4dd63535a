"""The table: who has how many cards, the dice, the monsters, and what is waited for."""

from collections.abc import Sequence

from monsters.sprinkleton.v1.sprinkleton_pb2 import Card, Part, Phase, Picked, Verdict, View
from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from lair import Standing
from lair.cli.drawings.sprinkleton.monsters import NAME_WIDTH, draw_cards
from lair.cli.sitting import Sitting, counted

SEAT_WIDTH = 16
"""Six seats stand side by side on a hundred columns."""
TITLE = SEAT_WIDTH - 6
PART_NAMES = {
    Part.PART_ARMS: ("arm", "arms"),
    Part.PART_LEGS: ("leg", "legs"),
    Part.PART_EYES: ("eye", "eyes"),
}
DONE = {
    Verdict.VERDICT_CLAIMED: "claimed {card}",
    Verdict.VERDICT_WRONG_CARD: "wrong: {card}",
    Verdict.VERDICT_WRONG_ZILCH: "wrong: Zilch",
    Verdict.VERDICT_TOO_LATE: "late: {card}",
    Verdict.VERDICT_PASSED: "passed",
}


def draw(view: View, standing: Standing, sitting: Sitting) -> RenderableType:
    """Who has what and has done what, what lies there, and what is looked for."""
    seats = [_seat(view, seat, standing, sitting) for seat in range(len(view.pile_sizes))]
    claimers = {
        picked.card_id: sitting.short(picked.seat, NAME_WIDTH)
        for picked in view.picks
        if picked.verdict == Verdict.VERDICT_CLAIMED
    }
    parts: list[RenderableType] = [
        Columns(seats, padding=(0, 0)),
        Text(f"Round {view.round}. {counted(view.deck_size, 'card')} in the deck."),
        Columns(list(draw_cards(view.table, claimers)), padding=(0, 0)),
    ]
    if view.pile:
        top = view.pile[-1]
        parts.append(Text(f"Your pile: {_donuts(view.pile)}. On top is card {top.id}."))
    if not standing.over:
        parts.append(_waiting(view, standing, sitting))
    return Group(*parts)


def _looked_for(number: int, part: Part.ValueType) -> str:
    """What the dice show, in words: "3 arms"."""
    one, several = PART_NAMES.get(part, (f"part {part}",) * 2)
    return f"{number or 'no'} {one if number == 1 else several}"


def _seat(view: View, seat: int, standing: Standing, sitting: Sitting) -> Panel:
    awaited = seat in standing.awaited
    mark = "> " if awaited else ""
    name = Text(mark + sitting.short(seat, TITLE - len(mark)), style="bold" if awaited else "")
    done = next((_done(picked) for picked in view.picks if picked.seat == seat), "")
    if not done and seat == view.baker_seat and view.phase != Phase.PHASE_OVER:
        done = "Baker"
    if seat < len(view.piles):
        done = _donuts(view.piles[seat].cards)
    return Panel(
        Text(f"{counted(view.pile_sizes[seat], 'card')}\n{done}"),
        title=name,
        box=box.ROUNDED if awaited else box.SQUARE,
        width=SEAT_WIDTH,
    )


def _done(picked: Picked) -> str:
    return DONE.get(picked.verdict, "picked").format(card=picked.card_id)


def _donuts(pile: Sequence[Card]) -> str:
    return counted(sum(card.donuts for card in pile), "donut")


def _waiting(view: View, standing: Standing, sitting: Sitting) -> Text:
    if not view.HasField("dice"):
        return Text(f"{sitting.who(view.baker_seat)} is to roll.")
    wanted = _looked_for(view.dice.number, view.dice.part)
    who = sitting.everyone(standing.awaited)
    searches = "looks" if len(standing.awaited) == 1 else "look"
    return Text.assemble(f"{who} {searches} for exactly ", (wanted.upper(), "bold"), ", or Zilch if there are none.")
