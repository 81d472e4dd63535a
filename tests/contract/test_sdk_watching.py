"""Watching through connections that break: every revision once and in order, in both flavours."""

import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

import lair
import lair.testing
from lair import watching
from tests.support.cutting import CutWay
from tests.support.flavours import FLAVOURS, connected, done, items
from tests.support.processes import Server

CUTS = 20


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(params=FLAVOURS)
async def client(request: pytest.FixtureRequest, target: str) -> AsyncIterator[Any]:
    async with connected(request.param, target) as opened:
        yield opened


def play_carefully(session: lair.Session) -> None:
    """Play one move. Whoever can feed does: so the Monster Cup never holds enough dice to end the game."""
    standing = session.facts().standing
    assert standing is not None
    (seat,) = standing.may_act
    texts = [move.text for move in session.seats[seat].moves()]
    session.seats[seat].play("feed" if "feed" in texts else "harvest")


async def test_a_watcher_gets_a_snapshot_and_then_every_revision_until_the_end(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"]))
    seen: list[Any] = []
    played: threading.Thread | None = None
    async for item in items(session.seats[1].watch()):
        seen.append(item)
        if played is None:
            played = threading.Thread(target=play_out_elsewhere, args=(client, session))
            played.start()
    assert played is not None
    played.join()
    first, *updates = seen
    assert isinstance(first, lair.Snapshot)
    assert (first.revision, first.seat) == (0, 1)
    assert [update.revision for update in updates] == list(range(1, len(updates) + 1))
    assert updates[-1].standing.over
    assert all(update.view is not None for update in updates)


def play_out_elsewhere(client: Any, session: Any) -> None:
    """Play all seats of a session over a connection of its own."""
    with lair.connect(client._connection.target) as other:
        seats = [other.seat(session.name, seat.token) for seat in session.seats]
        standing = session_standing(other, session.name)
        while not standing.over:
            standing = seats[standing.may_act[0]].play("harvest").standing


def session_standing(client: lair.Client, name: str) -> lair.Standing:
    standing = client.session(name).facts().standing
    assert standing is not None
    return standing


async def test_after_a_revision_there_is_no_snapshot(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"]))
    await done(session.play_out(seed=1))
    last = (await done(session.facts())).revision
    assert [item.revision async for item in items(session.watch(after=2))] == list(range(3, last + 1))
    assert [item.revision async for item in items(session.watch(after=-1))] == list(range(last + 1))


async def test_who_watches_a_lobby_sees_the_start(client: Any) -> None:
    session = await done(client.open("cabbages", seats=2))
    seen: list[Any] = []
    async for item in items(session.watch()):
        seen.append(item)
        if len(seen) <= 2:
            await done(client.join(session.join_code, name=("Ann", "Ben")[len(seen) - 1]))
        elif isinstance(item, lair.Update):
            break
    snapshot, ann, ben, start = seen
    assert (snapshot.state, snapshot.view) == (lair.State.LOBBY, None)
    assert [[seat.name for seat in change.joined] for change in (ann, ben)] == [["Ann"], ["Ben"]]
    assert (ann.facts.state, ben.facts.state) == (lair.State.LOBBY, lair.State.PLAYING)
    assert start.revision == 0
    assert start.events[0].HasField("started")


async def test_a_watch_keeps_what_everybody_may_know_fresh_and_asks_for_nothing(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await done(client.open("cabbages", seats=2, options={"first_seat": 0}))
    ann = await done(client.join(session.join_code, name="Ann"))
    with lair.connect(client._connection.target) as other:
        asked: list[str] = []
        monkeypatch.setattr(client._connection, "run", lambda call: asked.append(call.path))
        known: list[tuple[lair.State, int, list[str]]] = []
        async for item in items(session.watch()):
            facts = session.known_facts
            known.append((facts.state, facts.revision, [seat.name for seat in facts.seats if not seat.left]))
            if isinstance(item, lair.Snapshot):
                ben = other.join(session.join_code, name="Ben")
            elif isinstance(item, lair.Update) and item.revision == 0:
                other.seat(ann.session_name, ann.token).play("harvest")
            elif isinstance(item, lair.Update):
                assert (facts.etag, facts.standing) == (item.etag, item.standing)
                other.session(session.name, host_token=session.host_token).abort()
        with pytest.raises(lair.WrongState):
            ben.play("harvest")
    assert known == [
        (lair.State.LOBBY, 0, ["Ann", ""]),
        (lair.State.PLAYING, 0, ["Ann", "Ben"]),
        (lair.State.PLAYING, 0, ["Ann", "Ben"]),
        (lair.State.PLAYING, 1, ["Ann", "Ben"]),
        (lair.State.ABORTED, 1, ["Ann", "Ben"]),
    ]
    assert asked == []


async def test_who_leaves_during_the_game_is_told_to_everybody(client: Any) -> None:
    session = await done(client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0}, stand_in=60))
    change = None
    async for item in items(session.seats[0].watch()):
        if isinstance(item, lair.Snapshot):
            await done(session.seats[1].leave())
        else:
            change = item
            break
    assert isinstance(change, lair.FactsChanged)
    assert ([(seat.index, seat.name) for seat in change.left], change.joined) == ([(1, "Ben")], ())


async def test_a_guest_who_watches_on_hears_that_the_host_plays_again(client: Any) -> None:
    lobby = await done(client.open("cabbages", seats=2, options={"first_seat": 0, "max_turns": 1}))
    ann, ben = [await done(client.join(lobby.join_code, name=name)) for name in ("Ann", "Ben")]
    again = None
    async for item in items(ben.watch(until_rematch=True)):
        if isinstance(item, lair.Snapshot):
            await done(ann.play("harvest"))
        elif isinstance(item, lair.Update):
            again = await done(lobby.rematch())
    assert again is not None
    assert isinstance(item, lair.FactsChanged)
    assert item.rematch == ben.known_facts.rematch == again.name
    assert (await done(ben.rematch())).session_name == again.name
    assert [type(item) async for item in items(ann.watch(until_rematch=True))] == [lair.Snapshot], "it is there already"
    assert ann.known_facts.rematch == again.name


@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_watch_that_is_left_leaves_no_stream_behind(tmp_path: Path, flavour: str) -> None:
    with Server(tmp_path / "lair.db", LAIR_MAX_STREAMS="3") as server:
        async with connected(flavour, server.address) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"]))
            for _ in range(20):
                watch = session.watch()
                async for item in items(watch):
                    assert item.revision == 0
                    break
                await done(watch.aclose() if hasattr(watch, "aclose") else watch.close())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_watcher_that_is_cut_off_20_times_sees_every_revision_once_and_in_order(
    target: str, flavour: str
) -> None:
    with lair.connect(target) as player, CutWay(target) as way:
        session = player.create("cabbages", seats=["Ann", "Ben"])
        async with connected(flavour, way.address) as client:
            watcher = await done(client.seat(session.name, session.seats[0].token))
            seen: list[int] = []
            async for item in items(watcher.watch()):
                seen.append(item.revision)
                if way.cuts < CUTS:
                    play_carefully(session)
                    way.cut()
                else:
                    break
        assert way.cuts == CUTS
    assert seen == list(range(len(seen)))
    assert len(seen) > CUTS, "a cut counts only when there was something to cut"


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_watch_of_a_server_that_is_gone_gives_up(
    target: str, flavour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "ATTEMPTS", 3)
    with CutWay(target) as way:
        async with connected(flavour, way.address, options=[("grpc.enable_retries", 0)]) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"]))
            watch = items(session.watch())
            assert (await anext(watch)).revision == 0
            way.close()
            with pytest.raises(lair.Unavailable, match="nobody answers"):
                await anext(watch)
