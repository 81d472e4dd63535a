"""The rules over gRPC: a target for each game that follows from its token, and the opaque form on the wire."""

import json
from typing import TypeVar

import grpc
from google.protobuf.message import Message
from grpc_status import rpc_status
from monsters.rules.v1 import opaque_pb2 as opaque

from services.runtime.failure import Failure
from services.runtime.status import from_status
from services.session.domain import failures

Response = TypeVar("Response", bound=Message)

MOST_CHANNELS = 64
SERVICE_CONFIG = {
    # Every server that the name leads to is called in turn. Their health is not asked for: gRPC looks a name up again
    # when a connection ends, and not when health says NOT_SERVING, so nobody would be left to call during a drain.
    "loadBalancingConfig": [{"round_robin": {}}],
    # Rules keep nothing, so every call can be made again, elsewhere. A server that stops cancels what has just come.
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "0.5s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
            },
        }
    ],
}
OPTIONS = (
    ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
    # A rules server that has come back is found within a second, not within gRPC's two minutes.
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    # One that has come to take another's place, too: gRPC would ask for the name's addresses twice a minute at most.
    ("grpc.dns_min_time_between_resolutions_ms", 1000),
)


class GrpcRules:
    """Calls /monsters.<token>.v1.RulesService/<Method> at a target in which {game} is the token."""

    def __init__(self, target: str, timeout: float) -> None:
        self._target = target
        self._timeout = timeout
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def describe(self, game: str) -> opaque.DescribeGameResponse:
        """What the game is."""
        request = opaque.DescribeGameRequest()
        return await self._call(game, "DescribeGame", request, opaque.DescribeGameResponse)

    async def start(self, game: str, request: opaque.StartGameRequest) -> opaque.StartGameResponse:
        """A new game."""
        return await self._call(game, "StartGame", request, opaque.StartGameResponse)

    async def apply(self, game: str, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        """The position after a move."""
        return await self._call(game, "ApplyMove", request, opaque.ApplyMoveResponse)

    async def view(self, game: str, request: opaque.ViewPositionRequest) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""
        return await self._call(game, "ViewPosition", request, opaque.ViewPositionResponse)

    async def suggest(self, game: str, request: opaque.SuggestMoveRequest) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away."""
        return await self._call(game, "SuggestMove", request, opaque.SuggestMoveResponse)

    async def ready(self) -> bool:
        """Always: each call says for itself whether its game's rules are there, and other games go on."""
        return True

    async def close(self) -> None:
        """Close every channel."""
        for channel in self._channels.values():
            await channel.close()

    async def _channel(self, game: str) -> grpc.aio.Channel:
        """The channel of a game's target. The one that was used last is kept longest."""
        target = self._target.replace("{game}", game)
        channel = self._channels.pop(target, None) or grpc.aio.insecure_channel(target, options=OPTIONS)
        self._channels[target] = channel
        if len(self._channels) > MOST_CHANNELS:  # games that somebody has made up have targets, too
            await self._channels.pop(next(iter(self._channels))).close(grace=self._timeout)
        return channel

    async def _call(self, game: str, method: str, request: Message, response_type: type[Response]) -> Response:
        channel = await self._channel(game)
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, Response] = channel.unary_unary(
            f"/monsters.{game}.v1.RulesService/{method}", response_deserializer=response_type.FromString
        )
        try:
            response: Response = await call(request.SerializeToString(), timeout=self._timeout)
        except grpc.aio.AioRpcError as error:
            raise _failure(game, error) from error
        return response


def _failure(game: str, error: grpc.aio.AioRpcError) -> Failure:
    """A refusal as the rules gave it, or what the loss of their answer means here."""
    status = rpc_status.from_call(error)
    if status is not None and (failure := from_status(status)):
        return failure
    if error.code() is grpc.StatusCode.UNIMPLEMENTED:
        return failures.game_not_found(game)
    return failures.rules_unavailable(game)
