"""Random play, derived once for every game."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Generic

from msgspec import Struct

from services.kernel.chance import Dice, Draw, seeded
from services.kernel.game import Fact, Game, Move, Options, Played, Position, View
from services.kernel.standing import Seat


class Ply(Struct, Generic[Position, Move, Fact], frozen=True):
    """One step of a game: who did what, what it led to, what was drawn. The start has neither seat nor move."""

    seat: Seat | None
    move: Move | None
    played: Played[Position, Fact]
    draws: tuple[Draw, ...]


def dice_for(seed: bytes, revision: int) -> Dice:
    """The dice of one revision, from a seed for the whole game: SHA-256(seed || revision as 8 bytes, big-endian).

    A session derives its seeds otherwise (it has a secret and entropies); this is for play without a session.
    """
    return Dice(seeded(_seed_of(seed, revision)))


def random_play(
    game: Game[Options, Position, Move, View, Fact], options: Options, seats: int, seed: bytes
) -> Iterator[Ply[Position, Move, Fact]]:
    """Play random legal moves from the start to the end: a random seat that may act, then one of its moves.

    Both are chosen by the seed of the revision, taken as a number; the dice hash it once more.
    """
    dice = dice_for(seed, 0)
    played = game.start(options, seats, dice)
    yield Ply(None, None, played, tuple(dice.draws))
    standing_of, moves_of, play = game.standing, game.moves, game.play
    revision = 0
    while (standing := standing_of(played.position)).outcome is None:
        revision += 1
        revision_seed = _seed_of(seed, revision)
        whim, which = divmod(int.from_bytes(revision_seed, "big"), len(standing.may_act))
        seat = standing.may_act[which]
        moves = moves_of(played.position, seat)
        move = moves[whim % len(moves)]
        dice = Dice(seeded(revision_seed))
        played = play(played.position, seat, move, dice)
        yield Ply(seat, move, played, tuple(dice.draws))


def _seed_of(seed: bytes, revision: int) -> bytes:
    return sha256(seed + revision.to_bytes(8, "big")).digest()


def any_of(_: object, moves: Sequence[Move], dice: Dice) -> Move:
    """Suggest any legal move, all equally likely: what a game does that has no better idea."""
    return dice.pick(moves, "suggestion")
