"""What is going on: the phase of a position, whom it waits for, and who may act."""

from enum import Enum

from services.games.heads.position import MOST_ROUNDS, OnStall, Options, Position, Round
from services.games.heads.trek import outcome
from services.kernel.standing import Seat, Standing, ended, every_seat


class Phase(Enum):
    """What is going on."""

    DISCUSS = "discuss"
    PLAY = "play"
    NOMINATE = "nominate"
    PEEK = "peek"
    FORK_DISCUSS = "fork discuss"
    OVER = "over"


STAGES = (Phase.DISCUSS, Phase.FORK_DISCUSS, Phase.PLAY, Phase.NOMINATE, Phase.PEEK)
"""The stages of a round: each has its own time."""
DISCUSSIONS = (Phase.DISCUSS, Phase.FORK_DISCUSS)
WITH_FOURTH = 4
"""With so many players somebody neither plays nor validates."""


def phase_of(position: Position) -> Phase:
    """What is going on."""
    if outcome(position) is not None:
        return Phase.OVER
    if look_is_due(position):
        return Phase.PEEK
    if not position.pair_seats:
        return Phase.DISCUSS if len(position.rounds) < MOST_ROUNDS else Phase.FORK_DISCUSS
    return Phase.PLAY if silent(position) else Phase.NOMINATE


def look_is_due(position: Position) -> bool:
    """Whether a look at a card is still to come, if the game isn't over."""
    rounds = position.rounds
    return bool(rounds) and rounds[-1].look is None and position.seats == WITH_FOURTH


def looker_of(played: Round) -> Seat:
    """The one of four players who neither played nor validated."""
    return next(seat for seat in range(WITH_FOURTH) if seat not in (*played.pair_seats, played.validator_seat))


def silent(position: Position) -> tuple[Seat, ...]:
    """Those of the pair whose card isn't down yet."""
    return tuple([seat for seat in position.pair_seats if position.players[seat].played_card is None])


def candidates(position: Position) -> tuple[Seat, ...]:
    """Who can validate: everybody who doesn't play (H-R11)."""
    return tuple([seat for seat in range(position.seats) if seat not in position.pair_seats])


def can_back_out(position: Position, phase: Phase) -> bool:
    """Whether the pair is free to withdraw: it has agreed, that doesn't bind, and cards are still missing (D10)."""
    return phase is Phase.PLAY and not position.options.binding and not position.pair_drawn


def limit_of(options: Options) -> int:
    """After how many moves of a discussion a pair is drawn; 0 is no limit (D9)."""
    return options.stall_limit if options.on_stall is OnStall.RANDOM_PAIR else 0


def round_number(position: Position) -> int:
    """The number of the round, from 1: the one that is played, or that has just been."""
    closed = look_is_due(position) or (outcome(position) is not None and not position.pair_seats)
    return len(position.rounds) + (not closed)


def awaited(position: Position, phase: Phase) -> tuple[Seat, ...]:
    """The seats that the game waits for."""
    match phase:
        case Phase.DISCUSS | Phase.FORK_DISCUSS:
            return every_seat(position.seats)
        case Phase.PLAY:
            return silent(position)
        case Phase.NOMINATE:
            return tuple([seat for seat in position.pair_seats if position.players[seat].nominated_seat is None])
        case Phase.PEEK:
            return (looker_of(position.rounds[-1]),)
        case Phase.OVER:
            return ()


def standing(position: Position) -> Standing:
    """Whom the game waits for. While two play everybody may speak, and a pair that isn't bound may withdraw (D4)."""
    phase = phase_of(position)
    if phase is Phase.OVER and (result := outcome(position)):
        return ended(result)
    waiting = able = awaited(position, phase)
    if phase is Phase.PLAY and position.options.statements:
        able = every_seat(position.seats)
    elif can_back_out(position, phase):
        able = position.pair_seats
    number = len(position.rounds) + (phase is not Phase.PEEK)
    return Standing(waiting, able, None, number * len(STAGES) + STAGES.index(phase))
