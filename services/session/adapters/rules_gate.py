"""A gate and a circuit breaker for each game, around whatever reaches the rules.

A game whose rules hang would otherwise take up every call that the server has, one waiting caller after the other. So
it gets a share and no more; and when its rules have failed again and again it fails at once, until one call that is let
through now and then is answered. https://learn.microsoft.com/azure/architecture/patterns/circuit-breaker
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from monsters.rules.v1 import opaque_pb2 as opaque

from services.runtime.failure import Code, Failure
from services.session.domain import failures
from services.session.ports import RulesGateway

T = TypeVar("T")

FAILURES_IN_A_ROW = 5
"""So many open the circuit."""
OPEN_SECONDS = 1.0
"""How long it stays open before one call is let through."""


@dataclass(slots=True)
class Circuit:
    """What is known of one game's rules."""

    under_way: int = 0
    failures: int = 0
    opened_at: float = 0.0
    """When it was opened, or when the last call was let through."""

    @property
    def open(self) -> bool:
        """Whether the rules have failed so often that they are not called, but for one call now and then."""
        return self.failures >= FAILURES_IN_A_ROW

    def admits(self, limit: int, now: float) -> bool:
        """Whether another call may be made."""
        if self.open:
            if now < self.opened_at + OPEN_SECONDS:
                return False
            self.opened_at = now  # this one is the try
        return self.under_way < limit

    def failed(self, now: float) -> None:
        """Remember that there was no answer."""
        self.failures += 1
        self.opened_at = now


class GatedRules:
    """A RulesGateway over another one.

    Raises Failure GAME_NOT_FOUND for a game that is not served, and RULES_UNAVAILABLE at once when a game's share is
    taken up.
    """

    def __init__(self, rules: RulesGateway, limit: int, clock: Callable[[], float] = monotonic) -> None:
        self._rules = rules
        self._limit = limit
        self._clock = clock
        # Callers may make up any number of games: those that are served have a circuit, and no other is called.
        self._circuits = {game: Circuit() for game in rules.games}

    @property
    def games(self) -> Collection[str]:
        """The tokens of the games whose rules are served."""
        return self._circuits.keys()

    async def describe(self, game: str) -> opaque.DescribeGameResponse:
        """What the game is."""
        return await self._call(game, lambda: self._rules.describe(game))

    async def start(self, game: str, request: opaque.StartGameRequest) -> opaque.StartGameResponse:
        """A new game."""
        return await self._call(game, lambda: self._rules.start(game, request))

    async def apply(self, game: str, version: str, request: opaque.ApplyMoveRequest) -> opaque.ApplyMoveResponse:
        """The position after a move."""
        return await self._call(game, lambda: self._rules.apply(game, version, request))

    async def view(self, game: str, version: str, request: opaque.ViewPositionRequest) -> opaque.ViewPositionResponse:
        """What a seat or a spectator may know."""
        return await self._call(game, lambda: self._rules.view(game, version, request))

    async def suggest(self, game: str, version: str, request: opaque.SuggestMoveRequest) -> opaque.SuggestMoveResponse:
        """A plausible move of a seat whose player is away."""
        return await self._call(game, lambda: self._rules.suggest(game, version, request))

    async def _call(self, game: str, call: Callable[[], Awaitable[T]]) -> T:
        circuit = self._circuits.get(game)
        if circuit is None:
            raise failures.game_not_found(game)
        if not circuit.admits(self._limit, self._clock()):
            raise failures.rules_unavailable(game)
        circuit.under_way += 1
        try:
            answer = await call()
        except Failure as failure:
            if failure.code is Code.UNAVAILABLE:
                circuit.failed(self._clock())
            else:  # a refusal is an answer
                circuit.failures = 0
            raise
        else:
            circuit.failures = 0
            return answer
        finally:
            circuit.under_way -= 1
