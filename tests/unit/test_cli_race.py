"""How a line at a table of all at once is understood."""

import pytest
from monsters.sprinkleton.v1 import sprinkleton_pb2 as sprinkleton

from lair import LegalMove
from lair.cli.answers import BACK, HELP, LEAVE, RULES
from lair.cli.failures import Failure
from lair.cli.race import KEYS, distinct, find_move, read_line
from lair.cli.rendering import plays_together
from lair.cli.sitting import Sitting

KEYED = {"a": 0, "b": 3}
MOVES = tuple(
    LegalMove(text, sprinkleton.Move())
    for text in ("pick 1", "pick 17", "pick 7", "zilch", "walk on", "carry on", "on")
)


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("a 17", (0, "17")),
        ("b17", (3, "17")),
        ("B   pick 17", (3, "pick 17")),
        ("a zilch", (0, "zilch")),
        ("a pass", (0, "pass")),
    ],
)
def test_a_line_begins_with_a_key(typed: str, understood: tuple[int, str]) -> None:
    assert read_line(typed, KEYED, [0, 3]) == understood


@pytest.mark.parametrize("typed", ["17", "zilch", "c 17", "bass", "a", "", "pass"])
def test_without_a_key_nobody_is_meant_while_several_are_awaited(typed: str) -> None:
    with pytest.raises(Failure, match="a to b"):
        read_line(typed, KEYED, [0, 3])


@pytest.mark.parametrize("typed", ["roll", "17", "c 17", "bass"])
def test_without_a_key_the_only_one_awaited_is_meant(typed: str) -> None:
    assert read_line(typed, KEYED, [3]) == (3, typed)


def test_an_empty_line_is_nobodys() -> None:
    with pytest.raises(Failure):
        read_line("", KEYED, [3])


SITTING = Sitting(("Ann", "Ben"))


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("17", "pick 17"),
        ("7", "pick 7"),
        ("PICK  17", "pick 17"),
        ("z", "zilch"),
        ("on", "on"),
        ("wa", "walk on"),
    ],
)
def test_the_beginning_or_the_end_of_a_move_is_enough_where_only_one_is_called_so(typed: str, played: str) -> None:
    found = find_move(typed, MOVES, SITTING)
    assert isinstance(found, LegalMove)
    assert found.text == played


def test_what_is_not_understood_goes_to_the_server_which_says_why_not() -> None:
    assert find_move("propose Ben", MOVES, SITTING) == "propose seat 1"


@pytest.mark.parametrize("number", ["9", "2", "99"])
def test_a_number_is_a_cards_and_never_a_place_in_the_list(number: str) -> None:
    with pytest.raises(Failure, match=f"There is no move with {number} now"):
        find_move(number, MOVES, SITTING)


def test_what_can_mean_several_moves_is_asked_back() -> None:
    with pytest.raises(Failure, match="pick 1, pick 17 or pick 7"):
        find_move("pi", MOVES, SITTING)
    with pytest.raises(Failure, match="walk on or carry on"):
        find_move("on", MOVES[:-1], SITTING)


def test_moves_that_several_have_are_listed_once() -> None:
    assert [move.text for move in distinct([*MOVES[:2], *MOVES[1:3]])] == ["pick 1", "pick 17", "pick 7"]


def test_no_key_is_the_one_that_leaves() -> None:
    assert not {*LEAVE, *HELP, *RULES, *BACK} & set(KEYS)


def test_only_a_game_whose_drawing_says_so_is_played_together() -> None:
    assert plays_together("sprinkleton")
    assert not plays_together("cabbages")
    assert not plays_together("heads")
    assert not plays_together("a game without a drawing")
