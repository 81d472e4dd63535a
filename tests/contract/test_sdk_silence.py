"""A link that swallows packets without a word: silence is a broken connection, and a new one is made."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import lair
from tests.support.flavours import FLAVOURS, connected, done, items
from tests.support.servers import running
from tests.support.swallowing import SwallowingLink

HEARTBEAT = 0.3
SILENCE = 1.0
TIMEOUT = 8.0


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = tmp_path_factory.mktemp("silence") / "lair.db"
    with running(database, heartbeat=HEARTBEAT) as stubs:
        yield stubs.address


@pytest.fixture
def link(target: str) -> Iterator[SwallowingLink]:
    with SwallowingLink(target) as way:
        yield way


@asynccontextmanager
async def playing(flavour: str, link: SwallowingLink, **settings: Any) -> AsyncIterator[tuple[Any, Any]]:
    """A client over the link, and a game in which seat 0 begins."""
    async with connected(flavour, link.address, **{"timeout": TIMEOUT, "silence": SILENCE} | settings) as client:
        yield client, await done(client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0}))


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_call_on_a_link_that_swallows_packets_is_made_again_over_a_new_connection(
    link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link) as (_, session):
        link.swallow()
        began = time.monotonic()
        assert (await done(session.seats[0].play("harvest"))).revision == 1
        assert time.monotonic() - began < TIMEOUT
        assert (await done(session.facts())).revision == 1, "and it was played once"
        assert link.accepted == 2


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_the_very_first_call_is_made_again_as_well(target: str, link: SwallowingLink, flavour: str) -> None:
    link.swallow(new=True)
    async with connected(flavour, link.address, timeout=TIMEOUT, silence=SILENCE) as client:
        asking = asyncio.create_task(asyncio.to_thread(client.games) if flavour == "blocking" else client.games())
        await asyncio.sleep(SILENCE / 2)
        link.heal()
        assert await asking


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_call_has_half_of_its_timeout_for_the_first_answer_however_long_silence_may_be(
    link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link, timeout=2.0, silence=60.0) as (_, session):
        link.swallow()
        assert (await done(session.seats[0].play("harvest"))).revision == 1


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_call_that_no_connection_helps_ends_after_its_timeout_and_the_next_has_a_new_one(
    link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link, timeout=1.5) as (_, session):
        link.swallow(new=True)
        began = time.monotonic()
        with pytest.raises(lair.Unavailable, match=link.address):
            await done(session.facts())
        assert time.monotonic() - began < 5
        link.heal()
        assert (await done(session.facts())).revision == 0


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_watcher_on_a_link_that_swallows_packets_goes_on_over_a_new_connection(
    target: str, link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link) as (_, session):
        watch = items(session.seats[1].watch())
        assert isinstance(await anext(watch), lair.Snapshot)
        link.swallow()
        with lair.connect(target) as elsewhere:
            elsewhere.seat(session.name, session.seats[0].token).play("harvest")
        assert (await asyncio.wait_for(anext(watch), 60)).revision == 1


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_line_on_a_link_that_swallows_packets_plays_its_move_once_within_its_timeout(
    link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link, silence=60.0, timeout=3.0) as (_, session):
        line = session.seats[0].stream()
        assert isinstance(await anext(items(line)), lair.Snapshot)
        link.swallow()
        assert (await done(line.play("harvest"))).revision == 1
        assert [(await anext(items(line))).revision] == [1]
        await done(line.close())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_line_that_only_listens_goes_on_over_a_new_connection(
    target: str, link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link) as (_, session):
        line = session.seats[1].stream()
        assert isinstance(await anext(items(line)), lair.Snapshot)
        link.swallow()
        with lair.connect(target) as elsewhere:
            elsewhere.seat(session.name, session.seats[0].token).play("harvest")
        assert (await asyncio.wait_for(anext(items(line)), 60)).revision == 1
        await done(line.close())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_simulation_on_a_link_that_swallows_packets_ends_and_begins_anew(
    link: SwallowingLink, flavour: str
) -> None:
    async with connected(flavour, link.address, timeout=1.0) as client:
        rules = client.rules("cabbages")
        start = await done(rules.start(seats=2, options={"first_seat": 0}))
        simulation, move = rules.simulate(), lair.NextMove(0, "harvest", start.position)
        assert len(await done(simulation.apply([move]))) == 1
        link.swallow()
        with pytest.raises(lair.Unavailable):
            await done(simulation.apply([move]))
        assert len(await done(simulation.apply([move]))) == 1
        await done(simulation.close())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_quiet_stream_whose_server_lives_keeps_its_connection(
    target: str, link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link) as (_, session):
        watch = session.seats[1].watch()
        blocking = flavour == "blocking"
        await (asyncio.to_thread(next, watch) if blocking else anext(watch))
        following = asyncio.create_task(asyncio.to_thread(next, watch) if blocking else anext(watch))
        await asyncio.sleep(2.5 * SILENCE)
        assert not following.done()
        with lair.connect(target) as elsewhere:
            elsewhere.seat(session.name, session.seats[0].token).play("harvest")
        assert (await following).revision == 1
        assert link.accepted == 1


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_what_is_still_read_on_the_old_connection_is_not_ended_by_a_new_one(
    link: SwallowingLink, flavour: str
) -> None:
    """A call that had no answer is one call's; a stream that hears its heartbeats is another's."""
    async with playing(flavour, link) as (client, session):
        watch = items(session.seats[1].watch())
        await anext(watch)
        connection = client._connection
        way = connection._take()
        connection._ways.renew(way)
        await done(connection._leave(way))
        assert (await done(session.seats[0].play("harvest"))).revision == 1
        assert link.accepted == 2
        assert (await anext(watch)).revision == 1
        assert link.accepted == 2, "the watch has gone on where it was"
        await done(watch.aclose())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_without_retries_a_call_is_made_once_and_the_next_has_a_new_connection(
    link: SwallowingLink, flavour: str
) -> None:
    async with playing(flavour, link, timeout=1.0, options=[("grpc.enable_retries", 0)]) as (_, session):
        link.swallow()
        with pytest.raises(lair.Unavailable):
            await done(session.facts())
        assert (await done(session.facts())).revision == 0
