"""Making calls: the only places that touch gRPC, one blocking and one for asyncio, alike but for `await`.

The blocking one is gRPC's own, without an event loop or a thread of ours, so that gevent can patch it.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from lair._calls import Call, Result
from lair._channel import ChannelOptions, open_aio, open_sync, serialize
from lair._patience import Patience
from lair._translation import closed, too_late, translate
from lair.errors import LairError

Question = TypeVar("Question")
Ending = TypeVar("Ending")


class _Methods:
    """What both connections have: their settings, and the methods that were used, ready to be called."""

    def __init__(
        self,
        target: str,
        timeout: float,
        credentials: grpc.ChannelCredentials | None,
        options: ChannelOptions,
    ) -> None:
        self.target = target
        self.timeout = timeout
        self._settings = (target, credentials, options)
        self._ready: dict[str, Any] = {}
        self._met = False
        """Whether the server has answered before: then a call waits for it to come back, as long as its timeout."""
        self._closed = False

    def _method(self, kind: Callable[..., Any], call: Call[Any]) -> Any:
        if self._closed:
            raise closed(self.target)
        if call.path not in self._ready:
            self._ready[call.path] = kind(
                call.path, request_serializer=serialize, response_deserializer=call.answer.FromString
            )
        return self._ready[call.path]


class Connection(_Methods):
    """A blocking channel. It connects with the first call, and again whenever it must."""

    @cached_property
    def _channel(self) -> grpc.Channel:
        return open_sync(*self._settings)

    def run(self, call: Call[Result]) -> Result:
        """Make a call and read its answer. Raises LairError."""
        method = self._method(self._channel.unary_unary, call)
        try:
            answer = method(call.request, timeout=self.timeout, metadata=call.metadata, wait_for_ready=self._met)
        except grpc.RpcError as error:
            raise translate(error, self.target) from error
        self._met = True
        return call.read(answer)

    def stream(self, call: Call[Result]) -> Generator[Result, None, None]:
        """Read a stream. It is opened by the first read, and ended by closing the generator. Raises LairError."""
        return self._read(self._channel.unary_stream, call.request, call)

    def exchange(
        self, call: Call[Result], more: Iterator[Message], patience: float | None = None
    ) -> Generator[Result, None, None]:
        """Read a stream in both directions, as `stream` does. The call's request is sent first.

        With a patience, Unavailable when a read has waited so many seconds.
        """
        return self._read(self._channel.stream_stream, chain([call.request], more), call, patience)

    def _read(
        self, kind: Callable[..., Any], sent: Any, call: Call[Result], patience: float | None = None
    ) -> Generator[Result, None, None]:
        messages = self._method(kind, call)(sent, metadata=call.metadata)
        waiting = Patience(patience, messages.cancel)
        try:
            while True:
                with waiting:
                    message = next(messages)
                yield call.read(message)
        except StopIteration:
            return
        except grpc.RpcError as error:
            raise too_late(self.target) if waiting.lost else translate(error, self.target) from error
        finally:
            waiting.close()
            messages.cancel()

    def close(self) -> None:
        """End every call, and the connection."""
        self._closed = True
        self._channel.close()


class AsyncConnection(_Methods):
    """A channel of the event loop that makes the first call. It connects then, and again whenever it must."""

    @cached_property
    def _channel(self) -> grpc.aio.Channel:
        return open_aio(*self._settings)

    async def run(self, call: Call[Result]) -> Result:
        """Make a call and read its answer. Raises LairError."""
        method = self._method(self._channel.unary_unary, call)
        try:
            answer = await method(call.request, timeout=self.timeout, metadata=call.metadata, wait_for_ready=self._met)
        except grpc.RpcError as error:
            raise translate(error, self.target) from error
        self._met = True
        return call.read(answer)

    def stream(self, call: Call[Result]) -> AsyncGenerator[Result, None]:
        """Read a stream. It is opened by the first read, and ended by closing the generator. Raises LairError."""
        return self._read(self._channel.unary_stream, call.request, call)

    def exchange(
        self, call: Call[Result], more: AsyncIterator[Message], patience: float | None = None
    ) -> AsyncGenerator[Result, None]:
        """Read a stream in both directions, as `stream` does. The call's request is sent first.

        With a patience, Unavailable when a read has waited so many seconds.
        """
        return self._read(self._channel.stream_stream, _chain(call.request, more), call, patience)

    async def _read(
        self, kind: Callable[..., Any], sent: Any, call: Call[Result], patience: float | None = None
    ) -> AsyncGenerator[Result, None]:
        messages = self._method(kind, call)(sent, metadata=call.metadata)
        reading = aiter(messages)
        try:
            while True:
                async with asyncio.timeout(patience):
                    message = await anext(reading)
                yield call.read(message)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise too_late(self.target) from error
        except grpc.RpcError as error:
            raise translate(error, self.target) from error
        finally:
            messages.cancel()

    async def close(self) -> None:
        """End every call, and the connection."""
        self._closed = True
        await self._channel.close()


async def _chain(first: Message, more: AsyncIterator[Message]) -> AsyncIterator[Message]:
    yield first
    async for message in more:
        yield message


def drive(flow: Generator[Question, Any, Ending], answer: Callable[[Question], Any]) -> Ending:
    """Run a pure flow to its end: answer what it asks, and tell it the errors, too."""
    try:
        question = next(flow)
        while True:
            try:
                given = answer(question)
            except LairError as error:
                question = flow.throw(error)
            else:
                question = flow.send(given)
    except StopIteration as end:
        ending: Ending = end.value
        return ending


async def adrive(flow: Generator[Question, Any, Ending], answer: Callable[[Question], Awaitable[Any]]) -> Ending:
    """Run a pure flow to its end, as `drive` does."""
    try:
        question = next(flow)
        while True:
            try:
                given = await answer(question)
            except LairError as error:
                question = flow.throw(error)
            else:
                question = flow.send(given)
    except StopIteration as end:
        ending: Ending = end.value
        return ending
