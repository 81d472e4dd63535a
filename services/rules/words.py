"""The kernel's words to and from monsters.rules.v1."""

import os
from collections.abc import Sequence
from functools import lru_cache

from monsters.rules.v1 import rules_pb2 as wire

from services.games.words import fill_audience, write_outcome
from services.kernel.chance import SEED_BYTES, Dice, Draw, refuse_leftovers, scripted, seeded
from services.kernel.refusals import Refusal
from services.kernel.standing import Standing

MOST_ROLLS = 4096
"""Rolls that are kept as messages: dice come up as they did before. No two shuffles are the same."""


def write_standing(standing: Standing) -> wire.Standing:
    """Whom the game waits for, or how it ended."""
    message = wire.Standing()
    fill_standing(message, standing)
    return message


def fill_standing(message: wire.Standing, standing: Standing) -> None:
    """The same, in place: an answer with many moves has a standing for each, and this spares a copy."""
    message.awaited.extend(standing.awaited)
    message.may_act.extend(standing.may_act)
    message.stage = standing.stage
    if outcome := standing.outcome:
        message.outcome.CopyFrom(write_outcome(outcome))


def write_draws(draws: Sequence[Draw]) -> list[wire.Draw]:
    """The receipts of one call, in order."""
    return [_write_draw(draw) if draw.shuffle else _write_roll(draw) for draw in draws]


def _write_draw(draw: Draw) -> wire.Draw:
    message = wire.Draw(purpose=draw.purpose, sides=draw.sides, results=draw.results, shuffle=draw.shuffle)
    fill_audience(message.audience, draw.audience)
    return message


_write_roll = lru_cache(MOST_ROLLS)(_write_draw)


def write_refusal(refusal: Refusal) -> wire.Refusal:
    """Why a move is not legal."""
    return wire.Refusal(reason=refusal.reason, rule=refusal.rule, message=refusal.message)


class Chance:
    """The chance of one call: what came in, or 32 bytes from the operating system."""

    __slots__ = ("_given", "_seed", "dice")

    def __init__(self, message: wire.Chance) -> None:
        """Raise Malformed when a seed has not 32 bytes."""
        source = message.WhichOneof("source")
        self._given = message if source else None
        self._seed = message.seed if source else os.urandom(SEED_BYTES)
        self.dice = Dice(scripted(message.script.results) if source == "script" else seeded(self._seed))

    @property
    def message(self) -> wire.Chance:
        """What was used, for the answer."""
        return wire.Chance(seed=self._seed) if self._given is None else self._given

    def used(self) -> Sequence[Draw]:
        """What was drawn. Raises Malformed when a script has results left."""
        if self._given is not None and self._given.HasField("script"):
            refuse_leftovers(self._given.script.results, self.dice)
        return self.dice.draws
