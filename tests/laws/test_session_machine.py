"""A session against a dictionary: whatever is asked of it in whatever order, it is what the model says.

The machine joins, leaves, plays, asks again, races, reads, ends and restarts the server. What is random in a game it
takes from the answers; what is refused, and with which reason, it says itself.

The same steps lead elsewhere another time, by dice and races, and Hypothesis refuses choices that depend on that: so
every rule is always possible, if only to do nothing, and picks by a number whose range is constant.
"""

import functools
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import Refused, refusal_of
from tests.support.servers import Stubs, bearer, running
from tests.support.sessions import (
    abort,
    endless,
    history_of,
    join,
    new_id,
    open_lobby,
    reveal_of,
    session_of,
    view_of,
    watch,
)

EXAMPLES = 12
STEPS = 40
STALE = '"1000"'
SEAT = st.integers(0, 3)
TEXT = st.sampled_from(["feed", "feed", "feed", "harvest", "timeout", "dance"])
AT_ONCE = st.integers(2, 5)
PICK = st.integers(0, 59)
"""Which of some that are there: divisible by whatever number of them is likely."""

Rule = TypeVar("Rule", bound=Callable[..., None])
Item = TypeVar("Item")


def if_there(there: Callable[["SessionMachine"], object]) -> Callable[[Rule], Rule]:
    """Do nothing unless there is something to do it with. It has to stand below `rule`."""

    def guarded(step: Rule) -> Any:
        return functools.wraps(step)(lambda machine, **drawn: step(machine, **drawn) if there(machine) else None)

    return guarded


def picked(items: Sequence[Item], pick: int) -> Item:
    """One of them."""
    return items[pick % len(items)]


class SessionMachine(RuleBasedStateMachine):
    """One session, and what has to be true of it."""

    def __init__(self) -> None:
        super().__init__()
        self.life = ExitStack()
        self.folder = self.life.enter_context(tempfile.TemporaryDirectory())
        self.server = ExitStack()
        self.stubs = self.start()
        self.state: Any = wire.STATE_LOBBY
        self.tokens: dict[int, str] = {}
        self.history: list[wire.Update] = []
        self.joins: dict[str, tuple[int | None, wire.JoinSessionResponse]] = {}
        self.moves: dict[str, tuple[wire.SubmitMoveRequest, int, wire.Update]] = {}
        self.left: list[tuple[wire.LeaveSessionRequest, str]] = []

    def start(self) -> Stubs:
        return self.server.enter_context(running(Path(self.folder) / "lair.db"))

    def teardown(self) -> None:
        self.server.close()
        self.life.close()

    @initialize(seats=st.integers(2, 3), turns=st.integers(1, 20), free=st.sampled_from([0, 0, 0, 0, 1, 3]))
    def open(self, seats: int, turns: int, free: int) -> None:
        self.seats = seats
        self.lobby = open_lobby(self.stubs, **endless(turns, seats))
        self.lobby.seat_tokens.extend([""] * seats)
        for _ in range(seats - free):
            self.take_a_seat(None)

    # ---- what the model says ----------------------------------------------------------------------------------------

    @property
    def revision(self) -> int:
        return max(len(self.history) - 1, 0)

    @property
    def standing(self) -> Any:
        return self.history[-1].standing

    def refusal(self, seat: int, text: str, etag: str) -> str | None:
        """Why a move of a seat is refused, or None."""
        ended = {wire.STATE_ABORTED: "SESSION_ABORTED", wire.STATE_OVER: "GAME_OVER"}
        if etag == STALE:
            return "STALE_SESSION"
        if self.state in ended:
            return ended[self.state]
        if not self.history:
            return "SESSION_NOT_STARTED"
        if text == "dance":
            return "MALFORMED_REQUEST"
        if text == "timeout":
            return "HOST_ONLY"
        return None if seat in self.standing.awaited else "NOT_YOUR_TURN"

    def happened(self, update: wire.Update) -> None:
        """A move was accepted: it has to be the next one."""
        assert update.revision == len(self.history)
        told = wire.Update()
        told.CopyFrom(update)
        told.ClearField("view")
        told.ClearField("moves")
        self.history.append(told)
        if told.standing.HasField("outcome"):
            self.state = wire.STATE_OVER

    def ask(self, seat: int, request: wire.SubmitMoveRequest) -> Any:
        return self.stubs.sessions.SubmitMove.future(request, metadata=bearer(self.tokens[seat]))

    def request(self, text: str, etag: str = "") -> wire.SubmitMoveRequest:
        return wire.SubmitMoveRequest(name=self.lobby.session.name, text=text, etag=etag, request_id=new_id())

    # ---- joining ----------------------------------------------------------------------------------------------------

    @rule(wanted=st.none() | SEAT)
    def come_and_take_a_seat(self, wanted: int | None) -> None:
        self.take_a_seat(wanted)

    def take_a_seat(self, wanted: int | None) -> None:
        free = [seat for seat in range(self.seats) if seat not in self.tokens and wanted in (None, seat)]
        request_id = new_id()

        def call() -> wire.JoinSessionResponse:
            return join(self.stubs, self.lobby, seat=wanted, request_id=request_id)

        if self.state == wire.STATE_ABORTED:
            assert refusal_of(call).reason == "SESSION_ABORTED"
        elif wanted is not None and wanted >= self.seats:
            assert refusal_of(call).reason == "MALFORMED_REQUEST"
        elif not free:
            assert refusal_of(call).reason == "SEAT_TAKEN"
        else:
            answer = call()
            assert answer.seat == free[0]
            self.tokens[answer.seat] = self.lobby.seat_tokens[answer.seat] = answer.seat_token
            self.joins[request_id] = (wanted, answer)
            if len(self.tokens) == self.seats:
                self.state = wire.STATE_PLAYING
                (started,) = history_of(self.stubs, self.lobby)
                self.happened(started)

    @rule(pick=PICK)
    @if_there(lambda self: self.joins)
    def ask_for_a_seat_again(self, pick: int) -> None:
        request_id = picked([*self.joins], pick)
        wanted, first = self.joins[request_id]
        again = join(self.stubs, self.lobby, seat=wanted, request_id=request_id)
        assert (again.seat, again.seat_token) == (first.seat, first.seat_token)
        other = lambda: join(self.stubs, self.lobby, display_name="Eve", request_id=request_id)  # noqa: E731  called
        assert refusal_of(other).reason == "REQUEST_ID_REUSED"

    @rule(pick=PICK)
    @if_there(lambda self: self.tokens and self.state == wire.STATE_LOBBY)
    def leave_before_the_start(self, pick: int) -> None:
        token = self.tokens.pop(picked(sorted(self.tokens), pick))
        self.left.append((wire.LeaveSessionRequest(name=self.lobby.session.name, request_id=new_id()), token))
        self.leave_again(-1)

    @rule(pick=PICK)
    @if_there(lambda self: self.left)
    def send_a_leaving_again(self, pick: int) -> None:
        self.leave_again(pick)

    def leave_again(self, number: int) -> None:
        request, token = picked(self.left, number)
        session = self.stubs.sessions.LeaveSession(request, metadata=bearer(token)).session
        assert session == session_of(self.stubs, self.lobby)
        other = wire.LeaveSessionRequest(name=request.name, request_id=new_id())
        refused = refusal_of(lambda: self.stubs.sessions.LeaveSession(other, metadata=bearer(token)))
        assert refused.reason == "BAD_TOKEN"

    # ---- playing ----------------------------------------------------------------------------------------------------

    @rule(pick=PICK, text=TEXT, etag=st.sampled_from(["", "now", STALE]))
    @if_there(lambda self: self.tokens)
    def play(self, pick: int, text: str, etag: str) -> None:
        seat = picked(sorted(self.tokens), pick)
        request = self.request(text, f'"{self.revision}"' if etag == "now" else etag)
        expected, call = self.refusal(seat, text, etag), self.ask(seat, request)
        if expected:
            assert refusal_of(call.result).reason == expected
        else:
            update = call.result().update
            assert update.seat == seat
            self.happened(update)
            self.moves[request.request_id] = (request, seat, update)

    @rule()
    @if_there(lambda self: self.history)
    def say_that_time_is_up(self) -> None:
        metadata = bearer(self.lobby.host_token)
        call = self.stubs.sessions.SubmitMove.future(self.request("timeout"), metadata=metadata)
        if self.state == wire.STATE_PLAYING:
            update = call.result().update
            assert not update.HasField("seat")
            self.happened(update)
        else:
            assert refusal_of(call.result).reason in {"GAME_OVER", "SESSION_ABORTED"}

    @rule(pick=PICK)
    @if_there(lambda self: self.moves)
    def send_a_move_again(self, pick: int) -> None:
        request, seat, first = picked([*self.moves.values()], pick)
        assert self.ask(seat, request).result().update == first
        other = wire.SubmitMoveRequest()
        other.CopyFrom(request)
        other.etag = STALE
        assert refusal_of(self.ask(seat, other).result).reason == "REQUEST_ID_REUSED"

    # ---- races ------------------------------------------------------------------------------------------------------

    @rule(count=AT_ONCE)
    @if_there(lambda self: self.state == wire.STATE_PLAYING)
    def send_one_move_many_times_at_once(self, count: int) -> None:
        seat, request = self.standing.awaited[0], self.request("feed")
        first, *others = [call.result().update for call in [self.ask(seat, request) for _ in range(count)]]
        assert others == [first] * (count - 1)
        self.happened(first)
        self.moves[request.request_id] = (request, seat, first)

    @rule(count=AT_ONCE)
    @if_there(lambda self: self.state == wire.STATE_PLAYING)
    def race_for_one_revision(self, count: int) -> None:
        seat, etag = self.standing.awaited[0], f'"{self.revision}"'
        answers = self.answers([self.ask(seat, self.request("feed", etag)) for _ in range(count)])
        (update,) = [answer for answer in answers if isinstance(answer, wire.Update)]
        assert [answer.reason for answer in answers if isinstance(answer, Refused)] == ["STALE_SESSION"] * (count - 1)
        self.happened(update)

    @rule()
    @if_there(lambda self: self.state == wire.STATE_PLAYING)
    def everybody_plays_at_once(self) -> None:
        answers = self.answers([self.ask(seat, self.request("feed")) for seat in range(self.seats)])
        for answer in sorted([a for a in answers if isinstance(a, wire.Update)], key=lambda update: update.revision):
            self.happened(answer)
        reasons = {answer.reason for answer in answers if isinstance(answer, Refused)}
        assert reasons <= {"NOT_YOUR_TURN", "GAME_OVER"}

    def answers(self, calls: list[Any]) -> list[wire.Update | Refused]:
        return [refusal_of(call.result) if call.exception() else call.result().update for call in calls]

    # ---- reading ----------------------------------------------------------------------------------------------------

    @rule(revision=st.integers(-1, 12))
    def look_at_a_revision(self, revision: int) -> None:
        seat = min(self.tokens, default=None)
        if not 0 <= revision < len(self.history):
            call = lambda: view_of(self.stubs, self.lobby, seat, revision=revision)  # noqa: E731  called
            assert refusal_of(call).reason == "REVISION_NOT_FOUND"
        else:
            snapshot = view_of(self.stubs, self.lobby, seat, revision=revision)
            assert snapshot.standing == self.history[revision].standing
            assert bool(snapshot.moves) == (seat in snapshot.standing.awaited)

    @rule(size=st.integers(1, 5))
    def read_the_history(self, size: int) -> None:
        assert history_of(self.stubs, self.lobby, page_size=size) == self.history

    @rule(pick=PICK)
    @if_there(lambda self: self.history)
    def watch_from_a_revision(self, pick: int) -> None:
        after = picked(range(-1, self.revision + 1), pick)
        stream = watch(self.stubs, self.lobby, after_revision=after)
        for expected in self.history[after + 1 :]:
            told = next(stream).update
            told.ClearField("view")
            told.ClearField("moves")
            assert told == expected
        if self.state != wire.STATE_PLAYING:
            assert next(stream).closing.revision == self.revision
        stream.cancel()

    # ---- ending -----------------------------------------------------------------------------------------------------

    @rule(really=st.integers(0, 9))
    def end_it(self, really: int) -> None:
        if self.state == wire.STATE_OVER:
            assert refusal_of(lambda: abort(self.stubs, self.lobby)).reason == "GAME_OVER"
        elif really == 7 or self.state == wire.STATE_ABORTED:
            self.state = abort(self.stubs, self.lobby).state
            assert self.state == wire.STATE_ABORTED

    @rule()
    def reveal(self) -> None:
        if self.state in (wire.STATE_LOBBY, wire.STATE_PLAYING):
            assert refusal_of(lambda: reveal_of(self.stubs, self.lobby)).reason == "SESSION_NOT_OVER"
        else:
            steps = reveal_of(self.stubs, self.lobby).steps
            assert [step.revision for step in steps] == list(range(len(self.history)))
            assert [list(step.events) for step in steps] == [list(update.events) for update in self.history]

    @rule()
    def restart_the_server(self) -> None:
        self.server.close()
        self.stubs = self.start()

    @invariant()
    def the_session_is_what_the_model_says(self) -> None:
        if not hasattr(self, "lobby"):
            return
        session = session_of(self.stubs, self.lobby)
        assert (session.state, session.revision, session.etag) == (self.state, self.revision, f'"{self.revision}"')
        assert {seat.seat for seat in session.seats if seat.taken} == set(self.tokens)
        assert session.HasField("standing") == bool(self.history)
        if self.history:
            assert session.standing == self.standing


@pytest.mark.slow
def test_a_session_is_what_the_model_says() -> None:
    run_state_machine_as_test(
        SessionMachine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
