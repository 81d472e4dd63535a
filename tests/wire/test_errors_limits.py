"""Over a limit: told in turn, with the time after which to come again, and nothing was changed."""

import time
from pathlib import Path

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import RULES, SESSION, refusal_of
from tests.support.servers import PATIENCE, Stubs, running
from tests.support.sessions import Player, create, open_lobby, session_of, watch

AT_ONCE = 60
WATCHERS = 3


def test_a_server_that_takes_no_calls_says_when_to_come_again(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_calls=0) as server:
        refused = refusal_of(lambda: create(server))
        assert refused.kind == ("RESOURCE_EXHAUSTED", RULES, "RATE_LIMITED")
        assert refused.metadata == {"limit": "0"}
        assert refused.retry_after is not None
        assert 0 < refused.retry_after < PATIENCE
        assert server.serving(), "health is not among the calls that are limited"


def test_whoever_is_over_the_limit_leaves_nothing_behind(tmp_path: Path) -> None:
    request = wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest()] * 2, listed=True)
    with running(tmp_path / "lair.db", max_calls=1) as server:
        calls = [server.sessions.CreateSession.future(request) for _ in range(AT_ONCE)]
        opened, limited = set(), 0
        for call in calls:
            if call.code() is grpc.StatusCode.OK:
                opened.add(call.result().session.name)
            else:
                assert refusal_of(call.result).kind == ("RESOURCE_EXHAUSTED", RULES, "RATE_LIMITED")
                limited += 1
        assert opened
        assert limited
        page = server.sessions.ListSessions(wire.ListSessionsRequest(page_size=100))
        assert {session.name for session in page.sessions} == opened
        assert open_lobby(server).session.name, "once the calls are over, the next one is served"


def test_streams_have_a_limit_of_their_own(tmp_path: Path) -> None:
    with running(tmp_path / "lair.db", max_streams=WATCHERS) as server:
        created = create(server)
        watches = [watch(server, created) for _ in range(WATCHERS)]
        for stream in watches:
            assert next(stream).HasField("snapshot")
        for call in (lambda: watch(server, created), lambda: Player(server, created, 0).received):
            refused = refusal_of(call)
            assert refused.kind == ("RESOURCE_EXHAUSTED", SESSION, "TOO_MANY_WATCHERS")
            assert refused.metadata == {"limit": str(WATCHERS)}
            assert refused.retry_after is not None
            assert 0 < refused.retry_after < PATIENCE
        assert session_of(server, created).revision == 0, "calls are served meanwhile"
        watches.pop().cancel()
        assert admitted(server, created, time.monotonic() + PATIENCE)
        for stream in watches:
            stream.cancel()


def admitted(server: Stubs, created: wire.CreateSessionResponse, deadline: float) -> bool:
    """Whether a watch is let in, once the server has noticed that another one has left."""
    while time.monotonic() < deadline:
        stream = watch(server, created)
        try:
            return bool(next(stream).HasField("snapshot"))
        except grpc.RpcError:
            time.sleep(0.01)
        finally:
            stream.cancel()
    pytest.fail("nobody was let in any more")
