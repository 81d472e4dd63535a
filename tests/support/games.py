"""Every game there is, for tests that hold for all of them."""

import pytest

from services.games import Entry, find_games
from services.kernel.game import AnyGame
from services.kernel.standing import Seat

ENTRIES: tuple[Entry, ...] = tuple(find_games().values())

every_game = pytest.mark.parametrize("entry", ENTRIES, ids=[entry.game.token for entry in ENTRIES])
"""Runs a test once for each game, with its `entry`."""


def actors(game: AnyGame, position: object) -> tuple[Seat | None, ...]:
    """Everybody who could try to move: the host, then every seat."""
    return (None, *range(game.seat_count(position)))


def reasons(entry: Entry) -> frozenset[str]:
    """The refusal reasons that a game's proto documents."""
    values = entry.codec.messages.RefusalReason.DESCRIPTOR.values_by_name
    prefix = "REFUSAL_REASON_"
    return frozenset(name.removeprefix(prefix) for name in values) - {"UNSPECIFIED"}
