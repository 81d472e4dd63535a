"""Connections that break, servers that start again, servers that are not there: what a caller notices of them."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

import lair
import lair.testing
from lair import _calls as calls
from tests.support.cutting import CutWay
from tests.support.flavours import FLAVOURS, connected, done, items
from tests.support.processes import Server, free_port

AWAY = 2.0
REQUEST_ID = "3f9d3a0c-9b3e-4a43-9a3f-6a2f5b8f2f10"


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_move_whose_answer_is_lost_is_played_once(target: str, flavour: str) -> None:
    with CutWay(target) as way:
        async with connected(flavour, way.address) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"]))
            for revision in range(1, 4):
                (seat,) = (await done(session.facts())).standing.may_act
                way.lose_next_answer()
                update = await done(session.seats[seat].play("harvest"))
                assert update.revision == revision
            assert way.cuts == 3
            assert (await done(session.facts())).revision == 3


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_leaving_whose_answer_is_lost_has_left(target: str, flavour: str) -> None:
    with CutWay(target) as way:
        async with connected(flavour, way.address) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"], stand_in=60))
            way.lose_next_answer()
            facts = await done(session.seats[0].leave())
            assert [seat.left for seat in facts.seats] == [True, False]
            assert way.cuts == 1
            with pytest.raises(lair.BadToken):
                await done(session.seats[0].leave())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_without_retries_the_caller_may_send_the_same_again(target: str, flavour: str) -> None:
    with CutWay(target) as way:
        async with connected(flavour, way.address, options=[("grpc.enable_retries", 0)]) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0}))
            way.lose_next_answer()
            with pytest.raises(lair.Unavailable):
                await done(session.seats[0].play("harvest", request_id=REQUEST_ID))
            for _ in range(10):
                try:
                    update = await done(session.seats[0].play("harvest", request_id=REQUEST_ID))
                except lair.Unavailable:
                    await asyncio.sleep(0.1)
                else:
                    break
            assert update.revision == 1


@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_server_that_starts_again_is_waited_for(tmp_path: Path, flavour: str) -> None:
    """As long as the timeout, and not only as long as the retries: here there are none."""
    no_retries = [("grpc.enable_retries", 0)]
    with Server(tmp_path / "lair.db") as server:
        async with connected(flavour, server.address, timeout=30.0, options=no_retries) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0}))
            server.kill()
            began = time.monotonic()
            back = threading.Timer(AWAY, server.start)
            back.start()
            for _ in range(20):
                try:
                    update = await done(session.seats[0].play("harvest", request_id=REQUEST_ID))
                except lair.Unavailable:  # the connection is not seen dead yet: calls under way on it fail at once
                    await asyncio.sleep(AWAY / 40)
                else:
                    break
            assert update.revision == 1
            assert time.monotonic() - began > AWAY
            back.join()


@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_nobody_at_the_address_is_said_in_a_sentence(flavour: str) -> None:
    target = f"127.0.0.1:{free_port()}"
    async with connected(flavour, target) as client:
        with pytest.raises(
            lair.Unavailable, match=f"nobody answers at {target}: is a Lair server running there"
        ) as gone:
            await done(client.games())
    assert gone.value.__cause__ is not None


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_call_ends_after_its_timeout(flavour: str) -> None:
    async with connected(flavour, f"127.0.0.1:{free_port()}", timeout=0.3) as client:
        began = time.monotonic()
        with pytest.raises(lair.Unavailable):
            await done(client.games())
    assert time.monotonic() - began < 9, "a call without a timeout of its own has ten seconds"


@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_watch_and_a_line_outlive_a_server_that_is_stopped_and_started_again(
    tmp_path: Path, flavour: str
) -> None:
    with Server(tmp_path / "lair.db") as server:
        async with connected(flavour, server.address, timeout=30.0) as client:
            session = await done(client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0}))
            ann, ben = session.seats
            line, watch = ann.stream(), items(ben.watch())
            assert (await done(line.play("harvest"))).revision == 1
            assert (await anext(watch)).revision == 1
            assert server.stop() == 0
            server.start()
            await done(ben.play("harvest"))
            assert (await done(line.play("harvest"))).revision == 3
            assert [(await anext(watch)).revision for _ in range(2)] == [2, 3]
            assert [(await anext(items(line))).revision for _ in range(4)] == [0, 1, 2, 3]
            await done(line.close())


async def test_what_the_caller_cancels_is_not_made_again() -> None:
    """Calls that a server has CANCELLED are: a channel can tell the two apart."""
    heard: asyncio.Queue[bytes] = asyncio.Queue()

    async def hang(request: bytes, _: Any) -> None:
        heard.put_nowait(request)
        await asyncio.sleep(60)

    server = grpc.aio.server()
    handlers = {"GetSession": grpc.unary_unary_rpc_method_handler(hang)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(calls.SERVICE, handlers),))
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    async with lair.aconnect(address) as client:
        asking = asyncio.create_task(client.session("7f3k"))
        await heard.get()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await asyncio.sleep(0.6)  # the first retry comes after 0.2 seconds
    await server.stop(None)
    assert heard.empty()
