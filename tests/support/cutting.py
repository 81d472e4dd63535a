"""A way to a server that breaks on demand: a TCP forwarder whose connections can be cut."""

import socket
import struct
import threading
from contextlib import suppress
from typing import Self

CHUNK = 65536
ANSWER = 64
"""What the server sends with fewer bytes is HTTP/2's own: settings, windows, pings."""
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER of no seconds: the other side sees a reset, as after a crash."""


class CutWay:
    """Forwards one port of the loopback interface to a target."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._lose_answer = False
        self.cuts = 0
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Reset every connection."""
        with self._lock:
            ends, self._open = self._open, set()
        self.cuts += bool(ends)
        for end in ends:
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def lose_next_answer(self) -> None:
        """Cut instead of forwarding the next answer: its request has come through."""
        self._lose_answer = True

    def close(self) -> None:
        """Take no more connections, and cut those that there are."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._listener.close()
        self.cut()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                try:
                    far = socket.create_connection(self._target)
                except OSError:
                    near.close()
                    continue
                with self._lock:
                    self._open |= {near, far}
                threading.Thread(target=self._pump, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._pump, args=(far, near, True), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:  # noqa: FBT001  a direction
        with suppress(OSError):
            while data := source.recv(CHUNK):
                if answers and self._lose_answer and len(data) > ANSWER:
                    self._lose_answer = False
                    self.cut()
                    return
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            with self._lock:
                self._open.discard(end)
            end.close()
