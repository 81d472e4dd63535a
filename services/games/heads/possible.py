"""What can't be: options that make no game, and positions that can't be played on.

A position costs the same to check however absurd it is: what the rest is measured by comes first, and while that is
flawed nothing else is looked at. Whether a game has come to it is not asked.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from services.games.heads.dealing import is_hopeless
from services.games.heads.phases import WITH_FOURTH, Phase, awaited, looker_of, phase_of
from services.games.heads.position import (
    DECKS,
    HAND_CARDS,
    MOST_ROUNDS,
    PAIR,
    SEATS,
    Look,
    Options,
    Position,
    Role,
    Round,
)
from services.kernel.refusals import Flaw
from services.kernel.standing import Seat

X_HIGH_FROM = (4, 5, 6)


def flaws(options: Options, seats: int) -> Sequence[Flaw]:  # noqa: ARG001 - they suit any number of seats
    """What is wrong with these options."""
    found = []
    if options.x_high_from not in X_HIGH_FROM:
        found.append(Flaw("x_high_from", f"must be 4, 5 or 6, is {options.x_high_from}"))
    if options.stall_limit < 0:
        found.append(Flaw("stall_limit", f"must be 0 for no limit or more, is {options.stall_limit}"))
    return found


def check(position: Position) -> Sequence[Flaw]:
    """What is wrong with a position: who sits where, then what was played, then what is going on."""
    for part in (_frame, _rounds, _cards, _running):
        found = list(part(position))
        if found:
            return found
    return ()


def _frame(position: Position) -> Iterator[Flaw]:
    """Sizes and seats."""
    seats = position.seats
    if seats not in SEATS:
        yield Flaw("players", f"must be {SEATS[0]} to {SEATS[-1]}, are {seats}")
        return
    for flaw in flaws(position.options, seats):
        yield Flaw(f"options.{flaw.field}", flaw.description)
    if len(position.rounds) > MOST_ROUNDS:
        yield Flaw("rounds", f"must be {MOST_ROUNDS} at most, are {len(position.rounds)}")
    for path, pair in (("", position.pair_seats), *_pairs(position.rounds[:MOST_ROUNDS])):
        if (pair or path) and not _is_pair(pair, seats):
            yield Flaw(f"{path}pair_seats", "must be two seats of the game, the lower one first")
    for seat, player in enumerate(position.players):
        if len(player.hand) > HAND_CARDS:
            yield Flaw(f"players[{seat}].hand", f"must be {HAND_CARDS} cards at most, has {len(player.hand)}")
        for name in ("proposed_seat", "nominated_seat"):
            other = getattr(player, name)
            if other is not None and (other == seat or not 0 <= other < seats):
                yield Flaw(f"players[{seat}].{name}", f"must be another seat of the game, is {other}")


def _rounds(position: Position) -> Iterator[Flaw]:
    """Two cards, somebody else who validated them, and a look only where there is a fourth player."""
    for number, played in enumerate(position.rounds):
        path = f"rounds[{number}]"
        if len(played.cards) != PAIR:
            yield Flaw(f"{path}.cards", f"must be {PAIR}, are {len(played.cards)}")
            return
        if played.validator_seat not in range(position.seats) or played.validator_seat in played.pair_seats:
            yield Flaw(f"{path}.validator_seat", f"must be one of those who don't play, is {played.validator_seat}")
            return
        if played.look is not None and position.seats < WITH_FOURTH:
            yield Flaw(f"{path}.look", "is for a fourth player")
        yield from _nominations(f"{path}.nominated_seats", played, position.seats)


def _nominations(path: str, played: Round, seats: int) -> Iterator[Flaw]:
    """Nobody, as in rounds that older rules have played; or of four players those whom the pair could nominate."""
    named = played.nominated_seats
    if not named:
        return
    if seats < WITH_FOURTH:
        yield Flaw(path, "are for four players")
    elif len(named) != PAIR or any(seat not in range(seats) or seat in played.pair_seats for seat in named):
        yield Flaw(path, f"must be {PAIR} of those who don't play")
    elif len({*named}) == 1 and played.validator_seat not in named:
        yield Flaw(path, "are the validator where they are the same")


def _cards(position: Position) -> Iterator[Flaw]:
    """Every card of the deck is somewhere, everybody got three, and the peaceful player could live with them."""
    players = position.players
    dealt = [[*player.hand] if player.played_card is None else [*player.hand, player.played_card] for player in players]
    for played in position.rounds:
        for seat, card in zip(played.pair_seats, played.cards, strict=True):
            dealt[seat].append(card)
    if Counter(card for cards in dealt for card in cards) != Counter(DECKS[position.seats]):
        yield Flaw("players", "the cards in hands, face down and on the trek card are not those of the deck")
    if [player.role for player in players].count(Role.PEACEFUL) != 1:
        yield Flaw("players", "exactly one must be peaceful")
    for seat, player in enumerate(players):
        if len(dealt[seat]) != HAND_CARDS:
            yield Flaw(f"players[{seat}].hand", f"must make {HAND_CARDS} cards with those played")
        elif position.options.redeal and is_hopeless(player.role, tuple(dealt[seat])):
            yield Flaw(f"players[{seat}].hand", "would have been dealt again")
        if player.hand != tuple(sorted(player.hand)):
            yield Flaw(f"players[{seat}].hand", "must be in order")
    for number, played in enumerate(position.rounds):
        yield from _look(position, number, played)


def _look(position: Position, number: int, played: Round) -> Iterator[Flaw]:
    """A card that was looked at was in that hand then: it still is, or it was played later."""
    look = played.look
    if look is None or look == Look():
        return
    path = f"rounds[{number}].look"
    target = look.target_seat
    if target is None or target not in range(position.seats) or target == looker_of(played):
        yield Flaw(f"{path}.target_seat", f"must be another player where there is a card, is {target}")
        return
    if look.card is None:
        yield Flaw(f"{path}.card", "must be there where there is a target")
        return
    held = {*position.players[target].hand, position.players[target].played_card}
    for later in position.rounds[number + 1 :]:
        held |= {card for seat, card in zip(later.pair_seats, later.cards, strict=True) if seat == target}
    if look.card not in held:
        yield Flaw(f"{path}.card", "wasn't in that hand")


def _running(position: Position) -> Iterator[Flaw]:
    """What is done in the running round is what its phase waits for, and something of it is left to do."""
    phase, pair = phase_of(position), position.pair_seats
    if position.discussed < 0:
        yield Flaw("discussed", f"must be 0 or more, is {position.discussed}")
    if pair and phase is Phase.PEEK:
        yield Flaw("pair_seats", "must be empty between rounds")
    if position.pair_drawn and not pair:
        yield Flaw("pair_drawn", "can't be: no pair was drawn")
    for seat, player in enumerate(position.players):
        plays = seat in pair and phase in (Phase.PLAY, Phase.NOMINATE)
        if player.played_card is not None and not plays:
            yield Flaw(f"players[{seat}].played_card", "can't be down: this seat doesn't play")
        chooses = seat in pair and phase is Phase.NOMINATE
        if player.nominated_seat is not None and not (chooses and player.nominated_seat not in pair):
            yield Flaw(f"players[{seat}].nominated_seat", "can't be nominated now, or not by this seat")
    if phase is Phase.NOMINATE and (position.seats < WITH_FOURTH or not awaited(position, phase)):
        yield Flaw("pair_seats", "must be empty: both cards would have been validated")


def _pairs(rounds: tuple[Round, ...]) -> Iterator[tuple[str, tuple[Seat, ...]]]:
    for number, played in enumerate(rounds):
        yield f"rounds[{number}].", played.pair_seats


def _is_pair(pair: tuple[Seat, ...], seats: int) -> bool:
    return len(pair) == PAIR and 0 <= pair[0] < pair[1] < seats
