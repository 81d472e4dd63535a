"""Options as people write them."""

from typing import Any

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2

import lair
from lair._options import read_options


def test_without_options_nothing_is_sent() -> None:
    assert read_options(cabbages, None) is None


@pytest.mark.parametrize(
    "options",
    [
        {"cup_start": 3, "cup_move": "stay", "hungry_first": False},
        {"cup_start": "3", "cup_move": "CUP_MOVE_STAY", "hungry_first": "no"},
        {"CUP-START": 3, "cup_move": "Cup_Move_Stay", "hungry_first": "FALSE", "cup_max": None},
        {"cup_start": 3, "cup_move": cabbages.CUP_MOVE_STAY, "hungry_first": "0"},
        ["cup_start=3", "cup_move=stay", "hungry_first=off"],
        ("cup-start = 3", "cup-move = Stay", "hungry_first = false"),
    ],
)
def test_numbers_booleans_and_names_are_understood(options: Any) -> None:
    wanted = cabbages.Options(cup_start=3, cup_move=cabbages.CUP_MOVE_STAY, hungry_first=False)
    assert read_options(cabbages, options) == wanted


def test_one_string_is_one_option() -> None:
    assert read_options(cabbages, "max_turns=7") == cabbages.Options(max_turns=7)


def test_a_value_of_nothing_is_still_sent() -> None:
    """0 turns is no limit, and not the default."""
    message = read_options(cabbages, {"max_turns": 0})
    assert message is not None
    assert message.HasField("max_turns")


def test_the_game_s_own_message_is_taken_as_it_is() -> None:
    message = cabbages.Options(cup_start=2)
    assert read_options(cabbages, message) is message


def test_another_game_s_message_is_refused() -> None:
    with pytest.raises(lair.WrongGame) as wrong:
        read_options(cabbages, session_pb2.Session())
    assert wrong.value.violations[0].field == "options"


@pytest.mark.parametrize(
    ("options", "field", "hint"),
    [
        ({"cup_strat": 3}, "options.cup_strat", "did you mean cup_start?"),
        ({"xyzzy": 3}, "options.xyzzy", "there are: cup_start, cup_max"),
        ({"cup_start": "three"}, "options.cup_start", "a whole number, is 'three'"),
        ({"cup_start": True}, "options.cup_start", "a whole number, is True"),
        ({"cup_start": 2.5}, "options.cup_start", "a whole number, is 2.5"),
        ({"cup_start": 2**40}, "options.cup_start", "out of range"),
        ({"cup_start": [3]}, "options.cup_start", "a whole number"),
        ({"hungry_first": "maybe"}, "options.hungry_first", "true or false, is 'maybe'"),
        ({"hungry_first": 1}, "options.hungry_first", "true or false, is 1"),
        ({"cup_move": "left"}, "options.cup_move", "one of right, stay, is 'left'"),
        ({"cup_move": "unspecified"}, "options.cup_move", "one of right, stay"),
        ({"cup_move": 0}, "options.cup_move", "one of right, stay"),
        ({"cup_move": True}, "options.cup_move", "one of right, stay"),
        (["cup_start"], "options", "name=value"),
        ("cup_start", "options", "name=value"),
    ],
)
def test_what_is_wrong_is_named(options: Any, field: str, hint: str) -> None:
    with pytest.raises(lair.InvalidRequest) as wrong:
        read_options(cabbages, options)
    (violation,) = wrong.value.violations
    assert violation.field == field
    assert hint in violation.description
    assert (wrong.value.domain, wrong.value.reason) == ("lair", "MALFORMED_REQUEST")
