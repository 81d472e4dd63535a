"""What can't be in Monsters & Maidens: numbers that are changed in a position, and numbers that are absurd."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games.maidens.position import Maidens, Options, Phase, Position
from tests.support.laws import examples
from tests.support.maidens import ENTRY, GAME
from tests.support.walks import walks

law = examples(60)


@given(data=st.data())
@law
def test_a_single_number_of_a_turn_can_not_be_changed(data: st.DataObject) -> None:
    """Dice have to add up, and the rest has to fit the phase."""
    position: Position = data.draw(walks(ENTRY).filter(lambda walk: walk.position.dice)).position
    maidens = position.maidens
    forged = [
        replace(position, dice=position.dice[1:]),
        replace(position, dice=(*position.dice, position.dice[0])),
        replace(position, dice=position.dice[::-1]),
        replace(position, phase=Phase.ROLL),
        replace(position, roll_number=0),
        replace(position, chips=(*position.chips, 0)),
        replace(position, points=(-1, *position.points[1:])),
        *(
            replace(position, maidens=replace(maidens, **{place: getattr(maidens, place) + step}))
            for place in ("rescued", "captured", "castle", "dragon")
            for step in (-1, 1)
        ),
    ]
    for position in forged:
        assert GAME.check(position), GAME.write(position)


MOST = 2**31 - 1
ABSURD = GAME.read(
    "turn 4; seat 0; points 0 0 9; chips 0 1 0; phase decide; rolls 2; dice hero: hero hero *maiden, "
    "monster: monster monster monster, maiden: *maiden *maiden hero; rescued 3"
)


@pytest.mark.parametrize(
    ("forged", "fields"),
    [
        (replace(ABSURD, turn=MOST), ["turn"]),
        (replace(ABSURD, turn=100_000_000), []),
        (replace(ABSURD, roll_number=MOST), ["roll_number"]),
        (replace(ABSURD, points=(MOST, MOST, MOST)), None),
        (replace(ABSURD, points=(0,) * 10_000), ["points"]),
        (replace(ABSURD, chips=(0,) * 10_000), ["chips"]),
        (replace(ABSURD, dice=ABSURD.dice * 1_000), ["dice"]),
        (replace(ABSURD, active_seat=-MOST, roll_number=-MOST), ["active_seat", "roll_number"]),
        (replace(ABSURD, maidens=Maidens(MOST, MOST, MOST, MOST)), None),
        (replace(ABSURD, maidens=Maidens(-MOST, -MOST)), ["rescued", "captured", "dice"]),
        (replace(ABSURD, chips=(-MOST, MOST, MOST)), None),
        (replace(ABSURD, options=Options(first_seat=MOST)), None),
    ],
)
def test_absurd_numbers_are_refused_at_once(forged: Position, fields: list[str] | None) -> None:
    began = time.process_time()
    found = [flaw.field for flaw in GAME.check(forged)]
    assert time.process_time() - began < 0.02
    assert found if fields is None else found == fields
