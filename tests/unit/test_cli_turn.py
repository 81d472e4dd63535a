"""What is typed at the table, and the move that it means."""

import pytest

from lair import LegalMove
from lair.cli.sitting import Sitting
from lair.cli.turn import find_move

MOVES = tuple(LegalMove(text, None) for text in ("propose seat 0", "propose seat 1", "withdraw"))


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("2", "propose seat 1"),
        ("propose ben", "propose seat 1"),
        ("  Propose  SEAT 1 ", "propose seat 1"),
        ("withdraw", "withdraw"),
    ],
)
def test_a_number_a_name_or_a_seat_is_enough(typed: str, played: str) -> None:
    found = find_move(typed, MOVES, Sitting(("Ann", "Ben")))
    assert found is not None
    assert found.text == played


def test_a_name_that_two_have_means_neither() -> None:
    twins = Sitting(("Ben", "Ben"))
    assert find_move("propose ben", MOVES, twins) is None
    assert find_move("propose seat 0", MOVES, twins) == MOVES[0]


def test_a_player_who_is_called_like_a_seat_is_meant_where_that_is_shown() -> None:
    assert find_move("propose seat 1", MOVES, Sitting(("seat 1", "Ben"))) == MOVES[0]
