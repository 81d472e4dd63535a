"""Playing a seat over one stream, for asyncio: what _sync_line.py has, with `await`."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Generic, Self

from google.protobuf.message import Message
from monsters.session.v1 import session_pb2 as wire

from lair._attempts import Attempts
from lair._calls import Call, Playable
from lair._connection import AsyncConnection
from lair._talk import Talk
from lair._translation import too_late
from lair.changes import WatchItem
from lair.errors import LairError
from lair.types import Update, View


class AsyncLine(Generic[View]):
    """A seat's own stream: `play` sends a move, and iterating gives what a watch gives.

    The same meaning as `AsyncSeat.play` and `AsyncSeat.watch`, at a fraction of their cost, and with the same care: a
    broken stream is opened again, and a move that was under way is sent again with its request_id. Every revision comes
    once by iterating, also those that `play` has returned. Use it from one task, in an `async with` block.
    """

    def __init__(self, connection: AsyncConnection, talk: Talk[View]) -> None:
        self._connection = connection
        self._talk = talk
        self._sending: asyncio.Queue[Message | None] = asyncio.Queue()
        self._messages: AsyncGenerator[wire.PlaySeatResponse, None] | None = None
        self._attempts: Attempts | None = None
        """Those of the move under way."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> WatchItem[View]:
        while not self._talk.received:
            if self._talk.ended:
                raise StopAsyncIteration
            await self._receive()
        return self._talk.received.popleft()

    async def play(self, move: Playable, *, etag: str | None = None, request_id: str | None = None) -> Update[View]:
        """Play a move, and wait until it is durable. Raises as `AsyncSeat.play` does."""
        self._talk.submit(move, etag, request_id)
        if self._messages is not None:
            self._sending.put_nowait(self._talk.pending)
        self._attempts = attempts = self._connection.attempts()
        try:
            while not self._talk.answered:
                if attempts.over:
                    self._talk.give_up()
                    raise too_late(self._connection.target)
                await self._receive()
        finally:
            self._attempts = None
        settled = self._talk.settle()
        return await self._connection.run(settled) if isinstance(settled, Call) else settled

    async def close(self) -> None:
        """End the stream."""
        self._sending.put_nowait(None)
        if self._messages is not None:
            await self._messages.aclose()
            self._messages = None

    async def _receive(self) -> None:
        """Take the next message, over a new stream if need be. Raises LairError when that makes no sense."""
        messages = self._messages or self._open()
        error: LairError | None = None
        try:
            self._talk.take(await anext(messages))
        except StopAsyncIteration:
            pass
        except LairError as broken:
            error = broken
        else:
            return
        await self.close()
        if self._talk.ended:
            return
        wait = self._talk.broken(error)
        if self._attempts is not None:
            self._attempts.next(wait)
        await asyncio.sleep(wait)

    def _patience(self) -> float:
        """A move under way is a call that waits for its answer; else there are heartbeats at least."""
        return (
            self._connection.silence if self._attempts is None else min(self._connection.silence, self._attempts.left)
        )

    def _open(self) -> AsyncGenerator[wire.PlaySeatResponse, None]:
        sending: asyncio.Queue[Message | None] = asyncio.Queue()
        if (pending := self._talk.pending) is not None:
            sending.put_nowait(pending)
        self._sending = sending
        self._messages = self._connection.exchange(self._talk.call(), _until_none(sending), self._patience)
        return self._messages


async def _until_none(sending: asyncio.Queue[Message | None]) -> AsyncIterator[Message]:
    while (message := await sending.get()) is not None:
        yield message
