"""Stubs that speak HTTP and JSON with an edge, and look like gRPC's: so that the tests of the wire run through both.

A method that has no path in HTTP is called by gRPC, through the same edge.
"""

import re
from collections.abc import Generator, Iterator, Sequence
from typing import Any
from urllib.parse import quote, urlencode

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.status_pb2 import Status

from services.edge.protos import Method, read_protos
from tests.support.edge import Answer, Web, events, read
from tests.support.servers import Stubs

SESSIONS = "monsters.session.v1.SessionService"
STATUSES = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 9: 400, 10: 409, 12: 501, 13: 500, 14: 503, 16: 401}
"""The HTTP status of each google.rpc.Code that an error can have."""
CODES = {code.value[0]: code for code in grpc.StatusCode}
VARIABLE = re.compile(r"\{(\w+)[^}]*\}")
Metadata = Sequence[tuple[str, str]]


class Refusal(grpc.RpcError):
    """The body of an error, told as gRPC tells of an error."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self._status = json_format.ParseDict(answer.json, Status())
        assert answer.status == STATUSES[self._status.code]

    def code(self) -> grpc.StatusCode:
        return CODES[self._status.code]

    def details(self) -> str:
        return str(self._status.message)

    def trailing_metadata(self) -> Any:
        return (("grpc-status-details-bin", self._status.SerializeToString()),)


class Transcoded(Stubs):
    """Every service, through an edge."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.answers: list[tuple[Method, Any]] = []
        """The JSON of all that was answered over HTTP, and what answered it."""
        self.sessions: Any = _Service(self, SESSIONS, self.sessions)

    def rules(self, game: str = "cabbages") -> Any:
        return _Service(self, f"monsters.{game}.v1.RulesService", super().rules(game))


class _Service:
    def __init__(self, stubs: Transcoded, name: str, grpc_stub: Any) -> None:
        self._stubs = stubs
        self._web = Web(stubs.address)
        self._methods = {method.name: method for method in read_protos().methods if method.service == name}
        self._grpc = grpc_stub

    def __getattr__(self, name: str) -> Any:
        method = self._methods[name]
        if not method.bindings:
            return getattr(self._grpc, name)

        def call(request: Message, metadata: Metadata = ()) -> Any:
            stream = self._follow(method, request, metadata)
            return Stream(stream) if method.streams else next(stream)

        return call

    def _follow(self, method: Method, request: Message, metadata: Metadata) -> Generator[Message, None, None]:
        """The one message of an answer, or those of a stream. Raises Refusal."""
        verb, path, body = written(method, request)
        connection, response = self._web.send(verb, path, body, **dict(metadata))
        try:
            if response.status != 200:
                raise Refusal(read(response))
            for found in events(response) if method.streams else (read(response).json,):
                self._stubs.answers.append((method, found))
                yield json_format.ParseDict(found, _message(method.response))
        finally:
            connection.close()


class Stream:
    """What a watch sends: iterable, and to be cancelled."""

    def __init__(self, messages: Generator[Message, None, None]) -> None:
        self._messages = messages

    def __iter__(self) -> Iterator[Message]:
        return self._messages

    def __next__(self) -> Message:
        return next(self._messages)

    def cancel(self) -> None:
        self._messages.close()


def written(method: Method, request: Message) -> tuple[str, str, Any]:
    """A request in HTTP: verb, path with its query, and body (google.api.http)."""
    (binding,) = method.bindings
    fields = json_format.MessageToDict(request)
    path = VARIABLE.sub(lambda variable: quote(fields.pop(variable[1])), binding.path)
    if binding.body:
        return binding.verb, path, fields
    return binding.verb, f"{path}?{urlencode(fields)}" if fields else path, None


def _message(name: str) -> Message:
    answer: Message = GetMessageClass(Default().FindMessageTypeByName(name))()
    return answer
