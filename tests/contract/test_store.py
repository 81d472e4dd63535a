"""What every SessionStore keeps to: one suite, whatever is behind the port."""

import asyncio
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from monsters.rules.v1 import rules_pb2 as words
from msgspec.structs import replace

from services.session.adapters.sqlite.file import DatabaseTaken
from services.session.adapters.sqlite.store import sqlite_store
from services.session.domain.session import Record, Session, State, Step
from services.session.ports import Change, RememberedRequest, SessionStore
from tests.support.stores import AT_ONCE, Open, nothing, played, playing, record_of, session_called

PATIENCE = 60.0


# ---- one session ----------------------------------------------------------------------------------------------------


async def test_a_session_is_loaded_as_it_was_stored(store: SessionStore) -> None:
    lobby = session_called("a")
    started = session_called("b", join_hash=None).with_record(record_of(0, None))
    assert await store.create(lobby, None, None)
    assert await store.create(started, started.head, None)
    assert await store.load("a") == lobby
    assert await store.load("b") == started
    assert await store.load("c") is None


async def test_a_session_is_found_by_its_join_code(store: SessionStore) -> None:
    lobby = session_called("a")
    await store.create(lobby, None, None)
    assert await store.find_join(b"code of a") == lobby
    assert await store.find_join(b"code of b") is None


async def test_sessions_without_a_join_code_are_not_each_others(store: SessionStore) -> None:
    for name in ("a", "b"):
        session = session_called(name, join_hash=None).with_record(record_of(0, None))
        assert await store.create(session, session.head, None)


async def test_an_id_a_join_code_and_a_request_are_there_once(store: SessionStore) -> None:
    remember = RememberedRequest("", b"request", b"body", "a", nonce=b"nonce")
    assert await store.create(session_called("a"), None, remember)
    assert not await store.create(session_called("a", join_hash=b"another"), None, None)
    assert not await store.create(session_called("b", join_hash=b"code of a"), None, None)
    assert not await store.create(session_called("c"), None, replace(remember, session="c"))
    for name in "bc":
        assert await store.load(name) is None, "nothing is left of a session that was not stored"
    assert await store.find_request("", b"request") == remember


async def test_a_move_is_stored_with_its_request(store: SessionStore) -> None:
    session = await playing(store)
    change = played(session, b"request")
    assert await store.save(change, nothing)
    assert await store.load("a") == change.after
    assert await store.find_request("a", b"request") == change.remember
    assert list(await store.records("a", -1, 10)) == [session.head, change.record]


async def test_a_request_is_answered_once_whatever_it_asked_for(store: SessionStore) -> None:
    """Those of moves and the others may be kept apart, and are one."""
    session = await playing(store)
    first = played(session, b"a move")
    assert await store.save(first, nothing)
    seat = Change(replace(first.after, version=first.after.version + 1), seat=0)
    assert not await store.save(replace(seat, remember=first.remember), nothing)
    left = RememberedRequest("a", b"leaving", b"body", "a", 0)
    assert await store.save(replace(seat, remember=left), nothing)
    assert not await store.save(played(seat.after, b"leaving"), nothing)
    assert (await store.load("a"), await store.find_request("a", b"leaving")) == (seat.after, left)


async def test_what_was_seen_of_a_session_is_recalled(store: SessionStore) -> None:
    session = await playing(store, moves=1)
    assert await store.recall("a") == session
    assert await store.recall("b") is None


async def test_a_request_is_of_its_scope(store: SessionStore) -> None:
    first, second = await playing(store, "a"), await playing(store, "b")
    assert await store.save(played(first, b"request"), nothing)
    assert await store.find_request("b", b"request") is None
    assert await store.find_request("", b"request") is None
    assert await store.save(played(second, b"request"), nothing)


async def test_a_seat_is_taken_and_the_others_stay(store: SessionStore) -> None:
    lobby = session_called("a")
    await store.create(lobby, None, None)
    taken = replace(lobby.seats[1], name="Bea", token_hash=b"hash", entropy=b"more dice")
    after = replace(lobby, version=1, seats=(lobby.seats[0], taken), updated=1_500)
    assert await store.save(Change(after, seat=1), nothing)
    assert await store.load("a") == after
    assert await store.find_join(b"code of a") == after


async def test_a_change_that_moves_no_alarm_leaves_it(store: SessionStore) -> None:
    session = await playing(store)
    change = played(session)
    after = replace(change.after, alarm=session.alarm)
    assert await store.save(replace(change, after=after, moves_alarm=False), nothing)
    loaded = await store.load("a")
    assert loaded is not None
    assert loaded.alarm == session.alarm


async def test_a_session_that_has_ended_can_still_be_read(store: SessionStore) -> None:
    session = await playing(store, moves=2)
    over = Step(position=b"last", standing=words.Standing(outcome=words.Outcome(winners=[1], reason="eaten")))
    record = Record(3, None, over, 9_000)
    assert await store.save(Change(session.with_record(record), record), nothing)
    for _ in range(2):
        loaded = await store.load("a")
        assert loaded == session.with_record(record)
        assert loaded.state is State.OVER


# ---- races ----------------------------------------------------------------------------------------------------------


async def test_of_two_changes_of_one_version_one_wins(store: SessionStore) -> None:
    session = await playing(store)
    changes = [replace(played(session), record=replace(record_of(1), seat=seat)) for seat in range(AT_ONCE)]
    changes = [replace(change, after=session.with_record(change.record)) for change in changes if change.record]
    told: list[int] = []
    won = await asyncio.gather(
        *(store.save(change, partial(told.append, number)) for number, change in enumerate(changes))
    )
    assert won.count(True) == 1
    assert told == [won.index(True)], "only what has become durable is told"
    assert await store.load("a") == changes[won.index(True)].after
    assert list(await store.records("a", -1, 100)) == [session.head, changes[won.index(True)].record]


async def test_of_two_who_take_a_seat_at_once_one_gets_it(store: SessionStore) -> None:
    lobby = session_called("a")
    await store.create(lobby, None, None)
    taken = [replace(lobby.seats[0], name=f"player {number}", token_hash=b"hash") for number in range(AT_ONCE)]
    changes = [Change(replace(lobby, version=1, seats=(seat, lobby.seats[1])), seat=0) for seat in taken]
    won = await asyncio.gather(*(store.save(change, nothing) for change in changes))
    assert won.count(True) == 1
    assert await store.load("a") == await store.find_join(b"code of a") == changes[won.index(True)].after


async def test_a_change_of_a_version_that_is_gone_changes_nothing(store: SessionStore) -> None:
    session = await playing(store)
    await store.save(played(session), nothing)
    late = replace(played(session, b"request"), seat=0)
    assert not await store.save(late, nothing)
    assert await store.find_request("a", b"request") is None
    loaded = await store.load("a")
    assert loaded is not None
    assert loaded.version == session.version + 1
    assert not await store.save(played(session_called("nowhere")), nothing)


async def test_a_request_that_has_had_an_answer_changes_nothing(store: SessionStore) -> None:
    session = await playing(store)
    first = played(session, b"request")
    assert await store.save(first, nothing)
    again = played(first.after, b"request")
    assert not await store.save(again, nothing)
    assert await store.load("a") == first.after
    assert list(await store.records("a", 0, 10)) == [first.record]


async def test_what_fails_takes_nobody_with_it(store: SessionStore) -> None:
    """All of these are on their way together: some can't be stored, and the others are."""
    await store.create(session_called("taken"), None, None)
    names = [f"s{number}" if number % 3 else "taken" for number in range(AT_ONCE)]
    stored = await asyncio.gather(*(store.create(session_called(name), None, None) for name in names))
    assert stored == [name != "taken" for name in names]
    for name in names:
        assert await store.load(name) is not None


async def test_a_caller_who_has_gone_does_not_cut_a_change_in_half(store: SessionStore) -> None:
    session = await playing(store)
    change, told = played(session, b"request"), asyncio.Event()
    saving = asyncio.create_task(store.save(change, told.set))
    await asyncio.sleep(0)
    saving.cancel()
    with suppress(asyncio.CancelledError):  # a store that waits for nothing was done before
        await saving
    async with asyncio.timeout(PATIENCE):
        await told.wait()
    assert await store.load("a") == change.after
    assert await store.find_request("a", b"request") == change.remember
    assert list(await store.records("a", 0, 10)) == [change.record]


async def test_it_is_told_when_a_change_is_durable_and_not_before(open_store: Open) -> None:
    async with open_store() as store:
        session = await playing(store)
        seen: list[object] = []
        change = played(session)
        await store.save(change, lambda: seen.append("told"))
        assert seen == ["told"], "whoever gets the answer knows that everybody has been told"
        lost = played(session)
        assert not await store.save(lost, lambda: seen.append("told"))
        assert seen == ["told"]


# ---- reading in parts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "limit", "revisions"),
    [(-1, 3, [0, 1, 2]), (-1, 100, list(range(8))), (4, 2, [5, 6]), (6, 9, [7]), (7, 1, []), (2**63 - 1, 5, [])],
)
async def test_revisions_come_in_order_from_anywhere(
    store: SessionStore, after: int, limit: int, revisions: list[int]
) -> None:
    await playing(store, "a", moves=7)
    await playing(store, "b", moves=1)
    records = await store.records("a", after, limit)
    assert [record.revision for record in records] == revisions
    assert all(record == record_of(record.revision, 0 if record.revision else None) for record in records)


async def test_a_session_that_there_isnt_has_no_revisions(store: SessionStore) -> None:
    assert list(await store.records("nowhere", -1, 10)) == []


def listed_lobby(name: str, created: int) -> Session:
    return replace(session_called(name, created), listed=True)


async def test_lobbies_are_listed_newest_first_and_only_they(store: SessionStore) -> None:
    for created, name in ((30, "c"), (10, "a"), (20, "b"), (20, "bb")):
        await store.create(listed_lobby(name, created), None, None)
    await store.create(replace(listed_lobby("other", 15), game="other"), None, None)
    await store.create(session_called("found by its code alone", 27), None, None)
    await playing(store, "playing")
    aborted = listed_lobby("aborted", 25)
    await store.create(aborted, None, None)
    await store.save(Change(replace(aborted, version=1, state=State.ABORTED)), nothing)

    async def listed(before: tuple[int, str] | None, limit: int, game: str = "") -> list[str]:
        return [session.id for session in await store.lobbies(game, before, limit)]

    assert await listed(None, 10) == ["c", "bb", "b", "other", "a"]
    assert await listed(None, 2) == ["c", "bb"]
    assert await listed((20, "bb"), 2) == ["b", "other"]
    assert await listed((20, "b"), 10) == ["other", "a"]
    assert await listed((0, ""), 10) == []
    assert await listed(None, 10, "other") == ["other"]
    assert await listed((20, "bb"), 1, listed_lobby("b", 20).game) == ["b"]
    assert (await store.lobbies("", None, 1))[0] == listed_lobby("c", 30)


async def test_a_rematch_and_the_session_before_it_are_stored_together_or_not_at_all(store: SessionStore) -> None:
    before, told = await playing(store), []
    after = replace(before, version=before.version + 1, rematch="again")
    assert await store.create(session_called("again"), None, None, after, lambda: told.append("told"))
    assert (await store.load("a"), await store.load("again")) == (after, session_called("again"))
    assert told == ["told"]
    assert not await store.create(session_called("late"), None, None, after, lambda: told.append("late"))
    assert await store.load("late") is None
    assert told == ["told"]


# ---- lasting --------------------------------------------------------------------------------------------------------


async def test_everything_is_there_when_it_is_opened_again(open_store: Open) -> None:
    async with open_store() as store:
        lobby = session_called("lobby")
        await store.create(lobby, None, RememberedRequest("", b"request", b"body", "lobby", nonce=b"nonce"))
        session = await playing(store, moves=3)
    async with open_store() as again:
        assert await again.load("lobby") == lobby
        assert await again.load("a") == session
        assert len(await again.records("a", -1, 10)) == 4
        assert await again.find_request("", b"request")
        assert await again.save(played(session), nothing)


async def test_a_game_that_begins_with_its_last_seat_keeps_its_rules_and_options(open_store: Open) -> None:
    """Those that it is played and verified with, also after a restart and on another server."""
    async with open_store() as store:
        lobby = session_called("a", rules_version="")
        await store.create(lobby, None, None)
        begun = replace(lobby.with_record(record_of(0, None)), options=b"read", rules_version="2")
        assert await store.save(Change(begun, begun.head, seat=1), nothing)
    async with open_store() as again:
        assert await again.load("a") == begun


async def test_what_is_on_its_way_when_it_closes_is_still_done(open_store: Open) -> None:
    async with open_store() as store:
        session = await playing(store)
        change = played(session)
        saving = asyncio.create_task(store.save(change, nothing))
        await asyncio.sleep(0)
    assert await saving
    async with open_store() as again:
        assert await again.load("a") == change.after


async def test_a_store_that_is_open_is_ready(store: SessionStore) -> None:
    assert await store.ready()


async def test_a_file_has_one_server(tmp_path: Path) -> None:
    """SQLite's own: sessions that are remembered are right only as long as nobody else writes."""
    path = tmp_path / "lair.db"
    async with sqlite_store(path) as first:
        await playing(first)
        with pytest.raises(DatabaseTaken, match=r"another server has .*lair\.db"):
            async with sqlite_store(path):
                pytest.fail("two have it")
        assert await first.load("a"), "the first one is not disturbed"
    async with sqlite_store(path) as second:
        assert await second.load("a")
