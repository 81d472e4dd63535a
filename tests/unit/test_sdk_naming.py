"""Names in the texts of games."""

import pytest

from lair import named

NAMES = ("Ann", "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Seat 0 offers seat 1 to play.", "Ann offers seat 1 to play."),
        ("The turn of seat 0's neighbour, in round 0.", "The turn of Ann's neighbour, in round 0."),
        (
            "seat 00, seat 10, seats 0 and 0, reseat 0, seat 0th, SEAT 0, seat",
            "Ann, seat 10, seats 0 and 0, reseat 0, seat 0th, SEAT 0, seat",
        ),
        ("", ""),
    ],
)
def test_seats_are_told_by_name_and_nothing_else_is(text: str, told: str) -> None:
    assert named(text, NAMES) == told


def test_a_name_is_put_in_as_it_is() -> None:
    assert named("Seat 0 and seat 1.", ("seat 1", r"\g<0>")) == r"seat 1 and \g<0>."


def test_without_names_a_text_stays_as_it_is() -> None:
    assert named("Seat 0 begins.", ()) == "Seat 0 begins."
