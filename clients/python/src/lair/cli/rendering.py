"""Views as tables, or as their game's drawing where there is one, and events and outcomes as sentences.

A drawing is a module in lair.cli.drawings with the game's token as its name. It is found, not listed. Each of its parts
may be missing:

    draw(view, standing, sitting) -> what rich can print
    remind(view) -> in a sentence, what its reader has to see wherever they look, such as their own cards
    OWN_NUMBERS = True, where moves call things on the table by numbers, so that nothing else is numbered
    TOGETHER = True, where a spectator sees all that one needs to play, so that everybody can look at one screen at once
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lair import Outcome, Standing
from lair.cli.fields import SEAT_FIELD, is_dice, message_words, present, single_words, value_words, words
from lair.cli.sitting import Sitting

Fields = list[tuple[FieldDescriptor, Any]]
TOKEN_OF_PACKAGE = 1
"""Where the token stands in monsters.<token>.v1."""


def draw_view(view: Message, standing: Standing, sitting: Sitting) -> RenderableType:
    """A view as its game draws it, else as a table."""
    drawing = find_drawing(view)
    if drawing is not None and hasattr(drawing, "draw"):
        drawn: RenderableType = drawing.draw(view, standing, sitting)
        return drawn
    return view_table(view, standing, sitting)


def remind(view: Message) -> str:
    """What the reader of a view has to see wherever they look. Empty where a game has no such thing."""
    drawing = find_drawing(view)
    return str(drawing.remind(view)) if drawing is not None and hasattr(drawing, "remind") else ""


def tell_event(event: Message, sitting: Sitting) -> str:
    """An event as its game words it; one that was stored before games did so, by its message's name and fields."""
    text = getattr(event, "text", "")
    return sitting.told(text) if text else event_sentence(event, sitting)


def tell_outcome(outcome: Outcome, sitting: Sitting, ends: Mapping[str, str]) -> str:
    """How a game ended, by name, with the meaning of its reason."""
    if len(outcome.winners) > 1:
        result = f"{sitting.everyone(outcome.winners)} share the victory"
    elif outcome.winners:
        result = f"{sitting.who(outcome.winners[0])} wins"
    else:
        result = "Nobody wins"
    scores = ", ".join(f"{sitting.who(seat)} {score}" for seat, score in enumerate(outcome.scores))
    parts = (f"{result} ({outcome.reason}).", f"Scores: {scores}." if scores else "", ends.get(outcome.reason, ""))
    return " ".join(part for part in parts if part)


def plays_together(token: str) -> bool:
    """Whether everybody can look at one screen at once: a game's drawing says so."""
    return bool(getattr(_drawing(token), "TOGETHER", False))


def has_own_numbers(token: str) -> bool:
    """Whether numbers mean things on the table: a game's drawing says so."""
    return bool(getattr(_drawing(token), "OWN_NUMBERS", False))


@cache
def _drawing(token: str) -> ModuleType | None:
    name = f"lair.cli.drawings.{token}"
    return import_module(name) if find_spec(name) else None


def find_drawing(message: Message) -> ModuleType | None:
    """The drawing of the game that a message belongs to, if there is one."""
    return _drawing(message.DESCRIPTOR.file.package.split(".")[TOKEN_OF_PACKAGE])


def event_sentence(event: Message, sitting: Sitting) -> str:
    """What is set in the event's oneof, by its name and fields: "Harvested: Ann, dice 3 4, cabbages 7"."""
    for oneof in event.DESCRIPTOR.oneofs:
        if kind := event.WhichOneof(oneof.name):
            fact = getattr(event, kind)
            said = message_words(fact, sitting)
            return words(fact.DESCRIPTOR.name).capitalize() + (f": {said}" if said else "")
    return message_words(event, sitting)


def view_table(view: Message, standing: Standing, sitting: Sitting) -> RenderableType:
    """One row a seat with the fields that have a value for each; below them everything else, one row a field."""
    by_seat = [(field, value) for field, value in present(view) if _is_by_seat(field, value, sitting)]
    rest = [(field, value) for field, value in present(view) if not _is_by_seat(field, value, sitting)]
    return Group(*(table for table in (_seats(by_seat, standing, sitting), _facts(rest, sitting)) if table.columns))


def _is_by_seat(field: FieldDescriptor, value: Any, sitting: Sitting) -> bool:
    """Whether a list has one item for each seat. Its length says so, unless its name says what else it is."""
    if not field.is_repeated or field.message_type is not None or is_dice(field) or SEAT_FIELD.search(field.name):
        return False
    return len(value) == len(sitting.names)


def _seats(fields: Fields, standing: Standing, sitting: Sitting) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    if not fields:
        return table
    table.add_column("seat")
    for field, _ in fields:
        table.add_column(words(field.name), justify="right")
    for seat in range(len(sitting.names)):
        marker = "> " if seat in standing.awaited else "  "
        cells = [single_words(field, value[seat], sitting) for field, value in fields]
        table.add_row(Text(f"{marker}{sitting.who(seat)}"), *(Text(cell) for cell in cells))
    return table


def _facts(fields: Fields, sitting: Sitting) -> Table:
    table = Table(show_header=False, box=None)
    if not fields:
        return table
    table.add_column(style="dim")
    table.add_column()
    for field, value in fields:
        table.add_row(words(field.name), Text(value_words(field, value, sitting)))
    return table
