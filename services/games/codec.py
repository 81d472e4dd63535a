"""What a game's codec gives: its own types to and from the wire's, message by message.

A reader raises Malformed, with field paths within the message, when a message can't be understood whatever the
position. Whether a position can exist is for the game's `check`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
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


Write = Callable[[Any], Any]


class Mirror:
    """Writes values as the messages that have their names and fields. What writes a type is found once."""

    def __init__(self, messages: ModuleType, numbers: Mapping[Enum, int], own: Mapping[type, Write]) -> None:
        """`numbers` are those of the words, `own` the types that are written in a way of their own."""
        self._messages = messages
        self._numbers = numbers
        self._own = own
        self._writers: dict[type, Write | None] = {}
        self._names: dict[type, tuple[str, ...]] = {}

    def message(self, value: Any) -> Any:
        """The message that has the name and the fields of a value."""
        kind = type(value)
        names = self._names.get(kind)
        if names is None:
            names = self._names[kind] = tuple([field.name for field in fields(kind)])
        return getattr(self._messages, kind.__name__)(**{name: self.field(getattr(value, name)) for name in names})

    def field(self, value: Any) -> Any:
        """A field's value: words as numbers, our own values as messages, everything else as it is."""
        write = self._writer(type(value))
        return value if write is None else write(value)

    def _writer(self, kind: type) -> Write | None:
        """What writes the values of a type. None: they are written as they are."""
        if kind not in self._writers:
            self._writers[kind] = self._find_writer(kind)
        return self._writers[kind]

    def _find_writer(self, kind: type) -> Write | None:
        if own := self._own.get(kind):
            return own
        if issubclass(kind, tuple):
            return self._list
        if issubclass(kind, Enum):
            return self._numbers.__getitem__
        return self.message if is_dataclass(kind) else None

    def _list(self, values: tuple[Any, ...]) -> Any:
        """The values of a list, which are all of one kind."""
        if not values or self._writer(type(values[0])) is None:
            return values
        return [self.field(value) for value in values]
