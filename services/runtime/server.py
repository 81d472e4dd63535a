"""Listening, reflection, and the drain.

The drain, in this order: health says NOT_SERVING; calls are served for `drain` seconds more, so that load balancers
notice; streams are told to go away, in-band; calls under way get `grace` seconds. A server that stopped at once would
fail every call that was on its way.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from services.runtime.addresses import UNIX, check_free, unusable
from services.runtime.health import Health, Probe
from services.runtime.probes import probes as probe_handler
from services.runtime.requests import MOST_MESSAGE
from services.runtime.settings import OFF, Settings

log = structlog.get_logger()

AGED_GRACE_MS = 60_000
"""How long calls under way may take on a connection that is too old."""
METADATA_BYTES = 16 * 1024
"""Of a call, where each entry counts as 32 bytes more than it has (RFC 9113, section 6.5.2)."""
OPTIONS: Sequence[tuple[str, Any]] = (
    # A port that somebody else has must fail at the start, not share the calls at random.
    ("grpc.so_reuseport", 0),
    # Clients may ping an idle connection every 10 s. The often copied ..._recv_ping_... key is silently ignored.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # Pings go out also while a connection has no data to send: a half-open one is found out.
    ("grpc.http2.max_pings_without_data", 0),
    # Calls that were not handed over yet, above which gRPC cancels some by chance, whoever's they are.
    ("grpc.server.max_pending_requests", 10_000),
    ("grpc.server.max_pending_requests_hard_limit", 20_000),
    # What waits to be read here has a bound for each stream; gRPC would let it grow with the speed of the connection.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 64 * 1024),
    # What is larger is refused by its length, before it has come.
    ("grpc.max_receive_message_length", MOST_MESSAGE),
    # None but the identity: a few hundred compressed bytes may be any number. Others are UNIMPLEMENTED.
    ("grpc.compression_enabled_algorithms_bitset", 1),
    # Between two limits gRPC would refuse by lot. The edge takes less than the one that is left.
    ("grpc.max_metadata_size", METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", METADATA_BYTES),
)
HANDSHAKE_WITHIN = 20.0
"""In seconds: how long a connection may take until it speaks HTTP/2."""
KEEPALIVE_TIMEOUT = 20.0
"""In seconds: how long a connection may take to answer whether anybody is there."""


@contextlib.asynccontextmanager
async def listening(
    settings: Settings,
    handlers: Mapping[str, grpc.GenericRpcHandler],
    leave: Callable[[], None],
    probes: Sequence[Probe] = (),
    apart: Sequence[str] = (),
) -> AsyncIterator[str]:
    """Serve these services, by full name, and give the address. On leaving, drain.

    `leave` tells the streams to end. Calls of the methods `apart`, such as `/package.Service/Method`, wait for one
    another alone before they come here, and all other calls in one queue. Raises AddressUnusable.
    """
    server = grpc.aio.server(options=(*OPTIONS, *_bounds(settings), *_ageing(settings.connection_age)))
    server.add_generic_rpc_handlers(tuple(handlers.values()))
    for path in apart:
        _, service, method = path.split("/")
        if handler := handlers[service].service(_Asked(path)):
            server.add_registered_method_handlers(service, {method: handler})
    health = HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    names = ("", *handlers)
    if settings.reflection:
        described = (*handlers, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(described, server)
    address = _take(server, "LAIR_ADDRESS", settings.address)
    async with _answering_probes(settings.health_address, health):
        await server.start()
        probing = asyncio.create_task(Health(health, names, probes).keep())
        log.info("listening", address=address, services=sorted(handlers))
        try:
            yield address
        finally:
            await _cancel(probing)
            await health.enter_graceful_shutdown()
            log.info("draining", seconds=settings.drain)
            await asyncio.sleep(settings.drain)
            leave()
            await server.stop(settings.grace)
            log.info("stopped", address=address)


class _Asked(grpc.HandlerCallDetails):
    """A call, as far as its handler is looked up by it."""

    def __init__(self, path: str) -> None:
        self.method = path
        self.invocation_metadata = ()


def _take(server: grpc.aio.Server, setting: str, address: str) -> str:
    """Take a port for a server, and give the address. Raises AddressUnusable."""
    check_free(setting, address)
    try:
        port = server.add_insecure_port(address)
    except RuntimeError as error:  # gRPC does not say why: somebody was faster, or it is no place for a socket
        raise unusable(setting, address, OSError(0, "gRPC does not say why")) from error
    return address if address.startswith(UNIX) else f"{address.rpartition(':')[0]}:{port}"


def _bounds(settings: Settings) -> Sequence[tuple[str, Any]]:
    """What a connection may have, and how long it may be silent."""
    return (
        ("grpc.max_concurrent_streams", settings.max_connection_calls),
        ("grpc.server_handshake_timeout_ms", int(HANDSHAKE_WITHIN * 1000)),
        ("grpc.keepalive_time_ms", int(settings.keepalive * 1000)),
        # Of the two, this one closes; the better known grpc.keepalive_timeout_ms waits for no answer to a ping.
        ("grpc.http2.ping_timeout_ms", int(min(settings.keepalive, KEEPALIVE_TIMEOUT) * 1000)),
    )


def _ageing(seconds: float) -> Sequence[tuple[str, Any]]:
    """Ask each client to connect anew after so long, so that it finds servers which have come since. 0: never."""
    if not seconds:
        return ()
    return (
        ("grpc.max_connection_age_ms", int(seconds * 1000)),
        ("grpc.max_connection_age_grace_ms", AGED_GRACE_MS),
    )


@contextlib.asynccontextmanager
async def _answering_probes(address: str, health: HealthServicer) -> AsyncIterator[None]:
    """Answer probes at an address of their own, also through the drain. Raises AddressUnusable."""
    if address == OFF:
        yield
        return
    server = grpc.aio.server(options=OPTIONS)
    server.add_generic_rpc_handlers((probe_handler(health),))
    taken = _take(server, "LAIR_HEALTH_ADDRESS", address)
    await server.start()
    log.info("answering probes", address=taken)
    try:
        yield
    finally:
        await server.stop(None)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
