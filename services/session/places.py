"""How many sessions are looked at side by side, so that a game whose rules are stuck holds up no other one."""

from dataclasses import dataclass

FAILURES_IN_A_ROW = 5
PAUSE = 1_000_000
"""In microseconds: how long a game is left alone whose rules have failed so often."""


@dataclass(slots=True)
class _Game:
    busy: int = 0
    failures: int = 0
    paused_until: int = 0


class Places:
    """Counts what is under way, in all and of each game."""

    def __init__(self, in_all: int = 64, of_a_game: int = 32) -> None:
        self._in_all = in_all
        self._of_a_game = of_a_game
        self._busy = 0
        self._games: dict[str, _Game] = {}

    def free(self, name: str, now: int) -> int:
        """How many more of a game may begin.

        A game that has none under way always gets one: otherwise a few stuck games could take all there are.
        """
        game = self._games.get(name, _Game())
        if game.paused_until > now:
            return 0
        return max(min(self._of_a_game - game.busy, self._in_all - self._busy), 0 if game.busy else 1)

    def take(self, name: str) -> None:
        """One more is under way."""
        self._games.setdefault(name, _Game()).busy += 1
        self._busy += 1

    def give_back(self, name: str) -> None:
        """One less is."""
        self._games[name].busy -= 1
        self._busy -= 1

    def tell(self, name: str, now: int, *, answered: bool) -> None:
        """Say whether a game's rules have answered. Those that fail again and again are left alone for a while."""
        game = self._games[name]
        game.failures = 0 if answered else game.failures + 1
        if game.failures >= FAILURES_IN_A_ROW:
            game.paused_until = now + PAUSE
