"""HTTP/1.1 as small as a load generator needs it: a connection that stays open, JSON there and back, and events.

No library: what it takes of the machine is missing to the servers.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Self

END = b"\r\n"
DATA = b"data: "
LENGTH = re.compile(rb"\r\ncontent-length: ([0-9]+)\r\n")


class Connection:
    """One connection: one request after another, or one stream."""

    def __init__(self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._address = address
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, address: str) -> Self:
        """Connect."""
        host, _, port = address.rpartition(":")
        return cls(address, *await asyncio.open_connection(host, int(port)))

    def close(self) -> None:
        """Leave."""
        self._writer.close()

    async def post(self, path: str, message: Mapping[str, Any], token: str | None = None) -> Any:
        """Send JSON, and give that of the answer."""
        head = await self._ask("POST", path, json.dumps(message).encode(), token)
        length = LENGTH.search(head)
        assert length, head
        return json.loads(await self._reader.readexactly(int(length[1])))

    async def events(self, path: str, token: str | None = None) -> AsyncGenerator[Any, None]:
        """The messages of a stream of server-sent events, as they come."""
        await self._ask("GET", path, b"", token)
        text = b""
        while size := int(await self._reader.readuntil(END), 16):
            text += (await self._reader.readexactly(size + len(END)))[:size]
            *whole, text = text.split(b"\n\n")
            for event in whole:
                yield json.loads(event.removeprefix(DATA))

    async def _ask(self, verb: str, path: str, body: bytes, token: str | None) -> bytes:
        """Send a request, and give the head of the answer."""
        key = f"authorization: Bearer {token}\r\n" if token else ""
        sort = f"content-type: application/json\r\ncontent-length: {len(body)}\r\n" if body else ""
        self._writer.write(f"{verb} {path} HTTP/1.1\r\nhost: {self._address}\r\n{sort}{key}\r\n".encode() + body)
        head = await self._reader.readuntil(END * 2)
        assert head.startswith(b"HTTP/1.1 200 "), head
        return head
