"""Servers of one PostgreSQL are one service, with one time, whatever their clocks and their connections go through."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from google.protobuf.duration_pb2 import Duration
from monsters.session.v1 import session_pb2 as wire

from services.app import serving
from services.runtime.settings import Settings
from services.session.adapters.clock import SECOND, wall_time
from tests.support.postgresql import PostgresqlServer
from tests.support.refusals import refusal_of
from tests.support.replica_processes import starting_at_once
from tests.support.servers import PATIENCE, Stubs, hosting
from tests.support.sessions import (
    Created,
    abort,
    create,
    endless,
    feed_on,
    history_of,
    join,
    leave,
    open_lobby,
    rematch_of,
    session_of,
    submit,
    updates_of,
    view_of,
    watch,
)

FAR = 15.0
"""Seconds of a heartbeat, the longest there is: whatever comes without one was not found by it."""
MINUTES = 5 * 60 * SECOND
HOURS = 2 * 3_600 * SECOND
TURN = 0.2
TIME_OUTS = 6
OFF = (0, MINUTES, -MINUTES)
HINTS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lair hints'"


def off_by(microseconds: int) -> Callable[[], int]:
    """A wall clock that is ahead of this machine's."""
    return lambda: wall_time() + microseconds


@contextmanager
def servers_of(database: str, walls: Sequence[int] = (0, 0), **settings: Any) -> Iterator[Sequence[Stubs]]:
    """Servers of a database, each with a wall clock that is so far ahead, in microseconds."""
    chosen = {"address": "127.0.0.1:0", "database": database, "heartbeat": FAR, "grace": 0, **settings}
    with ExitStack() as stack:
        addresses = [stack.enter_context(hosting(serving(Settings(**chosen), wall=off_by(ahead)))) for ahead in walls]
        yield [stack.enter_context(Stubs(address)) for address in addresses]


def until_snapshot(stream: Any) -> Any:
    """The stream, after its snapshot."""
    while not next(stream).HasField("snapshot"):
        pass
    return stream


def timed(stubs: Stubs, turn: float, **limits: float) -> Created:
    """A session of five whose turns take so many seconds."""
    durations = {name: lasting(seconds) for name, seconds in {"turn": turn, **limits}.items()}
    return create(stubs, 5, limits=wire.TimeLimits(**durations))


def lasting(seconds: float) -> Duration:
    return Duration(seconds=int(seconds), nanos=round(seconds % 1 * 1e9))


def test_turns_end_in_time_although_the_clocks_of_servers_are_minutes_apart(postgresql_database: str) -> None:
    with servers_of(postgresql_database, OFF) as servers:
        short = [timed(stubs, TURN) for stubs in servers]
        long = [timed(stubs, 60) for stubs in servers]
        for created in short:
            updates = time_outs(servers[0], created)
            for before, after in pairwise(updates):
                assert after.commit_time.ToMicroseconds() >= before.deadline.ToMicroseconds()
                assert after.commit_time.ToMicroseconds() - before.commit_time.ToMicroseconds() >= TURN * SECOND
        for created in long:
            assert session_of(servers[0], created).revision == 0, "a turn was ended by the clock of another server"
            for stubs in servers:
                snapshot = view_of(stubs, created)
                left = snapshot.deadline.ToMicroseconds() - snapshot.server_time.ToMicroseconds()
                assert 0 < left <= 61 * SECOND, "another server tells another time"


def time_outs(stubs: Stubs, created: Created) -> list[wire.Update]:
    """The start of a session, and as many time-outs as are waited for."""
    return updates_of(watch(stubs, created, after_revision=-1), TIME_OUTS + 1)


def test_moves_of_one_session_on_servers_whose_clocks_differ_have_times_that_never_go_back(
    postgresql_database: str,
) -> None:
    with servers_of(postgresql_database, OFF) as servers:
        created = create(servers[0], **endless(20))
        for move in range(12):
            submit(servers[move % len(servers)], created, move % 2, "feed")
        times = [update.commit_time.ToMicroseconds() for update in history_of(servers[0], created)]
    assert times == sorted(times)
    assert times[-1] - times[0] < MINUTES, "a server has gone by its own clock"


def test_a_server_whose_clock_is_hours_ahead_makes_no_clock_of_a_session_later(postgresql_database: str) -> None:
    """As it would where the server alone had been off for so long."""
    with servers_of(postgresql_database, (0,)) as (first,):
        created = timed(first, 600)
        before = view_of(first, created).deadline
        with servers_of(postgresql_database, (HOURS,)) as (second,):
            assert view_of(second, created).deadline == before
            assert view_of(first, created).deadline == before


def cut_hints(postgresql: PostgresqlServer) -> int:
    """Cut all connections over which servers hear of each other, and say how many there were."""
    return len(postgresql.execute(HINTS))


def test_what_was_missed_while_a_server_did_not_listen_is_heard_when_it_listens_again(
    postgresql: PostgresqlServer, postgresql_database: str
) -> None:
    with servers_of(postgresql_database) as (a, b):
        created = create(a, **endless(20))
        stream = until_snapshot(watch(b, created))
        for move in range(5):
            assert cut_hints(postgresql)
            submit(a, created, move % 2, "feed")
            message = next(stream)
            assert message.HasField("update"), "before a heartbeat"
            assert message.update.revision == move + 1


def test_a_watcher_hears_of_moves_within_a_heartbeat_while_its_server_can_not_listen(
    postgresql: PostgresqlServer, postgresql_database: str
) -> None:
    with servers_of(postgresql_database, heartbeat=0.5) as (a, b):
        created = create(a, **endless(20))
        stream = until_snapshot(watch(b, created))
        over = threading.Event()

        def cut() -> None:
            while not over.wait(0.02):
                cut_hints(postgresql)

        cutting = threading.Thread(target=cut)
        cutting.start()
        try:
            for move in range(5):
                submit(a, created, move % 2, "feed")
                assert [update.revision for update in updates_of(stream, 1)] == [move + 1]
        finally:
            over.set()
            cutting.join(PATIENCE)


def test_who_gives_a_seat_up_on_one_server_hears_nothing_more_of_it_on_another(postgresql_database: str) -> None:
    with servers_of(postgresql_database) as (a, b):
        playing = create(a, **endless(20))
        lobby = open_lobby(a)
        token = join(a, lobby, display_name="Ann").seat_token
        lobby.seat_tokens.append(token)
        for created in (playing, lobby):
            stream = until_snapshot(watch(b, created, 0))
            leave(a, created, 0)
            assert refusal_of(lambda stream=stream: [*unheard(stream)]).reason == "BAD_TOKEN"


def unheard(stream: Any) -> Iterator[wire.WatchSessionResponse]:
    """The rest of a stream, in which there is no heartbeat."""
    for message in stream:
        assert not message.HasField("heartbeat"), "it was found by a heartbeat"
        yield message


def test_a_rematch_that_is_opened_on_one_server_is_told_in_streams_of_another(postgresql_database: str) -> None:
    with servers_of(postgresql_database) as (a, b):
        created = create(a, **endless(2))
        streams = [until_snapshot(watch(stubs, created, await_rematch=True)) for stubs in (a, b)]
        feed_on(a, created)
        rematch = rematch_of(a, created).session.name
        for stream in streams:
            *told, closing = unheard(stream)
            assert rematch in {item.session.rematch for item in told if item.HasField("session")}
            assert closing.HasField("closing")


def test_a_session_that_is_deleted_by_one_server_ends_the_streams_of_all(postgresql_database: str) -> None:
    with servers_of(postgresql_database, heartbeat=0.5) as servers:
        created = timed(servers[0], 600, keep=1)
        streams = [until_snapshot(watch(stubs, created, await_rematch=True)) for stubs in servers]
        abort(servers[0], created)
        for stream in streams:
            assert refusal_of(lambda stream=stream: [*stream]).reason == "SESSION_NOT_FOUND"
        for stubs in servers:
            assert refusal_of(lambda stubs=stubs: session_of(stubs, created)).reason == "SESSION_NOT_FOUND"


def test_servers_that_start_at_the_same_moment_on_a_new_database_all_serve(
    tmp_path: Path, postgresql_database: str
) -> None:
    with starting_at_once(tmp_path, postgresql_database) as servers:
        for server in servers:
            with Stubs(server.address) as stubs:
                created = create(stubs, **endless(4))
                assert feed_on(stubs, created)
