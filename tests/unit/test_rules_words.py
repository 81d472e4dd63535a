"""What is kept as a message is copied into each answer: nobody's answer is another's."""

from monsters.rules.v1 import opaque_pb2 as opaque

from services.kernel.audience import only
from services.kernel.chance import Draw
from services.rules.words import write_draws

ROLL = Draw("feed", 6, (3, 4))


def answered(*draws: Draw) -> opaque.ApplyMoveResponse:
    return opaque.ApplyMoveResponse(draws=write_draws(draws))


def test_who_changes_an_answer_changes_no_other() -> None:
    first, second = answered(ROLL), answered(ROLL)
    first.draws[0].results[:] = [1]
    first.draws[0].audience.spectators = True
    assert list(second.draws[0].results) == list(answered(ROLL).draws[0].results) == [3, 4]
    assert not answered(ROLL).draws[0].audience.spectators


def test_the_same_roll_for_others_is_another_receipt() -> None:
    public, hidden = answered(ROLL, Draw("feed", 6, (3, 4), audience=only(1))).draws
    assert public.audience.everybody
    assert not hidden.audience.everybody
    assert list(hidden.audience.seats) == [1]
