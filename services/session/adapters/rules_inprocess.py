"""The rules in this process: the same handlers that the gRPC server serves, without the wire."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from monsters.rules.v1 import opaque_pb2 as opaque

from services.session.domain import failures


class Handler(Protocol):
    """One game's rules in the opaque form."""

    def describe_game(self, _: opaque.DescribeGameRequest, /) -> opaque.DescribeGameResponse:
        """What the game is."""

    def start_game(self, request: opaque.StartGameRequest, /) -> opaque.StartGameResponse:
        """A new game."""

    def apply_move(self, request: opaque.ApplyMoveRequest, /) -> opaque.ApplyMoveResponse:
        """The position after a move."""

    def view_position(self, request: opaque.ViewPositionRequest, /) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""

    def suggest_move(self, request: opaque.SuggestMoveRequest, /) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away."""


class InProcessRules:
    """Calls the handlers. A process has one version of each game: it answers whichever is asked for."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = handlers

    @property
    def games(self) -> Sequence[str]:
        """The tokens of the games that are here."""
        return tuple(self._handlers)

    def _handler(self, game: str) -> Handler:
        try:
            return self._handlers[game]
        except KeyError:
            raise failures.game_not_found(game) from None

    async def describe(self, game: str) -> opaque.DescribeGameResponse:
        """What the game is."""
        return self._handler(game).describe_game(opaque.DescribeGameRequest())

    async def start(self, game: str, request: opaque.StartGameRequest) -> opaque.StartGameResponse:
        """A new game."""
        return self._handler(game).start_game(request)

    async def apply(self, game: str, _version: str, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        """The position after a move."""
        return self._handler(game).apply_move(request)

    async def view(self, game: str, _version: str, request: opaque.ViewPositionRequest) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""
        return self._handler(game).view_position(request)

    async def suggest(self, game: str, _version: str, request: opaque.SuggestMoveRequest) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away."""
        return self._handler(game).suggest_move(request)

    async def ready(self) -> bool:
        """Whether they answer: they are right here."""
        return True

    async def close(self) -> None:
        """Nothing is open."""
