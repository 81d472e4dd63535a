"""Several stores on one PostgreSQL: none of them is behind the others, and each thing is done once."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from functools import partial

import psycopg
import pytest
from msgspec.structs import replace

from services.session.adapters.postgresql.remembered import Remembered
from services.session.adapters.postgresql.store import PostgresqlStore, postgresql_store
from services.session.domain.session import State
from services.session.ports import Change
from tests.support.stores import AT_ONCE, nothing, played, playing, session_called

LEASE = 1_000_000
PATIENCE = 60.0

Stores = Sequence[PostgresqlStore]


@pytest.fixture
async def stores(postgresql_database: str) -> AsyncIterator[Stores]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(postgresql_store(postgresql_database)) for _ in range(3)]


async def test_what_others_have_changed_is_loaded_and_recalled_as_it_was(stores: Stores) -> None:
    one, other, _ = stores
    session = await playing(one)
    assert await other.load("a") == await other.recall("a") == session
    change = played(session)
    assert await one.save(change, nothing)
    assert await other.recall("a") == session, "nothing is asked for it"
    assert await other.load("a") == change.after
    assert await other.recall("a") == change.after, "what was loaded is remembered"


async def test_what_others_are_heard_to_have_changed_is_not_recalled(stores: Stores) -> None:
    one, other, _ = stores
    session = await playing(one)
    assert await other.load("a") == session
    other.outdate("a", session.version)
    change = played(session)
    assert await one.save(change, nothing)
    assert await other.recall("a") == session, "that is what was seen already"
    other.outdate("a", change.after.version)
    assert await other.recall("a") == change.after
    other.outdate("a", session.version)
    other.outdate("never seen", 5)
    assert await other.recall("a") == change.after, "an earlier hint comes late"


async def test_what_one_has_deleted_no_other_recalls_once_it_has_looked(stores: Stores) -> None:
    one, other, _ = stores
    session = await playing(one)
    assert await other.load("a") == session
    assert await one.delete(session)
    assert await other.load("a") is None
    assert await other.recall("a") is None
    assert not await other.save(played(session), nothing)


async def test_of_changes_of_one_version_by_all_stores_one_wins(stores: Stores) -> None:
    session = await playing(stores[0])
    for _ in range(5):
        changes = [played(session, bytes([number])) for number in range(AT_ONCE)]
        told: list[int] = []
        saving = [
            stores[number % len(stores)].save(change, partial(told.append, number))
            for number, change in enumerate(changes)
        ]
        won = await asyncio.gather(*saving)
        assert won.count(True) == 1
        assert told == [won.index(True)]
        session = changes[won.index(True)].after
        assert [await store.load("a") for store in stores] == [session] * len(stores)


async def test_one_request_that_comes_to_all_stores_is_answered_once(stores: Stores) -> None:
    """Each of them tries it at the version that it knows, and again at the next ones."""
    session = await playing(stores[0])

    async def submit(store: PostgresqlStore) -> bool:
        while not await store.find_request("a", b"request"):
            latest = await store.load("a")
            assert latest
            if await store.save(played(latest, b"request"), nothing):
                return True
        return False

    assert sorted(await asyncio.gather(*map(submit, stores))) == [False, False, True]
    assert len(await stores[0].records("a", session.revision, 10)) == 1


async def test_each_session_that_is_due_is_claimed_by_one_store(stores: Stores) -> None:
    for number in range(AT_ONCE):
        assert await stores[0].create(session_called(f"s{number}", alarm=number), None, None)
    got = await asyncio.gather(
        *(store.claim_due("cabbages", AT_ONCE, LEASE, 3) for store in stores for _ in range(AT_ONCE))
    )
    claimed = [session for sessions in got for session in sessions]
    assert sorted(session.id for session in claimed) == sorted(f"s{number}" for number in range(AT_ONCE))
    assert {session.version for session in claimed} == {0}, "a claim is no change"


async def test_a_claim_of_a_clock_that_is_far_ahead_holds_nobody_up(stores: Stores) -> None:
    await stores[0].create(session_called("a", alarm=10), None, None)
    assert await stores[0].claim_due("cabbages", 100 * LEASE, LEASE, 1)
    assert await stores[1].claim_due("cabbages", 10, LEASE, 1)
    assert not await stores[2].claim_due("cabbages", 10, LEASE, 1)


async def test_what_rang_long_ago_is_found_by_the_next_full_scan(stores: Stores) -> None:
    """As when a server was killed that had claimed it."""
    store, other, late = stores
    now = 100 * LEASE
    assert await store.claim_due("cabbages", now, LEASE, 1) == []
    assert await other.create(session_called("old", alarm=10), None, None)
    assert await other.create(session_called("new", alarm=now - 1), None, None)
    assert [session.id for session in await store.claim_due("cabbages", now, LEASE, 9)] == ["new"]
    assert [session.id for session in await late.claim_due("cabbages", now, LEASE, 9)] == ["old"], "its first look"


async def test_what_others_set_is_heard_with_the_next_look(stores: Stores) -> None:
    one, other, _ = stores
    assert await other.next_alarm(0) is None
    assert list(await other.games()) == []
    assert await one.create(session_called("a", alarm=50), None, None)
    assert await one.next_alarm(0) == 50
    other._games_read -= 60  # as if it were a minute ago
    async with asyncio.timeout(PATIENCE):
        while await other.next_alarm(0) != 50:  # noqa: ASYNC110  the database tells nobody
            await asyncio.sleep(0.1)


async def test_of_stores_that_start_after_a_standstill_one_makes_the_clocks_later(stores: Stores) -> None:
    lobby = session_called("lobby", alarm=10)
    await stores[0].create(lobby, None, None)
    await stores[0].note_time(1_000)
    assert await stores[1].load("lobby") == lobby
    await asyncio.gather(*(store.note_time(9_000, 8_000) for store in stores))
    later = replace(lobby, touched=lobby.touched + 8_000, alarm=8_010)
    assert [await store.load("lobby") for store in stores] == [later] * len(stores)


async def test_what_is_read_after_an_acknowledgement_has_it(stores: Stores) -> None:
    """Also where others ask for the same session all the time."""
    one, other, _ = stores
    session = await playing(one)
    stop = asyncio.Event()

    async def ask() -> None:
        while not stop.is_set():
            await other.load("a")

    async with asyncio.TaskGroup() as asking:
        for _ in range(4):
            asking.create_task(ask())
        for _ in range(30):
            change = played(session)
            assert await one.save(change, nothing)
            session = change.after
            assert await other.load("a") == session
        stop.set()


def test_what_is_remembered_is_replaced_by_something_newer_alone() -> None:
    remembered, first = Remembered(most=2), session_called("a")
    second = replace(first, version=1)
    remembered.keep(second)
    remembered.keep(first)
    assert remembered.get("a") is second
    later = replace(second, touched=second.touched + 1)
    remembered.keep(later)
    assert remembered.get("a") is later
    remembered.keep(replace(later, version=2, state=State.OVER))
    assert remembered.get("a") is None, "it has ended"
    for name in "bcd":
        remembered.keep(session_called(name))
    assert [remembered.get(name) is not None for name in "bcd"] == [False, True, True]


async def test_a_full_look_ahead_goes_on_where_it_ended(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.session.adapters.postgresql.alarms.MANY", 3)
    store, other, _ = stores
    for alarm in range(1, 9):
        await other.create(session_called(f"s{alarm}", alarm=alarm), None, None)
    assert [await store.next_alarm(after) for after in range(9)] == [1, 2, 3, 4, 5, 6, 7, 8, None]


async def test_moves_leave_the_indexes_of_sessions_alone(stores: Stores, postgresql_database: str) -> None:
    """Each of them would be written for every move, and have a dead entry to be swept."""
    store = stores[0]
    sessions = [await playing(store, f"s{number}") for number in range(8)]
    with psycopg.connect(postgresql_database, autocommit=True) as connection:
        connection.execute("SELECT pg_stat_reset()")
        for _ in range(10):
            changes = [
                replace(played(session, f"{session.version}".encode()), moves_alarm=False) for session in sessions
            ]
            assert all(await asyncio.gather(*(store.save(change, nothing) for change in changes)))
            sessions = [change.after for change in changes]
        assert await store.claim_due("cabbages", sessions[0].alarm, LEASE, 8)
        await store.close()  # with that the numbers are complete
        statement = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'sessions'"
        async with asyncio.timeout(PATIENCE):
            while (found := connection.execute(statement).fetchone()) != (88, 88):
                assert found is None or found[0] <= 88
                await asyncio.sleep(0.1)


async def test_a_change_without_a_revision_is_saved_with_its_request(stores: Stores) -> None:
    """So that it can be found out whether it was, also when nobody gave it one. It is gone with the session."""
    store = stores[0]
    session = await playing(store)
    aborted = replace(session, version=session.version + 1, state=State.ABORTED, updated=5_000)
    assert await store.save(Change(aborted), nothing)
    found = await store._reader.rows("SELECT scope, length(request) FROM requests")
    assert found == [("a", 16)]
    assert await store.delete(aborted)
    assert await store._reader.rows("SELECT count(*) FROM requests") == [(0,)]
    alarmed = await playing(store, "b")
    assert await store.save(Change(replace(alarmed, version=alarmed.version + 1, alarm=7)), nothing)
    assert await store._reader.rows("SELECT count(*) FROM requests") == [(0,)]
