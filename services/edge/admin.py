"""Questions to Envoy's administration: it listens on a socket in the file system, which no browser reaches."""

import asyncio
import json
import socket
from http.client import HTTPConnection, HTTPException

SECONDS = 2.0
"""How long an answer may take."""
ACTIVE = "http.edge.downstream_rq_active"


class Admin:
    """The administration of one Envoy."""

    def __init__(self, path: str) -> None:
        self._path = path

    async def port(self) -> int | None:
        """Where the listener listens, or None before it does."""
        if await self._ask("/ready") is None or (said := await self._ask("/listeners?format=json")) is None:
            return None
        port: int = json.loads(said)["listener_statuses"][0]["local_address"]["socket_address"]["port_value"]
        return port

    async def answers(self) -> bool:
        """Whether it says in time that it serves."""
        return await self._ask("/ready") is not None

    async def busy(self) -> bool:
        """Whether calls are under way."""
        said = await self._ask(f"/stats?format=json&filter=^{ACTIVE}$")
        return said is not None and any(stat["value"] for stat in json.loads(said)["stats"])

    async def _ask(self, path: str) -> bytes | None:
        """What it says with 200, or None."""
        return await asyncio.to_thread(self._get, path)

    def _get(self, path: str) -> bytes | None:
        connection = _Local(self._path)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, HTTPException):
            return None
        finally:
            connection.close()
        return said if answer.status == 200 else None  # noqa: PLR2004  HTTP's own number


class _Local(HTTPConnection):
    """HTTP over a socket in the file system."""

    def __init__(self, path: str) -> None:
        super().__init__("edge", timeout=SECONDS)
        self._path = path

    def connect(self) -> None:
        """Connect."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)
