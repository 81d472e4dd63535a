"""What PostgreSQL's store makes of connections that are cut, of answers that are lost, and of a server that is away.

Nothing that was acknowledged is lost, nothing is done twice, and whatever has become durable is told, once.
"""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import LiteralString

import psycopg
import pytest
from msgspec.structs import replace

from services.runtime.failure import Code, Failure
from services.session.adapters.postgresql.changes import Saving
from services.session.adapters.postgresql.store import PostgresqlStore, postgresql_store
from services.session.domain.session import Session, State
from services.session.ports import Change, RememberedRequest
from tests.support.cutting import CutWay
from tests.support.postgresql import PostgresqlServer, running_postgresql
from tests.support.processes import free_port
from tests.support.stores import nothing, played, playing, session_called

PATIENCE = 60.0
PLAYERS = 12
MOVES = 25
CRASHES = 3
CUT_ONE = (
    "SELECT pg_stat_clear_snapshot();"
    " SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = 'lair' ORDER BY state = 'active' DESC LIMIT 1"
)
"""One that does something, if there is one."""
TERMINATE = (
    "SELECT pg_stat_clear_snapshot();"
    " SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = 'lair' AND state = 'active'"
)
WAITING = (
    "SELECT pg_stat_clear_snapshot();"
    " SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


@pytest.fixture
async def store(postgresql_database: str) -> AsyncIterator[PostgresqlStore]:
    async with postgresql_store(postgresql_database) as opened:
        yield opened


@pytest.fixture(scope="module")
def port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def own_server(port: int) -> Iterator[PostgresqlServer]:
    """One that may be ended, and has on its disk what it has acknowledged."""
    with running_postgresql(port=port) as server:
        yield server


@pytest.fixture
def beside(postgresql_database: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection of somebody else."""
    with psycopg.connect(postgresql_database, autocommit=True, application_name="beside") as connection:
        yield connection


def last(connection: psycopg.Connection[tuple[object, ...]], statements: LiteralString) -> list[tuple[object, ...]]:
    """The rows of the last of some statements."""
    cursor = connection.execute(statements)
    while cursor.nextset():
        pass
    return cursor.fetchall()


@dataclass
class Played:
    """What players were told, of a session each."""

    store: PostgresqlStore
    acknowledged: Counter[tuple[str, int]] = field(default_factory=Counter)
    told: Counter[tuple[str, int]] = field(default_factory=Counter)
    refused: list[tuple[Code, float | None]] = field(default_factory=list)

    async def play(self, name: str, moves: int = MOVES) -> None:
        """Play moves, each until it is there."""
        session: Session | None = None
        for number in range(moves):
            request, answered = f"{name} {number}".encode(), False
            while not answered:
                try:
                    session = session or await self._loaded(name)
                    change = played(session, request)
                    if await self.store.save(change, partial(self.told.update, [(name, session.revision + 1)])):
                        self.acknowledged[name, session.revision + 1] += 1
                        session, answered = change.after, True
                    else:
                        session = None
                        answered = await self.store.find_request(name, request) is not None
                except Failure as failure:
                    session = None
                    self.refused.append((failure.code, failure.retry_after))

    async def _loaded(self, name: str) -> Session:
        session = await self.store.load(name)
        assert session
        return session

    async def check(self, names: list[str], moves: int = MOVES) -> None:
        """Raise AssertionError when a move is lost, there twice, or told to nobody or twice."""
        there: Counter[tuple[str, int]] = Counter()
        for name in names:
            records = await self.store.records(name, 0, 10 * moves)
            assert [record.revision for record in records] == list(range(1, moves + 1)), name
            there.update((name, record.revision) for record in records)
        assert {*self.refused} <= {(Code.UNAVAILABLE, 1.0)}
        assert self.acknowledged <= there
        assert self.told == there


async def while_played(store: PostgresqlStore, disturb: Callable[[], object], pause: float = 0.05) -> Played:
    """Let players play, while something is done again and again."""
    played = Played(store)
    names = [f"s{number}" for number in range(PLAYERS)]
    for name in names:
        await playing(store, name)
    async with asyncio.timeout(PATIENCE):
        all_of_it = asyncio.gather(*map(played.play, names))
        while not all_of_it.done():
            await asyncio.to_thread(disturb)
            await asyncio.sleep(pause)
        await all_of_it
    await played.check(names)
    return played


async def test_moves_through_connections_that_are_cut_are_there_once(
    store: PostgresqlStore, beside: psycopg.Connection[tuple[object, ...]]
) -> None:
    cut = 0

    def terminate() -> None:
        nonlocal cut
        cut += len(last(beside, CUT_ONE))

    await while_played(store, terminate)
    assert cut, "nothing was cut"


@pytest.mark.slow
async def test_moves_are_there_once_when_the_server_crashes_and_comes_back(own_server: PostgresqlServer) -> None:
    crashes = 0

    def crash() -> None:
        nonlocal crashes
        if crashes < CRASHES:
            crashes += 1
            own_server.stop(signal.SIGQUIT)
            own_server.start()

    with own_server.database() as name:
        async with postgresql_store(own_server.url(name)) as store:
            await while_played(store, crash, pause=0.2)
    assert crashes, "it may be over before there are more"


async def test_a_change_whose_answer_is_lost_is_told_all_the_same(
    own_server: PostgresqlServer, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind of change: its commit was heard by nobody."""
    # The only one has a new connection each time: that of another would be cut as well, and change nothing.
    monkeypatch.setattr("services.session.adapters.postgresql.writer.TASKS", 1)
    with own_server.database() as name, CutWay(f"127.0.0.1:{port}") as way:
        # The answer to a prepared statement may be as short as what is not cut.
        async with postgresql_store(f"postgresql://lair@{way.address}/{name}", prepared=False) as store:
            await lose_answers(store, way)


async def lose_answers(store: PostgresqlStore, way: CutWay) -> None:
    """Change a session in all ways, with each answer lost."""
    session = await playing(store)
    made = [session_called(name) for name in ("made", "made with a request")]
    remember = RememberedRequest("", b"creating", b"body", made[1].id, nonce=b"nonce")
    leaving = RememberedRequest("a", b"leaving", b"body", "a", 0)

    async def losing(save: Coroutine[None, None, bool], what: str) -> None:
        cuts = way.cuts
        way.lose_next_answer()
        assert await save, what
        assert way.cuts > cuts, f"{what}: nothing was lost"

    move = played(session, b"a move")
    unasked = played(move.after)
    seat = replace(unasked.after, version=unasked.after.version + 1, updated=7_000)
    left = Change(seat, seat=0, remember=leaving)
    aborted = Change(replace(seat, version=seat.version + 1, updated=8_000, state=State.ABORTED))
    heard: list[str] = []
    for change, what in ((move, "a move"), (unasked, "a time-out"), (left, "leaving"), (aborted, "the end")):
        await losing(store.save(change, partial(heard.append, what)), what)
        assert heard[-1] == what
        assert await store.load("a") == change.after
    await losing(store.create(made[0], None, None), "creating")
    await losing(store.create(made[1], None, remember), "creating with a request")
    assert [await store.load(session.id) for session in made] == made
    await losing(store.delete(made[0]), "deleting")
    assert await store.load(made[0].id) is None
    assert heard == ["a move", "a time-out", "leaving", "the end"]


async def test_a_change_that_was_cut_off_before_it_was_saved_is_lost_for_good(
    store: PostgresqlStore, beside: psycopg.Connection[tuple[object, ...]]
) -> None:
    """It waits for the lock of its session when its connection is cut; only then others may have the session."""
    session, told = await playing(store), list[str]()
    with beside.transaction():
        beside.execute("SELECT 1 FROM sessions FOR UPDATE")
        saving = asyncio.create_task(store.save(played(session, b"request"), lambda: told.append("told")))
        async with asyncio.timeout(PATIENCE):
            while last(beside, WAITING) != [(1,)]:  # noqa: ASYNC110  the database tells nobody
                await asyncio.sleep(0.01)
            assert last(beside, TERMINATE) == [(True,)]
            await asyncio.sleep(0.1)
        assert not saving.done(), "nobody knows yet"
    assert not await saving
    assert told == []
    latest = await store.load("a")
    assert latest
    assert latest == replace(session, version=session.version + 1), "so that the lost change can't be saved any more"
    assert await store.save(played(latest, b"request"), nothing)


async def test_what_was_not_saved_when_it_was_looked_up_never_is(
    store: PostgresqlStore, postgresql_database: str
) -> None:
    """A statement may lie on its way for long, and come after its outcome was looked up."""
    saving = Saving(played(await playing(store), b"request"))
    async with await psycopg.AsyncConnection.connect(postgresql_database, autocommit=True) as connection:
        assert not await saving.find_out(connection)
        assert not await saving.run(connection)
        assert not await saving.find_out(connection)


async def test_one_bad_change_takes_none_of_its_batch_with_it(store: PostgresqlStore) -> None:
    sessions = [await playing(store, f"s{number}") for number in range(6)]
    moves = [played(session, session.id.encode()) for session in sessions]
    assert moves[2].record
    # What no PostgreSQL takes, and none of ours sends.
    moves[2] = replace(moves[2], record=replace(moves[2].record, rules_version="\0"))
    saved = await asyncio.gather(*(store.save(move, nothing) for move in moves), return_exceptions=True)
    assert isinstance(saved[2], Failure)
    assert saved[:2] + saved[3:] == [True] * 5
    assert [await store.load(move.after.id) for move in moves if move is not moves[2]] == [
        move.after for move in moves if move is not moves[2]
    ]
    assert await store.load("s2") == sessions[2]


async def test_a_server_that_is_away_is_told_of_in_time_and_comes_back(
    own_server: PostgresqlServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("writer", "reader"):
        monkeypatch.setattr(f"services.session.adapters.postgresql.{module}.PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(Saving, "seconds", 0.5)
    with own_server.database() as name:
        async with postgresql_store(own_server.url(name)) as store:
            session = await playing(store)
            own_server.stop()
            for ask in (store.save(played(session), nothing), store.load("a"), store.records("a", 0, 1), store.games()):
                with pytest.raises(Failure) as refused:
                    await ask
                assert (refused.value.reason, refused.value.retry_after) == ("STORE_UNAVAILABLE", 1.0)
            assert await store.recall("a") == session
            assert not await store.ready()
            own_server.start()
            async with asyncio.timeout(PATIENCE):
                while not await store.ready():
                    pass
                saved = False
                while not saved:  # what was given up is made impossible meanwhile, by a new version
                    latest = await store.load("a")
                    assert latest
                    saved = await store.save(played(latest), nothing)


async def test_a_change_that_waits_too_long_is_said_to_be_unknown_and_told_once_it_is_durable(
    store: PostgresqlStore, beside: psycopg.Connection[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer of a server that still runs goes on to wait for it, and tells everybody who watches."""
    monkeypatch.setattr("services.session.adapters.postgresql.writer.PATIENCE_SECONDS", 0.3)
    session, told = await playing(store), asyncio.Event()
    with beside.transaction():
        beside.execute("SELECT 1 FROM sessions FOR UPDATE")
        monkeypatch.setattr(Saving, "seconds", 0.3)
        saving = asyncio.create_task(store.save(played(session, b"request"), told.set))
        await asyncio.sleep(0)
        monkeypatch.setattr(Saving, "seconds", PATIENCE)
        with pytest.raises(Failure, match="may have done it"):
            await saving
        assert not told.is_set()
    async with asyncio.timeout(PATIENCE):
        await told.wait()
    assert await store.load("a") == played(session, b"request").after
