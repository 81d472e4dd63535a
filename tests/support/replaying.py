"""Replaying and counting, for any game: what it is held to, as another implementation of it could be."""

from collections.abc import Iterable, Iterator

from services.kernel.game import Fact, Game, Move, Options, Position, View
from services.kernel.playing import Ply, dice_for
from services.kernel.standing import Seat


def replay(
    game: Game[Options, Position, Move, View, Fact],
    options: Options,
    seats: int,
    moves: Iterable[tuple[Seat | None, Move]],
    seed: bytes,
) -> Iterator[Ply[Position, Move, Fact]]:
    """Play these moves from the start. Raises IllegalMove at the first that is not legal."""
    dice = dice_for(seed, 0)
    played = game.start(options, seats, dice)
    yield Ply(None, None, played, tuple(dice.draws))
    for revision, (seat, move) in enumerate(moves, start=1):
        dice = dice_for(seed, revision)
        played = game.play(played.position, seat, move, dice)
        yield Ply(seat, move, played, tuple(dice.draws))


def count_sequences(
    game: Game[Options, Position, Move, View, Fact],
    position: Position,
    length: int,
    seed: bytes,
    revision: int = 1,
) -> int:
    """Count the sequences of so many moves from here: chess calls it perft.

    All moves of one revision roll the same dice, so that the count is one number for any implementation.
    """
    if length == 0:
        return 1
    return sum(
        count_sequences(
            game, game.play(position, seat, move, dice_for(seed, revision)).position, length - 1, seed, revision + 1
        )
        for seat in game.standing(position).may_act
        for move in game.moves(position, seat)
    )
