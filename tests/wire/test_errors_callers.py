"""What one caller can take from others: places, sessions, joins, the server's memory. Nobody gets all of anything.

Callers are told apart by what a proxy on this machine says of them.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1 import session_pb2_grpc

from services.rules import service
from services.runtime import server as chassis
from services.session.wire import playing, servicer
from tests.support.refusals import RULES, SESSION, refusal_of
from tests.support.servers import PATIENCE, Stubs, bearer, running
from tests.support.sessions import create, endless, open_lobby, session_of, submit, watch

LIMITED = ("RESOURCE_EXHAUSTED", RULES, "RATE_LIMITED")
CROWDED = ("RESOURCE_EXHAUSTED", SESSION, "TOO_MANY_WATCHERS")
SILENT = ("DEADLINE_EXCEEDED", RULES, "TOO_SLOW")
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
"""Of HTTP/2, with empty settings (RFC 9113, 3.4)."""
LOBBY = wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest()] * 2)


def at(address: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller at an address."""
    return (("x-forwarded-for", address),)


def test_a_caller_opens_so_many_sessions_a_minute(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_caller_creations=3) as server:
        for _ in range(3):
            server.sessions.CreateSession(LOBBY, metadata=at("203.0.113.7"))
        refused = refusal_of(lambda: server.sessions.CreateSession(LOBBY, metadata=at("1.1.1.1, 203.0.113.7")))
        assert (refused.kind, refused.metadata) == (LIMITED, {"limit": "3"})
        assert refused.retry_after
        assert 10 < refused.retry_after <= 20
        server.sessions.CreateSession(LOBBY, metadata=at("203.0.113.8"))
        for _ in range(5):
            open_lobby(server)


def test_all_together_open_so_many(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_creations=2) as server:
        ended = create(server)
        open_lobby(server)
        refused = refusal_of(lambda: server.sessions.CreateSession(LOBBY, metadata=at("203.0.113.7")))
        assert refused.kind == LIMITED
        server.sessions.AbortSession(
            wire.AbortSessionRequest(name=ended.session.name), metadata=bearer(ended.host_token)
        )
        rematch = wire.CreateRematchRequest(name=ended.session.name)
        refused = refusal_of(lambda: server.sessions.CreateRematch(rematch, metadata=bearer(ended.host_token)))
        assert refused.kind == LIMITED, "a rematch is a session, too"


def test_codes_are_guessed_only_so_often(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_caller_joins=2) as server:
        lobby = open_lobby(server)

        def join(code: str, address: str) -> wire.JoinSessionResponse:
            return server.sessions.JoinSession(wire.JoinSessionRequest(join_code=code), metadata=at(address))

        for guess in ("aaaa-aaaa", "aaaa-aaab"):
            assert refusal_of(lambda guess=guess: join(guess, "203.0.113.7")).reason == "JOIN_CODE_NOT_FOUND"  # type: ignore[misc]
        assert refusal_of(lambda: join(lobby.join_code, "203.0.113.7")).kind == LIMITED
        assert join(lobby.join_code, "203.0.113.8").seat == 0


def test_spectators_leave_places_for_those_who_play(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_streams=3, max_spectators=2) as server:
        created = create(server)
        watches = [begun(watch(server, created)) for _ in range(2)]
        refused = refusal_of(lambda: next(watch(server, created)))
        assert (refused.kind, refused.metadata) == (CROWDED, {"limit": "2"})
        watches.append(begun(watch(server, created, 0)))
        assert refusal_of(lambda: next(watch(server, created, 1))).metadata == {"limit": "3"}
        for stream in watches:
            stream.cancel()


def test_one_connection_does_not_hold_every_stream(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_caller_streams=2) as server:
        created = create(server)
        watches = [begun(watch(server, created)) for _ in range(2)]
        refused = refusal_of(lambda: next(watch(server, created)))
        assert (refused.kind, refused.metadata) == (CROWDED, {"limit": "2"})
        elsewhere = server.sessions.WatchSession(
            wire.WatchSessionRequest(name=created.session.name), metadata=at("203.0.113.7")
        )
        for stream in (*watches, begun(elsewhere)):
            stream.cancel()


def test_more_calls_than_a_connection_may_have_wait_in_the_client(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_connection_calls=2) as server:
        created = create(server)
        first, second = (begun(watch(server, created)) for _ in range(2))
        waiting = server.sessions.GetSession.future(wire.GetSessionRequest(name=created.session.name))
        with grpc.insecure_channel(server.address, [("grpc.use_local_subchannel_pool", 1)]) as another:
            session_pb2_grpc.SessionServiceStub(another).ListGames(wire.ListGamesRequest(), timeout=PATIENCE)
        assert not waiting.done()
        first.cancel()
        assert waiting.result().session.name == created.session.name
        second.cancel()


def begun(stream: Any) -> Any:
    """A stream that has said something."""
    assert next(stream).WhichOneof("message")
    return stream


def test_a_stream_counts_from_the_first_byte_and_has_to_say_what_it_wants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer, "OPEN_WITHIN", 1.0)
    with running(tmp_path / "lair.db", max_streams=1) as server:
        created = create(server)
        done = threading.Event()
        silent = server.sessions.PlaySeat(until(done), metadata=bearer(created.seat_tokens[0]))
        refused = wait_for(lambda: refusal_of(lambda: next(watch(server, created))))
        assert refused.kind == CROWDED
        assert refusal_of(lambda: next(silent)).kind == SILENT
        begun(watch(server, created)).cancel()
        done.set()


def test_a_stream_of_rules_has_to_say_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "SILENCE", 0.2)
    with running() as server:
        done = threading.Event()
        silent = server.rules().ApplyMoves(until(done))
        assert refusal_of(lambda: next(silent)).kind == SILENT
        done.set()


def until(done: threading.Event) -> Iterator[Any]:
    """A stream that says nothing."""
    done.wait(PATIENCE)
    yield from ()


def wait_for(ask: Callable[[], Any]) -> Any:
    """What comes once something else has come to pass: asked again and again."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return ask()
        except AssertionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def test_submits_of_a_player_who_does_not_read_are_held_back(tmp_path: Path) -> None:
    """As many as the connection holds, and no more; once the player reads, everything goes on."""
    submits, small = 5_000, [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 65_536)]
    with running(tmp_path / "lair.db") as server, grpc.insecure_channel(server.address, small) as channel:
        created = create(server)
        taken, words = [0], "x" * 250

        def messages() -> Iterator[wire.PlaySeatRequest]:
            yield wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=created.session.name))
            for _ in range(submits):
                taken[0] += 1
                yield wire.PlaySeatRequest(submit=wire.PlaySeatSubmit(text=words))

        play = session_pb2_grpc.SessionServiceStub(channel).PlaySeat
        stream = play(messages(), metadata=bearer(created.seat_tokens[0]), timeout=PATIENCE)
        before = -1
        while before != taken[0]:
            before = taken[0]
            time.sleep(0.7)
        assert playing.MOST_UNREAD < before < submits
        answers = sum(1 for message in stream if message.HasField("acknowledgement"))
        assert answers == submits


def test_a_session_has_so_many_moves(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_moves=3) as server:
        created = create(server, **endless(1000))
        stream = watch(server, created)
        for seat in (0, 1, 0):
            last = submit(server, created, seat, "feed")
        assert last.revision == 3, "the last one is played like any other"
        assert session_of(server, created).state == wire.STATE_ABORTED
        assert refusal_of(lambda: submit(server, created, 1, "feed")).reason == "SESSION_ABORTED"
        *_, closing = stream
        assert closing.closing.revision == 3


@pytest.mark.parametrize(("field", "setting"), [("idle", "max_idle"), ("keep", "max_keep")])
def test_wishes_end_at_the_operators_bounds(tmp_path: Path, field: str, setting: str) -> None:
    settings: dict[str, float] = {"idle": 60.0, "keep": 60.0, setting: 100.0}
    with running(tmp_path / "lair.db", **settings) as server:

        def wish(seconds: int) -> wire.CreateSessionResponse:
            return create(server, limits=wire.TimeLimits(**{field: Duration(seconds=seconds)}))

        wish(100)
        refused = refusal_of(lambda: wish(101))
        assert refused.kind == ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
        assert set(refused.fields) == {f"limits.{field}"}


def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chassis, "HANDSHAKE_WITHIN", 1.0)
    with running(keepalive=1.0) as server, connected(server) as mute, connected(server) as half_open:
        half_open.sendall(PREFACE)  # and then nobody answers
        for connection in (mute, half_open):
            while connection.recv(4096):
                pass


def connected(server: Stubs) -> socket.socket:
    """A connection that waits for long enough to see that it is closed."""
    host, _, port = server.address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)
