"""The socket by which gRPC wakes the event loop: emptied whenever it is read, and never waited for.

gRPC reads and writes connections in a thread of its own. For each thing that has come to an end there it writes a byte,
and the loop reads one byte a round, and does all that has ended. So where more ends than the loop has rounds, bytes are
left over. After some 280 of them the socket is full, and the thread stands still until three quarters are gone: for
hundreds of rounds nobody's connection is read, and a flood has that last for as long as it goes on.

Here whoever reads gets all bytes, and a byte for which there is no room is left out, as those that are there wake the
loop anyway. gRPC does the same from the version after 1.85 on (`_BoundEventLoop` in its `completion_queue.pyx.pxi`).
"""

import socket
from collections.abc import Callable

import grpc.aio

Pair = Callable[[], tuple[socket.socket, socket.socket]]
ROOM = 65_536
"""Bytes that are read at once: more than there can be."""


def take() -> bool:
    """Have gRPC take such a socket for this process. Says whether it has: not when it runs already."""
    usual, taken = socket.socketpair, list[bool]()

    def given() -> tuple[socket.socket, socket.socket]:
        taken.append(True)
        return pair(usual)

    socket.socketpair = given  # type: ignore[assignment]  # asked for without arguments
    try:
        grpc.aio.init_grpc_aio()
    finally:
        socket.socketpair = usual
    return bool(taken)


class _Emptied(socket.socket):
    """Gives all that has come, however little is asked for."""

    def recv(self, _: int, flags: int = 0, /) -> bytes:
        return super().recv(ROOM, flags)


def pair(usual: Pair = socket.socketpair) -> tuple[socket.socket, socket.socket]:
    """Two ends of a connection: the first one gives all that there is, and no write to the second one waits."""
    read, write = usual()
    write.setblocking(False)
    return _Emptied(read.family, read.type, read.proto, read.detach()), write
