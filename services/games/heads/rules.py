"""How the game is played: the start, and every move with what follows from it. rulebook.toml words the rules."""

from collections.abc import Iterator, Sequence

from services.games.heads.agreeing import discuss, discussion_moves, refuse_discussing
from services.games.heads.dealing import deal
from services.games.heads.events import Dealt, Ended, Fact, ForkReached, Revealed, RoundBegan, Started
from services.games.heads.moves import Move, Nominate, Peek, Play, SeatMove, SkipPeek, Timeout
from services.games.heads.peeking import look, peek_moves, refuse_peeking
from services.games.heads.phases import Phase, phase_of
from services.games.heads.position import Hand, Options, Position
from services.games.heads.timing import refuse_time_out, time_out
from services.games.heads.trek import outcome
from services.games.heads.walking import (
    nominate,
    nomination_moves,
    play_card,
    play_moves,
    refuse_nominating,
    refuse_playing,
)
from services.kernel.audience import only
from services.kernel.chance import Dice
from services.kernel.game import Event, Played
from services.kernel.refusals import IllegalMove, Refusal
from services.kernel.standing import Seat

GAME_OVER = Refusal("GAME_OVER", "H-R18", "The game is over.")
SEAT_ONLY = Refusal("SEAT_ONLY", "H-H1", "The host makes no move but the time-out.")
HOST_ONLY = Refusal("HOST_ONLY", "H-H1", "Only the host says that time is up.")


def start(options: Options, seats: int, dice: Dice) -> Played[Position, Fact]:
    """Deal roles and cards; all players see their own (H-R5, H-R6)."""
    players = deal(options, seats, dice)
    events: list[Event[Fact]] = [Event(Started())]
    events += [Event(Dealt(seat, player.role, player.hand), only(seat)) for seat, player in enumerate(players)]
    return Played(Position(players, (), 0, (), pair_drawn=False, options=options), tuple(events))


def moves(position: Position, seat: Seat | None) -> Sequence[Move]:
    """Exactly what `refuse` accepts."""
    phase = phase_of(position)
    if seat is None:
        return () if phase is Phase.OVER or refuse_time_out(position, phase) else (Timeout(),)
    match phase:
        case Phase.DISCUSS | Phase.FORK_DISCUSS:
            return discussion_moves(position, seat)
        case Phase.PLAY:
            return play_moves(position, seat)
        case Phase.NOMINATE:
            return tuple(nomination_moves(position, seat))
        case Phase.PEEK:
            return tuple(peek_moves(position, seat))
        case Phase.OVER:
            return ()


def refuse(position: Position, seat: Seat | None, move: Move) -> Refusal | None:
    """Why not: game over, host or seat, phase and turn, detail, in this order (D3)."""
    return _refuse_in(phase_of(position), position, seat, move)


def _refuse_in(phase: Phase, position: Position, seat: Seat | None, move: Move) -> Refusal | None:
    if phase is Phase.OVER:
        return GAME_OVER
    if seat is None:
        return refuse_time_out(position, phase) if isinstance(move, Timeout) else SEAT_ONLY
    return HOST_ONLY if isinstance(move, Timeout) else _refuse(position, phase, seat, move)


def play(position: Position, seat: Seat | None, move: Move, dice: Dice) -> Played[Position, Fact]:
    """Play a move, and tell where it has led: to the next round, to the Fork, or to the end (H-R18)."""
    phase = phase_of(position)
    refusal = _refuse_in(phase, position, seat, move)
    if refusal is not None:
        raise IllegalMove(refusal)
    events: list[Event[Fact]] = []
    if seat is None or isinstance(move, Timeout):
        after = time_out(position, dice, events)
    else:
        after = _play(position, phase, seat, move, dice, events)
    events += [Event(fact) for fact in _turning(position, after)]
    return Played(after, tuple(events))


def _play(
    position: Position, phase: Phase, seat: Seat, move: SeatMove, dice: Dice, events: list[Event[Fact]]
) -> Position:
    match move:
        case Play(card):
            return play_card(position, seat, card, events)
        case Nominate(candidate):
            return nominate(position, seat, candidate, dice, events)
        case Peek() | SkipPeek():
            return look(position, seat, move, dice, events)
    return discuss(position, phase, seat, move, dice, events)


def _refuse(position: Position, phase: Phase, seat: Seat, move: SeatMove) -> Refusal | None:
    match move:
        case Play(card):
            return refuse_playing(position, phase, seat, card)
        case Nominate(candidate):
            return refuse_nominating(position, phase, seat, candidate)
        case Peek() | SkipPeek():
            return refuse_peeking(position, phase, seat, move)
    return refuse_discussing(position, phase, seat, move)


def _turning(before: Position, after: Position) -> Iterator[Fact]:
    """What a move has led to, when it closed a round or ended the game."""
    result = outcome(after)
    if result is not None:
        players = after.players
        yield Revealed(
            tuple([player.role for player in players]),
            tuple([Hand(player.hand) for player in players]),
            tuple([Hand(each.cards) for each in after.rounds]),
        )
        yield Ended(result)
    elif before.rounds != after.rounds:
        phase = phase_of(after)
        if phase is Phase.DISCUSS:
            yield RoundBegan(len(after.rounds) + 1)
        elif phase is Phase.FORK_DISCUSS:
            yield ForkReached()
