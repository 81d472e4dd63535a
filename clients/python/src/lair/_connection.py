"""Making calls: the only places that touch gRPC, one blocking and one for asyncio, alike but for `await`.

The blocking one is gRPC's own, without an event loop or a thread of ours, so that gevent can patch it. What is made
again, and when, is told by _attempts.py; what a broken connection is left for is in _ways.py.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Iterator
from itertools import chain, repeat
from typing import Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message

from lair._attempts import Attempts
from lair._calls import Call, Result
from lair._channel import DEFAULT_SILENCE, ChannelOptions, direct, open_aio, open_sync
from lair._endpoint import Finding, look
from lair._patience import Patience
from lair._proxies import proxy_of
from lair._targets import read_credentials, read_options, read_seconds, read_target
from lair._translation import answered, closed, foreign, other_loop, too_late, translate
from lair._ways import Channel, Way, Ways
from lair.errors import LairError, Unavailable

Question = TypeVar("Question")
Ending = TypeVar("Ending")
Seconds = Callable[[], float]
"""How long the next message of a stream is waited for."""

REASONS = {
    Finding.TLS: "SPEAKS_TLS",
    Finding.HTTP_1: "SPEAKS_HTTP_1",
    Finding.SILENCE: "SAYS_NOTHING",
    Finding.OTHER: "SPEAKS_NO_GRPC",
}


class _Settings(ABC, Generic[Channel]):
    """What both connections have, and how they read what gRPC says. Raises InvalidRequest for absurd settings."""

    def __init__(
        self,
        target: str,
        timeout: float,
        credentials: grpc.ChannelCredentials | None,
        options: ChannelOptions,
        silence: float = DEFAULT_SILENCE,
    ) -> None:
        self._target = read_target(target)
        self.target: str = self._target.text
        self.timeout: float = read_seconds("timeout", timeout)
        self.silence: float = read_seconds("silence", silence)
        self._credentials = read_credentials(credentials)
        given = read_options(options)
        self._again = bool(dict(given).get("grpc.enable_retries", 1))
        self._options = [*direct(self._target), *given]
        self._proxy = proxy_of(self._target)
        self._met = False
        """Whether the server has answered before: then a call waits for it to come back, as long as its timeout."""
        self._closed = False
        self._ways: Ways[Channel] = Ways(self._open)

    @abstractmethod
    def _open(self) -> Channel:
        """A channel with these settings."""

    def attempts(self) -> Attempts:
        """What to do with a call that begins now."""
        return Attempts(self.timeout, self.silence, again=self._again)

    def _failure(self, error: Exception) -> LairError:
        """What went wrong with a call. Raises the error itself when it is none of a call's."""
        if self._closed:
            return closed(self.target)
        if not isinstance(error, grpc.RpcError):
            raise error
        self._met = self._met or answered(error)
        return translate(error, self.target, self._proxy)

    def _unanswered(self, way: Way[Channel], error: Exception) -> LairError:
        """The same for one that has one answer. When none came in time, the next call has a new connection."""
        failure = self._failure(error)
        if failure.code is grpc.StatusCode.DEADLINE_EXCEEDED:
            self._ways.renew(way)
        return failure

    @property
    def _strange(self) -> bool:
        """Whether somebody else may listen there: where that can be found out, and nobody has answered yet."""
        known = self._met or self._closed or self._proxy or self._credentials is not None
        return bool(self._target.host) and not known

    def _found(self, finding: Finding, failure: LairError) -> LairError:
        """The failure, or what was found to listen there instead of a Lair server."""
        if (reason := REASONS.get(finding)) is None:
            return failure
        found = foreign(self.target, reason)
        found.__cause__ = failure.__cause__
        return found


class Connection(_Settings[grpc.Channel]):
    """A blocking channel. It connects with the first call, and again whenever it must."""

    def _open(self) -> grpc.Channel:
        return open_sync(self.target, self._credentials, self._options)

    def run(self, call: Call[Result]) -> Result:
        """Make a call and read its answer. Raises LairError."""
        attempts = self.attempts()
        while True:
            try:
                answer = self._ask(call, attempts.left)
            except Unavailable as failure:
                found = self._found(look(self._target), failure) if self._strange else failure
                time.sleep(attempts.failed(found, met=self._met))
            else:
                return call.read(answer)

    def stream(self, call: Call[Result]) -> Generator[Result, None, None]:
        """Read a stream. It is opened by the first read, and ended by closing the generator. Raises LairError."""
        return self._read("unary_stream", call.request, call)

    def exchange(
        self, call: Call[Result], more: Iterator[Message], patience: Seconds | None = None
    ) -> Generator[Result, None, None]:
        """Read a stream in both directions, as `stream` does. The call's request is sent first.

        Unavailable when a message has not come for so many seconds, or else for as long as silence may last.
        """
        return self._read("stream_stream", chain([call.request], more), call, patience)

    def _ask(self, call: Call[Any], timeout: float) -> Any:
        way = self._take()
        try:
            method = way.method("unary_unary", call)
            answer = method(call.request, timeout=timeout, metadata=call.metadata, wait_for_ready=self._met)
        except Exception as error:
            raise self._unanswered(way, error) from error
        finally:
            self._leave(way)
        self._met = True
        return answer

    def _read(
        self, kind: str, sent: Any, call: Call[Result], patience: Seconds | None = None
    ) -> Generator[Result, None, None]:
        way = self._take()
        messages, waiting = None, None
        seconds = patience or first_then(self.attempts().left, self.silence)
        try:
            messages = way.method(kind, call)(sent, metadata=call.metadata)
            waiting = Patience(messages.cancel)
            while True:
                with waiting.of(seconds()):
                    message = next(messages)
                self._met = True
                yield call.read(message)
        except StopIteration:
            return
        except (grpc.RpcError, ValueError) as error:
            if waiting is not None and waiting.lost and not self._closed:
                self._ways.renew(way)
                raise too_late(self.target) from error
            raise self._failure(error) from error
        finally:
            if waiting is not None:
                waiting.close()
            if messages is not None:
                messages.cancel()
            self._leave(way)

    def _take(self) -> Way[grpc.Channel]:
        if self._closed:
            raise closed(self.target)
        return self._ways.take()

    def _leave(self, way: Way[grpc.Channel]) -> None:
        if (channel := self._ways.leave(way)) is not None:
            channel.close()

    def close(self) -> None:
        """End every call, and the connection."""
        self._closed = True
        for channel in self._ways.close():
            channel.close()


class AsyncConnection(_Settings[grpc.aio.Channel]):
    """A channel of the event loop that makes the first call. It connects then, and again whenever it must."""

    _loop: asyncio.AbstractEventLoop | None = None
    """The one that it belongs to, once it has made a call."""

    def _open(self) -> grpc.aio.Channel:
        return open_aio(self.target, self._credentials, self._options)

    async def run(self, call: Call[Result]) -> Result:
        """Make a call and read its answer. Raises LairError."""
        attempts = self.attempts()
        while True:
            try:
                answer = await self._ask(call, attempts.left)
            except Unavailable as failure:
                found = self._found(await asyncio.to_thread(look, self._target), failure) if self._strange else failure
                await asyncio.sleep(attempts.failed(found, met=self._met))
            else:
                return call.read(answer)

    def stream(self, call: Call[Result]) -> AsyncGenerator[Result, None]:
        """Read a stream. It is opened by the first read, and ended by closing the generator. Raises LairError."""
        return self._read("unary_stream", call.request, call)

    def exchange(
        self, call: Call[Result], more: AsyncIterator[Message], patience: Seconds | None = None
    ) -> AsyncGenerator[Result, None]:
        """Read a stream in both directions, as `stream` does. The call's request is sent first.

        Unavailable when a message has not come for so many seconds, or else for as long as silence may last.
        """
        return self._read("stream_stream", _chain(call.request, more), call, patience)

    async def _ask(self, call: Call[Any], timeout: float) -> Any:  # noqa: ASYNC109  gRPC's own, told to the server
        way = self._take()
        try:
            method = way.method("unary_unary", call)
            answer = await method(call.request, timeout=timeout, metadata=call.metadata, wait_for_ready=self._met)
        except asyncio.CancelledError:
            self._check_not_closed()
            raise
        except Exception as error:
            raise self._unanswered(way, error) from error
        finally:
            await self._leave(way)
        self._met = True
        return answer

    async def _read(
        self, kind: str, sent: Any, call: Call[Result], patience: Seconds | None = None
    ) -> AsyncGenerator[Result, None]:
        way = self._take()
        messages = None
        seconds = patience or first_then(self.attempts().left, self.silence)
        try:
            messages = way.method(kind, call)(sent, metadata=call.metadata)
            reading = aiter(messages)
            while True:
                async with asyncio.timeout(seconds()):
                    message = await anext(reading)
                self._met = True
                yield call.read(message)
        except StopAsyncIteration:
            return
        except asyncio.CancelledError:
            self._check_not_closed()
            raise
        except TimeoutError as error:
            self._ways.renew(way)
            raise too_late(self.target) from error
        except (grpc.RpcError, grpc.aio.UsageError) as error:
            raise self._failure(error) from error
        finally:
            if messages is not None:
                messages.cancel()
            await self._leave(way)

    def _take(self) -> Way[grpc.aio.Channel]:
        if self._closed:
            raise closed(self.target)
        running = asyncio.get_running_loop()
        self._loop = self._loop or running
        if self._loop is not running:
            raise other_loop(self.target, ended=self._loop.is_closed())
        return self._ways.take()

    def _check_not_closed(self) -> None:
        """Tell the end of this client, in gRPC a cancellation as well, from a cancelling caller. Raises Unavailable."""
        task = asyncio.current_task()
        if self._closed and not (task and task.cancelling()):
            raise closed(self.target) from None

    async def _leave(self, way: Way[grpc.aio.Channel]) -> None:
        if (channel := self._ways.leave(way)) is not None:
            await channel.close()

    async def close(self) -> None:
        """End every call, and the connection."""
        self._closed = True
        for channel in self._ways.close():
            if self._loop is asyncio.get_running_loop():
                await channel.close()
            # Else its loop has ended, and the connection with it, or will end it.


def first_then(first: float, later: float) -> Seconds:
    """The patience of a stream that the server begins at once: what comes first is a call's answer."""
    seconds = chain([first], repeat(later))
    return lambda: next(seconds)


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
