"""What the reads of every SessionStore see: whatever was acknowledged, and all that an earlier read has seen."""

import asyncio

from msgspec.structs import replace

from services.session.ports import Change, RememberedRequest, SessionStore
from tests.support.stores import nothing, played, playing, record_of, session_called

PATIENCE = 60.0


async def test_every_read_sees_a_change_that_was_acknowledged(store: SessionStore) -> None:
    """Also one that came before somebody has read the session as it was then."""
    lobby = session_called("a", listed=True)
    await store.create(lobby, None, None)
    assert await store.load("a") == await store.find_join(b"code of a") == lobby
    for number, name in enumerate(("Ada", "Bea")):
        seats = tuple(replace(seat, name=name) if seat is lobby.seats[number] else seat for seat in lobby.seats)
        after = replace(lobby, version=lobby.version + 1, seats=seats)
        remember = RememberedRequest("a", name.encode(), b"body", "a", number)
        assert await store.save(Change(after, seat=number, remember=remember), nothing)
        assert await store.load("a") == await store.find_join(b"code of a") == after
        assert await store.lobbies("", None, 10) == [after]
        assert await store.find_request("a", name.encode()) == remember
        lobby = after
    started = Change(lobby.with_record(record_of(0, None)), record_of(0, None))
    assert await store.save(started, nothing)
    assert list(await store.lobbies("", None, 10)) == []
    assert list(await store.records("a", -1, 10)) == [started.record]


async def test_what_a_request_has_led_to_is_there_for_whoever_finds_the_request(store: SessionStore) -> None:
    """Also before the one who made it has been told."""
    session = await playing(store)
    for number in range(10):
        change = played(session, request := bytes([number]))
        saving = asyncio.create_task(store.save(change, nothing))
        async with asyncio.timeout(PATIENCE):
            while not await store.find_request("a", request):
                assert await store.load("a") in (session, change.after)
                await asyncio.sleep(0)
        assert await store.load("a") == await store.find_join(b"code of a") == change.after
        assert await saving
        session = change.after


async def test_of_a_deleted_session_nothing_is_read_any_more(store: SessionStore) -> None:
    """Also when somebody reads it while it is being deleted."""
    remember = RememberedRequest("", b"creating", b"body", "a")
    session = session_called("a", created_by=b"creating").with_record(record_of(0, None))
    assert await store.create(session, session.head, remember)
    change = played(session, b"request")
    assert await store.save(change, nothing)
    assert not await store.delete(session), "it has changed meanwhile"
    deleting = asyncio.create_task(store.delete(change.after))
    await asyncio.sleep(0)
    await store.load("a")
    assert await deleting
    assert await store.load("a") is await store.find_join(b"code of a") is None
    assert await store.find_request("", b"creating") is await store.find_request("a", b"request") is None
    assert list(await store.records("a", -1, 10)) == []
    assert not await store.delete(change.after)
