"""How the command line draws Monsters & Maidens."""

import io
from typing import Any

import pytest
from monsters.maidens.v1 import maidens_pb2 as maidens
from rich.console import Console, RenderableType

from lair import Outcome, Standing
from lair.cli.drawings.maidens.odds import ends_in_hundred
from lair.cli.rendering import draw_view
from lair.cli.sitting import Sitting

NAMES = ("Ann", "Ben", "Bartholomew the Great", "Dan", "Eve", "Fay")
SITTING = Sitting(NAMES)
ANN_TO_MOVE = Standing((0,), (0,))
OVER = Standing((), (), Outcome((0,), (60, 30, 0, 20, 5, 6), "supply"))
HERO, MONSTER, MAIDEN = maidens.FACE_HERO, maidens.FACE_MONSTER, maidens.FACE_MAIDEN
KINDS = (
    *(maidens.DIE_KIND_HERO,) * 3,
    *(maidens.DIE_KIND_MONSTER,) * 3,
    *(maidens.DIE_KIND_MAIDEN,) * 3,
    maidens.DIE_KIND_ADVENTURE,
)


def printed(drawn: RenderableType, *, encoding: str = "utf-8", width: int = 100) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=stream, width=width, highlight=False, markup=False, emoji=False).print(drawn)
    stream.flush()
    stream.seek(0)
    return stream.read()


def view(out: str = "", *, adventure: maidens.Face.ValueType | None = None, **more: Any) -> maidens.View:
    """A table for six whose dice show Heroes and Monsters, but for those that are out with Maidens."""
    faces = [MAIDEN if str(index) in out else (HERO, MONSTER)[index % 2] for index in range(9)]
    faces += [] if adventure is None else [adventure]
    dice = [
        maidens.Die(kind=kind, face=face, in_pool=str(index) not in out)
        for index, (kind, face) in enumerate(zip(KINDS, faces, strict=False))
    ]
    fields: dict[str, Any] = {
        "points": [31, 0, 1, 11, 5, 6],
        "chips": [0, 1, 0, 0, 0, 0],
        "turn": 7,
        "phase": maidens.PHASE_DECIDE,
        "roll_number": 2,
        "dice": dice,
        "supply": 66,
        "options": maidens.Options(adventure_die=adventure is not None),
    }
    return maidens.View(**{**fields, **more})


def test_dice_have_their_numbers_and_their_faces_in_words() -> None:
    text = printed(draw_view(view("2", adventure=maidens.FACE_TWO_MONSTERS), ANN_TO_MOVE, SITTING))
    numbers = next(line for line in text.splitlines() if " 0 " in line and "+" in line)
    assert [int(word) for word in numbers.replace("+", " ").split() if word.isdecimal()] == list(range(10))
    words = next(line for line in text.splitlines() if " out " in line)
    assert " ".join(words.split()) == "Hero Monster out Monster Hero Monster Hero Monster Hero 2 Monsters"


@pytest.mark.parametrize("face", [face for face in maidens.Face.values() if face])
def test_every_face_has_a_picture_of_one_size(face: maidens.Face.ValueType) -> None:
    text = printed(draw_view(view(dice=[maidens.Die(kind=KINDS[0], face=face, in_pool=True)]), ANN_TO_MOVE, SITTING))
    top, *picture, bottom = [line.rstrip() for line in text.splitlines() if line.startswith(("+", "|"))][:5]
    assert (top, bottom) == ("+- 0 ---+", "+-------+")
    assert [len(row) for row in picture] == [9, 9, 9]
    assert any(row.strip("| ") for row in picture)


def test_a_face_that_is_not_known_is_shown_by_its_number() -> None:
    strange: Any = 77
    text = printed(draw_view(view(dice=[maidens.Die(kind=KINDS[0], face=strange)] * 2), OVER, SITTING))
    assert "out" in text
    assert "0 of" not in text


def test_maidens_stand_on_their_cards() -> None:
    text = printed(draw_view(view("2678", rescued=3, captured=1), ANN_TO_MOVE, SITTING))
    assert "A A A " in text
    assert "3 rescued" in text
    assert "1 captured" in text
    assert "Castle" not in text


def test_the_castle_and_the_dragon_are_there_with_the_adventure_die() -> None:
    text = printed(draw_view(view("26", adventure=maidens.FACE_KING, castle=2), ANN_TO_MOVE, SITTING))
    assert "2 safe" in text
    assert "0 lost" in text


def test_points_chips_and_the_supply_are_shown() -> None:
    text = printed(draw_view(view(), ANN_TO_MOVE, SITTING))
    assert [word in text for word in ("31 points", "1 point ", "(*) chip", "66 of 120.")] == [True] * 4
    assert text.count("chip") == 1
    assert "> Ann" in text
    assert "Last round" not in text
    assert "Last round!" in printed(draw_view(view(supply=0, last_round=True), ANN_TO_MOVE, SITTING))


def test_eleven_maidens_and_six_seats_fit_into_a_hundred_columns_and_need_no_colour() -> None:
    text = printed(
        draw_view(view("26", adventure=maidens.FACE_TWO_MONSTERS, rescued=11, captured=11), ANN_TO_MOVE, SITTING)
    )
    lines = [line.rstrip() for line in text.splitlines()]
    assert max(map(len, lines)) <= 100
    assert "\x1b" not in text
    assert sum(line.count("point") for line in lines) == 6
    figures = next(line for line in lines if "o o o" in line)
    assert figures.count("o") == 22
    assert any(" 0 -" in line and " 9 -" in line for line in lines), "all dice stand in one row"


def test_a_narrow_terminal_breaks_between_the_sorts_of_dice() -> None:
    text = printed(draw_view(view(adventure=maidens.FACE_KING), ANN_TO_MOVE, SITTING), width=60)
    assert all(f" {index} -" in text for index in range(10))
    assert sum(line.count("points") for line in text.splitlines()) == 5


def test_an_ascii_terminal_gets_ascii() -> None:
    drawn = draw_view(view("2", adventure=maidens.FACE_DRAGON, rescued=1), ANN_TO_MOVE, Sitting(NAMES, unicode=False))
    text = printed(drawn, encoding="ascii")
    assert text.isascii()
    assert "?" not in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"phase": maidens.PHASE_ROLL, "dice": [], "roll_number": 0}, "Ann is to roll."),
        (
            {"phase": maidens.PHASE_WINDOW, "chips": [1, 0, 0, 0, 0, 0], "roll_number": 1},
            "Ann looks at roll 1: one die can be changed with the chip; or it is kept.",
        ),
        (
            {"phase": maidens.PHASE_WINDOW, "adventure": maidens.FACE_REROLL},
            "Ann looks at roll 2: all of them can be rolled anew; or it is kept.",
        ),
        (
            {
                "phase": maidens.PHASE_WINDOW,
                "adventure": maidens.FACE_REROLL,
                "chips": [1, 0, 0, 0, 0, 0],
                "roll_number": 1,
            },
            "one die can be changed with the chip or all of them can be rolled anew; or it is kept.",
        ),
        ({"out": "0123456", "rescued": 5, "castle": 1}, "Ann scores 6 by stopping. Rolling 2 dice again"),
    ],
)
def test_what_the_turn_waits_for_is_said(changes: dict[str, Any], said: str) -> None:
    text = " ".join(printed(draw_view(view(**changes), ANN_TO_MOVE, SITTING)).split())
    assert said in text


def test_when_the_game_is_over_nothing_is_waited_for() -> None:
    text = printed(draw_view(view(phase=maidens.PHASE_ROLL, dice=[], supply=0), OVER, SITTING))
    assert "is to roll" not in text
    assert "times in 100" not in text


@pytest.mark.parametrize(
    ("adventure", "ending", "rolls"),
    [
        (None, 216 + 431_568 + 1_346_976, 6**9),
        (maidens.FACE_REROLL, 1_296 + 2_157_840 + 8_223_552, 6**10),
    ],
    ids=["nine dice", "with the Adventure Die"],
)
def test_the_odds_of_all_dice_are_those_of_a_first_roll(
    adventure: maidens.Face.ValueType | None, ending: int, rolls: int
) -> None:
    """The counts are exact: all Maidens, only Heroes or Monsters, nobody rescued (M-R8, M-R9, M-R13)."""
    assert ends_in_hundred(view(adventure=adventure)) == round(100 * ending / rolls)


@pytest.mark.parametrize(
    ("cards", "ending"),
    [
        # A Hero die and a Monster die: 3 x 3 Hero and Monster, 2 x 1 Monster and Hero, of 36, go on.
        ({"rescued": 6, "captured": 1}, 36 - 11),
        # The same with nobody on the Hero card: none of them rescues anybody.
        ({"captured": 7}, 36),
    ],
)
def test_the_odds_of_two_dice_can_be_counted_by_hand(cards: dict[str, Any], ending: int) -> None:
    assert ends_in_hundred(view("1245678", **cards)) == round(100 * ending / 36)


def test_a_castle_that_counts_as_rescued_lowers_the_odds() -> None:
    castle: dict[str, Any] = {"castle": 3, "captured": 4, "adventure": maidens.FACE_KING}
    options = maidens.Options(adventure_die=True, castle_counts_as_rescued=True)
    assert ends_in_hundred(view("1245678", **castle, options=options)) < ends_in_hundred(view("1245678", **castle))
