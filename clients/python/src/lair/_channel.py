"""How a channel is opened, the same for both shells.

Retries are not gRPC's: _attempts.py decides on them. Every call carries its own timeout; one in the service config
would fire too early (grpc issue 40633). The health service is not asked: behind a proxy its stream may break when the
server is well.
"""

import json
from collections.abc import Sequence
from typing import Any

import grpc

from lair._targets import Target

DEFAULT_TARGET = "127.0.0.1:50051"
DEFAULT_TIMEOUT = 10.0
"""Seconds that a call may take, retries included."""
DEFAULT_SILENCE = 20.0
"""Seconds without a word after which a connection counts as broken. Servers send something every 15 s on a stream."""

ChannelOptions = Sequence[tuple[str, Any]]
"""gRPC's channel arguments, such as [("grpc.enable_retries", 0)]."""

SERVICE_CONFIG: dict[str, Any] = {"loadBalancingConfig": [{"round_robin": {}}]}
OPTIONS: ChannelOptions = (
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    # A server that is back is found within a second.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # A connection that is dead without a word is noticed. Servers send something every 15 s on an open stream, so a
    # living one is never pinged.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.max_receive_message_length", 32 * 1024 * 1024),
    # A new channel has a new connection, and not one of those that the process has.
    ("grpc.use_local_subchannel_pool", 1),
)


def open_sync(target: str, credentials: grpc.ChannelCredentials | None, options: ChannelOptions) -> grpc.Channel:
    """A blocking channel. Without credentials it is not encrypted. It connects with the first call."""
    arguments = _arguments(options)
    if credentials is None:
        return grpc.insecure_channel(target, arguments)
    return grpc.secure_channel(target, credentials, arguments)


def open_aio(target: str, credentials: grpc.ChannelCredentials | None, options: ChannelOptions) -> grpc.aio.Channel:
    """A channel of the running event loop. Without credentials it is not encrypted. It connects with the first call."""
    arguments = _arguments(options)
    if credentials is None:
        return grpc.aio.insecure_channel(target, arguments)
    return grpc.aio.secure_channel(target, credentials, arguments)


def direct(target: Target) -> ChannelOptions:
    """What keeps proxies off the way to this very machine: gRPC would send also that through them."""
    return [("grpc.enable_http_proxy", 0)] if target.loopback else []


def _arguments(options: ChannelOptions) -> list[tuple[str, Any]]:
    """Ours, and the caller's in their place: of two with the same name gRPC would take the first."""
    return list({**dict(OPTIONS), **dict(options)}.items())


def serialize(message: Any) -> bytes:
    """A message as it travels."""
    content: bytes = message.SerializeToString()
    return content
