"""What everybody at a table hears, in bytes: every answer, every message of a stream, every error with its trailers."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from monsters.session.v1 import session_pb2 as wire

from tests.support.servers import PATIENCE, Stubs, bearer

SERVICE = wire.DESCRIPTOR.services_by_name["SessionService"]
NOTHING = -1
"""The revision of what may show nothing of any position: errors, sessions, lobbies, heartbeats."""


@dataclass(frozen=True, slots=True)
class Ear:
    """Somebody who hears: a name for failures, the seat that it knows as much as, and its token."""

    name: str
    seat: int | None = None
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that came over the wire, and of which revision it may tell."""

    ear: Ear
    method: str
    revision: int
    raw: bytes
    over: bool
    """Whether the game was over by then."""


@dataclass(slots=True)
class Table:
    """Calls the session service as anybody, and keeps all that comes back."""

    stubs: Stubs
    heard: list[Heard] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    over: bool = False
    _streams: list[threading.Thread] = field(default_factory=list)

    def call(self, ear: Ear, method: str, request: Message) -> Any:
        """A call's answer, or None when it ends with an error."""
        callable_: Any = self.stubs.channel.unary_unary(f"/{SERVICE.full_name}/{method}")
        metadata = bearer(ear.token) if ear.token else ()
        try:
            raw, call = callable_.with_call(request.SerializeToString(), metadata=metadata)
        except grpc.RpcError as error:
            self._hear_error(ear, method, error)
            return None
        self._hear(ear, method, NOTHING, _metadata(call))
        self._hear_parts(ear, method, raw)
        return _answer(method).FromString(raw)

    def watch(self, ear: Ear, name: str, after: int | None = None) -> None:
        """Listen to a session, from a snapshot on or from after a revision on, until it ends."""
        request = wire.WatchSessionRequest(name=name, after_revision=after)
        callable_: Any = self.stubs.channel.unary_stream(f"/{SERVICE.full_name}/WatchSession")
        stream = callable_(request.SerializeToString(), metadata=bearer(ear.token) if ear.token else ())
        self._listen(ear, "WatchSession", stream)

    def play(self, ear: Ear, messages: Iterable[wire.PlaySeatRequest]) -> None:
        """Play a seat over one stream, and listen to it until it ends."""
        callable_: Any = self.stubs.channel.stream_stream(f"/{SERVICE.full_name}/PlaySeat")
        sent = (message.SerializeToString() for message in messages)
        self._listen(ear, "PlaySeat", callable_(sent, metadata=bearer(ear.token) if ear.token else ()))

    def settle(self) -> None:
        """Wait until every stream has ended."""
        for thread in self._streams:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "a stream goes on after the end"

    def _listen(self, ear: Ear, method: str, stream: Any) -> None:
        begun = threading.Event()

        def run() -> None:
            try:
                for raw in stream:
                    self._hear_parts(ear, method, raw)
                    begun.set()
                self._hear(ear, method, NOTHING, _metadata(stream))
            except grpc.RpcError as error:
                self._hear_error(ear, method, error)
            begun.set()

        self._streams.append(threading.Thread(target=run, daemon=True))
        self._streams[-1].start()
        assert begun.wait(PATIENCE), "a stream does not begin"

    def _hear_parts(self, ear: Ear, method: str, raw: bytes) -> None:
        """Keep the whole, and each revision in it for itself."""
        parts = list(_parts(_answer(method).FromString(raw)))
        self._hear(ear, method, max([revision for revision, _ in parts], default=NOTHING), raw)
        for revision, part in parts:
            self._hear(ear, method, revision, part)

    def _hear_error(self, ear: Ear, method: str, error: Any) -> None:
        self._hear(ear, method, NOTHING, f"{error.code()} {error.details()}".encode() + _metadata(error))
        self.refused.append(f"{ear.name} {method} {error.code().name}")

    def _hear(self, ear: Ear, method: str, revision: int, raw: bytes) -> None:
        self.heard.append(Heard(ear, method, revision, raw, self.over))


def _answer(method: str) -> type[Message]:
    return GetMessageClass(SERVICE.methods_by_name[method].output_type)


def _parts(message: Message) -> Iterator[tuple[int, bytes]]:
    """The updates and snapshots in an answer, with their revisions."""
    for _, value in message.ListFields():
        items: Sequence[object] = [value] if isinstance(value, Message) else value if _is_list(value) else []
        for item in items:
            if isinstance(item, wire.Update | wire.Snapshot | wire.Step):
                yield item.revision, item.SerializeToString()


def _is_list(value: object) -> bool:
    return not isinstance(value, str | bytes | int | float)


def _metadata(call: Any) -> bytes:
    pairs: Mapping[str, Any] = {
        f"{where} {key}": value
        for where, items in (("first", call.initial_metadata()), ("last", call.trailing_metadata()))
        for key, value in items or ()
    }
    return b"\n".join(
        key.encode() + b": " + (value if isinstance(value, bytes) else str(value).encode())
        for key, value in pairs.items()
    )
