"""A handler for every game, as gRPC services: built from descriptors, so a game's folder holds no gRPC at all."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import grpc
from google.protobuf.message import Message
from monsters.rules.v1 import opaque_pb2

from services.games import Entry
from services.rules.chains import Chains, ChainsHandler, Places
from services.runtime.admission import Admission
from services.runtime.calls import Call, Read, Write, serve

REQUESTS: Mapping[str, type[Message]] = {
    name: getattr(opaque_pb2, name) for name in opaque_pb2.DESCRIPTOR.message_types_by_name if name.endswith("Request")
}


SILENCE = 300.0
"""In seconds: how long a stream may say nothing. The positions of its chains are kept meanwhile."""


class Streams:
    """What the streams of all games share: room for positions, and the event loop."""

    def __init__(self) -> None:
        self.places = Places()
        self._turn = asyncio.Lock()

    async def work(self, answers: Iterator[Message]) -> Message | None:
        """The next answer. However many streams there are, one of them works between two turns of the event loop."""
        async with self._turn:
            if (answer := next(answers, None)) is not None:
                await asyncio.sleep(0)
        return answer


class RulesServicer:
    """Any method of a handler, as a coroutine: the rules wait for nothing."""

    def __init__(self, handler: ChainsHandler, streams: Streams) -> None:
        self._handler = handler
        self._streams = streams

    async def apply_moves(self, read: Read, call: Call, write: Write) -> None:
        """Play what comes. The positions of its chains live as long as the stream."""
        chains = Chains(self._streams.places)
        moves = 0
        kind = opaque_pb2.ApplyMovesRequest
        try:
            while isinstance(request := await read(kind, SILENCE), kind):
                answers = self._handler.apply_moves(request, chains)
                while (answer := await self._streams.work(answers)) is not None:
                    await write(answer)
                call.facts["moves"] = moves = moves + len(request.moves)
        finally:
            chains.end_all()

    def __getattr__(self, name: str) -> Any:
        """The handler's method of this name. Raises AttributeError when it has none."""
        method = getattr(self._handler, name)

        async def answer(request: Message, _: Call) -> Message:
            response: Message = method(request)
            return response

        return answer


def rules_services(
    handlers: Mapping[str, ChainsHandler], entries: Iterable[Entry], admission: Admission
) -> Mapping[str, grpc.GenericRpcHandler]:
    """The RulesService of every entry, by its full name."""
    services = {}
    streams = Streams()
    for entry in entries:
        descriptor = entry.service
        servicer = RulesServicer(handlers[entry.game.token], streams)
        services[descriptor.full_name] = serve(descriptor, servicer, admission, REQUESTS)
    return services
