"""Playing a session out, without a server: what is asked, in which order, and what is made of the answers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages

import lair
from lair._calls import Call
from lair._translation import SESSION, from_status
from lair.playing import Policy, Wait, play_out
from lair.types import Outcome, SeatFacts, SeatKind, SessionFacts, Snapshot, Standing, State, Update
from tests.unit.test_sdk_errors import status_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HARVEST = lair.LegalMove("harvest", cabbages.Move(harvest=cabbages.Harvest()))
OUTCOME = Outcome((0,), (3, 2), "row_1_2")
ANN, BEN = Standing((0,), (0,)), Standing((1,), (1,))
OVER = Standing((), (), OUTCOME)


class Held:
    """A seat that the handle holds."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.token = f"token{index}"


def facts(
    standing: Standing | None, state: State = State.PLAYING, revision: int = 0, left: Sequence[int] = ()
) -> SessionFacts:
    seats = tuple(SeatFacts(seat, "", SeatKind.HUMAN, taken=True, left=seat in left) for seat in (0, 1))
    return SessionFacts("sessions/7f3k", "cabbages", state, revision, "", seats, None, "1", b"", standing, NOW, NOW)


def snapshot(seat: int, standing: Standing, revision: int = 0) -> Snapshot[Any]:
    return Snapshot(State.PLAYING, revision, f'"{revision}"', seat, None, (HARVEST,), standing)


def update(revision: int, seat: int, standing: Standing, *moves: lair.LegalMove) -> Update[Any]:
    return Update(revision, f'"{revision}"', seat, (), (), None, moves, standing, NOW)


def run(
    seats: Sequence[int], answers: Sequence[Any], policy: Policy | str = "random", told: list[Any] | None = None
) -> tuple[list[str], Outcome]:
    """Answer the flow's questions in order; the names of what it asked, and its result."""
    on_move = None if told is None else told.append
    flow = play_out("sessions/7f3k", [Held(seat) for seat in seats], policy, 1, on_move)
    asked: list[str] = []
    question = next(flow)
    try:
        for answer in answers:
            asked.append(name_of(question))
            question = flow.throw(answer) if isinstance(answer, lair.LairError) else flow.send(answer)
    except StopIteration as end:
        return asked, end.value
    raise AssertionError(f"it asks {name_of(question)} after {asked}")


def name_of(question: Call[Any] | Wait) -> str:
    return f"wait {question.after}" if isinstance(question, Wait) else question.path.rpartition("/")[2]


def test_a_seat_that_moves_twice_is_not_looked_at_again() -> None:
    told: list[Any] = []
    asked, outcome = run(
        [0, 1],
        [facts(ANN), snapshot(0, ANN), update(1, 0, ANN, HARVEST), update(2, 0, OVER)],
        told=told,
    )
    assert asked == ["GetSession", "GetView", "SubmitMove", "SubmitMove"]
    assert outcome == OUTCOME
    assert [item.revision for item in told] == [1, 2]


def test_others_are_waited_for() -> None:
    asked, outcome = run(
        [0],
        [facts(BEN), update(1, 1, ANN), snapshot(0, ANN, 1), update(2, 0, BEN), update(3, 1, OVER)],
    )
    assert asked == ["GetSession", "wait 0", "GetView", "SubmitMove", "wait 2"]
    assert outcome == OUTCOME


def test_a_seat_that_was_left_is_its_stand_in_s_to_play() -> None:
    asked, _ = run([0, 1], [facts(ANN, left=[0]), update(1, 0, BEN), snapshot(1, BEN, 1), update(2, 1, OVER)])
    assert asked == ["GetSession", "wait 0", "GetView", "SubmitMove"]
    asked, outcome = run([0], [facts(ANN, left=[0]), update(1, 0, OVER)])
    assert (asked, outcome) == (["GetSession", "wait 0"], OUTCOME)


def test_a_policy_that_moves_twice_knows_the_time_that_is_left() -> None:
    seen: list[Snapshot[Any]] = []

    def choose(snapshot: Snapshot[Any]) -> lair.LegalMove:
        seen.append(snapshot)
        return HARVEST

    first = replace(update(1, 0, ANN, HARVEST), deadline=NOW + timedelta(seconds=9))
    run([0], [facts(ANN), snapshot(0, ANN), first, update(2, 0, OVER)], choose)
    assert [(item.deadline, item.server_time) for item in seen] == [(None, None), (first.deadline, NOW)]


def test_a_lobby_is_waited_for_from_before_the_start() -> None:
    asked, _ = run([0], [facts(None, State.LOBBY), update(0, 0, ANN), snapshot(0, ANN), update(1, 0, OVER)])
    assert asked == ["GetSession", "wait -1", "GetView", "SubmitMove"]


def test_a_move_that_was_overtaken_is_decided_anew() -> None:
    stale = from_status(status_of(grpc.StatusCode.ABORTED, SESSION, "STALE_SESSION"))
    asked, _ = run(
        [0], [facts(ANN), snapshot(0, ANN), stale, facts(ANN, revision=1), snapshot(0, ANN, 1), update(2, 0, OVER)]
    )
    assert asked == ["GetSession", "GetView", "SubmitMove", "GetSession", "GetView", "SubmitMove"]


def test_a_turn_that_has_passed_meanwhile_is_not_played() -> None:
    asked, _ = run([0], [facts(ANN), snapshot(0, BEN, 1), update(2, 1, OVER)])
    assert asked == ["GetSession", "GetView", "wait 1"]


def test_a_move_is_bound_to_what_the_policy_saw() -> None:
    flow = play_out("sessions/7f3k", [Held(0)], lambda seen: seen.moves[0])
    next(flow)
    flow.send(facts(ANN))
    submit = flow.send(snapshot(0, ANN, 5))
    assert isinstance(submit, Call)
    assert getattr(submit.request, "etag") == '"5"'  # noqa: B009  a request of some type


def test_a_session_that_the_host_ends_meanwhile_has_no_outcome() -> None:
    with pytest.raises(lair.WrongState):
        run([0], [facts(BEN), facts(BEN, State.ABORTED)])


def test_a_game_that_is_over_has_its_outcome_at_once() -> None:
    assert run([0], [facts(OVER, State.OVER)]) == (["GetSession"], OUTCOME)


def test_without_a_seat_there_is_nothing_to_play() -> None:
    with pytest.raises(lair.InvalidRequest, match="holds no seat"):
        run([], [])
