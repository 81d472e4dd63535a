"""Monsters & Maidens over gRPC: real dice on a table, and what is refused of chips, re-rolls, faces and dice."""

from typing import Any

import pytest
from monsters.maidens.v1 import maidens_pb2 as maidens
from monsters.maidens.v1 import rules_service_pb2 as service
from monsters.rules.v1 import rules_pb2 as words

from tests.support.refusals import RULES, Refused, refusal_of
from tests.support.servers import Stubs

MAIDENS = "monsters.maidens.v1"
KING = (1, 1, 6, 2, 4, 3, 6, 6, 6, 4)
REROLL = (1, 1, 4, 1, 1, 1, 1, 1, 6, 6)


def started(server: Stubs) -> maidens.Position:
    """A game with the Adventure Die in which seat 0 begins."""
    options = maidens.Options(adventure_die=True, first_seat=0)
    position: maidens.Position = (
        server.rules("maidens").StartGame(service.StartGameRequest(seats=2, options=options)).position
    )
    return position


def apply(server: Stubs, position: maidens.Position, *results: int, **move: Any) -> service.ApplyMoveResponse:
    """A move of seat 0 with these results."""
    request = service.ApplyMoveRequest(
        position=position, seat=0, chance=words.Chance(script=words.Script(results=results)), **move
    )
    response: service.ApplyMoveResponse = server.rules("maidens").ApplyMove(request)
    return response


def refused(server: Stubs, position: maidens.Position, **move: Any) -> Refused:
    return refusal_of(lambda: apply(server, position, **move))


def test_real_dice_on_a_table_are_played(server: Stubs) -> None:
    rolled = apply(server, started(server), *KING, move_text="roll")
    assert list(rolled.draws[0].results) == list(KING)
    assert [event.WhichOneof("kind") for event in rolled.events] == [
        "rolled",
        "rescued",
        "fought",
        "captured",
        "turn_ended",
        "scored",
        "chip_earned",
    ]
    assert list(rolled.position.chips) == [1, 0]
    assert list(rolled.standing.awaited) == [1]


def test_a_window_is_open_until_it_is_decided(server: Stubs) -> None:
    window = apply(server, started(server), *REROLL, move_text="roll").position
    assert window.phase == maidens.PHASE_WINDOW
    request = service.ViewPositionRequest(position=window, seat=0)
    seen = server.rules("maidens").ViewPosition(request).view
    assert [move.text for move in seen.moves] == ["keep", "reroll"]
    kept, again = (
        apply(server, window, move=seen.moves[0].move),
        apply(server, window, *KING, move=seen.moves[1].move),
    )
    assert [event.WhichOneof("kind") for event in kept.events][:1] == ["rescued"]
    assert [event.WhichOneof("kind") for event in again.events][:1] == ["rerolled"]


CHIP = maidens.UseChip(die=2, face=maidens.FACE_MAIDEN)
ILLEGAL: dict[str, tuple[dict[str, Any], str, str]] = {
    "a chip that isn't there": ({"move": maidens.Move(use_chip=CHIP)}, "NO_CHIP", "M-R19"),
    "a decision before the window is closed": ({"move": maidens.Move(stop=maidens.Stop())}, "WRONG_PHASE", "M-R14"),
    "a second beginning": ({"move_text": "roll"}, "WRONG_PHASE", "M-R6"),
    "the host's move": ({"move_text": "timeout"}, "HOST_ONLY", "M-H1"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_what_is_illegal_in_the_window_is_refused_with_its_rule(server: Stubs, case: str) -> None:
    move, reason, rule = ILLEGAL[case]
    window = apply(server, started(server), *REROLL, move_text="roll").position
    before = window.SerializeToString(deterministic=True)
    refusal = refused(server, window, **move)
    assert refusal.kind == ("FAILED_PRECONDITION", MAIDENS, reason)
    assert refusal.rules == {rule: reason}
    assert window.SerializeToString(deterministic=True) == before


CHIPS = {
    "a die that isn't there": (maidens.UseChip(die=-1, face=maidens.FACE_MAIDEN), "NO_SUCH_DIE"),
    "an eleventh die": (maidens.UseChip(die=10, face=maidens.FACE_MAIDEN), "NO_SUCH_DIE"),
    "a face that the die hasn't": (maidens.UseChip(die=0, face=maidens.FACE_KING), "FACE_NOT_ON_DIE"),
    "the face that it shows": (maidens.UseChip(die=0, face=maidens.FACE_HERO), "SAME_FACE"),
}


@pytest.mark.parametrize("case", CHIPS)
def test_a_chip_is_not_used_on_what_is_not_there(server: Stubs, case: str) -> None:
    chip, reason = CHIPS[case]
    holding = maidens.Position(
        points=[0, 4], chips=[1, 0], turn=3, phase=maidens.PHASE_ROLL, options=maidens.Options(adventure_die=True)
    )
    window = apply(server, holding, *REROLL, move_text="roll").position
    refusal = refused(server, window, move=maidens.Move(use_chip=chip))
    assert refusal.kind == ("FAILED_PRECONDITION", MAIDENS, reason)
    assert refusal.rules == {"M-R19": reason}


@pytest.mark.parametrize("face", [0, 99])
def test_a_face_that_no_die_has_is_malformed(server: Stubs, face: Any) -> None:
    move = maidens.Move(use_chip=maidens.UseChip(die=0, face=face))
    refusal = refused(server, started(server), move=move)
    assert refusal.kind == ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
    assert set(refusal.fields) == {"move.use_chip.face"}


def test_dice_that_do_not_add_up_to_nine_are_impossible(server: Stubs) -> None:
    settled = apply(server, started(server), 1, 1, 6, 1, 1, 1, 1, 1, 1, 2, move_text="roll").position
    settled.rescued += 1
    settled.chips[1] = 2
    refusal = refused(server, settled, move_text="stop")
    assert refusal.kind == ("INVALID_ARGUMENT", RULES, "IMPOSSIBLE_POSITION")
    assert set(refusal.fields) == {"position.dice", "position.chips[1]"}
