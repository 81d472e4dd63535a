"""How the command line draws Sprinkleton."""

import io
from typing import Any

import pytest
from monsters.sprinkleton.v1 import sprinkleton_pb2 as sprinkleton
from rich.console import Console, RenderableType

from lair import Outcome, Standing
from lair.cli.drawings.sprinkleton.monsters import draw_cards
from lair.cli.rendering import draw_view
from lair.cli.sitting import Sitting
from services.games.sprinkleton.codec import WIRE_CARDS

NAMES = ("Ann", "Ben", "Bartholomew the Great", "Dan", "Eve", "Fay")
SITTING = Sitting(NAMES)
BEN_TO_ROLL = Standing((1,), (1,))
SEARCHING = Standing((0, 2), (0, 2))
OVER = Standing((), (), Outcome((1,), (3, 5, 0, 0, 0, 0), "deck"))
THREE_ARMS = {"number": 3, "part": sprinkleton.PART_ARMS}


def printed(drawn: RenderableType, *, encoding: str = "utf-8", width: int = 100) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=stream, width=width, highlight=False, markup=False, emoji=False).print(drawn)
    stream.flush()
    stream.seek(0)
    return stream.read()


def view(cards: range = range(1, 11), **more: Any) -> sprinkleton.View:
    """A table for six at which Ben is the Baker."""
    fields: dict[str, Any] = {
        "table": [WIRE_CARDS[card_id] for card_id in cards],
        "pile_sizes": [2, 2, 0, 0, 1, 0],
        "deck_size": 45,
        "baker_seat": 1,
        "round": 7,
        "phase": sprinkleton.PHASE_ROLL,
    }
    return sprinkleton.View(**{**fields, **more})


@pytest.mark.parametrize("card_id", WIRE_CARDS)
def test_eyes_arms_legs_and_donuts_can_be_counted_on_every_card(card_id: int) -> None:
    card = WIRE_CARDS[card_id]
    (drawn,) = draw_cards([card], {})
    top, eyes, body, legs, below = drawn.plain.splitlines()
    assert f" {card.id} " in top
    assert eyes.count("o") == card.eyes
    assert body.count("\\") + body.count("/") == card.arms
    assert legs[1:-1].count("|") == card.legs
    assert below.count("@") == card.donuts
    assert {len(line) for line in (top, eyes, body, legs, below)} == {12}


def test_a_claimed_card_has_another_frame_and_a_name_and_the_body_stands_still() -> None:
    (free,) = draw_cards([WIRE_CARDS[10]], {})
    (taken,) = draw_cards([WIRE_CARDS[10]], {10: "Bartholomew the Great"})
    assert "Bartholo" in taken.plain
    assert taken.plain.startswith(".")
    assert free.plain.startswith("+")
    assert taken.plain.splitlines()[2].index("(__)") == free.plain.splitlines()[2].index("(__)")


def test_the_whole_deck_on_the_table_keeps_to_a_hundred_columns() -> None:
    text = printed(draw_view(view(range(1, 56), dice=THREE_ARMS, phase=sprinkleton.PHASE_SEARCH), SEARCHING, SITTING))
    assert max(len(line) for line in text.splitlines()) <= 100
    assert all(f" {card_id} " in text for card_id in range(1, 56))
    assert "Ann and Bartholomew the Great look for exactly 3 ARMS, or Zilch if there are none." in text


def test_a_terminal_without_box_characters_gets_the_table_too() -> None:
    drawn = draw_view(view(dice=THREE_ARMS), SEARCHING, Sitting(NAMES, unicode=False))
    text = printed(drawn, encoding="ascii")
    assert text.isascii()
    assert "?" not in text


def test_what_matches_is_not_pointed_out() -> None:
    """Cards 7 to 10 have one arm each: they are drawn as when nobody has rolled."""
    rolled = draw_view(view(dice={"number": 1, "part": sprinkleton.PART_ARMS}), SEARCHING, SITTING)
    cards = [line for line in printed(rolled).splitlines() if line.startswith(("+", "|"))]
    before = printed(draw_view(view(), BEN_TO_ROLL, SITTING)).splitlines()
    assert cards == [line for line in before if line.startswith(("+", "|"))]


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (sprinkleton.VERDICT_CLAIMED, "claimed 3"),
        (sprinkleton.VERDICT_WRONG_CARD, "wrong: 3"),
        (sprinkleton.VERDICT_WRONG_ZILCH, "wrong: Zilch"),
        (sprinkleton.VERDICT_TOO_LATE, "late: 3"),
        (sprinkleton.VERDICT_PASSED, "passed"),
    ],
)
def test_what_a_seat_has_done_stands_beside_its_name(verdict: sprinkleton.Verdict.ValueType, said: str) -> None:
    picks = [{"seat": 1, "verdict": verdict, "card_id": 3}]
    text = printed(draw_view(view(dice=THREE_ARMS, picks=picks), Standing((0,), (0,)), SITTING))
    assert said in text
    assert "Ann looks for exactly 3 ARMS" in text
    assert ("..." in text) == (verdict == sprinkleton.VERDICT_CLAIMED)


def test_before_the_roll_the_baker_is_waited_for() -> None:
    text = printed(draw_view(view(), BEN_TO_ROLL, SITTING))
    assert "Ben is to roll." in text
    assert "> Ben" in text
    assert "Baker" in text


def test_the_own_pile_is_seen_and_others_are_counted() -> None:
    text = printed(draw_view(view(pile=[WIRE_CARDS[40], WIRE_CARDS[42]]), BEN_TO_ROLL, SITTING))
    assert "Your pile: 4 donuts. On top is card 42." in text
    assert text.count("2 cards") == 2
    assert "Your pile" not in printed(draw_view(view(), BEN_TO_ROLL, SITTING))


def test_at_the_end_everybodys_donuts_are_seen_and_nobody_is_waited_for() -> None:
    piles = [{"cards": [{"donuts": 3}]}, {"cards": [{"donuts": 3}, {"donuts": 2}]}, *[{} for _ in range(4)]]
    text = printed(draw_view(view(piles=piles, phase=sprinkleton.PHASE_OVER), OVER, SITTING))
    assert "3 donuts" in text
    assert "5 donuts" in text
    assert "is to roll" not in text
    assert "Baker" not in text
