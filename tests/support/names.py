"""A name service of a few names: A records over UDP (RFC 1035), on the loopback interface, in a thread of its own."""

import socket
import struct
import threading
from typing import Self

HEADER = 12
ADDRESS = 1
"""The type of an A record. Whoever asks for another type is told that there is none."""
NO_SUCH_NAME = 3
ANSWERED = 0x8580
"""A response, authoritative, as it was asked for."""
LIVES = 1
"""Seconds that an answer may be kept."""


class Names:
    """Which addresses a name has, until they change."""

    def __init__(self, host: str) -> None:
        self._known: dict[str, tuple[str, ...]] = {}
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((host, 0))
        self.address: tuple[str, int] = self._socket.getsockname()
        self._thread = threading.Thread(target=self._answer, name="names", daemon=True)

    def set(self, name: str, addresses: tuple[str, ...]) -> None:
        """Say from now on that a name has these addresses."""
        self._known[name] = addresses

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.sendto(b"", self.address)
        self._thread.join()
        self._socket.close()

    def _answer(self) -> None:
        while True:
            query, caller = self._socket.recvfrom(512)
            if not query:
                return
            self._socket.sendto(self._reply(query), caller)

    def _reply(self, query: bytes) -> bytes:
        labels, at = [], HEADER
        while length := query[at]:
            labels.append(query[at + 1 : at + 1 + length].decode())
            at += 1 + length
        (kind,) = struct.unpack_from("!H", query, at + 1)
        known = self._known.get(".".join(labels))
        found = known or () if kind == ADDRESS else ()
        flags = ANSWERED if known is not None else ANSWERED | NO_SUCH_NAME
        header = query[:2] + struct.pack("!5H", flags, 1, len(found), 0, 0)
        name = struct.pack("!H", 0xC000 | HEADER)
        answers = (name + struct.pack("!HHIH", ADDRESS, 1, LIVES, 4) + socket.inet_aton(each) for each in found)
        return header + query[HEADER : at + 5] + b"".join(answers)
