"""A position as one line. Clauses after the hands are left out where there is nothing to say.

    roles D P D D; hands 2 8, 1 4 X, 3 5 7, 6; discussed 3; proposed 0>1 3>1; pair 0 3 drawn; down 3:4; wants 0>1;
    trek 0:7 3:5 named 2 2 by 2 saw 1:X, 1:4 2:5 named 0 3 by 0 skipped; options redeal no

An empty hand is a dash. Of a round: who played what, whom the two named as the validator, who validated, and what the
fourth player did.
"""

import re
from collections.abc import Iterator, Mapping

from services.games.heads.position import DEFAULTS, Card, Look, Player, Position, Role, Round
from services.kernel.notation import read_options, write_options
from services.kernel.standing import Seat

CLAUSES = ("roles", "hands", "discussed", "proposed", "pair", "down", "wants", "trek", "options")
ROLES = {"P": Role.PEACEFUL, "D": Role.DANGEROUS}
LETTERS = {role: letter for letter, role in ROLES.items()}
CARDS = {card.text: card for card in Card}
NO_CARDS = "-"
PLAYED = re.compile(
    r"(?P<one>\d+):(?P<one_card>\w) (?P<other>\d+):(?P<other_card>\w)(?: named (?P<named>\d+ \d+))?"
    r" by (?P<validator>\d+)"
    r"(?P<skipped> skipped)?(?: saw (?P<target>\d+):(?P<card>\w))?"
)


def write(position: Position) -> str:
    """A position's text."""
    players = dict(enumerate(position.players))
    parts = (
        " ".join(LETTERS[player.role] for player in position.players),
        ", ".join(_cards(player.hand) for player in position.players),
        str(position.discussed or ""),
        _towards((seat, player.proposed_seat) for seat, player in players.items()),
        " ".join(map(str, position.pair_seats)) + (" drawn" if position.pair_drawn else ""),
        " ".join(f"{seat}:{player.played_card.text}" for seat, player in players.items() if player.played_card),
        _towards((seat, player.nominated_seat) for seat, player in players.items()),
        ", ".join(map(_round, position.rounds)),
        write_options(position.options, DEFAULTS),
    )
    return "; ".join(f"{name} {part.strip()}" for name, part in zip(CLAUSES, parts, strict=True) if part)


def read(text: str) -> Position:
    """The position of a text. Raises ValueError when it can't be read."""
    try:
        return _read({name: part for name, _, part in _clauses(text)})
    except (KeyError, IndexError, TypeError, ValueError) as problem:
        raise ValueError(f"{text!r} is no position of this game: {problem!r}") from None


def _clauses(text: str) -> Iterator[tuple[str, str, str]]:
    names = []
    for clause in text.split(";"):
        yield (parts := clause.strip().partition(" "))
        names.append(parts[0])
    if names != [name for name in CLAUSES if name in names]:
        raise ValueError(f"clauses must be some of {', '.join(CLAUSES)}, in this order")


def _read(parts: Mapping[str, str]) -> Position:
    roles = [ROLES[letter] for letter in parts["roles"].split()]
    hands = [_read_cards(hand.strip()) for hand in parts["hands"].split(",")]
    proposed, wanted = (_read_towards(parts.get(name, "")) for name in ("proposed", "wants"))
    down = {seat: CARDS[card] for seat, card in _read_each(parts.get("down", ""), ":").items()}
    if len(roles) != len(hands) or {*proposed, *wanted, *down} - {*range(len(roles))}:
        raise ValueError("there are as many hands as roles, and nobody else plays")
    players = [
        Player(role, hand, proposed.get(seat), down.get(seat), wanted.get(seat))
        for seat, (role, hand) in enumerate(zip(roles, hands, strict=True))
    ]
    pair = parts.get("pair", "").split()
    trek = parts.get("trek")
    return Position(
        tuple(players),
        tuple([_read_round(played.strip()) for played in trek.split(",")] if trek is not None else []),
        int(parts.get("discussed", "0")),
        tuple([int(seat) for seat in pair if seat != "drawn"]),
        pair_drawn="drawn" in pair,
        options=read_options(parts["options"], DEFAULTS) if "options" in parts else DEFAULTS,
    )


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(card.text for card in cards) or NO_CARDS


def _read_cards(text: str) -> tuple[Card, ...]:
    return () if text == NO_CARDS else tuple([CARDS[card] for card in text.split()])


def _towards(pairs: Iterator[tuple[Seat, Seat | None]]) -> str:
    return " ".join(f"{seat}>{other}" for seat, other in pairs if other is not None)


def _read_towards(text: str) -> dict[Seat, Seat]:
    return {seat: int(other) for seat, other in _read_each(text, ">").items()}


def _read_each(text: str, mark: str) -> dict[Seat, str]:
    """What stands for some seats: "0>1 3>1", or "3:4". Raises ValueError when a seat stands there twice."""
    each = [part.split(mark) for part in text.split()]
    found = {int(seat): what for seat, what in each}
    if len(found) < len(each):
        raise ValueError(f"a seat stands there twice: {text!r}")
    return found


def _round(played: Round) -> str:
    cards = " ".join(f"{seat}:{card.text}" for seat, card in zip(played.pair_seats, played.cards, strict=True))
    look = played.look
    if look is None:
        end = ""
    elif look.target_seat is None or look.card is None:
        end = " skipped"
    else:
        end = f" saw {look.target_seat}:{look.card.text}"
    named = " ".join(["", "named", *map(str, played.nominated_seats)]) if played.nominated_seats else ""
    return f"{cards}{named} by {played.validator_seat}{end}"


def _read_round(text: str) -> Round:
    found = PLAYED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no round")
    look = Look() if found["skipped"] else None
    if found["target"]:
        look = Look(int(found["target"]), CARDS[found["card"]])
    pair = (int(found["one"]), int(found["other"]))
    cards = (CARDS[found["one_card"]], CARDS[found["other_card"]])
    named = tuple([int(seat) for seat in (found["named"] or "").split()])
    return Round(pair, cards, int(found["validator"]), look, named)
