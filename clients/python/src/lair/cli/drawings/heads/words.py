"""Cards, roles and sides of 3 to 4 Headed Monster in words."""

from collections.abc import Sequence

from monsters.heads.v1.heads_pb2 import Card, Role, Side

from lair.cli.sitting import in_a_row

Cards = Sequence[Card.ValueType]
ROLES = {Role.ROLE_PEACEFUL: "peaceful", Role.ROLE_DANGEROUS: "dangerous"}
SIDES = {Side.SIDE_PEACEFUL: "peaceful", Side.SIDE_DANGEROUS: "dangerous"}
UNKNOWN = "?"


def card_words(card: Card.ValueType) -> str:
    """What is printed on a card."""
    return "X" if card == Card.CARD_X else str(int(card))


def hand_words(cards: Cards) -> str:
    """Several cards: "4, 5 and X"."""
    return in_a_row([card_words(card) for card in cards]) or "no cards"


def role_words(role: Role.ValueType) -> str:
    """A role, or a question mark."""
    return ROLES.get(role, UNKNOWN)


def side_words(side: Side.ValueType) -> str:
    """A side of the trek card."""
    return SIDES.get(side, UNKNOWN)
