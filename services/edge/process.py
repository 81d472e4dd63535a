"""Envoy beside a server: started from its wheel, watched, and ended after the server.

It hears of no Ctrl-C: it has a session of its own, and is ended by us once the server has drained. So streams get their
last message through it.
"""

import asyncio
import contextlib
import json
import os
import sys
import tempfile
from dataclasses import replace
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import structlog

from services.edge.admin import Admin
from services.edge.bootstrap import Edge, render
from services.edge.protos import Protos
from services.edge.words import Json

log = structlog.get_logger()

START_SECONDS = 15.0
FLUSH_SECONDS = 2.0
"""How long answers may be on their way to slow readers, once the server has stopped."""
STOP_SECONDS = 5.0
POLL_SECONDS = 0.02
OPTIONS = ("--disable-hot-restart", "--concurrency", "1", "--log-level", "warning", "--log-format", "%l: %v")


class EdgeFailed(OSError):
    """The edge does not start. The text is a sentence for people."""


def find_envoy() -> Path | None:
    """Envoy's program, or None where it has no wheel."""
    if find_spec("envoy") is None:
        return None
    program = Path(str(files("envoy") / "_bin" / "envoy"))
    return program if os.access(program, os.X_OK) else None


class Envoy:
    """An Envoy of our own. One that was not started is stopped already."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._process: asyncio.subprocess.Process | None = None
        self._watch: asyncio.Task[None] | None = None
        self._said = ""
        """The last line that it said. While it serves, the log has all of them."""
        self._serving = False
        self._folder = tempfile.TemporaryDirectory(prefix="lair-edge-")
        """Has its configuration and the socket of its administration: nobody else may read in it."""
        self._admin = Admin(f"{self._folder.name}/admin")

    async def start(self, edge: Edge, protos: Protos) -> str:
        """Start it, and give its address. Raises EdgeFailed."""
        try:
            config = self._write(render(replace(edge, admin=f"{self._folder.name}/admin"), protos))
        except ValueError as error:
            raise EdgeFailed(f"the edge does not start: {error}") from error
        ending_with_us = ("-I", "-S", str(files("services.edge") / "parent_death.py"), str(os.getpid()))
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *ending_with_us,
            self._program,
            "--config-path",
            config,
            *OPTIONS,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._watch = asyncio.create_task(self._listen_to(self._process))
        port = await self._find_port(edge.listen)
        self._serving = True
        return f"{edge.listen.rpartition(':')[0]}:{port}"

    async def stop(self) -> None:
        """Wait until the last answers are through, and end it."""
        self._serving = False
        if self._process is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FLUSH_SECONDS):
                    while await self._admin.busy():  # noqa: ASYNC110  it is another process
                        await asyncio.sleep(POLL_SECONDS)
            await _end(self._process)
        if self._watch is not None:
            await self._watch
        self._folder.cleanup()

    def _write(self, bootstrap: Json) -> Path:
        config = Path(self._folder.name, "envoy.json")
        config.write_text(json.dumps(bootstrap))
        return config

    async def _find_port(self, wanted: str) -> int:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                while self._watch is not None and not self._watch.done():
                    if port := await self._admin.port():
                        return port
                    await asyncio.sleep(POLL_SECONDS)
        if "Address already in use" in self._said:
            raise EdgeFailed(
                f"can't listen on {wanted} for HTTP: is another server there? LAIR_EDGE sets another address"
            )
        raise EdgeFailed(f"the edge does not start: {self._said or 'it says nothing'}")

    async def _listen_to(self, process: asyncio.subprocess.Process) -> None:
        """Pass on what it says, and tell when it ends by itself: gRPC goes on without it."""
        if process.stderr is not None:
            async for line in process.stderr:
                self._said = line.decode(errors="replace").strip()
                if self._serving:
                    log.warning("edge", said=self._said)
        code = await process.wait()
        if self._serving:
            log.error("edge ended", code=code)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()
