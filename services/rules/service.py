"""A face for every game, as gRPC services: built from descriptors, so a game's folder holds no gRPC at all."""

from collections.abc import Iterable, Mapping
from typing import Any

import grpc
from google.protobuf.message import Message
from monsters.rules.v1 import opaque_pb2

from services.games import Entry
from services.rules.face import RulesFace
from services.runtime.calls import Call, Gate, serve

REQUESTS: Mapping[str, type[Message]] = {
    name: getattr(opaque_pb2, name) for name in opaque_pb2.DESCRIPTOR.message_types_by_name if name.endswith("Request")
}


class RulesServicer:
    """Any method of a face, as a coroutine: the rules wait for nothing."""

    def __init__(self, face: RulesFace) -> None:
        self._face = face

    def __getattr__(self, name: str) -> Any:
        """The face's method of this name. Raises AttributeError when it has none."""
        method = getattr(self._face, name)

        async def answer(request: Message, _: Call) -> Message:
            response: Message = method(request)
            return response

        return answer


def rules_services(
    faces: Mapping[str, RulesFace], entries: Iterable[Entry], gate: Gate
) -> Mapping[str, grpc.GenericRpcHandler]:
    """The RulesService of every entry, by its full name."""
    services = {}
    for entry in entries:
        descriptor = entry.codec.messages.DESCRIPTOR.services_by_name["RulesService"]
        servicer = RulesServicer(faces[entry.game.token])
        services[descriptor.full_name] = serve(descriptor, servicer, gate, REQUESTS)
    return services
