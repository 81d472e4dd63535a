"""One session server as a process: started, started again when it dies, ended."""

import asyncio
import contextlib
import sys
from collections.abc import Mapping

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.edge.process import Run, begin
from services.runtime.standard_error import standard_error

log = structlog.get_logger()

START_SECONDS = 60.0
POLL_SECONDS = 0.1
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 0.1, 10.0
"""Before it is started again: twice as long each time, until it has come up."""


class ServerFailed(OSError):
    """A server does not start. The text is a sentence for people."""


class SessionServer:
    """A server of our own, at an address that it keeps. One that was not started is stopped already."""

    def __init__(self, name: str, address: str, environment: Mapping[str, str]) -> None:
        self.name = name
        self.address = address
        self._environment = {**environment, "LAIR_ADDRESS": address}
        self._run: Run | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start it, wait until it serves, and keep it up from then on. Raises ServerFailed."""
        run = await self._begin()
        if not await self._serves(run):
            raise ServerFailed(f"server {self.name} does not start: {run.said or 'it says nothing'}")
        self._keeper = asyncio.create_task(self._keep(run))

    async def stop(self, seconds: float) -> None:
        """Let it drain, and end it: after so many seconds whatever it does."""
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
        if self._run is not None:
            await self._run.end(seconds)

    async def _begin(self) -> Run:
        self._run = await begin([sys.executable, "-m", "services"], self._hear, self._environment)
        return self._run

    def _hear(self, line: str) -> None:
        """Pass on what it says."""
        standard_error().put(f"{self.name}  {line}")

    async def _serves(self, run: Run) -> bool:
        """Whether it says that it serves, before it ends or takes too long."""
        async with grpc.aio.insecure_channel(self.address, [("grpc.enable_http_proxy", 0)]) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(START_SECONDS):
                    while not run.ended.done():
                        with contextlib.suppress(grpc.aio.AioRpcError):
                            answer = await health.Check(health_pb2.HealthCheckRequest(), timeout=1)
                            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                                return True
                        await asyncio.sleep(POLL_SECONDS)
        return False

    async def _keep(self, run: Run) -> None:
        """Start it again whenever it has ended by itself. The others have its sessions in the meantime."""
        wait = FIRST_WAIT_SECONDS
        while True:
            code = await asyncio.shield(run.ended)
            log.error("server ended", server=self.name, code=code, again_in_seconds=wait)
            await asyncio.sleep(wait)
            run = await self._begin()
            if await self._serves(run):
                log.warning("server is back", server=self.name, address=self.address)
                wait = FIRST_WAIT_SECONDS
            else:
                await run.end()
                wait = min(2 * wait, LONGEST_WAIT_SECONDS)
