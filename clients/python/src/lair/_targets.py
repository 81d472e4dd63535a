"""What `connect` is given, checked before anything is opened: gRPC would fail later, in words of its own."""

import ipaddress
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import grpc

from lair._translation import invalid

SCHEMES = ("dns", "ipv4", "ipv6", "unix", "unix-abstract", "vsock", "xds")
"""With one of these a target is written as gRPC has it, and taken as it is."""
HIGHEST_PORT = 65535
_HOST_AND_PORT = re.compile(r"(\[[0-9A-Fa-f:.%\w]+\]|[^\s:/@?#\[\]]+):([0-9]{1,5})")
_FOREIGN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a server is."""

    text: str
    host: str = ""
    """Without brackets. Empty where only gRPC knows."""
    port: int = 0

    @property
    def loopback(self) -> bool:
        """Whether it is this very machine (RFC 6761 for the name)."""
        if self.host.lower() == "localhost" or self.host.lower().endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_target(target: object) -> Target:
    """Where a server is, from "host:port". Raises InvalidRequest for anything else, but what gRPC has with a scheme."""
    if not isinstance(target, str):
        raise invalid("target", f'must be a text, "host:port", is {target!r}')
    if not target or not target.isprintable():
        raise invalid("target", f'must be "host:port", is {target!r}')
    if target.partition(":")[0] in SCHEMES:
        address = target.removeprefix("dns:").rpartition("/")[2] if target.startswith("dns:") else ""
        return _host_and_port(target, address) or Target(target)
    if foreign := _FOREIGN.match(target):
        raise invalid("target", f'must be "host:port" without {foreign[0]!r}, is {target!r}')
    if found := _host_and_port(target, target):
        return found
    if ":" not in target:
        raise invalid("target", f'must be "host:port", and {target!r} has no port')
    raise invalid(
        "target", f'must be "host:port" with a port from 1 to {HIGHEST_PORT} and an IPv6 host in [], is {target!r}'
    )


def _host_and_port(target: str, address: str) -> Target | None:
    found = _HOST_AND_PORT.fullmatch(address)
    if found is None or not 0 < int(found[2]) <= HIGHEST_PORT:
        return None
    return Target(target, found[1].strip("[]"), int(found[2]))


def read_seconds(name: str, seconds: object) -> float:
    """A positive length of time. Raises InvalidRequest."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < math.inf:
        raise invalid(name, f"must be a positive number of seconds, is {seconds!r}")
    return float(seconds)


def read_credentials(credentials: object) -> grpc.ChannelCredentials | None:
    """What a channel is encrypted with. Raises InvalidRequest."""
    if credentials is None or isinstance(credentials, grpc.ChannelCredentials):
        return credentials
    raise invalid("credentials", f"must be gRPC's ChannelCredentials, is {type(credentials).__name__}")


def read_options(options: object) -> tuple[tuple[str, Any], ...]:
    """The caller's channel arguments. Raises InvalidRequest."""
    pairs = tuple(options) if isinstance(options, Iterable) and not isinstance(options, (str, bytes)) else (options,)
    for pair in pairs:
        if not (isinstance(pair, (tuple, list)) and len(pair) == len(("name", "value")) and isinstance(pair[0], str)):
            raise invalid("options", f'must be pairs such as ("grpc.enable_retries", 0), has {pair!r}')
    return tuple((pair[0], pair[1]) for pair in pairs)
