"""Hostile requests: what is sent, through which door, and every method that takes one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from monsters.session.v1 import session_pb2

from services.edge.protos import Binding, read_protos
from services.games import find_games


@dataclass(frozen=True, slots=True)
class Target:
    """A method, by gRPC or in JSON."""

    method: MethodDescriptor
    binding: Binding | None = None
    """How it is called in JSON; None is by gRPC."""

    @property
    def name(self) -> str:
        """Such as heads EnumerateMoves, in JSON."""
        token = self.method.containing_service.full_name.split(".")[1]
        return f"{token} {self.method.name}{', in JSON' if self.binding else ''}"

    @property
    def path(self) -> str:
        """The path of gRPC."""
        return f"/{self.method.containing_service.full_name}/{self.method.name}"

    @property
    def request_type(self) -> type[Message]:
        """The message that it takes."""
        return GetMessageClass(self.method.input_type)


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent. By gRPC one message, or those of a stream; in JSON a verb, a path and a body."""

    target: Target
    messages: tuple[bytes, ...]
    token: str | None = None
    verb: str = ""
    path: str = ""
    headers: Mapping[str, str] | None = None

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(map(len, self.messages)) + len(self.path)


def targets(*, edge: bool) -> Sequence[Target]:
    """Every method of every service, and with an edge also each way to call one in JSON."""
    services = [session_pb2.DESCRIPTOR.services_by_name["SessionService"]]
    services += [entry.service for entry in find_games().values()]
    methods = {f"/{service.full_name}/{method.name}": method for service in services for method in service.methods}
    found = [Target(method) for method in methods.values()]
    if edge:
        found += [Target(methods[each.path], binding) for each in read_protos().methods for binding in each.bindings]
    return found
