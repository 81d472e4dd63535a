"""Envoy beside a server: started from its wheel, again when it dies or hangs, and ended after the server."""

import asyncio
import contextlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import structlog

from services.edge.admin import Admin
from services.edge.bootstrap import Edge, render
from services.edge.process import Run, begin
from services.edge.protos import Protos
from services.edge.words import Json

log = structlog.get_logger()

OPTIONS = ("--disable-hot-restart", "--concurrency", "1", "--log-level", "warning", "--log-format", "%l: %v")
START_SECONDS = 15.0
FLUSH_SECONDS = 2.0
"""How long answers may be on their way to slow readers, once the server has stopped."""
POLL_SECONDS = 0.02
PROBE_SECONDS = 3.0
"""Between two questions whether it is well."""
MOST_SILENT = 5
"""Questions in a row without an answer, after which it hangs. One that is late counts for nothing."""
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 0.1, 10.0
"""Before it is started again: twice as long each time, until it has come up."""


class EdgeFailed(OSError):
    """The edge does not start. The text is a sentence for people."""


class Envoy:
    """An Envoy of our own. One that was not started is stopped already."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._run: Run | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._serving = False
        self._folder = tempfile.TemporaryDirectory(prefix="lair-edge-")
        """Has its configuration and the socket of its administration: nobody else may read in it."""
        self._config = Path(self._folder.name, "envoy.json")
        self._admin = Admin(f"{self._folder.name}/admin")

    async def start(self, edge: Edge, protos: Protos) -> str:
        """Start it, keep it up from then on, and give its address. Raises EdgeFailed."""
        try:
            bootstrap = render(replace(edge, admin=f"{self._folder.name}/admin"), protos)
        except ValueError as error:
            raise EdgeFailed(f"the edge does not start: {error}") from error
        run = await self._begin(bootstrap)
        port = await self._find_port(run)
        if port is None and "Address already in use" in run.said:
            raise EdgeFailed(
                f"can't listen on {edge.listen} for HTTP: is another server there? LAIR_EDGE sets another address"
            )
        if port is None:
            raise EdgeFailed(f"the edge does not start: {run.said or 'it says nothing'}")
        address = f"{edge.listen.rpartition(':')[0]}:{port}"
        self._serving = True
        # Whoever knows the address finds the next one there, also where the first one took any port.
        again = render(replace(edge, listen=address, admin=f"{self._folder.name}/admin"), protos)
        self._keeper = asyncio.create_task(self._keep(run, again, address))
        return address

    async def stop(self) -> None:
        """Wait until the last answers are through, and end it."""
        self._serving = False
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
        if self._run is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_SECONDS):
                    while await self._admin.busy():  # noqa: ASYNC110  it is another process
                        await asyncio.sleep(POLL_SECONDS)
            await self._run.end()
        self._folder.cleanup()

    async def _begin(self, bootstrap: Json) -> Run:
        self._config.write_text(json.dumps(bootstrap))
        self._run = await begin([self._program, "--config-path", self._config, *OPTIONS], self._hear)
        return self._run

    def _hear(self, line: str) -> None:
        """Pass on what it says while it serves: before that, the last line is what a failure is told by."""
        if self._serving:
            log.warning("edge", said=line)

    async def _find_port(self, run: Run) -> int | None:
        """Where it listens; or None, when it ends before it does, or takes too long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                while not run.ended.done():
                    if port := await self._admin.port():
                        return port
                    await asyncio.sleep(POLL_SECONDS)
        return None

    async def _ended(self, run: Run) -> int:
        """Its exit code, once it has ended by itself, or was ended since it hangs."""
        silent = 0
        while not run.ended.done():
            await asyncio.wait([run.ended], timeout=PROBE_SECONDS)
            silent = 0 if run.ended.done() or await self._admin.answers() else silent + 1
            if silent == MOST_SILENT:
                log.error("edge does not answer, and is ended", questions=silent)
                await run.end(0)
        return await run.ended

    async def _keep(self, run: Run, bootstrap: Json, address: str) -> None:
        """Start it again whenever it has ended or hangs. gRPC goes on without it in the meantime."""
        wait = FIRST_WAIT_SECONDS
        while True:
            code = await self._ended(run)
            log.error("edge ended", code=code, again_in_seconds=wait)
            await asyncio.sleep(wait)
            run = await self._begin(bootstrap)
            if await self._find_port(run) is None:
                await run.end()
                wait = min(2 * wait, LONGEST_WAIT_SECONDS)
            else:
                log.warning("edge is back", address=address)
                wait = FIRST_WAIT_SECONDS
