"""Hints from replica to replica by gRPC: each one tells all the others, whose addresses a name leads to.

It needs neither NOTIFY nor a connection to the database of its own, so it works behind pgbouncer and with databases
that have no NOTIFY. Every other replica has a queue and a connection of its own: one that is slow or gone holds up
nobody.
"""

import asyncio
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence

import grpc
import structlog
from monsters.replicas.v1 import replicas_pb2 as wire

from services.session.adapters.hints.backoff import Backoff
from services.session.adapters.hints.pending import PendingHints

LOOK_EVERY = 2.0
"""In seconds: how soon a replica that has come or gone is known of."""
PATIENCE = 3.0
"""In seconds: how long one call may take."""
MOST_AT_ONCE = 1_000
"""Sessions of one call: with ids of our length some 40 kB, where 64 KiB is the limit."""
DNS, UNIX = "dns:///", "unix:"
TELL = f"/{wire.DESCRIPTOR.services_by_name['HintsService'].full_name}/Tell"
OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # A network that swallows packets says nothing.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    # Replicas are beside one another, and not beyond a proxy that the environment names.
    ("grpc.enable_http_proxy", 0),
)

log = structlog.get_logger()


class Peer:
    """One of the addresses at which replicas are, perhaps one's own."""

    def __init__(self, address: str, replica: str) -> None:
        self._address = address
        self._replica = replica
        self._itself = False
        self._pending = PendingHints()
        self._task = asyncio.create_task(self._run())

    def tell(self, session_id: str, version: int) -> None:
        """Tell it soon."""
        if not self._itself:
            self._pending.add(session_id, version)

    async def close(self) -> None:
        """Tell it nothing more."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        backoff, there = Backoff(longest=1.0), True
        async with grpc.aio.insecure_channel(self._address, options=OPTIONS) as channel:
            tell: grpc.aio.UnaryUnaryMultiCallable[wire.TellRequest, wire.TellResponse] = channel.unary_unary(
                TELL,
                request_serializer=wire.TellRequest.SerializeToString,
                response_deserializer=wire.TellResponse.FromString,
            )
            while not self._itself:
                hints = await self._pending.take(MOST_AT_ONCE)
                try:
                    answer = await tell(_request(hints), timeout=PATIENCE)
                except grpc.aio.AioRpcError as error:
                    self._pending.put_back(hints)
                    if there:
                        log.warning("hints wait for a replica", address=self._address, code=error.code().name)
                    there = False
                    await backoff.wait()
                else:
                    self._itself, there = answer.replica == self._replica, True
                    backoff.reset()


class PeerHints:
    """Hints of all replicas whose addresses these names lead to."""

    def __init__(self, peers: Sequence[str]) -> None:
        self.replica = secrets.token_hex(8)
        """Which server this is: whoever hears it in an answer has called itself."""
        self._targets = peers
        """HOST:PORT, perhaps with dns:/// before it, or unix:PATH."""
        self._peers: dict[str, Peer] = {}
        """By their addresses."""
        self._heard: Callable[[str, int], None] = lambda _, __: None

    def tell(self, session_id: str, version: int) -> None:
        """Let the others hear soon that a session is at this version."""
        for peer in self._peers.values():
            peer.tell(session_id, version)

    def listen(self, heard: Callable[[str, int], None], missed: Callable[[], None]) -> None:  # noqa: ARG002  a port
        """Call `heard` with each hint. Whoever tells keeps what could not be told, so nothing is missed."""
        self._heard = heard

    def heard(self, session_id: str, version: int) -> None:
        """Take a hint that another replica has told."""
        self._heard(session_id, version)

    async def run(self) -> None:
        """Find the others and tell them, until cancelled."""
        try:
            while True:
                await self._look()
                await asyncio.sleep(LOOK_EVERY)
        finally:
            for peer in self._peers.values():
                await peer.close()

    async def _look(self) -> None:
        """Begin with addresses that have come, and end with those that have gone."""
        found: set[str] = set()
        known = set(self._peers)
        for target in self._targets:
            try:
                found.update(await addresses(target))
            except OSError as error:  # no name server, or nobody has come yet: those that are known stay
                log.debug("a name leads to no replica", name=target, error=str(error))
                found.update(known)
        for address in found - self._peers.keys():
            self._peers[address] = Peer(address, self.replica)
        for address in known - found:
            await self._peers.pop(address).close()


async def addresses(target: str) -> Sequence[str]:
    """The addresses that a name leads to, each as gRPC has it. Raises OSError when there are none."""
    if target.startswith(UNIX):
        return (target,)
    host, _, port = target.removeprefix(DNS).rpartition(":")
    async with asyncio.timeout(PATIENCE):
        found = await asyncio.get_running_loop().getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    return sorted({_address(family, where) for family, *_, where in found})


def _address(family: int, where: Sequence[object]) -> str:
    host, port = where[:2]
    return f"ipv6:[{host}]:{port}" if family == socket.AF_INET6 else f"ipv4:{host}:{port}"


def _request(hints: Mapping[str, int]) -> wire.TellRequest:
    told = [wire.Hint(session_id=session_id, version=version) for session_id, version in hints.items()]
    return wire.TellRequest(hints=told)
