"""What happens when time is up: the host's move acts for everybody who is awaited (H-H1)."""

from services.games.heads.agreeing import draw_pair
from services.games.heads.events import Fact, TimedOut
from services.games.heads.moves import SkipPeek
from services.games.heads.peeking import look
from services.games.heads.phases import DISCUSSIONS, Phase, awaited, candidates, phase_of
from services.games.heads.position import OnStall, Position
from services.games.heads.walking import nominate, play_card
from services.kernel.audience import only
from services.kernel.chance import Dice
from services.kernel.game import Event
from services.kernel.refusals import Refusal

NO_LIMIT = Refusal("WRONG_PHASE", "H-H1", "In this game a discussion takes as long as it takes.")


def refuse_time_out(position: Position, phase: Phase) -> Refusal | None:
    """Why time can't be up: a discussion may be without a limit (D9)."""
    endless = phase in DISCUSSIONS and position.options.on_stall is OnStall.NONE
    return NO_LIMIT if endless else None


def time_out(position: Position, dice: Dice, events: list[Event[Fact]]) -> Position:
    """Draw a pair; or play, nominate or let be for every seat that is awaited, the lower one first (D11).

    Which card was drawn only its owner sees. A drawn nomination is public: with it both are in.
    """
    phase = phase_of(position)
    late = awaited(position, phase)
    events.append(Event(TimedOut(late)))
    if phase in DISCUSSIONS:
        return draw_pair(position, dice, events)
    after = position
    for seat in late:
        match phase:
            case Phase.PLAY:
                card = dice.pick(after.players[seat].hand, "card", only(seat))
                after = play_card(after, seat, card, events)
            case Phase.NOMINATE:
                candidate = dice.pick(candidates(after), "nomination")
                after = nominate(after, seat, candidate, dice, events)
            case _:
                after = look(after, seat, SkipPeek(), dice, events)
    return after
