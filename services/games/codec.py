"""What a game's codec gives: its own types to and from the wire's, message by message.

A reader raises Malformed, with field paths within the message, when a message can't be understood whatever the
position. Whether a position can exist is for the game's `check`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Generic, TypeVar

from services.kernel.game import Event, Fact, Move, Options, Position, View
from services.kernel.refusals import Flaw, Malformed

Number = TypeVar("Number", bound=int)
Ours = TypeVar("Ours")


@dataclass(frozen=True, slots=True)
class Codec(Generic[Options, Position, Move, View, Fact]):
    """The functions between a game's types and its generated messages."""

    messages: ModuleType
    """The generated module: its classes Options, Position, Move, View and Event are the wire's side."""
    read_options: Callable[[Any], Options]
    write_options: Callable[[Options], Any]
    """Only what differs from the defaults, so that small options cost no bytes."""
    spell_options: Callable[[Options], Any]
    """Every field, for DescribeGame."""
    read_position: Callable[[Any], Position]
    write_position: Callable[[Position], Any]
    read_move: Callable[[Any], Move]
    write_move: Callable[[Move], Any]
    write_view: Callable[[View], Any]
    write_event: Callable[[Event[Fact]], Any]


AnyCodec = Codec[Any, Any, Any, Any, Any]
"""A codec whose types don't matter to the caller."""


def known(meanings: Mapping[Number, Ours], number: Number, path: str) -> Ours:
    """What an enum's number means. Raises Malformed when it means nothing here."""
    if number not in meanings:
        raise Malformed(Flaw(path, f"has no value {number} here"))
    return meanings[number]
