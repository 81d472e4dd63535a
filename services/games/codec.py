"""What a game's codec gives: its own types to and from the wire's, message by message.

A reader raises Malformed, with field paths within the message, when a message can't be understood whatever the
position. Whether a position can exist is for the game's `check`.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Any, Generic, TypeVar

from msgspec import Struct

from services.games.words import fill_audience, write_outcome
from services.kernel.game import Event, Fact, Move, Options, Position, View
from services.kernel.refusals import Flaw, Malformed
from services.kernel.standing import Outcome

Number = TypeVar("Number", bound=int)
Ours = TypeVar("Ours")


class Codec(Struct, Generic[Options, Position, Move, View, Fact], frozen=True):
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


class Mirror(Generic[Options]):
    """Writes what only goes out: events, views and options, as the messages that have their names and fields.

    Our own values within become messages in the same way, words their numbers, and options only what differs from the
    defaults. What writes a type is found once.
    """

    def __init__(
        self,
        messages: ModuleType,
        defaults: Options,
        numbers: Mapping[Enum, int],
        own: Mapping[type, Write] = MappingProxyType({}),
    ) -> None:
        """`numbers` are those of the words, `own` the types that are written in a way of their own."""
        self._messages = messages
        self._defaults = defaults
        self._numbers = numbers
        self._own: Mapping[type, Write] = {type(defaults): self.chosen, Outcome: write_outcome, **own}
        self._names: Callable[[Any], tuple[str, ...]] = cache(_names_of)
        self._writer: Callable[[Any], Write | None] = cache(self._find_writer)
        kinds: Any = messages.Event.DESCRIPTOR.oneofs_by_name["kind"].fields
        self._kinds = {kind.message_type.name: kind.name for kind in kinds}

    def fields(self, value: Any) -> dict[str, Any]:
        """The fields of a value, as they are written."""
        writer, written = self._writer, {}
        for name in self._names(type(value)):
            part = getattr(value, name)
            write = writer(type(part))
            written[name] = part if write is None else write(part)
        return written

    def field(self, value: Any) -> Any:
        """A value as it is written within a message."""
        write = self._writer(type(value))
        return value if write is None else write(value)

    def event(self, event: Event[Any]) -> Any:
        """An event with its audience: its kind is named as its fact is."""
        message = self._messages.Event(**{self._kinds[type(event.fact).__name__]: self.fields(event.fact)})
        fill_audience(message.audience, event.audience)
        return message

    def options(self, options: Options) -> Any:
        """Options, only what differs from the defaults."""
        message = self._messages.Options()
        if options != self._defaults:
            for field, value in self.spelled(options).ListFields():
                if getattr(options, field.name) != getattr(self._defaults, field.name):
                    setattr(message, field.name, value)
        return message

    def spelled(self, options: Options) -> Any:
        """Options, every field; but None is absence itself."""
        return self._messages.Options(**self.fields(options))

    def chosen(self, options: Options) -> Any:
        """Options within another message, which has none where all are the defaults."""
        return None if options is self._defaults or options == self._defaults else self.options(options)

    def _list(self, values: tuple[Any, ...]) -> Any:
        """The values of a list, which are all of one kind."""
        write = self._writer(type(values[0])) if values else None
        return values if write is None else [write(value) for value in values]

    def _find_writer(self, kind: type) -> Write | None:
        """What writes the values of a type. None: they are written as they are."""
        if own := self._own.get(kind):
            return own
        if issubclass(kind, tuple):
            return self._list
        if issubclass(kind, Enum):
            return self._numbers.__getitem__
        return self.fields if issubclass(kind, Struct) else None


def _names_of(kind: type[Struct]) -> tuple[str, ...]:
    return kind.__struct_fields__
