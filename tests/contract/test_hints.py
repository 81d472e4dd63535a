"""What holds for hints whichever way they go: over a real PostgreSQL, and between real servers."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Protocol

import psycopg
import pytest

from services.session.adapters.hints.notify import NotifyHints
from services.session.adapters.hints.peers import PeerHints
from tests.support.postgresql import PostgresqlServer, running_postgresql
from tests.support.processes import free_port
from tests.support.replicas import Listener, on_the_servers_loop, running_beside, serving_hints, until

SESSIONS = 5_000
CHANGES = 500


class Way(Protocol):
    """One way for hints to go."""

    def replicas(self, *names: str) -> Any:
        """A context with replicas, by name, that hear one another."""

    def cut(self) -> Coroutine[Any, Any, None]:
        """Break what is between them."""


class OverNotify:
    """Over a PostgreSQL."""

    def __init__(self, database: str) -> None:
        self._database = database

    @asynccontextmanager
    async def replicas(self, *names: str) -> AsyncIterator[dict[str, Listener]]:
        async with AsyncExitStack() as stack:
            listeners = {}
            for name in names:
                listeners[name] = Listener(NotifyHints(self._database))
                await stack.enter_async_context(running_beside(listeners[name].hints.run()))
            await until(lambda: all(listener.missed for listener in listeners.values()))
            yield listeners

    async def cut(self) -> None:
        async with await psycopg.AsyncConnection.connect(self._database, autocommit=True) as connection:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lair hints'"
            )


class BetweenPeers:
    """Between servers of gRPC."""

    def __init__(self) -> None:
        self._addresses: dict[str, str] = {}
        self._stacks: dict[str, AsyncExitStack] = {}

    @asynccontextmanager
    async def replicas(self, *names: str) -> AsyncIterator[dict[str, Listener]]:
        self._addresses = {name: f"127.0.0.1:{free_port()}" for name in names}
        async with AsyncExitStack() as stack:
            listeners = {}
            for name, address in self._addresses.items():
                hints = PeerHints([f"dns:///{each}" for each in self._addresses.values()])
                listeners[name] = Listener(hints)
                self._stacks[name] = await stack.enter_async_context(AsyncExitStack())
                await self._stacks[name].enter_async_context(serving_hints(address, hints))
                await stack.enter_async_context(running_beside(hints.run()))
            self._listeners = listeners
            await until(lambda: all(len(listener.hints._peers) == len(names) for listener in listeners.values()))
            yield listeners

    async def cut(self) -> None:
        """Every server is replaced by another one at the same address."""
        for name, stack in self._stacks.items():
            await stack.aclose()
            hints = self._listeners[name].hints
            await stack.enter_async_context(serving_hints(self._addresses[name], hints))


@pytest.fixture(params=["notify", "peers"])
def way(request: pytest.FixtureRequest) -> Iterator[Way]:
    if request.param == "peers":
        yield BetweenPeers()
    else:
        yield OverNotify(request.getfixturevalue("postgresql_database"))


def test_every_other_replica_hears(way: Way) -> None:
    async def story() -> None:
        async with way.replicas("a", "b", "c") as replicas:
            replicas["a"].hints.tell("s", 7)
            await until(lambda: all(replicas[name].versions.get("s") == 7 for name in "bc"))
            replicas["c"].hints.tell("s", 8)
            await until(lambda: all(replicas[name].versions.get("s") == 8 for name in "ab"))

    on_the_servers_loop(story())


def test_many_changes_of_a_session_are_few_hints_and_the_last_is_heard(way: Way) -> None:
    async def story() -> None:
        async with way.replicas("a", "b") as replicas:
            for version in range(1, CHANGES + 1):
                replicas["a"].hints.tell("s", version)
                if version % 50 == 0:
                    await asyncio.sleep(0)
            await until(lambda: replicas["b"].versions.get("s") == CHANGES)
            assert replicas["b"].count <= CHANGES // 10

    on_the_servers_loop(story())


def test_many_sessions_at_once_are_all_heard_of(way: Way) -> None:
    async def story() -> None:
        async with way.replicas("a", "b") as replicas:
            told = {f"{number:022}": 2**40 + number for number in range(SESSIONS)}
            for session, version in told.items():
                replicas["a"].hints.tell(session, version)
            await until(lambda: len(replicas["b"].versions) == SESSIONS)
            assert replicas["b"].versions == told

    on_the_servers_loop(story())


def test_after_a_cut_replicas_hear_one_another_again(way: Way) -> None:
    async def story() -> None:
        async with way.replicas("a", "b") as replicas:
            one, other = replicas["a"], replicas["b"]
            one.hints.tell("before", 1)
            await until(lambda: "before" in other.versions)
            await way.cut()
            await heard_again(one, other)
            await heard_again(other, one)

    on_the_servers_loop(story())


async def heard_again(one: Listener, other: Listener) -> None:
    """Tell until it is heard: what was on its way at the cut may be lost."""
    version = 1

    def heard() -> bool:
        nonlocal version
        version += 1
        one.hints.tell("after", version)
        return "after" in other.versions

    await until(heard)


def test_a_connection_that_was_away_is_told_of(postgresql_database: str) -> None:
    async def story() -> None:
        way = OverNotify(postgresql_database)
        async with way.replicas("a") as replicas:
            assert replicas["a"].missed == 1
            await way.cut()
            await until(lambda: replicas["a"].missed == 2)

    on_the_servers_loop(story())


def test_hints_wait_for_a_database_that_is_away() -> None:
    with running_postgresql() as server:
        url = server.url("postgres")

        async def story() -> None:
            async with OverNotify(url).replicas("a", "b") as replicas:
                await asyncio.to_thread(server.stop)
                replicas["a"].hints.tell("s", 5)
                await asyncio.sleep(0.3)
                await asyncio.to_thread(server.start)
                await until(lambda: replicas["b"].missed > 1)
                replicas["a"].hints.tell("t", 1)
                await until(lambda: "t" in replicas["b"].versions)

        on_the_servers_loop(story())


def test_whatever_somebody_else_notifies_is_left_out(postgresql: PostgresqlServer, postgresql_database: str) -> None:
    async def story() -> None:
        async with OverNotify(postgresql_database).replicas("a", "b") as replicas:
            async with await psycopg.AsyncConnection.connect(postgresql_database, autocommit=True) as connection:
                await connection.execute("SELECT pg_notify('lair_hints', 'x :: s:-1 s:٣')")
            replicas["a"].hints.tell("s", 1)
            await until(lambda: "s" in replicas["b"].versions)
            assert replicas["b"].versions == {"s": 1}

    on_the_servers_loop(story())


def test_a_replica_that_was_away_is_told_once_it_is_back() -> None:
    """By peers nothing is missed: whoever tells keeps what could not be told."""

    async def story() -> None:
        address = f"127.0.0.1:{free_port()}"
        hints, away = PeerHints([address]), PeerHints([])
        listener = Listener(away)
        async with running_beside(hints.run()):
            await until(lambda: hints._peers)
            (peer,) = hints._peers.values()
            hints.tell("s", 1)
            await until(lambda: not len(peer._pending))  # it is under way
            await until(lambda: len(peer._pending))  # and was in vain
            async with serving_hints(address, away):
                await until(lambda: listener.versions == {"s": 1})

    on_the_servers_loop(story())


def test_a_replica_that_is_gone_or_hangs_holds_up_no_other() -> None:
    async def story() -> None:
        gone, hanging = (f"127.0.0.1:{free_port()}" for _ in range(2))
        host, port = hanging.split(":")
        accepted: list[asyncio.StreamWriter] = []
        silent = await asyncio.start_server(lambda _, writer: accepted.append(writer), host, int(port))
        async with silent, hears() as (address, other):
            hints = PeerHints([gone, hanging, address])
            async with running_beside(hints.run()):
                await until(lambda: len(hints._peers) == 3)
                for version in range(1, 4):
                    hints.tell("s", version)
                    await until(lambda: other.versions.get("s") == version)  # noqa: B023  it is waited for at once
        for writer in accepted:
            writer.close()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    on_the_servers_loop(story())


@asynccontextmanager
async def hears() -> AsyncIterator[tuple[str, Listener]]:
    """A replica that hears, and tells nobody."""
    hints = PeerHints([])
    address = f"127.0.0.1:{free_port()}"
    async with serving_hints(address, hints):
        yield address, Listener(hints)


def test_replicas_that_come_and_go_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[str] = []

    async def resolve(_: str) -> list[str]:
        if not known:
            raise OSError("nobody has come yet")
        return known

    monkeypatch.setattr("services.session.adapters.hints.peers.addresses", resolve)
    monkeypatch.setattr("services.session.adapters.hints.peers.LOOK_EVERY", 0.01)

    async def story() -> None:
        hints = PeerHints(["dns:///session:1"])
        async with hears() as (first, one), hears() as (second, other), running_beside(hints.run()):
            known.append(first)
            await until(lambda: len(hints._peers) == 1)
            hints.tell("s", 1)
            await until(lambda: one.versions == {"s": 1})
            known[:] = [second]
            await until(lambda: list(hints._peers) == [second])
            known.clear()  # the name server is away: nobody is forgotten
            await asyncio.sleep(0.05)
            hints.tell("s", 2)
            await until(lambda: other.versions == {"s": 2})
            assert one.versions == {"s": 1}

    on_the_servers_loop(story())


def test_whoever_reaches_itself_tells_itself_nothing_more() -> None:
    async def story() -> None:
        address = f"127.0.0.1:{free_port()}"
        hints = PeerHints([address])
        listener = Listener(hints)
        async with serving_hints(address, hints), running_beside(hints.run()):
            await until(lambda: hints._peers)
            hints.tell("s", 1)
            (peer,) = hints._peers.values()
            await until(lambda: peer._itself)
            hints.tell("s", 2)
            assert len(peer._pending) == 0
            assert listener.versions == {"s": 1}

    on_the_servers_loop(story())
