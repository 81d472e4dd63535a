"""`python -m loadtests.floor`: what a move costs with no game, no checks and no sessions in it.

A stream for each of two seats, on our chassis. A message is made durable by the statements of a move, by the same
writer in the same tables, and then both seats are told in a message as long as a usual update. Nothing is looked at on
the way. This is gRPC's and the disk's; what `PlaySeat` takes beyond it is Lair's.
"""

import argparse
import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.message_factory import GetMessageClass

from loadtests.games import SEATS
from services.runtime.calls import Call, Gate, Read, Write, serve
from services.runtime.main import run
from services.runtime.server import listening
from services.runtime.settings import Settings
from services.session.adapters.sqlite import commands
from services.session.adapters.sqlite.opening import connect_writer
from services.session.adapters.sqlite.writer import Writer
from services.session.domain import Seat, Session, State

PACKAGE = "lair.loadtests.floor"
STEP = bytes(116)
"""As long as what is stored of a usual move."""
UPDATE = "x" * 520
"""Makes a message as long as a usual update with its acknowledgement."""
BLOB = bytes(32)
"""A hash, or a secret."""
NEVER = 2**62


def _describe() -> descriptor_pb2.FileDescriptorProto:
    """A service in the making of every other: a move there, an update back."""
    file = descriptor_pb2.FileDescriptorProto(name="lair/loadtests/floor.proto", package=PACKAGE, syntax="proto3")
    kinds = descriptor_pb2.FieldDescriptorProto
    move = file.message_type.add(name="Move")
    for number, (name, kind) in enumerate(
        (("table", kinds.TYPE_STRING), ("seat", kinds.TYPE_INT32), ("request_id", kinds.TYPE_STRING)), start=1
    ):
        move.field.add(name=name, number=number, type=kind, label=kinds.LABEL_OPTIONAL)
    update = file.message_type.add(name="Update")
    update.field.add(name="revision", number=1, type=kinds.TYPE_INT64, label=kinds.LABEL_OPTIONAL)
    update.field.add(name="text", number=2, type=kinds.TYPE_STRING, label=kinds.LABEL_OPTIONAL)
    methods = file.service.add(name="FloorService").method
    methods.add(
        name="Play",
        input_type=f".{PACKAGE}.Move",
        output_type=f".{PACKAGE}.Update",
        client_streaming=True,
        server_streaming=True,
    )
    return file


_POOL = descriptor_pool.Default()
_POOL.Add(_describe())
SERVICE = _POOL.FindServiceByName(f"{PACKAGE}.FloorService")
Move = GetMessageClass(SERVICE.methods_by_name["Play"].input_type)
Update = GetMessageClass(SERVICE.methods_by_name["Play"].output_type)
PLAY = f"/{SERVICE.full_name}/Play"


@dataclass(slots=True)
class Table:
    """Two seats, and how many moves they have made."""

    name: str
    revision: int = 0
    queues: list[asyncio.Queue[bytes]] = field(default_factory=lambda: [asyncio.Queue() for _ in range(SEATS)])

    def lay(self, connection: sqlite3.Connection) -> None:
        """Store a session for it."""
        seats = (Seat("", 1),) * SEATS
        session = Session(self.name, 0, "", State.PLAYING, seats, b"", "", BLOB, BLOB, None, 0, 0)
        commands.create(session, None, None, connection)

    def save(self, revision: int, request: bytes, connection: sqlite3.Connection) -> None:
        """Store a move, as `commands.save` does."""
        now = time.time_ns() // 1000
        playing = State.PLAYING.value
        connection.execute(commands.UPDATE_SESSION, (revision, playing, revision, now, now, self.name, revision - 1))
        connection.execute(commands.UPDATE_ALARM, (NEVER, self.name, NEVER))
        connection.execute(commands.INSERT_RECORD, (self.name, revision, 0, STEP, now, None))
        connection.execute(commands.INSERT_REQUEST, (self.name, request, BLOB, self.name, revision, b""))


class FloorServicer:
    """The least that a durable move can be."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._tables: dict[str, Table] = {}

    async def play(self, read: Read, _: Call, write: Write) -> None:
        """Sit down, then send moves, and hear of every move at the table."""
        first: Any = await read(Move)
        table = self._tables.get(first.table)
        if table is None:
            table = self._tables[first.table] = Table(first.table)
            await self._writer.submit(table.lay)
        queue = table.queues[first.seat]
        await write(Update())
        telling = asyncio.create_task(_tell(queue, write))
        try:
            while (move := await read(Move)) is not None:
                await self._move(table, move)
        finally:
            telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await telling

    async def _move(self, table: Table, move: Any) -> None:
        revision = table.revision = table.revision + 1
        await self._writer.submit(partial(table.save, revision, move.request_id.encode()))
        update = Update(revision=revision, text=UPDATE).SerializeToString()
        for queue in table.queues:
            queue.put_nowait(update)


async def _tell(queue: asyncio.Queue[bytes], write: Write) -> None:
    while True:
        await write(await queue.get())


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[str]:
    """Serve on the chassis, over a database of its own."""
    writer = Writer(connect_writer(settings.database))
    try:
        handlers = {SERVICE.full_name: serve(SERVICE, FloorServicer(writer), Gate(settings.max_calls))}
        async with listening(settings, handlers, leave=lambda: None) as address:
            yield address
    finally:
        await writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m loadtests.floor", description=__doc__)
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
