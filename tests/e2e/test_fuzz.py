"""A live server gets requests that nobody sends on purpose: it refuses them in its own words, and nothing else happens.

Whatever comes: no INTERNAL and no UNKNOWN, nothing that hangs, a process that lives, and a database in which there is
exactly what was accepted. LAIR_FUZZ_EXAMPLES sets how many requests of each kind are tried.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from services.runtime.requests import MOST_REQUEST
from services.session.wire.encoding import delimited, tag_of
from services.session.wire.pages import write_token
from tests.support.nonsense import JUNK, messages, one_field_changed, spoiled
from tests.support.processes import Server
from tests.support.refusals import read_status
from tests.support.servers import Stubs, bearer, messages_of, service_of
from tests.support.sessions import (
    Created,
    create,
    join,
    move,
    new_id,
    open_lobby,
    options,
    play_out,
    session_of,
    submit,
)

EXAMPLES = int(os.environ.get("LAIR_FUZZ_EXAMPLES", "120"))
PATIENCE = 60.0
"""A call that takes longer hangs."""
ORDINARY = {"INVALID_ARGUMENT", "NOT_FOUND", "FAILED_PRECONDITION", "ABORTED", "UNAUTHENTICATED", "PERMISSION_DENIED"}

pytestmark = pytest.mark.slow

fuzzing = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


def methods() -> list[MethodDescriptor]:
    """Every method of every service that is served."""
    services = [wire.DESCRIPTOR.services_by_name["SessionService"]]
    services += [service_of(game).DESCRIPTOR.services_by_name["RulesService"] for game in find_games()]
    return [method for service in services for method in service.methods]


METHODS = methods()
CALLS = [method for method in METHODS if not method.client_streaming]


class Target:
    """A live server, and all that it has accepted."""

    def __init__(self, process: Server, stubs: Stubs, database: Path) -> None:
        self.process = process
        self.stubs = stubs
        self.database = database
        self.sessions: set[str] = set()
        self.revisions: set[tuple[str, int]] = set()
        # With clocks, bots or left seats: the timekeeper plays in them, ends and deletes them.
        self.kept: set[str] = set()
        created, lobby = create(stubs, request_id=new_id()), open_lobby(stubs)
        self.limits = created.session.limits
        joined = join(stubs, lobby)
        self.accepted(created)
        self.accepted(lobby)
        self.accepted_move(created.session.name, submit(stubs, created, 0).revision)
        self.created = created
        self.tokens = [*created.seat_tokens, created.host_token, joined.seat_token, "", "no token"]
        self.hints: dict[str, list[Any]] = {
            "name": [created.session.name, created.session.name, lobby.session.name, "sessions/000000000000"],
            "game": ["cabbages", "chess"],
            "seats": [wire.SeatRequest(name="Ann"), 2],
            "options": [options(), messages_of("cabbages").Options()],
            "join_code": [lobby.join_code, "7f3k-9mqa"],
            "request_id": ["", new_id()],
            "etag": ["", created.session.etag],
            "page_token": ["", *(token(1) for token in (write_token, lambda key: write_token(key, "a")))],
            "page_size": [0, 1],
            "seat": [0, 1],
            "token": self.tokens,
            "text": ["harvest", "feed", "timeout"],
            "move_text": ["", "harvest", "feed", "timeout"],
            "move": [move("harvest"), move("feed"), messages_of("cabbages").Move(harvest={})],
            "position": positions_of("cabbages", stubs),
            "type": [f"monsters.{game}.v1.{name}" for game in find_games() for name in ("Move", "Options")],
        }

    def accepted(self, answer: Created | wire.JoinSessionResponse) -> None:
        """A session is there; it has a first revision when it has started."""
        self.sessions.add(answer.session.name)
        if answer.session.limits != self.limits or any(it.kind == wire.SEAT_KIND_BOT for it in answer.session.seats):
            self.kept.add(answer.session.name)
        if answer.session.state == wire.STATE_PLAYING:
            self.revisions.add((answer.session.name, 0))

    def accepted_move(self, name: str, revision: int) -> None:
        self.revisions.add((name, revision))

    def call(self, method: MethodDescriptor, raw: bytes, token: str = "") -> None:
        """Send bytes to a method. Whatever is wrong with the answer fails the test."""
        channel: Any = self.stubs.channel
        path = f"/{method.containing_service.full_name}/{method.name}"
        ask = channel.unary_stream(path) if method.server_streaming else channel.unary_unary(path)
        try:
            answer = ask(raw, timeout=PATIENCE, metadata=bearer(token))
            if method.server_streaming:
                next(answer)
                answer.cancel()
                return
        except grpc.RpcError as error:
            refused_well(error)
            return
        self.remember(method, raw, answer)

    def play(self, raw: Sequence[bytes], token: str) -> None:
        """Send a whole stream of bytes to PlaySeat, and read it to its end."""
        channel: Any = self.stubs.channel
        play = channel.stream_stream("/monsters.session.v1.SessionService/PlaySeat")
        try:
            for answer in play(iter(raw), timeout=PATIENCE, metadata=bearer(token)):
                name = wire.PlaySeatRequest.FromString(raw[0]).open.name
                message = wire.PlaySeatResponse.FromString(answer)
                if message.acknowledgement.HasField("error"):
                    told(message.acknowledgement.error)
                elif message.HasField("acknowledgement"):
                    self.accepted_move(name, message.acknowledgement.revision)
        except grpc.RpcError as error:
            refused_well(error)

    def remember(self, method: MethodDescriptor, raw: bytes, answer: bytes) -> None:
        """What an answer says is stored."""
        if method.name == "CreateSession":
            self.accepted(wire.CreateSessionResponse.FromString(answer))
        elif method.name == "JoinSession":
            self.accepted(wire.JoinSessionResponse.FromString(answer))
        elif method.name == "LeaveSession":
            self.kept.add(wire.LeaveSessionResponse.FromString(answer).session.name)
        elif method.name == "SubmitMove":
            name = wire.SubmitMoveRequest.FromString(raw).name
            self.accepted_move(name, wire.SubmitMoveResponse.FromString(answer).update.revision)

    def check(self) -> None:
        """The process lives and serves, has logged no defect, and has stored what it accepted and nothing else."""
        assert self.process.process is not None
        assert self.process.process.poll() is None
        log = self.process.log.read_text()
        assert "incident" not in log
        assert "Traceback" not in log
        assert session_of(self.stubs, self.created).name == self.created.session.name
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as reader:
            sessions = {f"sessions/{name}" for (name,) in reader.execute("SELECT id FROM sessions")}
            revisions = {
                (f"sessions/{name}", r) for name, r in reader.execute("SELECT session_id, revision FROM records")
            }
        reader.close()
        assert sessions - self.kept == self.sessions - self.kept
        assert not {name for name, _ in revisions ^ self.revisions} - self.kept


def refused_well(error: grpc.RpcError) -> None:
    """An error of ours with all that an error has; only gRPC itself refuses what is too big."""
    call: Any = error
    status = rpc_status.from_call(call)
    if status is None:
        assert call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED, f"{call.code()}: {call.details()}"
    else:
        told(status)


def told(status: Status) -> None:
    assert read_status(status).code in ORDINARY


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    database = tmp_path_factory.mktemp("fuzz") / "lair.db"
    with Server(database, LAIR_LOG_LEVEL="warning", LAIR_HEARTBEAT="0.1") as process, Stubs(process.address) as stubs:
        yield Target(process, stubs, database)


def requests_of(method: MethodDescriptor, target: Target) -> st.SearchStrategy[Message]:
    return messages(method.input_type, target.hints)


@pytest.mark.parametrize("service", sorted({method.containing_service.full_name for method in METHODS}))
def test_messages_with_absurd_values(target: Target, service: str) -> None:
    calls = [method for method in CALLS if method.containing_service.full_name == service]

    @fuzzing
    @given(st.data(), st.sampled_from(calls), st.sampled_from(target.tokens))
    def bombard(data: st.DataObject, method: MethodDescriptor, token: str) -> None:
        target.call(method, data.draw(requests_of(method, target)).SerializeToString(), token)

    bombard()
    target.check()


def test_bytes_that_mean_nothing(target: Target) -> None:
    @fuzzing
    @given(st.sampled_from(CALLS), st.sampled_from(JUNK) | st.binary(max_size=80), st.sampled_from(target.tokens))
    def bombard(method: MethodDescriptor, raw: bytes, token: str) -> None:
        target.call(method, raw, token)

    bombard()
    target.check()


def test_bytes_that_were_nearly_right(target: Target) -> None:
    @fuzzing
    @given(st.data(), st.sampled_from(CALLS), st.sampled_from(target.tokens))
    def bombard(data: st.DataObject, method: MethodDescriptor, token: str) -> None:
        whole = requests_of(method, target).map(lambda message: message.SerializeToString())
        target.call(method, data.draw(spoiled(whole)), token)

    bombard()
    target.check()


def positions_of(game: str, stubs: Stubs) -> list[Message]:
    """All positions of one game, from its start to its end."""
    module: Any = service_of(game)
    stub = stubs.rules(game)
    seats = stub.DescribeGame(module.DescribeGameRequest()).game.max_seats
    after = stub.StartGame(module.StartGameRequest(seats=seats, chance=words.Chance(seed=bytes(32))))
    positions = [after.position]
    while not after.standing.HasField("outcome") and len(positions) < 60:
        seat = after.standing.awaited[0]
        moves = stub.EnumerateMoves(module.EnumerateMovesRequest(position=after.position, seat=seat)).moves
        request = module.ApplyMoveRequest(position=after.position, seat=seat, move=moves[-1].move)
        after = stub.ApplyMove(request)
        positions.append(after.position)
    return positions


@pytest.mark.parametrize("game", find_games())
def test_positions_with_one_field_changed(target: Target, game: str) -> None:
    service = service_of(game).DESCRIPTOR.services_by_name["RulesService"]
    asked = [method for method in service.methods if "position" in method.input_type.fields_by_name]
    positions = positions_of(game, target.stubs)
    assert all(one != other for one, other in pairwise(positions))

    @fuzzing
    @given(one_field_changed(positions), st.none() | st.integers(0, 5))
    def bombard(position: Message, seat: int | None) -> None:
        for method in asked:
            seated = {"seat": seat} if "seat" in method.input_type.fields_by_name else {}
            request: Any = GetMessageClass(method.input_type)(position=position, **seated)
            if "move_text" in method.input_type.fields_by_name:
                request.move_text = "timeout" if seat is None else "harvest"
            target.call(method, request.SerializeToString())

    bombard()
    target.check()


def test_streams_of_junk(target: Target) -> None:
    opening = wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=target.created.session.name)).SerializeToString()
    absurd = messages(wire.PlaySeatRequest.DESCRIPTOR, target.hints).map(lambda message: message.SerializeToString())
    submits = messages(wire.PlaySeatSubmit.DESCRIPTOR, target.hints).map(in_a_stream)
    anything = submits | submits | submits | absurd | st.sampled_from(JUNK) | spoiled(absurd)

    @fuzzing
    @given(st.booleans(), st.lists(anything, min_size=1, max_size=5), st.sampled_from(target.tokens))
    def bombard(opened: bool, raw: list[bytes], token: str) -> None:  # noqa: FBT001  drawn
        target.play([opening, *raw] if opened else raw, token)

    bombard()
    target.check()


def in_a_stream(submit: wire.PlaySeatSubmit) -> bytes:
    return wire.PlaySeatRequest(submit=submit).SerializeToString()


HUGE = MOST_REQUEST
MOVE = "type.googleapis.com/monsters.cabbages.v1.Move"
VALUE = tag_of(AnyMessage, "value")


def nested_any(depth: int) -> bytes:
    """An Any in an Any in an Any, as bytes."""
    raw = b""
    for _ in range(depth):
        raw = delimited(VALUE, raw)
    return raw


def test_requests_as_big_as_they_may_be_and_bigger(target: Target) -> None:
    by_name = {f"{method.containing_service.name}.{method.name}": method for method in METHODS}
    name, token = target.created.session.name, target.created.seat_tokens[0]
    position: Any = messages_of("cabbages").Position(cabbages=[0] * (HUGE - 6000), feedings=[2**31 - 1] * 1000)
    view_for = words.ViewFor(seats=[1] * (HUGE - 100), spectator=True, moves=True)
    script = words.Chance(script=words.Script(results=[1] * (HUGE - 100)))
    rules: Any = service_of("cabbages")
    for method, raw in (
        ("SessionService.SubmitMove", wire.SubmitMoveRequest(name=name, text="x" * (HUGE - 100)).SerializeToString()),
        ("SessionService.SubmitMove", wire.SubmitMoveRequest(name=name, text="x" * HUGE).SerializeToString()),
        (
            "SessionService.SubmitMove",
            wire.SubmitMoveRequest(name=name, move={"type_url": MOVE, "value": nested_any(3000)}).SerializeToString(),  # type: ignore[arg-type]  # as a dict
        ),
        (
            "SessionService.CreateSession",
            wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest()] * (HUGE // 4)).SerializeToString(),
        ),
        ("SessionService.JoinSession", wire.JoinSessionRequest(join_code="-" * (HUGE - 100)).SerializeToString()),
        ("SessionService.WatchSession", b"\x0b" * HUGE),
        ("RulesService.ViewPosition", rules.ViewPositionRequest(position=position).SerializeToString()),
        ("RulesService.StartGame", rules.StartGameRequest(seats=2, view_for=view_for).SerializeToString()),
        ("RulesService.StartGame", rules.StartGameRequest(seats=2, chance=script).SerializeToString()),
        ("RulesService.StartGame", b"\x0b" * (HUGE - 10)),
    ):
        target.call(by_name[method], raw, token)
    target.check()


def test_afterwards_a_game_is_played_as_ever(target: Target) -> None:
    created = create(target.stubs)
    target.accepted(created)
    for update in play_out(target.stubs, created):
        target.accepted_move(created.session.name, update.revision)
    assert session_of(target.stubs, created).state == wire.STATE_OVER
    target.check()
