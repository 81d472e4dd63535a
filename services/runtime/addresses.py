"""Where something listens: HOST:PORT, or unix:PATH for a socket in a folder; and in one sentence why it can't."""

import errno
import socket

MOST_PORT = 65_535
PRIVILEGED = 1024
"""Ports below are mostly for the system's own servers."""
UNIX = "unix:"
THIS_MACHINE = "127.0.0.1 is this machine alone, 0.0.0.0 all its addresses"


class AddressUnusable(OSError):
    """Nothing can listen there. The text names the setting, and what to do."""


def split(address: str) -> tuple[str, int]:
    """The host, without the brackets of IPv6, and the port. Raises ValueError when it is no HOST:PORT.

    A socket in the file system is a host without a port.
    """
    if address.startswith(UNIX) and len(address) > len(UNIX):
        return address, 0
    host, _, port = address.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    whole = bare and not set(bare) & set("[]/ ") and (":" not in bare or bare != host)
    if not whole or not (port.isascii() and port.isdecimal()) or int(port) > MOST_PORT:
        raise ValueError(f"{address!r} is no HOST:PORT such as 127.0.0.1:50051; a port is at most {MOST_PORT}")
    return bare, int(port)


def check_free(setting: str, address: str) -> None:
    """Raise AddressUnusable when nothing can listen there now, or when a part of it is somebody else's.

    "localhost" may be several addresses: whoever got one of them would miss the callers of the others.
    """
    host, port = split(address)
    if host.startswith(UNIX):
        return  # gRPC takes the place of a socket that nobody listens at any more
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:  # among them what the resolver says, and what is no name for it
        raise AddressUnusable(f"{setting} is {address}, and no machine is called {host}: {THIS_MACHINE}") from error
    failed = [failure for family, *_, where in found if (failure := _try(family, where))]
    taken = [failure for failure in failed if failure.errno == errno.EADDRINUSE]
    if taken or len(failed) == len(found):
        raise unusable(setting, address, (taken or failed)[0])


def _try(family: socket.AddressFamily, where: object) -> OSError | None:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what has just been left is free
            probe.bind(where)  # type: ignore[arg-type]  # as the resolver gave it
            probe.listen(1)
    except OSError as error:
        return error
    return None


def unusable(setting: str, address: str, error: OSError) -> AddressUnusable:
    """What to do about it."""
    port = split(address)[1]
    match error.errno:
        case errno.EADDRINUSE:
            why = f"where something else listens: stop that, or set {setting} to another port (0 takes a free one)"
        case errno.EADDRNOTAVAIL:
            why = f"which is no address of this machine: {THIS_MACHINE}"
        case errno.EACCES if port < PRIVILEGED:
            why = f"and this user may not take a port below {PRIVILEGED}: set {setting} to a higher one"
        case _:
            why = f"where nothing can listen ({error.strerror}): set {setting} to another address"
    return AddressUnusable(f"{setting} is {address}, {why}")
