"""What the pair does: each plays a card face down, they find a validator, and the cards go to the trek card."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from services.games.heads.events import CardPlayed, Fact, Nominated, Placed, ValidatorChosen, told_apart
from services.games.heads.moves import Move, Nominate, Play, Withdraw
from services.games.heads.phases import DISCUSSIONS, Phase, can_back_out, candidates, phase_of, silent
from services.games.heads.position import Card, Player, Position, Round
from services.games.heads.talking import every_saying
from services.games.heads.trek import side_of
from services.kernel.chance import Dice
from services.kernel.game import Event
from services.kernel.refusals import Refusal
from services.kernel.standing import Seat

NOT_PLAYING = Refusal("WRONG_PHASE", "H-R9", "No pair plays cards now.")
PLAYED = Refusal("ALREADY_PLAYED", "H-R9", "Your card is down.")
NOT_HELD = Refusal("CARD_NOT_IN_HAND", "H-R9", "You don't hold this card.")
NOT_NOMINATING = Refusal("WRONG_PHASE", "H-R11", "No validator is chosen now.")
NOMINATED = Refusal("ALREADY_NOMINATED", "H-L4", "You have nominated.")
NO_CANDIDATE = Refusal("BAD_CANDIDATE", "H-R11", "The validator is one of those who don't play.")


def play_moves(position: Position, seat: Seat) -> Sequence[Move]:
    """What a seat can do until both cards are down. Equal cards are one move."""
    hand: tuple[Card, ...] = ()
    backs_out = False
    if seat in position.pair_seats:
        player = position.players[seat]
        if player.played_card is None:
            hand = player.hand
        backs_out = can_back_out(position, Phase.PLAY)
    return _play_moves(position.seats, seat, hand, backs_out, position.options.statements)


@lru_cache(4096)  # most of them are sayings, some forty, which the whole table has while two play
def _play_moves(
    seats: int,
    seat: Seat,
    hand: tuple[Card, ...],
    backs_out: bool,  # noqa: FBT001 - a key of the table
    statements: bool,  # noqa: FBT001 - a key of the table
) -> Sequence[Move]:
    plays = [Play(card) for card in sorted({*hand})]
    return (*plays, *([Withdraw()] if backs_out else ()), *(every_saying(seats, seat) if statements else ()))


def nomination_moves(position: Position, seat: Seat) -> Iterator[Move]:
    """Whom a seat can nominate."""
    if seat in position.pair_seats and position.players[seat].nominated_seat is None:
        yield from [Nominate(candidate) for candidate in candidates(position)]


def refuse_playing(position: Position, phase: Phase, seat: Seat, card: Card) -> Refusal | None:
    """Why a seat can't play this card (H-R9)."""
    if phase is not Phase.PLAY:
        return NOT_PLAYING
    if seat not in position.pair_seats:
        return _not_in_pair(position, "H-R9")
    if position.players[seat].played_card is not None:
        return PLAYED
    return None if card in position.players[seat].hand else NOT_HELD


def refuse_nominating(position: Position, phase: Phase, seat: Seat, candidate: Seat) -> Refusal | None:
    """Why a seat can't nominate this one (H-R11)."""
    if phase is not Phase.NOMINATE:
        return NOT_NOMINATING
    if seat not in position.pair_seats:
        return _not_in_pair(position, "H-R11")
    if position.players[seat].nominated_seat is not None:
        return NOMINATED
    return None if candidate in candidates(position) else NO_CANDIDATE


def play_card(position: Position, seat: Seat, card: Card, events: list[Event[Fact]]) -> Position:
    """Put a card face down. With three players the second one is validated at once (H-R11)."""
    events += told_apart(CardPlayed(seat, card), CardPlayed(seat, None), (seat,), position.seats)
    player = position.players[seat]
    hand = list(player.hand)
    hand.remove(card)
    after = _with_player(position, seat, replace(player, hand=tuple(hand), played_card=card))
    choice = candidates(after)
    if silent(after) or len(choice) > 1:
        return after
    events.append(Event(ValidatorChosen(choice[0])))
    return _place(after, choice[0], (), events)


def nominate(position: Position, seat: Seat, candidate: Seat, dice: Dice, events: list[Event[Fact]]) -> Position:
    """Name a candidate. When both have, the validator is theirs, or of two drawn (D8)."""
    events.append(Event(Nominated(seat)))
    after = _with_player(position, seat, replace(position.players[seat], nominated_seat=candidate))
    named = [after.players[each].nominated_seat for each in after.pair_seats]
    nominations = tuple([each for each in named if each is not None])
    if len(nominations) < len(named):
        return after
    agreed = len({*nominations}) == 1
    validator = candidate if agreed else dice.pick(candidates(after), "validator")
    events.append(Event(ValidatorChosen(validator, nominations)))
    return _place(after, validator, nominations, events)


def _place(position: Position, validator: Seat, nominations: tuple[Seat, ...], events: list[Event[Fact]]) -> Position:
    """Put both cards on the side that they belong to (H-R13, H-R14). The validator sees them in order (H-R12)."""
    down = [position.players[seat].played_card for seat in position.pair_seats]
    cards = tuple([card for card in down if card is not None])
    number = len(position.rounds) + 1
    side = side_of(cards, position.options)
    seen = Placed(number, validator, side, tuple(sorted(cards)))
    events += told_apart(seen, replace(seen, cards=()), (validator,), position.seats)
    placed = replace(
        position,
        players=tuple([replace(player, played_card=None, nominated_seat=None) for player in position.players]),
        rounds=(*position.rounds, Round(position.pair_seats, cards, validator, None, nominations)),
        pair_seats=(),
        pair_drawn=False,
    )
    return replace(placed, discussed=0) if phase_of(placed) in DISCUSSIONS else placed


def _with_player(position: Position, seat: Seat, player: Player) -> Position:
    players = position.players
    return replace(position, players=(*players[:seat], player, *players[seat + 1 :]))


def _not_in_pair(position: Position, rule: str) -> Refusal:
    one, other = position.pair_seats
    return Refusal("NOT_IN_PAIR", rule, f"Seat {one} and seat {other} play this round.")
