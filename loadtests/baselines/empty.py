"""`python -m loadtests.baselines.empty`: a method that does nothing, a stream that echoes and one that tells.

They are what the chassis costs with no work behind it: the baselines. With --bare the first two stand on plain
grpc.aio instead, which says what the chassis itself costs.
"""

import argparse
import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import grpc
import uvloop
from google.api.annotations_pb2 import http
from google.api.http_pb2 import HttpRule
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.runtime.admission import Admission
from services.runtime.calls import Call, Read, Write, serve
from services.runtime.main import run
from services.runtime.server import listening
from services.runtime.settings import Settings

HTTP_PATH = "/v1/empty:answer"
PACKAGE = "monsters.loadtests.v1"


def _describe() -> descriptor_pb2.FileDescriptorProto:
    """A service in the making of every other: a small message there, the same one back."""
    file = descriptor_pb2.FileDescriptorProto(
        name="monsters/loadtests/v1/empty.proto", package=PACKAGE, syntax="proto3"
    )
    small = file.message_type.add(name="Small")
    field = descriptor_pb2.FieldDescriptorProto
    small.field.add(name="text", number=1, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    small.field.add(name="number", number=2, type=field.TYPE_INT64, label=field.LABEL_OPTIONAL)
    methods = file.service.add(name="EmptyService").method
    name = f".{PACKAGE}.Small"
    answer = methods.add(name="Answer", input_type=name, output_type=name)
    answer.options.Extensions[http].CopyFrom(HttpRule(post=HTTP_PATH, body="*"))
    methods.add(name="Echo", input_type=name, output_type=name, client_streaming=True, server_streaming=True)
    methods.add(name="Publish", input_type=name, output_type=name)
    methods.add(name="Subscribe", input_type=name, output_type=name, server_streaming=True)
    return file


FILE = _describe()
_POOL = descriptor_pool.Default()
_POOL.Add(FILE)
SERVICE = _POOL.FindServiceByName(f"{PACKAGE}.EmptyService")
Small = GetMessageClass(SERVICE.methods_by_name["Answer"].input_type)
ANSWER, ECHO, PUBLISH, SUBSCRIBE = (f"/{SERVICE.full_name}/{method.name}" for method in SERVICE.methods)


class EmptyServicer:
    """Nothing."""

    def __init__(self) -> None:
        self._subscribers: set[asyncio.Queue[Message]] = set()

    async def answer(self, request: Message, _: Call) -> Message:
        """Give the request back."""
        return request

    async def echo(self, read: Read, _: Call, write: Write) -> None:
        """Give every message back."""
        while (message := await read(Small)) is not None:
            await write(message)

    async def publish(self, request: Message, _: Call) -> Message:
        """Send the request to all subscribers, with the time in nanoseconds since 1970 at which that is done."""
        message = Small(text=request.text, number=time.time_ns())  # type: ignore[attr-defined]  # made at run time
        for subscriber in self._subscribers:
            subscriber.put_nowait(message)
        return message

    async def subscribe(self, request: Message, _: Call, write: Write) -> None:
        """Give the request back, and then tell whatever is published."""
        messages: asyncio.Queue[Message] = asyncio.Queue()
        self._subscribers.add(messages)
        try:
            await write(request)
            while True:
                await write(await messages.get())
        finally:
            self._subscribers.remove(messages)


@contextlib.asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[str]:
    """Serve on the chassis, as services.app does."""
    handlers = {SERVICE.full_name: serve(SERVICE, EmptyServicer(), Admission.up_to(settings.max_calls))}
    async with listening(settings, handlers, leave=lambda: None) as address:
        yield address


async def serve_bare(address: str) -> None:
    """Serve without the chassis, until a signal ends the process."""

    async def answer(request: Message, _: object) -> Message:
        return request

    async def echo(_: object, context: "grpc.aio.ServicerContext[Message, Message]") -> None:
        while (message := await context.read()) is not grpc.aio.EOF:  # type: ignore[comparison-overlap]  # the stubs forget EOF
            await context.write(message)

    codecs = (Small.FromString, Small.SerializeToString)
    handlers = {
        "Answer": grpc.unary_unary_rpc_method_handler(answer, *codecs),
        "Echo": grpc.stream_stream_rpc_method_handler(echo, *codecs),
    }
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE.full_name, handlers),))
    port = server.add_insecure_port(address)
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m loadtests.baselines.empty", description=__doc__)
    parser.add_argument("--address", default="127.0.0.1:0")
    parser.add_argument("--bare", action="store_true")
    arguments = parser.parse_args()
    if arguments.bare:
        with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
            uvloop.run(serve_bare(arguments.address))
    else:
        run(serving, lambda _, address: print(address, flush=True), address=arguments.address)


if __name__ == "__main__":
    main()
