"""The kernel's words that stand inside a game's own messages: audiences and outcomes, to monsters.rules.v1."""

from monsters.rules.v1 import rules_pb2 as wire

from services.kernel.audience import EVERYBODY, Audience
from services.kernel.standing import Outcome


def fill_audience(message: wire.Audience, audience: Audience) -> None:
    """Write who may know of something, in place: an event is written for every move, and this spares a copy."""
    if audience is EVERYBODY:
        message.everybody = True
        return
    message.everybody, message.spectators = audience.everybody, audience.spectators
    message.seats.extend(audience.seats)


def write_outcome(outcome: Outcome) -> wire.Outcome:
    """How a game ended."""
    return wire.Outcome(winners=outcome.winners, scores=outcome.scores, reason=outcome.reason)
