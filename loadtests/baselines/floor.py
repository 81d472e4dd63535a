"""`python -m loadtests.baselines.floor`: what a move costs with no game, no checks and no sessions in it.

A stream for each of two seats, on our chassis. A message is made durable as a move is, by the same writer in the same
tables, and then both seats are told in a message as long as a usual update. Nothing is looked at on the way. This is
gRPC's and the disk's; what `PlaySeat` takes beyond it is Lair's.
"""

import argparse
import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool
from msgspec.structs import replace

from loadtests.baselines import empty
from loadtests.baselines.empty import PACKAGE
from loadtests.generator.games import SEATS
from services.runtime.admission import Admission
from services.runtime.calls import Call, Read, Write, serve
from services.runtime.main import run
from services.runtime.server import listening
from services.runtime.settings import Settings
from services.session.adapters.sqlite import commands
from services.session.adapters.sqlite.opening import connect_writer
from services.session.adapters.sqlite.writer import Writer
from services.session.domain.session import Record, Seat, Session, State, Step
from services.session.ports import Change, RememberedRequest

STEP = Step(position=bytes(114))
"""Takes as many bytes as what is stored of a usual move."""
UPDATE = "x" * 520
"""Makes a message as long as a usual update with its acknowledgement."""
BLOB = bytes(32)
"""A hash, or a secret."""


def _describe() -> descriptor_pb2.FileDescriptorProto:
    """A service of the messages that the empty one has: a move there, an update back."""
    file = descriptor_pb2.FileDescriptorProto(
        name="monsters/loadtests/v1/floor.proto", package=PACKAGE, syntax="proto3", dependency=[empty.FILE.name]
    )
    small = f".{PACKAGE}.Small"
    play = file.service.add(name="FloorService").method.add(name="Play", input_type=small, output_type=small)
    play.client_streaming = play.server_streaming = True
    return file


_POOL = descriptor_pool.Default()
_POOL.Add(_describe())
SERVICE = _POOL.FindServiceByName(f"{PACKAGE}.FloorService")
PLAY = f"/{SERVICE.full_name}/Play"


class Table:
    """Two seats, and the session that lies in the store for them."""

    def __init__(self, name: str) -> None:
        seats = (Seat("", 1),) * SEATS
        self.session = Session(name, 0, "", State.PLAYING, seats, b"", "", BLOB, BLOB, None, 0, 0)
        self.queues: list[asyncio.Queue[bytes]] = [asyncio.Queue() for _ in range(SEATS)]

    def move(self, request_id: str) -> Change:
        """Make the next revision."""
        before, now = self.session, time.time_ns() // 1000
        record = Record(before.version + 1, 0, STEP, now)
        after = self.session = replace(before, version=record.revision, updated=now, touched=now, head=record)
        remember = RememberedRequest(after.id, request_id.encode(), BLOB, after.id, record.revision)
        return Change(after, record, remember=remember, moves_alarm=False)


class FloorServicer:
    """The least that a durable move can be."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._tables: dict[str, Table] = {}

    async def play(self, read: Read, _: Call, write: Write) -> None:
        """Sit down, by a table's name and a seat's number; then send request ids, and hear of every move there."""
        first: Any = await read(empty.Small)
        table = self._tables.get(first.text)
        if table is None:
            table = self._tables[first.text] = Table(first.text)
            await self._writer.submit(partial(commands.create, table.session, None, None, None))
        queue = table.queues[first.number]
        await write(first)
        telling = asyncio.create_task(_tell(queue, write))
        try:
            while (message := await read(empty.Small)) is not None:
                await self._move(table, message)
        finally:
            telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await telling

    async def _move(self, table: Table, message: Any) -> None:
        change = table.move(message.text)
        await self._writer.submit(partial(commands.save, change))
        update = empty.Small(text=UPDATE, number=change.after.version).SerializeToString()  # type: ignore[call-arg]  # made at run time
        for queue in table.queues:
            queue.put_nowait(update)


async def _tell(queue: asyncio.Queue[bytes], write: Write) -> None:
    while True:
        await write(await queue.get())


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[str]:
    """Serve on the chassis, over a database of its own."""
    writer = Writer(connect_writer(settings.database), intact=lambda: True)
    try:
        handlers = {SERVICE.full_name: serve(SERVICE, FloorServicer(writer), Admission.up_to(settings.max_calls))}
        async with listening(settings, handlers, leave=lambda: None) as address:
            yield address
    finally:
        await writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m loadtests.baselines.floor", description=__doc__)
    parser.add_argument("--address", default="127.0.0.1:0")
    parser.add_argument("--database", type=Path, required=True, help="one with the tables of sessions")
    arguments = parser.parse_args()
    run(
        serving,
        lambda _, address: print(address, flush=True),
        address=arguments.address,
        database=arguments.database,
    )


if __name__ == "__main__":
    main()
