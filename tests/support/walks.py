"""Hypothesis strategies for any game: options that it takes, and positions that random play reaches.

Nothing here knows a game. The options come from the fields of its proto: a value is a candidate when the game finds no
flaw in it while everything else is the default.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from hypothesis import strategies as st

from services.games import Entry, find_games
from services.kernel.playing import Ply, random_play
from tests.support.games import actors

INTEGERS = (*range(21), 50, 100, 1000, 2**31 - 1)
MOST_STEPS = 40


@dataclass(frozen=True, slots=True)
class Walk:
    """A game as far as it was played at random."""

    entry: Entry
    options: Any
    seats: int
    seed: bytes
    plies: Sequence[Ply[Any, Any, Any]]

    def __repr__(self) -> str:
        """The whole walk in a line, for a test that fails."""
        return (
            f"{self.entry.game.token} for {self.seats}, {self.options}, seed {self.seed.hex()}, "
            f"{len(self.plies) - 1} steps to {self.entry.game.write(self.position)!r}"
        )

    def _repr_pretty_(self, printer: Any, *_: Any) -> None:
        """What Hypothesis prints."""
        printer.text(repr(self))

    @property
    def position(self) -> Any:
        """Where it has come to."""
        return self.plies[-1].played.position

    def moves_seen(self) -> list[Any]:
        """Every move that somebody could make anywhere on the way, each once."""
        game, seen = self.entry.game, {}
        for ply in self.plies:
            for actor in actors(game, ply.played.position):
                for move in game.moves(ply.played.position, actor):
                    seen[game.write_move(move)] = move
        return list(seen.values())


@st.composite
def walks(
    draw: st.DrawFn, entry: Entry, most_steps: int = MOST_STEPS, options: st.SearchStrategy[Any] | None = None
) -> Walk:
    """Games of any number of seats, with any options unless these are given, for some steps or to the end."""
    seats = draw(st.sampled_from(entry.game.seats))
    chosen = draw(options_of(entry, seats) if options is None else options)
    seed = draw(st.binary(min_size=32, max_size=32))
    steps = draw(st.integers(0, most_steps))
    plies = tuple(islice(random_play(entry.game, chosen, seats, seed), steps + 1))
    return Walk(entry, chosen, seats, seed, plies)


def options_of(entry: Entry, seats: int) -> st.SearchStrategy[Any]:
    """Options without a flaw for so many seats. Every field is its default half of the time."""
    fields = {
        name: st.one_of(st.none(), st.sampled_from(values))
        for name, values in candidates(entry.game.token, seats).items()
    }
    return (
        st.fixed_dictionaries(fields)
        .map(lambda chosen: entry.codec.read_options(entry.codec.messages.Options(**chosen)))
        .filter(lambda options: not entry.game.flaws(options, seats))
    )


@cache
def candidates(token: str, seats: int) -> Mapping[str, Sequence[Any]]:
    """For each option the values in which no flaw is found while the others are the defaults."""
    entry = find_games()[token]
    kind = entry.codec.messages.Options
    found = {}
    for field in kind.DESCRIPTOR.fields:
        values = [
            value
            for value in _values(field)
            if not entry.game.flaws(entry.codec.read_options(kind(**{field.name: value})), seats)
        ]
        if values:
            found[field.name] = values
    return found


def _values(field: FieldDescriptor) -> Sequence[Any]:
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return (False, True)
    if field.enum_type is not None:
        return [value.number for value in field.enum_type.values]
    return INTEGERS if field.cpp_type in {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32} else ()
