"""Where a call becomes an answer or a status, and one log event: the only place that aborts a call.

A servicer is an object with one coroutine a method, named as the proto names it in snake_case:

    unary            async def submit_move(request, call) -> response
    server stream    async def watch_session(request, call, write) -> None
    both             async def play_seat(read, call, write) -> None

`write(message)` sends, and is cancelled when the reader has gone; `read(type, within)` gives the next message, or None
after the last, and fails when none has come within so many seconds. A servicer raises Failure, and nothing else that it
expects. Whatever else comes out of it is a defect, logged as an incident and told as UNEXPECTED.

A unary call counts from its first byte to its answer, and a stream from its first byte to its end.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc.aio import ServicerContext

from services.runtime.admission import Admission, Gate
from services.runtime.failure import Failure, too_slow, unexpected
from services.runtime.origins import FORWARDED, Origin
from services.runtime.requests import MOST_MESSAGE, parse
from services.runtime.status import to_status

Answer = Message | bytes
"""What a servicer gives: a message, or its bytes where those are there already."""
Write = Callable[[Answer], Awaitable[None]]
Context = ServicerContext[bytes, bytes]
Work = Callable[["Call"], Awaitable[bytes]]
BEARER = "bearer"


class Read(Protocol):
    """Gives the next message of a stream, or None after the last."""

    def __call__(self, message_type: type[Message], within: float | None = None, /) -> Awaitable[Message | None]:
        """Raise Failure MALFORMED_REQUEST, TOO_SLOW when none has come within so many seconds."""


log = structlog.get_logger()


@dataclass(slots=True)
class Call:
    """What a servicer may know of its caller, and what it wants the log to say."""

    context: Context
    admission: Admission
    facts: dict[str, object] = field(default_factory=dict)
    """Goes into the call's log event. Never a token, never anything hidden."""
    quiet: bool = False
    """Whether its success is told to the log at debug alone: servers call one another many times a second."""
    last_words: Callable[[Failure], Answer] | None = None
    """What a stream says before a failure ends it, for readers who can't see the status. None: nothing."""
    token: str | None = field(init=False, default=None)
    """The bearer token (RFC 6750). None without any authorization; "", which opens nothing, for another scheme."""
    origin: Origin = field(init=False)
    """Where it comes from."""

    def __post_init__(self) -> None:
        """Read the headers, once."""
        forwarded = ""
        for key, value in self.context.invocation_metadata() or ():
            if key == "authorization":
                scheme, _, token = str(value).partition(" ")
                # HTTP strips what an empty token leaves behind: "Bearer" alone is somebody with a bad token.
                self.token = token.strip() if scheme.lower() == BEARER else ""
            elif key == FORWARDED and isinstance(value, str):
                forwarded = value
        self.origin = self.admission.origins.of(self.context.peer(), forwarded)

    async def turn(self, *, arrival: bool = False) -> None:
        """Wait until another piece of this caller's work may begin."""
        await self.admission.turns.turn(self.origin.key, arrival=arrival)


def serve(
    service: ServiceDescriptor,
    servicer: object,
    admission: Admission,
    requests: Mapping[str, type[Message]] | None = None,
) -> grpc.GenericRpcHandler:
    """Every method of a service, from its descriptor. `requests` replaces the request types, by their name."""
    handlers = {
        method.name: _handler(
            method,
            getattr(servicer, _snake_case(method.name)),
            (requests or {}).get(method.input_type.name) or GetMessageClass(method.input_type),
            admission,
        )
        for method in service.methods
    }
    return grpc.method_handlers_generic_handler(service.full_name, handlers)


def _snake_case(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _handler(
    method: MethodDescriptor, behaviour: Callable[..., Any], request_type: type[Message], admission: Admission
) -> "grpc.RpcMethodHandler[Any, Any]":
    path = f"/{method.containing_service.full_name}/{method.name}"

    async def unary(raw: bytes, context: Context) -> bytes:
        async def work(call: Call) -> bytes:
            await call.turn(arrival=True)
            return _encode(await behaviour(parse(request_type, raw), call))

        return await _conclude(path, Call(context, admission), admission.calls, work, len(raw))

    async def server_stream(raw: bytes, context: Context) -> None:
        async def work(call: Call) -> bytes:
            await call.turn(arrival=True)
            await behaviour(parse(request_type, raw), call, _writer(call))
            return b""

        await _conclude(path, Call(context, admission), admission.streams, work, len(raw))

    async def both(_: object, context: Context) -> None:
        async def work(call: Call) -> bytes:
            # An edge waits so and so long for a request, or until there is an answer: here both go on and on.
            await context.send_initial_metadata(())
            await behaviour(_reader(context), call, _writer(call))
            return b""

        await _conclude(path, Call(context, admission), admission.streams, work)

    if method.client_streaming:
        return grpc.stream_stream_rpc_method_handler(both)
    if method.server_streaming:
        return grpc.unary_stream_rpc_method_handler(server_stream)
    return grpc.unary_unary_rpc_method_handler(unary)


def _writer(call: Call) -> Write:
    send = call.admission.unread.writer(call.context.write)

    async def write(message: Answer) -> None:
        try:
            await send(_encode(message))
        except grpc.aio.InternalError as gone:
            # The call is over while this waits for its window. That it is cancelled may be heard of a little later.
            raise asyncio.CancelledError from gone

    return write


def _encode(message: Answer) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


def _reader(context: Context) -> Read:
    async def read(message_type: type[Message], within: float | None = None, /) -> Message | None:
        raw = await (context.read() if within is None else _read_within(context, within))
        return None if raw is grpc.aio.EOF else parse(message_type, raw, MOST_MESSAGE)  # type: ignore[comparison-overlap]  # the stubs forget EOF

    return read


async def _read_within(context: Context, seconds: float) -> bytes:
    try:
        async with asyncio.timeout(seconds):
            return await context.read()
    except TimeoutError:
        raise too_slow(seconds) from None


async def _conclude(path: str, call: Call, gate: Gate, work: Work, size: int = 0) -> bytes:
    """Do the work of one call, and end it: with an answer, a status, or the caller's own cancellation."""
    started, caller, context = time.perf_counter(), call.origin.key, call.context
    try:
        try:
            gate.enter(caller)
        except Failure:
            await call.admission.refusals.wait(size, partial(call.turn, arrival=True))
            raise
        try:
            answer = await work(call)
        finally:
            gate.leave(caller)
    except Failure as failure:
        ending = failure
    except asyncio.CancelledError:
        # To swallow it would leak the call (grpc issue 43360).
        _tell(path, call, started, "CANCELLED")
        raise
    except Exception:  # the last line of defence: whatever it is, the caller gets a status
        incident = secrets.token_hex(8)
        log.exception("incident", method=path, incident=incident)
        ending = unexpected(incident)
    else:
        _tell(path, call, started, "OK")
        return answer
    _tell(path, call, started, ending.code.name, ending.reason)
    if call.last_words is not None:
        await context.write(_encode(call.last_words(ending)))
    await _abort(context, ending)
    raise AssertionError  # abort raises


def _tell(path: str, call: Call, started: float, code: str, reason: str | None = None) -> None:
    took = round((time.perf_counter() - started) * 1000, 3)
    facts = call.facts if reason is None else {**call.facts, "reason": reason}
    tell = log.debug if call.quiet and reason is None else log.info
    tell("call", method=path, code=code, **facts, milliseconds=took)


async def _abort(context: Context, failure: Failure) -> None:
    status = to_status(failure)
    code = _CODES[failure.code]
    details = (("grpc-status-details-bin", status.SerializeToString()),)
    await context.abort(code, status.message, trailing_metadata=details)


_CODES = {code.value[0]: code for code in grpc.StatusCode}
