"""Where a call comes from, so that one caller can be told from another: what one takes, others must not lack.

A caller is an address. From networks that are trusted come the operator's own programs, and proxies: a proxy names the
address of its caller in `x-forwarded-for`, which nobody else is believed; a program is known by its connection, since
one machine may have many of them.
"""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote

from msgspec import Struct

Network = IPv4Network | IPv6Network

FORWARDED = "x-forwarded-for"
MOST_CONNECTIONS = 4096
"""Whose addresses are remembered."""
OF_ONE_HOUSEHOLD = 64
"""Bits of an IPv6 address that one caller has in common with all the others that are theirs (RFC 6177)."""


class Origin(Struct, frozen=True):
    """Where a call comes from."""

    key: str
    """The same for all calls of one caller."""
    trusted: bool = False
    """Whether it comes from a trusted network, and not by way of a proxy from elsewhere."""


def read_networks(text: str) -> tuple[Network, ...]:
    """Networks after commas, as in `127.0.0.0/8,::1`. Raises ValueError for what is none."""
    return tuple(ip_network(network.strip()) for network in text.split(",") if network.strip())


class Origins:
    """Tells where calls come from."""

    def __init__(self, trusted: Sequence[Network] = (), proxies: int = 0) -> None:
        self._trusted = trusted
        self._proxies = proxies
        """How many proxies stand before the trusted one, each of which appends the address that it saw."""
        self._of_connection = lru_cache(MOST_CONNECTIONS)(self._connection)

    def of(self, peer: str, forwarded: str = "") -> Origin:
        """Where a call comes from: `peer` as gRPC has it, such as `ipv4:127.0.0.1:4321`, and what its header says."""
        origin = self._of_connection(peer)
        if not forwarded or not origin.trusted:
            return origin
        named = forwarded.split(",")
        try:
            return self._address(named[max(len(named) - 1 - self._proxies, 0)].strip())
        except ValueError:  # no proxy of ours writes that
            return origin

    def _connection(self, peer: str) -> Origin:
        family, _, rest = unquote(peer).partition(":")
        if family not in ("ipv4", "ipv6"):  # a socket of this machine
            return Origin(peer, trusted=True)
        origin = self._address(rest.rpartition(":")[0].strip("[]"))
        return Origin(peer, trusted=True) if origin.trusted else origin

    def _address(self, text: str) -> Origin:
        """The caller at an address. Raises ValueError when it is none."""
        address = ip_address(text.partition("%")[0])
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or address
        trusted = any(address in network for network in self._trusted)
        if isinstance(address, IPv6Address):
            return Origin(str(ip_network((address, OF_ONE_HOUSEHOLD), strict=False)), trusted)
        return Origin(str(address), trusted)
