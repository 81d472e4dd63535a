"""The kernel's words to and from monsters.rules.v1."""

import os
from collections.abc import Sequence

from monsters.rules.v1 import rules_pb2 as wire

from services.games.words import write_audience, write_outcome
from services.kernel.chance import SEED_BYTES, Dice, Draw, refuse_leftovers, scripted, seeded
from services.kernel.refusals import Refusal
from services.kernel.standing import Standing


def write_standing(standing: Standing) -> wire.Standing:
    """Whom the game waits for, or how it ended."""
    message = wire.Standing(awaited=standing.awaited, may_act=standing.may_act, stage=standing.stage)
    if outcome := standing.outcome:
        message.outcome.CopyFrom(write_outcome(outcome))
    return message


def write_draws(draws: Sequence[Draw]) -> list[wire.Draw]:
    """The receipts of one call, in order."""
    return [
        wire.Draw(
            purpose=draw.purpose,
            sides=draw.sides,
            results=draw.results,
            shuffle=draw.shuffle,
            audience=write_audience(draw.audience),
        )
        for draw in draws
    ]


def write_refusal(refusal: Refusal) -> wire.Refusal:
    """Why a move is not legal."""
    return wire.Refusal(reason=refusal.reason, rule=refusal.rule, message=refusal.message)


class Chance:
    """The chance of one call: what came in, or 32 bytes from the operating system."""

    __slots__ = ("dice", "message")

    def __init__(self, message: wire.Chance) -> None:
        """Raise Malformed when a seed has not 32 bytes."""
        if message.WhichOneof("source") is None:
            message = wire.Chance(seed=os.urandom(SEED_BYTES))
        self.message = message
        script = message.script.results if message.HasField("script") else None
        self.dice = Dice(seeded(message.seed) if script is None else scripted(script))

    def used(self) -> Sequence[Draw]:
        """What was drawn. Raises Malformed when a script has results left."""
        if self.message.HasField("script"):
            refuse_leftovers(self.message.script.results, self.dice)
        return self.dice.draws
