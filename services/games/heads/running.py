"""What can't be in the running round: what has been done must agree with what is going on."""

from collections.abc import Iterator

from services.games.heads.phases import DISCUSSIONS, WITH_FOURTH, Phase, candidates, limit_of, phase_of, silent
from services.games.heads.position import MOST_ROUNDS, OnStall, Position
from services.games.heads.trek import sides, trek_winner
from services.kernel.refusals import Flaw
from services.kernel.standing import Seat

MOVES_TO_AGREE = 2
"""An offer, and its acceptance."""
MOVES_TO_WITHDRAW = 2
"""An offer, and its end."""


def running_flaws(position: Position) -> Iterator[Flaw]:
    """What is wrong with the running round of a position whose rounds and cards are without a flaw."""
    phase, players = phase_of(position), position.players
    playing = phase in (Phase.PLAY, Phase.NOMINATE)
    at_fork = len(position.rounds) == MOST_ROUNDS
    closed = trek_winner(sides(position)) is not None or phase is Phase.PEEK
    if closed and position.pair_seats:
        yield Flaw("pair_seats", "must be empty between rounds and after the end")
    for seat, player in enumerate(players):
        path = f"players[{seat}]"
        if player.proposed_seat is not None and phase not in DISCUSSIONS:
            yield Flaw(f"{path}.proposed_seat", "can't be open: nobody looks for a pair")
        elif player.proposed_seat is not None and players[player.proposed_seat].proposed_seat == seat:
            yield Flaw(f"{path}.proposed_seat", "is mutual: the two have agreed")
        if player.played_card is not None and (seat not in position.pair_seats or not playing or at_fork):
            yield Flaw(f"{path}.played_card", "can't be down: this seat doesn't play")
        if player.nominated_seat is not None and (
            seat not in position.pair_seats or player.nominated_seat not in _choice(position)
        ):
            yield Flaw(f"{path}.nominated_seat", "can't be nominated now, or not by this seat")
    if phase is Phase.NOMINATE and (position.seats < WITH_FOURTH or _all_nominated(position)):
        yield Flaw("pair_seats", "must be empty: both cards would have been validated")
    yield from _discussion(position, closed=closed)


def _discussion(position: Position, *, closed: bool) -> Iterator[Flaw]:
    """How long the discussion was, and what came of it (D9, D10).

    Backing out of an agreement at the limit leads back to a discussion that is as long as it can be, without an offer;
    the next move of it draws a pair.
    """
    options, discussed, limit = position.options, position.discussed, limit_of(position.options)
    if position.pair_drawn and (not position.pair_seats or options.on_stall is OnStall.NONE):
        yield Flaw("pair_drawn", "can't be: no pair was drawn")
        return
    backed_out = not options.binding and len(position.rounds) < MOST_ROUNDS and limit >= MOVES_TO_AGREE
    offers = sum(player.proposed_seat is not None for player in position.players)
    if closed:
        fewest, most = 0, 0
    elif position.pair_drawn:
        fewest, most = 0, limit + 1 if backed_out else limit
    elif position.pair_seats:
        fewest, most = MOVES_TO_AGREE, limit
    else:
        fewest, most = offers, limit if backed_out and not offers else limit - 1
        if discussed and not offers and not options.statements:
            fewest = MOVES_TO_WITHDRAW
    if discussed < fewest or (discussed > most and (limit or closed)):
        yield Flaw("discussed", f"can't be {discussed} here")


def _choice(position: Position) -> tuple[Seat, ...]:
    """Whom the pair can nominate now."""
    return () if silent(position) or position.seats < WITH_FOURTH else candidates(position)


def _all_nominated(position: Position) -> bool:
    return all(position.players[seat].nominated_seat is not None for seat in position.pair_seats)
