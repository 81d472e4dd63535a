"""What is typed at a prompt, and the moves that it can mean."""

import pytest

from lair import LegalMove
from lair.cli.answers import alike, meant, written
from lair.cli.menus import Menu
from lair.cli.sitting import Sitting

MOVES = tuple(LegalMove(text, None) for text in ("propose seat 0", "propose seat 1", "withdraw", "roll", "roll again"))
SITTING = Sitting(("Ann", "Ben"))
CARDS = tuple(LegalMove(text, None) for text in ("pick 42", "pick 17", "pick 1", "zilch"))
TALK = tuple(LegalMove(f"say seat {seat} is {word}", None) for seat in (0, 1) for word in ("low", "high", "mixed", "9"))


def texts(found: tuple[LegalMove[None] | Menu, ...]) -> list[str]:
    return [each.word if isinstance(each, Menu) else each.text for each in found]


@pytest.mark.parametrize(
    ("typed", "played"),
    [
        ("propose ben", ["propose seat 1"]),
        ("  Propose  SEAT 1 ", ["propose seat 1"]),
        ("WITHDRAW", ["withdraw"]),
        ("w", ["withdraw"]),
        ("p b", ["propose seat 1"]),
        ("prop", ["propose seat 0", "propose seat 1"]),
        ("roll", ["roll"]),
        ("ro", ["roll", "roll again"]),
        ("ro ag", ["roll again"]),
        ("ben", ["propose seat 1"]),
        ("feed", []),
        ("", []),
        ("withdraw now", []),
    ],
)
def test_a_name_a_seat_a_beginning_or_an_end_is_enough(typed: str, played: list[str]) -> None:
    assert texts(meant(typed, MOVES, SITTING)) == played


def test_the_number_of_a_card_is_not_the_beginning_of_another() -> None:
    assert texts(meant("pick 1", CARDS, SITTING)) == ["pick 1"]
    assert texts(meant("pick 4", CARDS, SITTING)) == []


def test_a_name_that_two_have_is_told_apart() -> None:
    twins = Sitting(("Ben", "Ben"))
    assert twins.who(1) == "Ben (seat 1)"
    assert texts(meant("propose ben", MOVES, twins)) == ["propose seat 0"]
    assert texts(meant("propose seat 1", MOVES, twins)) == ["propose seat 1"]


def test_a_player_who_is_called_like_a_seat_is_meant_where_that_is_shown() -> None:
    assert meant("propose seat 1", MOVES, Sitting(("seat 1", "Ben"))) == (MOVES[0],)


def test_names_become_seats_for_the_server() -> None:
    sitting = Sitting(("Ann", "Ann 2", "Ben"))
    assert written("accept ann 2", sitting) == "accept seat 1"
    assert written("say the pair Ben and Ann", sitting) == "say the pair seat 2 and seat 0"
    assert written("Benjamin", sitting) == "Benjamin"
    assert written("feed", Sitting(("", ""))) == "feed"


def test_what_is_nearly_called_so_is_found() -> None:
    assert texts(alike("witdraw", MOVES, SITTING)) == ["withdraw"]
    assert alike("harvest", MOVES, SITTING) == ()


def test_a_number_is_a_place_only_where_moves_have_no_numbers() -> None:
    places, cards = Menu(MOVES, SITTING), Menu(CARDS, SITTING)
    assert texts(places.find("2")) == ["propose seat 1"]
    assert places.find("9") == places.find("0") == ()
    assert texts(cards.find("42")) == ["pick 42"]
    assert cards.find("4") == cards.find("2") == ()
    assert not Menu(MOVES, SITTING, own_numbers=True).numbered
    assert Menu(MOVES, SITTING, own_numbers=True).find("1") == ()


def test_many_moves_of_a_kind_stand_behind_a_door() -> None:
    menu = Menu((*MOVES, *TALK[:3], *TALK[4:7], *CARDS[:2]), SITTING)
    assert menu.names() == [
        *("propose Ann", "propose Ben", "withdraw", "roll", "roll again", "say ... (6)", "pick 42", "pick 17")
    ]
    (inside,) = menu.find("say")
    assert isinstance(inside, Menu)
    assert inside.names()[3] == "Ben is low"
    assert inside.find("4") == inside.find("ben is low") == inside.find("say ben is low") == (TALK[4],)
    assert menu.find("say ben is low") == (TALK[4],), "it can be said through the door"


def test_names_that_are_cut_to_the_same_are_told_apart() -> None:
    sitting = Sitting(("Bartholomew the Great", "Bartholomew the Small", "Ben"))
    assert [sitting.short(seat, 12) for seat in range(3)] == ["Bartholome 0", "Bartholome 1", "Ben"]
