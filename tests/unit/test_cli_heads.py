"""How the command line draws 3 to 4 Headed Monster."""

import io
from typing import Any

import pytest
from monsters.heads.v1 import heads_pb2 as heads
from rich.console import Console, RenderableType

from lair import Outcome, Standing
from lair.cli.rendering import draw_view, view_table
from lair.cli.sitting import Sitting

NAMES = ("Ann", "Ben", "Cleo", "Dan")
SITTING = Sitting(NAMES)
ASCII = Sitting(NAMES, unicode=False)
ALL = Standing((0, 1, 2, 3), (0, 1, 2, 3))
ONE, FOUR, FIVE, EIGHT, X = heads.CARD_ONE, heads.CARD_FOUR, heads.CARD_FIVE, heads.CARD_EIGHT, heads.CARD_X
PEACEFUL, DANGEROUS = heads.ROLE_PEACEFUL, heads.ROLE_DANGEROUS


def printed(drawn: RenderableType, *, encoding: str = "utf-8", width: int = 100) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=stream, width=width, highlight=False, markup=False, emoji=False).print(drawn)
    stream.flush()
    stream.seek(0)
    return stream.read()


def drawn(standing: Standing = ALL, sitting: Sitting = SITTING, **fields: Any) -> str:
    view = heads.View(**{"phase": heads.PHASE_DISCUSS, "round": 1, "hand_sizes": [3, 3, 3, 3], **fields})
    return printed(draw_view(view, standing, sitting))


def of(seat: int, **fields: Any) -> dict[str, Any]:
    return {"seat": seat, "role": DANGEROUS, "hand": [ONE, FOUR, X], **fields}


def placed(**fields: Any) -> heads.RoundView:
    return heads.RoundView(**{"pair_seats": [0, 1], "validator_seat": 2, "side": heads.SIDE_DANGEROUS, **fields})


def test_a_player_sees_the_own_cards_and_the_backs_of_all_others() -> None:
    text = drawn(**of(1))
    assert text.count("[1][4][X]") == 1
    assert text.count("[#][#][#]") == 3
    assert "You are dangerous. You hold 1, 4 and X." in text
    assert text.count("dangerous ") == text.count("dangerous (8") + 1, "only their own role is shown"


def test_a_spectator_sees_backs_alone() -> None:
    text = drawn()
    assert text.count("[#][#][#]") == 4
    assert "You" not in text
    assert text.count("?") == 5, "four roles, and the question who plays"


def test_heads_have_names_and_no_numbers_since_moves_call_them_by_name() -> None:
    text = drawn(standing=Standing((1,), (1,)))
    assert "> Ben " in text
    assert " Cleo " in text
    assert "2" not in text
    assert "> Cleo" not in text


def test_offers_stand_below_the_heads_that_make_them() -> None:
    lines = drawn(proposals=[heads.Proposal(seat=0, to_seat=3)]).splitlines()
    (line,) = [line for line in lines if "asks Dan" in line]
    heads_above = next(line for line in lines if "Ann" in line)
    assert line.index("asks") < heads_above.index("Ben")


def test_the_pair_is_told_and_whose_card_is_missing() -> None:
    text = drawn(
        Standing((0,), (0, 1, 2, 3)), phase=heads.PHASE_PLAY, round=2, pair_seats=[0, 2], played_seats=[2], **of(2)
    )
    assert "Round 2: Ann and Cleo play (agreed). A card is missing from Ann." in text
    assert text.count("card is down") == 1
    assert text.count("one of the two") == 1


def test_the_own_card_that_is_down_is_told_to_its_owner() -> None:
    fields = of(2, phase=heads.PHASE_PLAY, pair_seats=[0, 2], played_seats=[2], played_card=EIGHT)
    assert "Your 8 is down." in drawn(Standing((0,), (0,)), **fields)


@pytest.mark.parametrize(
    ("known", "cards"),
    [
        ({}, "[#][#]"),
        ({"own_card": FOUR}, "[4][#]"),
        ({"validated_cards": [ONE, FIVE]}, "[1][5]"),
        ({"cards": [FIVE, ONE]}, "[5][1]"),
    ],
)
def test_on_the_trek_card_the_cards_that_are_known_are_face_up(known: dict[str, Any], cards: str) -> None:
    text = drawn(rounds=[placed(**known)])
    line = next(line for line in text.splitlines() if cards in line and "[#][#][#]" not in line)
    assert line.startswith("Trek card, dangerous (8 or less): 2 cards")
    assert "Trek card, peaceful (9 or more):  0 cards" in text


def test_rounds_are_told_with_who_looked_where() -> None:
    looks: tuple[tuple[dict[str, Any], str], ...] = (
        ({"seat": 3}, "Dan looked at no card."),
        ({"seat": 3, "target_seat": 0}, "Dan looked at a card of Ann."),
        ({"seat": 3, "target_seat": 0, "card": X}, "Dan looked at a card of Ann: the X."),
    )
    for look, sentence in looks:
        text = drawn(rounds=[placed(look=heads.LookView(**look))])
        assert f"Round 1: Ann and Ben played, Cleo validated: dangerous. {sentence}" in text


@pytest.mark.parametrize(
    ("phase", "sentence"),
    [
        (heads.PHASE_DISCUSS, "Round 1: which two shall play? 7 moves of talk so far."),
        (heads.PHASE_NOMINATE, "Round 1: Ann and Ben choose a validator. A name is missing from Ben."),
        (heads.PHASE_PEEK, "Round 1: Ben may look at a card of somebody."),
        (heads.PHASE_FORK_DISCUSS, "The Fork in the Road: which two shall play their roles? 7 moves of talk so far."),
        (heads.PHASE_OVER, "The game is over."),
    ],
)
def test_what_is_going_on_is_told(phase: heads.Phase.ValueType, sentence: str) -> None:
    assert sentence in drawn(Standing((1,), (1,)), phase=phase, discussed=7, pair_seats=[0, 1])


def test_at_the_end_everything_is_face_up() -> None:
    text = drawn(
        Standing((), (), Outcome((1,), (0, 1, 0, 0), "trek_peaceful")),
        phase=heads.PHASE_OVER,
        hand_sizes=[0, 1, 1, 1],
        hands=[heads.Hand(cards=cards) for cards in ([], [ONE], [FOUR], [X])],
        roles=[DANGEROUS, PEACEFUL, DANGEROUS, DANGEROUS],
        rounds=[placed(cards=[FIVE, EIGHT])],
        **of(0, hand=[]),
    )
    assert "#" not in text
    assert "no cards" in text
    assert "Ann 5 and Ben 8." in text
    assert "You are" not in text


def test_the_heads_fit_into_eighty_columns_and_leave_room_for_moves_and_need_no_colour() -> None:
    long = Sitting(("Bartholomew the Great", "Ben", "Wilhelmina of Orange", "Dan"))
    rounds = [placed(look={"seat": 3, "target_seat": 0})] * 2
    view = heads.View(
        **{"phase": heads.PHASE_DISCUSS, "round": 3, "hand_sizes": [3, 3, 3, 3], "rounds": rounds, **of(0)},
        proposals=[heads.Proposal(seat=0, to_seat=2)],
    )
    text = printed(draw_view(view, ALL, long), width=80)
    lines = text.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 80
    assert len(lines) <= 18, "of 24: the others are for moves and the prompt"
    assert "\x1b" not in text


def test_a_narrow_terminal_breaks_the_row_and_no_head() -> None:
    view = heads.View(phase=heads.PHASE_DISCUSS, round=1, hand_sizes=[3, 3, 3, 3])
    assert printed(draw_view(view, ALL, SITTING), width=60).count("[#][#][#]") == 4


def test_an_ascii_terminal_gets_ascii() -> None:
    view = heads.View(phase=heads.PHASE_DISCUSS, round=1, hand_sizes=[3, 3, 3, 3], rounds=[placed()], **of(0))
    assert printed(draw_view(view, ALL, ASCII), encoding="ascii").isascii()


def test_a_name_cannot_move_the_cursor() -> None:
    text = drawn(sitting=Sitting(("\x1b[2JAnn", "Ben\x07", "Cleo", "Dan")))
    assert "\x1b" not in text
    assert "\x07" not in text


def test_without_a_drawing_the_same_view_is_a_table() -> None:
    assert "hand sizes" in printed(view_table(heads.View(hand_sizes=[3, 3, 2, 3]), ALL, SITTING))
