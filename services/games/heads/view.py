"""What a seat or a spectator may know, with the names and fields that it has on the wire.

Open to all: phase and round, hand sizes, the deck's list, proposals, the pair and who of it has played, whom it
nominated for each round, who validated, its side, who looked at whose hand. To this a seat has its own role, hand and
plays, the two cards of each round that it validated, without their players, and the cards that it looked at. At the end
everything is open (H-R21).
Nothing else is here, not even what a seat has nominated while the other nomination is out: so no viewer needs to be
kept from it.
"""

from msgspec import Struct

from services.games.heads.phases import WITH_FOURTH, Phase, looker_of, phase_of, round_number
from services.games.heads.position import DECKS, Card, Hand, Options, Position, Role, Round, Side
from services.games.heads.trek import side_of
from services.kernel.standing import Seat


class Proposal(Struct, frozen=True):
    """An open proposal."""

    seat: Seat
    to_seat: Seat


class LookView(Struct, frozen=True):
    """What the fourth player did; without a target, it let it be."""

    seat: Seat
    target_seat: Seat | None
    card: Card | None


class RoundView(Struct, frozen=True):
    """A round whose cards lie on the trek card."""

    pair_seats: tuple[Seat, ...]
    validator_seat: Seat
    side: Side
    look: LookView | None
    own_card: Card | None
    validated_cards: tuple[Card, ...]
    """For the validator: both cards in order."""
    cards: tuple[Card, ...]
    """At the end, in the order of the pair."""
    nominated_seats: tuple[Seat, ...]


class View(Struct, frozen=True):
    """What one viewer may know. Without a seat, a spectator."""

    seat: Seat | None
    phase: Phase
    round: int
    hand_sizes: tuple[int, ...]
    deck: tuple[Card, ...]
    proposals: tuple[Proposal, ...]
    discussed: int
    pair_seats: tuple[Seat, ...]
    pair_drawn: bool
    played_seats: tuple[Seat, ...]
    rounds: tuple[RoundView, ...]
    role: Role | None
    hand: tuple[Card, ...]
    played_card: Card | None
    roles: tuple[Role, ...]
    """At the end, by seat."""
    hands: tuple[Hand, ...]
    """At the end, by seat."""
    options: Options


def view(position: Position, seat: Seat | None) -> View:
    """What a seat may know, or a spectator."""
    players = position.players
    own = None if seat is None else players[seat]
    phase = phase_of(position)
    over = phase is Phase.OVER
    return View(
        seat=seat,
        phase=phase,
        round=round_number(position),
        hand_sizes=tuple([len(player.hand) for player in players]),
        deck=DECKS[position.seats],
        proposals=tuple(
            [
                Proposal(each, player.proposed_seat)
                for each, player in enumerate(players)
                if player.proposed_seat is not None
            ]
        ),
        discussed=position.discussed,
        pair_seats=position.pair_seats,
        pair_drawn=position.pair_drawn,
        played_seats=tuple([each for each in position.pair_seats if players[each].played_card is not None]),
        rounds=tuple([_round(position, played, seat, over=over) for played in position.rounds]),
        role=own.role if own else None,
        hand=own.hand if own else (),
        played_card=own.played_card if own else None,
        roles=tuple([player.role for player in players]) if over else (),
        hands=tuple([Hand(player.hand) for player in players]) if over else (),
        options=position.options,
    )


def _round(position: Position, played: Round, seat: Seat | None, *, over: bool) -> RoundView:
    return RoundView(
        pair_seats=played.pair_seats,
        validator_seat=played.validator_seat,
        side=side_of(played.cards, position.options),
        look=_look(position, played, seat, over=over),
        own_card=played.cards[played.pair_seats.index(seat)] if seat in played.pair_seats else None,
        validated_cards=tuple(sorted(played.cards)) if seat == played.validator_seat else (),
        cards=played.cards if over else (),
        nominated_seats=played.nominated_seats,
    )


def _look(position: Position, played: Round, seat: Seat | None, *, over: bool) -> LookView | None:
    """Who looked where; and what came out for the looker, and for the owner where the option says so (H-R17)."""
    look = played.look
    if look is None or position.seats < WITH_FOURTH:
        return None
    looker = looker_of(played)
    owns = seat is not None and seat == look.target_seat
    knows = over or seat == looker or (owns and position.options.peek_told)
    return LookView(looker, look.target_seat, look.card if knows else None)
