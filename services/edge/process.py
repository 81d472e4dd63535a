"""One run of a program as a process: begun, listened to, ended.

It hears of no Ctrl-C: it has a session of its own, and is ended by us once the server has drained. So streams get their
last message through it.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

STOP_SECONDS = 5.0
"""How long it may take to end when it was asked to."""
MOST_LINE = 65_536
"""Bytes of a line that are heard. What it says beyond is left out."""


def find_envoy() -> Path | None:
    """Envoy's program, or None where it has no wheel."""
    if find_spec("envoy") is None:
        return None
    program = Path(str(files("envoy") / "_bin" / "envoy"))
    return program if os.access(program, os.X_OK) else None


class Run:
    """A process that was begun. `hear` gets each line that it says."""

    def __init__(self, process: asyncio.subprocess.Process, hear: Callable[[str], None]) -> None:
        self._process = process
        self.said = ""
        """The last line that it said."""
        self.ended = asyncio.create_task(self._listen(hear))
        """Gives its exit code."""

    async def _listen(self, hear: Callable[[str], None]) -> int:
        if self._process.stderr is not None:
            async for line in lines_of(self._process.stderr):
                self.said = line.decode(errors="replace").strip()
                hear(self.said)
        return await self._process.wait()

    async def end(self, seconds: float = STOP_SECONDS) -> None:
        """Ask it to end, and after so many seconds insist."""
        if self._process.returncode is None:
            self._process.terminate()
            try:
                await asyncio.wait_for(self._process.wait(), seconds)
            except TimeoutError:
                self._process.kill()
        await self.ended


async def lines_of(stream: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Its lines, without their ends, each cut where it is too long: a StreamReader itself gives up there."""
    line = b""
    while chunk := await stream.read(MOST_LINE):
        head, *lines = chunk.split(b"\n")
        line += head[: MOST_LINE - len(line)]
        for following in lines:
            yield line
            line = following
    if line:
        yield line


async def begin(
    command: Sequence[str | Path], hear: Callable[[str], None], environment: Mapping[str, str] | None = None
) -> Run:
    """Begin a run, which ends with us where the system can do that. None is our own environment."""
    ending_with_us = ("-I", "-S", str(files("services.edge") / "parent_death.py"), str(os.getpid()))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *ending_with_us,
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        env=environment,
    )
    return Run(process, hear)
