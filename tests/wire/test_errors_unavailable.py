"""A dependency is away: UNAVAILABLE says so, says when to come again, and nothing was changed."""

import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.processes import Server
from tests.support.refusals import SESSION, Refused, refusal_of
from tests.support.servers import PATIENCE, Stubs, running
from tests.support.sessions import (
    create,
    history_of,
    new_id,
    open_lobby,
    options,
    play_out,
    reveal_of,
    session_of,
    submit,
    view_of,
    watch,
)

RULES_AWAY = ("UNAVAILABLE", SESSION, "RULES_UNAVAILABLE")
STORE_AWAY = ("UNAVAILABLE", SESSION, "STORE_UNAVAILABLE")


def says_when_to_come_again(refused: Refused) -> bool:
    return refused.retry_after is not None and 0 < refused.retry_after < PATIENCE


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that the server notices by itself."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.02)


def test_sessions_survive_their_rules(tmp_path: Path) -> None:
    """The rules' server goes and comes back on its port: the first move after that is the one that was refused."""
    with running() as rules:
        address = rules.address
    with running(tmp_path / "lair.db", rules=address, rules_timeout=1.0) as server:
        with running(address=address):
            created, request_id = create(server), new_id()
            submit(server, created, 0)
        before = session_of(server, created)
        for call in (
            lambda: submit(server, created, 1, request_id=request_id),
            lambda: view_of(server, created, 1),
            lambda: watch(server, created, 1),
            lambda: create(server),
        ):
            refused = refusal_of(call)
            assert refused.kind == RULES_AWAY
            assert refused.metadata == {"game": "cabbages"}
            assert says_when_to_come_again(refused)
        assert session_of(server, created) == before, "what needs no rules is served, and nothing has changed"
        assert server.serving(), "sessions are there: each call says for itself whether its rules are"
        with running(address=address):
            until(lambda: played(lambda: submit(server, created, 1, request_id=request_id)), "the rules were back")
            assert [update.seat for update in history_of(server, created)] == [0, 0, 1]
            assert session_of(server, created).revision == 2


def played(call: Callable[[], object]) -> bool:
    try:
        call()
    except grpc.RpcError:
        return False
    return True


def test_rules_that_never_answer_cost_their_time_and_no_more(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as deaf,
        running(tmp_path / "lair.db", rules=f"127.0.0.1:{deaf.getsockname()[1]}", rules_timeout=0.3) as server,
    ):
        started = time.monotonic()
        assert refusal_of(lambda: open_lobby(server)).kind == RULES_AWAY
        assert time.monotonic() - started < PATIENCE / 4
        assert not server.sessions.ListSessions(wire.ListSessionsRequest()).sessions


@pytest.mark.slow
def test_a_full_disk_stops_moves_and_nothing_else(tmp_path: Path) -> None:
    """A real server whose files may not grow any more, not even its log: as on a disk that has no room left."""
    with Server(tmp_path / "lair.db") as process, Stubs(process.address) as server:
        created, request_id, joined = create(server, options=options(max_turns=9)), new_id(), new_id()
        lobby = open_lobby(server, listed=True)
        submit(server, created, 0)
        before, lobbies = session_of(server, created), server.sessions.ListSessions(wire.ListSessionsRequest())
        until(server.serving, "the server was healthy")
        with no_room(process):
            for call in (
                lambda: submit(server, created, 1, request_id=request_id),
                lambda: create(server, request_id=request_id),
                lambda: server.sessions.JoinSession(
                    wire.JoinSessionRequest(join_code=lobby.join_code, request_id=joined)
                ),
            ):
                refused = refusal_of(call)
                assert refused.kind == STORE_AWAY
                assert says_when_to_come_again(refused)
            assert session_of(server, created) == before, "what is stored can be read, and nothing of it has changed"
            assert view_of(server, created, 1).revision == 1
            assert server.sessions.ListSessions(wire.ListSessionsRequest()) == lobbies
            until(lambda: not server.serving(), "health told the truth")
        until(server.serving, "health told the truth again")
        assert submit(server, created, 1, request_id=request_id).revision == 2
        assert len(server.sessions.ListSessions(wire.ListSessionsRequest()).sessions) == 1
        play_out(server, created)
        steps = reveal_of(server, created).steps
        assert [step.revision for step in steps] == list(range(len(steps)))
        process.kill()
        process.start()
        assert len(reveal_of(server, created).steps) == len(steps)
        assert "incident" not in process.log.read_text()


@contextmanager
def no_room(server: Server) -> Iterator[None]:
    """No file of the server's can grow."""
    assert server.process is not None
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
