"""Another deal that a seat can't tell from the true one: roles, hands and plays of the others, as far as it can't know.

Cards that the seat has validated lie in either order. The rest is dealt at random until it agrees with what all know,
the sides of the rounds, and can be at all: a card that the seat has looked at was in that hand, and nobody would have
dealt again (H-R7). This says once more, apart from the view, what a seat knows: so each can be held against the other.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from services.games.heads.phases import Phase, candidates, looker_of, phase_of
from services.games.heads.position import Card, Look, Player, Position, Round
from services.games.heads.possible import check
from services.games.heads.trek import sides
from services.kernel.audience import NOBODY
from services.kernel.chance import Dice
from services.kernel.standing import Seat

MOST_DEALS = 2000
"""So many deals are tried; when none of them fits, the true position is as good as any."""
Place = tuple[Seat, int]
"""A card of a seat: the number of the round in which it was played, or one of those below."""
FACE_DOWN = -1
HELD = -2


def resample(position: Position, seat: Seat | None, dice: Dice) -> Position:
    """Deal what this seat, or a spectator, may not know anew. Once the game is over, everything is known (H-R21)."""
    if phase_of(position) is Phase.OVER:
        return position
    for _ in range(MOST_DEALS):
        dealt = _deal(position, seat, dice)
        if sides(dealt) == sides(position) and not check(dealt):
            return dealt
    return position


def _deal(position: Position, seat: Seat | None, dice: Dice) -> Position:
    """One deal, which may still disagree with what the seat knows."""
    places = dict(_validated(position, seat, dice))
    hidden = [(place, card) for place, card in _cards(position) if place[0] != seat]
    rest = [card for _, card in hidden]
    for card in places.values():
        rest.remove(card)
    open_places = [place for place, _ in hidden]
    for place in places:
        open_places.remove(place)
    dealt = [*places.items(), *zip(open_places, dice.shuffle(rest, "cards", NOBODY), strict=True)]
    dealt += [(place, card) for place, card in _cards(position) if place[0] == seat]
    after = _lay_out(position, dealt)
    after = replace(after, players=_nominations(position, seat, _roles(after, seat, dice), dice))
    return replace(after, rounds=tuple(_looks(after, seat, dice)))


def _cards(position: Position) -> Iterator[tuple[Place, Card]]:
    for seat, player in enumerate(position.players):
        yield from (((seat, HELD), card) for card in player.hand)
        if player.played_card is not None:
            yield (seat, FACE_DOWN), player.played_card
    for number, played in enumerate(position.rounds):
        for seat, card in zip(played.pair_seats, played.cards, strict=True):
            yield (seat, number), card


def _validated(position: Position, seat: Seat | None, dice: Dice) -> Iterator[tuple[Place, Card]]:
    """What the seat saw as the validator, in an order that it doesn't know (H-R12)."""
    for number, played in enumerate(position.rounds):
        if played.validator_seat == seat:
            cards = dice.shuffle(played.cards, "validated", NOBODY)
            yield from (((each, number), card) for each, card in zip(played.pair_seats, cards, strict=True))


def _lay_out(position: Position, dealt: list[tuple[Place, Card]]) -> Position:
    def at(place: Place) -> tuple[Card, ...]:
        return tuple(sorted([card for where, card in dealt if where == place]))

    players = [
        replace(player, hand=at((seat, HELD)), played_card=next(iter(at((seat, FACE_DOWN))), None))
        for seat, player in enumerate(position.players)
    ]
    rounds = [
        replace(played, cards=tuple([card for seat in played.pair_seats for card in at((seat, number))]))
        for number, played in enumerate(position.rounds)
    ]
    return replace(position, players=tuple(players), rounds=tuple(rounds))


def _roles(position: Position, seat: Seat | None, dice: Dice) -> list[Player]:
    players = list(position.players)
    others = [each for each in range(len(players)) if each != seat]
    roles = dice.shuffle([players[each].role for each in others], "roles", NOBODY)
    for each, role in zip(others, roles, strict=True):
        players[each] = replace(players[each], role=role)
    return players


def _nominations(position: Position, seat: Seat | None, players: list[Player], dice: Dice) -> tuple[Player, ...]:
    """A nomination is hidden until the other is in (D11)."""
    for each, player in enumerate(players):
        if player.nominated_seat is not None and each != seat:
            players[each] = replace(player, nominated_seat=dice.pick(candidates(position), "nomination", NOBODY))
    return tuple(players)


def _looks(position: Position, seat: Seat | None, dice: Dice) -> Iterator[Round]:
    """Cards that others looked at: any that was in that hand then, as far as the seat knows."""
    for number, played in enumerate(position.rounds):
        look = played.look
        if look is None or look.target_seat is None or _knows(position, played, look, seat):
            yield played
        else:
            held = [
                card for (owner, place), card in _cards(position) if owner == look.target_seat and _held(place, number)
            ]
            yield replace(played, look=Look(look.target_seat, dice.pick(held, "look", NOBODY)))


def _knows(position: Position, played: Round, look: Look, seat: Seat | None) -> bool:
    if seat is None:
        return False
    return seat == looker_of(played) or (position.options.peek_told and seat == look.target_seat)


def _held(place: int, number: int) -> bool:
    return place in (HELD, FACE_DOWN) or place > number
