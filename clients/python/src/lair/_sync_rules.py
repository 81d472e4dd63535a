"""The rules of one game, without any session: stateless, so every call brings its position."""

from collections.abc import Mapping, Sequence
from typing import Generic

from lair import _rules_calls as calls
from lair._calls import Playable
from lair._connection import Connection, drive
from lair._options import Options
from lair._sync_replaying import Replaying
from lair._sync_simulation import Simulation
from lair.descriptions import GameDescription
from lair.games import AnyGame, module_of, token_of
from lair.types import Applied, LegalMove, Move, Position, Refusal, Reveal, Started, View
from lair.verification import Verification, check


class Rules(Generic[Position, Move, View]):
    """The rules of one game. A seat of None is the host where somebody moves, and a spectator where somebody looks.

    Every method raises NotServed when the server doesn't serve the game, and Unavailable when nobody answers. Chance is
    a seed of 32 bytes or a script of results, such as those of real dice on a table; without either the server draws,
    and says what it drew from. Options are those of `Client.create`.
    """

    def __init__(self, connection: Connection, game: AnyGame) -> None:
        self.game: str = token_of(game)
        """The game's token."""
        self._connection = connection
        self._module = module_of(game)

    def describe(self) -> GameDescription:
        """What the game is: seats, options with their defaults, every rule in words."""
        return self._connection.run(calls.describe(self._module))

    def start(
        self,
        *,
        seats: int,
        options: Options | None = None,
        seed: bytes | None = None,
        script: Sequence[int] | None = None,
        view_for: Sequence[int] = (),
        spectator: bool = False,
    ) -> Started[Position, View]:
        """Start a game, with the views of these seats and of a spectator. Raises InvalidRequest."""
        return self._connection.run(
            calls.start(
                self._module,
                seats,
                options=options,
                seed=seed,
                script=script,
                view_for=view_for,
                spectator=spectator,
            )
        )

    def moves(self, position: Position, *, seat: int | None) -> tuple[LegalMove[Move], ...]:
        """Every legal move of a seat: none when it may not act. Raises ImpossiblePosition and InvalidRequest."""
        return self._connection.run(calls.moves(self._module, position, seat))

    def why_not(self, position: Position, *, seat: int | None, move: Playable) -> Refusal | None:
        """Why a move is not legal, or None when it is. Raises ImpossiblePosition and InvalidRequest."""
        return self._connection.run(calls.why_not(self._module, position, seat, move))

    def apply(
        self,
        position: Position,
        *,
        seat: int | None,
        move: Playable,
        seed: bytes | None = None,
        script: Sequence[int] | None = None,
        view_for: Sequence[int] = (),
        spectator: bool = False,
    ) -> Applied[Position, Move, View]:
        """Play a move. Raises IllegalMove, ImpossiblePosition and InvalidRequest."""
        return self._connection.run(
            calls.apply(
                self._module,
                position,
                seat,
                move,
                seed=seed,
                script=script,
                view_for=view_for,
                spectator=spectator,
            )
        )

    def simulate(self) -> Simulation[Position, Move, View]:
        """Play many moves at once over one stream, for bots and for statistics. It is opened by the first of them."""
        return Simulation(self._connection, self._module)

    def view(self, position: Position, *, seat: int | None = None) -> View:
        """What a seat, or a spectator, may know of a position. Raises ImpossiblePosition and InvalidRequest."""
        view: View = self._connection.run(calls.view(self._module, position, seat))
        return view

    def suggest(self, position: Position, *, seat: int, seed: bytes | None = None) -> LegalMove[Move] | None:
        """A plausible move of a seat that may act, from what its view shows: what a stand-in plays for who has left.

        None when it rather waits for the others. Equal seeds of 32 bytes make equal suggestions. Raises
        ImpossiblePosition, and InvalidRequest when the seat may not act.
        """
        return self._connection.run(calls.suggest(self._module, position, seat, seed))

    def position_text(self, position: Position) -> str:
        """A position as one line of text, in the game's own notation: what FEN is for chess.

        Raises ImpossiblePosition and InvalidRequest.
        """
        return self._connection.run(calls.position_text(self._module, position))

    def position(self, text: str) -> Position:
        """The position of a line of text, as `position_text` writes it.

        Raises InvalidRequest when it can't be read, and ImpossiblePosition when no game can come to it.
        """
        position: Position = self._connection.run(calls.position(self._module, text))
        return position

    def verify(
        self,
        reveal: Reveal,
        commitment_seen: bytes | None = None,
        entropies_seen: Mapping[int, bytes] | None = None,
    ) -> Verification:
        """Replay a revealed game by these rules, and name the first thing that does not agree.

        `commitment_seen` and `entropies_seen` are what the caller knows from before the game: `Session.commitment` and
        `Session.entropies`. Raises WrongGame.
        """
        with Replaying(self._connection) as replaying:
            return drive(check(reveal, commitment_seen, entropies_seen, self.game), replaying.answer)
