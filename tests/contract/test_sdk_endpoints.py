"""Who is asked: targets that are none, others who listen there, proxies on the way, loops that have ended."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

import lair
import lair.testing
from tests.support import strangers
from tests.support.edge import edge, needs_envoy
from tests.support.flavours import FLAVOURS, connected, done
from tests.support.processes import Server, free_port
from tests.support.swallowing import SwallowingLink

OUTAGE = 7.0
"""Longer than gRPC's own retries last: about 5 seconds."""


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return strangers.certificate(tmp_path_factory.mktemp("certificate"))


async def said_of(flavour: str, target: str, **settings: Any) -> lair.Unavailable:
    """What the first call at a target ends with."""
    async with connected(flavour, target, **settings) as client:
        with pytest.raises(lair.Unavailable) as refused:
            await done(client.games())
    assert "\n" not in str(refused.value)
    assert refused.value.__cause__ is not None
    return refused.value


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_server_behind_tls_is_told_from_one_that_is_not_there(
    flavour: str, certificate: tuple[Path, Path]
) -> None:
    for stranger in (strangers.grpc_over_tls, strangers.web_over_tls):
        with stranger(*certificate) as address:
            said = await said_of(flavour, address)
            assert said.reason == "SPEAKS_TLS"
            assert str(said) == f"{address} speaks TLS, and was not asked in TLS: `connect` takes `credentials`"


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_credentials_that_do_not_fit_are_told_from_a_server_that_is_not_there(
    flavour: str, target: str, certificate: tuple[Path, Path]
) -> None:
    said = await said_of(flavour, target, credentials=grpc.ssl_channel_credentials())
    assert said.reason == "SPEAKS_NO_TLS"
    with strangers.grpc_over_tls(*certificate) as address:
        said = await said_of(flavour, address, credentials=grpc.ssl_channel_credentials())
        assert said.reason == "CERTIFICATE_REFUSED"
        trusting = grpc.ssl_channel_credentials(certificate[1].read_bytes())
        async with connected(flavour, address, credentials=trusting) as client:
            with pytest.raises(lair.NotServed):
                await done(client.games())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_web_server_is_told_from_one_that_is_not_there(flavour: str) -> None:
    with strangers.web_server() as address:
        said = await said_of(flavour, address)
    assert said.reason == "SPEAKS_HTTP_1"
    assert str(said) == f"{address} speaks HTTP/1 and not gRPC: is that the port of a web server?"


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("stranger", [strangers.talkative, strangers.hanging_up])
async def test_another_protocol_s_server_is_told_from_one_that_is_not_there(flavour: str, stranger: Any) -> None:
    with stranger() as address:
        said = await said_of(flavour, address)
    assert said.reason == "SPEAKS_NO_GRPC"
    assert str(said).startswith(f"{address} does not speak gRPC")


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_whoever_says_nothing_is_told_from_one_that_is_not_there(flavour: str) -> None:
    with strangers.silent() as address:
        said = await said_of(flavour, address, timeout=2.5)
    assert said.reason == "SAYS_NOTHING"
    assert str(said).startswith(f"{address} takes connections and says nothing")


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_whoever_is_silent_only_at_first_is_waited_for(flavour: str, target: str) -> None:
    """As a server is that was just started: its port is open before it answers."""
    with SwallowingLink(target) as link:
        link.swallow(new=True)
        async with connected(flavour, link.address, timeout=20.0) as client:
            waking = threading.Timer(1.5, link.heal)
            waking.start()
            assert await done(client.games())
            assert link.accepted > 1
            waking.join()


@needs_envoy
@pytest.mark.slow
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_behind_an_edge_an_outage_costs_a_call_no_more_than_its_timeout(tmp_path: Path, flavour: str) -> None:
    with Server(tmp_path / "lair.db") as server, edge(server.address) as web:
        async with (
            connected(flavour, web.address, timeout=60.0) as client,
            connected("asyncio", web.address, timeout=60.0) as stranger,
        ):
            session = await done(client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0}))
            server.kill()
            back = threading.Timer(OUTAGE, server.start)
            back.start()
            try:
                meeting = asyncio.create_task(stranger.session(session.name))
                await asyncio.sleep(0.1)
                assert (await done(session.seats[0].play("harvest"))).revision == 1
                assert (await meeting).known_facts.revision in (0, 1)
            finally:
                back.join()  # else it would start a server that nobody ends


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("variable", ["grpc_proxy", "https_proxy", "http_proxy"])
async def test_the_way_to_this_machine_is_direct(
    flavour: str, variable: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, f"http://127.0.0.1:{free_port()}")
    port = target.rpartition(":")[2]
    for host in ("127.0.0.1", "localhost"):
        async with connected(flavour, f"{host}:{port}") as client:
            assert await done(client.games())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_proxy_on_the_way_is_named_without_its_password(flavour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setenv("https_proxy", f"http://ann:secret@127.0.0.1:{port}")
    said = await said_of(flavour, "lair.example:50051", timeout=1.0)
    assert f"nobody answers at lair.example:50051 through the proxy 127.0.0.1:{port} (from https_proxy)" in str(said)
    assert "secret" not in str(said)


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_silent_proxy_is_named(flavour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with strangers.silent() as address:
        monkeypatch.setenv("http_proxy", f"http://{address}")
        said = await said_of(flavour, "lair.example:50051", timeout=2.5)
    assert f"through the proxy {address} (from http_proxy)" in str(said)


def test_a_client_whose_loop_has_ended_says_so(target: str) -> None:
    async def begin() -> tuple[lair.AsyncClient, Any]:
        client = lair.aconnect(target)
        return client, await client.create("cabbages", seats=["Ann", "Ben"])

    async def go_on() -> None:
        for asking in (client.games, session.facts, session.seats[0].moves, anext_of):
            with pytest.raises(
                lair.Unavailable, match="belongs to an event loop that has ended: connect anew"
            ) as ended:
                await asking()
            assert ended.value.reason == "OTHER_LOOP"
        await client.close()

    async def anext_of() -> Any:
        return await anext(aiter(session.watch()))

    client, session = asyncio.run(begin())
    asyncio.run(go_on())


async def test_a_client_of_another_loop_says_so(target: str) -> None:
    async with lair.aconnect(target) as client:
        await client.games()

        async def ask() -> None:
            with pytest.raises(lair.Unavailable, match="belongs to another event loop"):
                await client.games()

        await asyncio.to_thread(asyncio.run, ask())
        assert await client.games()


async def test_an_asyncio_client_may_be_made_before_there_is_a_loop(target: str) -> None:
    client = await asyncio.to_thread(lair.aconnect, target)
    assert await client.games()
    await client.close()


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_closed_client_says_so(flavour: str, target: str) -> None:
    async with connected(flavour, target) as client:
        session = await done(client.create("cabbages", seats=["Ann", "Ben"]))
    for asking in (client.games, session.facts):
        with pytest.raises(lair.Unavailable, match="is closed") as closed:
            await done(asking())
        assert closed.value.reason == "CLIENT_CLOSED"


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_call_under_way_when_the_client_is_closed_says_so(flavour: str) -> None:
    with strangers.silent() as address:
        async with connected(flavour, address, timeout=20.0) as client:
            blocking = flavour == "blocking"
            asking = asyncio.create_task(asyncio.to_thread(client.games) if blocking else client.games())
            await asyncio.sleep(0.3)
            await done(client.close())
            with pytest.raises(lair.Unavailable, match="is closed"):
                await asyncio.wait_for(asking, 15)
