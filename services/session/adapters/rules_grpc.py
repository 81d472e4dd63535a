"""The rules over gRPC: a target for each game that follows from its token, and the opaque form on the wire."""

import json
from collections.abc import Sequence
from typing import TypeVar

import grpc
from google.protobuf.message import Message
from grpc_status import rpc_status
from monsters.rules.v1 import opaque_pb2 as opaque

from services.runtime.failure import Failure
from services.runtime.status import from_status
from services.session.domain import failures

Response = TypeVar("Response", bound=Message)

VERSION_KEY = "lair-rules-version"
"""The version that a session started with. Servers of several versions behind one target can be told apart by it."""
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

    def __init__(self, target: str, timeout: float, games: Sequence[str]) -> None:
        self.games = games
        """The tokens of the games whose rules are served there. No other is asked for."""
        self._target = target
        self._timeout = timeout
        self._channels: dict[str, grpc.aio.Channel] = {}

    async def describe(self, game: str) -> opaque.DescribeGameResponse:
        """What the game is."""
        request = opaque.DescribeGameRequest()
        return await self._call(game, "", "DescribeGame", request, opaque.DescribeGameResponse)

    async def start(self, game: str, request: opaque.StartGameRequest) -> opaque.StartGameResponse:
        """A new game."""
        return await self._call(game, "", "StartGame", request, opaque.StartGameResponse)

    async def apply(self, game: str, version: str, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        """The position after a move."""
        return await self._call(game, version, "ApplyMove", request, opaque.ApplyMoveResponse)

    async def view(self, game: str, version: str, request: opaque.ViewPositionRequest) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""
        return await self._call(game, version, "ViewPosition", request, opaque.ViewPositionResponse)

    async def suggest(self, game: str, version: str, request: opaque.SuggestMoveRequest) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away."""
        return await self._call(game, version, "SuggestMove", request, opaque.SuggestMoveResponse)

    async def ready(self) -> bool:
        """Always: each call says for itself whether its game's rules are there, and other games go on."""
        return True

    async def close(self) -> None:
        """Close every channel."""
        for channel in self._channels.values():
            await channel.close()

    def _channel(self, game: str) -> grpc.aio.Channel:
        """The channel of a game's target."""
        target = self._target.replace("{game}", game)
        if target not in self._channels:
            self._channels[target] = grpc.aio.insecure_channel(target, options=OPTIONS)
        return self._channels[target]

    async def _call(
        self, game: str, version: str, method: str, request: Message, response_type: type[Response]
    ) -> Response:
        if game not in self.games:
            raise failures.game_not_found(game)
        channel = self._channel(game)
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, Response] = channel.unary_unary(
            f"/monsters.{game}.v1.RulesService/{method}", response_deserializer=response_type.FromString
        )
        try:
            response: Response = await call(
                request.SerializeToString(),
                timeout=self._timeout,
                metadata=[(VERSION_KEY, version)] if version else None,
            )
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
