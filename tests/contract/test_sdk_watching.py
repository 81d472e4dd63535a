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
        if len(seen) == 1:
            for name in ("Ann", "Ben"):
                await done(client.join(session.join_code, name=name))
        else:
            break
    assert (seen[0].state, seen[0].view) == (lair.State.LOBBY, None)
    assert seen[1].revision == 0
    assert seen[1].events[0].HasField("started")


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
    assert seen == list(range(CUTS + 1))


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
