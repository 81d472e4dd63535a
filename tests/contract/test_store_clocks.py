"""What every SessionStore keeps to about clocks: alarms, claims, the service's time."""

import asyncio

from msgspec.structs import replace

from services.session.domain.session import Session
from services.session.ports import Change, SessionStore
from tests.support.stores import AT_ONCE, Open, nothing, playing, record_of, session_called

LEASE = 1_000
"""In microseconds."""


async def ringing(store: SessionStore, name: str, alarm: int, game: str = "cabbages") -> Session:
    """A stored session with an alarm."""
    session = session_called(name, game=game, alarm=alarm)
    assert await store.create(session, None, None)
    return session


async def claimed(store: SessionStore, now: int, game: str = "cabbages", limit: int = 10) -> list[str]:
    """The ids of the sessions that are claimed now."""
    return [session.id for session in await store.claim_due(game, now, LEASE, limit)]


async def test_what_is_due_in_a_game_is_claimed_the_longest_due_first(store: SessionStore) -> None:
    for name, alarm in (("c", 30), ("a", 10), ("late", 31), ("b", 20)):
        await ringing(store, name, alarm)
    await ringing(store, "other", 5, "heads")
    assert await claimed(store, 30, limit=2) == ["a", "b"]
    assert await claimed(store, 30) == ["c"]
    assert await claimed(store, 30) == []
    assert await claimed(store, 30, "heads") == ["other"]
    assert await claimed(store, 30, "nogame") == []
    assert await store.claim_due("cabbages", 31, LEASE, 1) == [await store.load("late")]


async def test_one_of_many_who_claim_at_once_gets_each(store: SessionStore) -> None:
    for number in range(AT_ONCE):
        await ringing(store, f"s{number}", number)
    got = await asyncio.gather(*(claimed(store, AT_ONCE, limit=3) for _ in range(AT_ONCE)))
    assert sorted(name for names in got for name in names) == sorted(f"s{number}" for number in range(AT_ONCE))


async def test_a_claim_ends_by_itself(store: SessionStore) -> None:
    await ringing(store, "a", 10)
    assert await claimed(store, 10) == ["a"]
    assert await claimed(store, 10 + LEASE - 1) == []
    assert await claimed(store, 10 + LEASE) == ["a"]


async def test_a_claim_ends_when_the_session_changes(store: SessionStore) -> None:
    session = await ringing(store, "a", 10)
    assert await claimed(store, 10) == ["a"]
    assert await store.save(Change(replace(session, version=1)), nothing)
    assert await claimed(store, 10) == ["a"]
    assert await store.save(Change(replace(session, version=2, alarm=50)), nothing)
    assert await claimed(store, 49) == []
    assert await claimed(store, 50) == ["a"]


async def test_claims_that_nobody_uses_hide_nobody(store: SessionStore) -> None:
    """A game's whole first page is stuck: the next ones are found, and those of other games."""
    for number in range(AT_ONCE):
        await ringing(store, f"stuck{number}", number)
    assert len(await claimed(store, AT_ONCE, limit=AT_ONCE)) == AT_ONCE
    await ringing(store, "next", AT_ONCE)
    await ringing(store, "other", AT_ONCE, "heads")
    assert await claimed(store, AT_ONCE, limit=1) == ["next"]
    assert await claimed(store, AT_ONCE, "heads", limit=1) == ["other"]


async def test_a_session_that_is_gone_is_not_claimed(store: SessionStore) -> None:
    session = await ringing(store, "a", 10)
    assert await store.delete(session)
    assert await claimed(store, 10) == []
    assert await store.games() == []


async def test_games_are_found_by_their_sessions(store: SessionStore) -> None:
    assert await store.games() == []
    for name, game in (("a", "maidens"), ("b", "cabbages"), ("c", "maidens")):
        await ringing(store, name, 10, game)
    assert sorted(await store.games()) == ["cabbages", "maidens"]


async def test_the_next_alarm_is_the_first_after_a_time(store: SessionStore) -> None:
    assert await store.next_alarm(0) is None
    await ringing(store, "a", 20)
    await ringing(store, "b", 10, "heads")
    await ringing(store, "c", 30, "heads")
    assert [await store.next_alarm(after) for after in (0, 9, 10, 19, 20, 29, 30)] == [10, 10, 20, 20, 30, 30, None]


async def test_alarms_are_told_when_they_are_durable(store: SessionStore) -> None:
    heard: list[int] = []
    store.listen(heard.append)
    session = await ringing(store, "a", 10)
    assert heard == [10]
    assert await store.save(Change(replace(session, version=1, alarm=20)), nothing)
    assert heard == [10, 20]
    assert not await store.save(Change(replace(session, version=1, alarm=30)), nothing)
    assert not await store.create(session, None, None)
    assert heard == [10, 20]


async def test_the_last_time_that_was_seen_is_kept_and_never_goes_back(open_store: Open) -> None:
    async with open_store() as store:
        assert await store.last_time() is None
        await store.note_time(20)
        await store.note_time(10)
        assert await store.last_time() == 20
    async with open_store() as again:
        assert await again.last_time() == 20


async def test_after_a_standstill_the_clocks_of_every_session_are_that_much_later(store: SessionStore) -> None:
    session = await playing(store, moves=1)
    record = replace(record_of(2), deadline=5_000)
    after = replace(session.with_record(record), touched=3_000, alarm=4_000)
    assert await store.save(Change(after, record), nothing)
    lobby = await ringing(store, "lobby", 10)
    await store.note_time(9_000, 100)
    assert await store.load("a") == replace(after, touched=3_100, alarm=4_100, head=replace(record, deadline=5_100))
    assert await store.load("lobby") == replace(lobby, touched=lobby.touched + 100, alarm=110)
    assert [kept.deadline for kept in await store.records("a", -1, 10)] == [None, None, 5_100]
    assert await store.last_time() == 9_000
    assert (await claimed(store, 109), await claimed(store, 110)) == ([], ["lobby"])


async def test_of_several_who_start_after_a_standstill_one_makes_the_clocks_later(store: SessionStore) -> None:
    lobby = await ringing(store, "lobby", 10)
    await store.note_time(1_000)
    for _ in range(3):
        await store.note_time(9_000, 8_000)
    assert await store.load("lobby") == replace(lobby, touched=lobby.touched + 8_000, alarm=8_010)
