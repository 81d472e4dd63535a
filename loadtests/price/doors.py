"""How requests are sent, and what is looked at in the answer."""

import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc
from monsters.session.v1 import session_pb2 as wire

from loadtests.price.requests import Request, Target

PATIENCE = 30.0
"""Seconds. What has no answer by then hangs."""
WORST = {"INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"}
"""What no request may end with; the last ones mean that it hung, or that the server is gone."""
MOST_MESSAGES = 3000
NUMBERS = {code.value[0]: code.name for code in grpc.StatusCode}


@dataclass(frozen=True, slots=True)
class Answer:
    """How a request ended, and how many messages it was about."""

    code: str
    messages: int = 1
    """Those that were sent and those that came."""
    last: bytes = b""

    @property
    def bad(self) -> bool:
        """Whether no request may end like this."""
        return self.code in WORST or self.code.startswith("HTTP 5")


class GrpcDoor:
    """Sends bytes by gRPC."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.insecure_channel(address)
        self._calls: dict[str, Any] = {}

    def send(self, request: Request) -> Answer:
        """Send a request, and read to the end of its answer, or of a stream until it has no more to say."""
        method = request.target.method
        metadata = () if request.token is None else (("authorization", f"Bearer {request.token}"),)
        call = self._call(request.target)
        try:
            if not method.server_streaming:
                return Answer("OK", 1, call(request.messages[0], timeout=PATIENCE, metadata=metadata))
            sent: Any = iter(request.messages) if method.client_streaming else request.messages[0]
            stream = call(sent, timeout=PATIENCE, metadata=metadata)
        except grpc.RpcError as error:
            return Answer(_code(error))
        came = 0
        try:
            for message in stream:
                came += 1
                if came > MOST_MESSAGES or (method.name == "WatchSession" and _silent(message)):
                    break
        except grpc.RpcError as error:
            return Answer(_code(error), len(request.messages) + came)
        finally:
            stream.cancel()
        return Answer("OK", len(request.messages) + came)

    def _call(self, target: Target) -> Any:
        if target.path not in self._calls:
            method = target.method
            kind = (
                f"{'stream' if method.client_streaming else 'unary'}_{'stream' if method.server_streaming else 'unary'}"
            )
            self._calls[target.path] = getattr(self.channel, kind)(target.path)
        return self._calls[target.path]


def _code(error: grpc.RpcError) -> str:
    call: Any = error
    return str(call.code().name)


def _silent(message: bytes) -> bool:
    return wire.WatchSessionResponse.FromString(message).WhichOneof("message") == "heartbeat"


class JsonDoor:
    """Sends text over HTTP."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection = http.client.HTTPConnection(address, timeout=PATIENCE)

    def send(self, request: Request) -> Answer:
        """Send a request, and read its answer, or of a stream the first messages."""
        headers = {"content-type": "application/json", **(request.headers or {})}
        if request.token is not None:
            headers["authorization"] = f"Bearer {request.token}"
        try:
            self._connection.request(request.verb, request.path, request.messages[0] or None, headers)
            response = self._connection.getresponse()
            if response.headers.get("content-type") == "text/event-stream":
                with response:
                    came = sum(1 for _ in _until_silent(response))
                self.close()
                return Answer("OK", 1 + came)
            body = response.read()
        except TimeoutError:
            self.close()
            return Answer("DEADLINE_EXCEEDED")
        except (http.client.HTTPException, ConnectionError):
            self.close()  # the edge may close a connection on which it has refused something
            return Answer("CLOSED")
        if response.status == http.client.OK:
            return Answer("OK", 1, body)
        return Answer(_code_of(response.status, body))

    def close(self) -> None:
        """Leave. The next request connects anew."""
        self._connection.close()


def _until_silent(response: http.client.HTTPResponse) -> Iterator[bytes]:
    for line in response:
        if line.startswith(b"data: "):
            yield line
            if b'"heartbeat"' in line or b'"closing"' in line:
                return


def _code_of(status: int, body: bytes) -> str:
    """The code in the body that an error has, or by the status."""
    try:
        return NUMBERS[json.loads(body)["code"]]
    except (ValueError, KeyError, TypeError):
        return {500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}.get(status, f"HTTP {status}")
