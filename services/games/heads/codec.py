"""3 to 4 Headed Monster to and from the wire: the only file of this game that knows generated code.

A position is read and written field by field: it comes from outside, and whatever means nothing here is refused. What
only goes out, views, events and options, has the names and the fields of its messages, and is written by these.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Any

from monsters.heads.v1 import heads_pb2 as wire

from services.games.codec import Codec, Mirror, known
from services.games.heads import moves
from services.games.heads.moves import ALL_SEATS, MOST_TIMES, Feel, Move, Say, Statement
from services.games.heads.phases import Phase
from services.games.heads.position import (
    DEFAULTS,
    Card,
    Look,
    OnStall,
    Options,
    Player,
    Position,
    Role,
    Round,
    Side,
)
from services.games.heads.view import View
from services.kernel.refusals import Flaw, Malformed
from services.kernel.standing import Seat

# From the wire. Of an option the unspecified value is the default.
CARDS: Mapping[int, Card] = {card.value: card for card in Card}
ROLES: Mapping[int, Role] = {wire.ROLE_PEACEFUL: Role.PEACEFUL, wire.ROLE_DANGEROUS: Role.DANGEROUS}
FEELS: Mapping[int, Feel] = {
    wire.FEEL_LOW: Feel.LOW,
    wire.FEEL_MEDIUM: Feel.MEDIUM,
    wire.FEEL_HIGH: Feel.HIGH,
    wire.FEEL_MIXED: Feel.MIXED,
}
ON_STALLS: Mapping[int, OnStall] = {
    wire.ON_STALL_UNSPECIFIED: DEFAULTS.on_stall,
    wire.ON_STALL_RANDOM_PAIR: OnStall.RANDOM_PAIR,
    wire.ON_STALL_NONE: OnStall.NONE,
}

# To the wire.
NUMBERS: Mapping[Enum, int] = {
    **{word: number for known in (CARDS, ROLES, FEELS, ON_STALLS) for number, word in known.items() if number},
    Side.PEACEFUL: wire.SIDE_PEACEFUL,
    Side.DANGEROUS: wire.SIDE_DANGEROUS,
    Phase.DISCUSS: wire.PHASE_DISCUSS,
    Phase.PLAY: wire.PHASE_PLAY,
    Phase.NOMINATE: wire.PHASE_NOMINATE,
    Phase.PEEK: wire.PHASE_PEEK,
    Phase.FORK_DISCUSS: wire.PHASE_FORK_DISCUSS,
    Phase.OVER: wire.PHASE_OVER,
}

# Moves that name a seat, and those that name nothing, by their fields.
OF_A_SEAT: Mapping[str, Callable[[Seat], Move]] = {
    "propose": moves.Propose,
    "accept": moves.Accept,
    "decline": moves.Decline,
    "nominate": moves.Nominate,
    "peek": moves.Peek,
}
PLAIN: Mapping[str, Move] = {
    "withdraw": moves.Withdraw(),
    "skip_peek": moves.SkipPeek(),
    "timeout": moves.Timeout(),
}


def _choices(message: Any, oneof: str) -> Mapping[str, str]:
    """The fields of a choice by the names of their messages."""
    return {field.message_type.name: field.name for field in message.DESCRIPTOR.oneofs_by_name[oneof].fields}


MOVE_FIELDS = _choices(wire.Move, "kind")
STATEMENT_FIELDS = _choices(wire.Say, "statement")


def _write_say(say: Say) -> wire.Say:
    statement: dict[str, Any] = {STATEMENT_FIELDS[type(say.statement).__name__]: MIRROR.fields(say.statement)}
    return wire.Say(**statement)


MIRROR = Mirror(wire, DEFAULTS, NUMBERS, {Say: _write_say})


def read_options(message: wire.Options, path: str = "") -> Options:
    """Options with the defaults where a field is absent. Raises Malformed for an enum value that there isn't."""
    given = {
        name: getattr(message, name)
        for name in ("x_high_from", "redeal", "binding", "stall_limit", "peek_told", "statements")
        if message.HasField(name)
    }
    return Options(on_stall=known(ON_STALLS, message.on_stall, f"{path}on_stall"), **given)


def read_position(message: wire.Position) -> Position:
    """A position, possible or not. Raises Malformed for an enum value that there isn't."""
    return Position(
        tuple([_read_player(f"players[{seat}]", player) for seat, player in enumerate(message.players)]),
        tuple([_read_round(f"rounds[{number}]", played) for number, played in enumerate(message.rounds)]),
        message.discussed,
        tuple(message.pair_seats),
        message.pair_drawn,
        read_options(message.options, "options.") if message.HasField("options") else DEFAULTS,
    )


def write_position(position: Position) -> wire.Position:
    """A position."""
    return wire.Position(
        players=[MIRROR.field(player) for player in position.players],
        rounds=[MIRROR.field(played) for played in position.rounds],
        discussed=position.discussed,
        pair_seats=position.pair_seats,
        pair_drawn=position.pair_drawn,
        options=MIRROR.chosen(position.options),
    )


def write_view(view: View) -> wire.View:
    """A view."""
    return wire.View(**MIRROR.fields(view))


def write_move(move: Move) -> wire.Move:
    """A move."""
    return wire.Move.FromString(_raw_move(move))


@cache
def _raw_move(move: Move) -> bytes:
    """There are few moves, and dozens of them are legal for every seat of a discussion: each is encoded once."""
    return wire.Move(**{MOVE_FIELDS[type(move).__name__]: MIRROR.field(move)}).SerializeToString()


def read_move(message: wire.Move) -> Move:
    """A move. Raises Malformed when none is set, or one that no game has."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise Malformed(Flaw("kind", f"must be one of {', '.join(MOVE_FIELDS.values())}"))
    if kind in PLAIN:
        return PLAIN[kind]
    if kind == "play":
        return moves.Play(known(CARDS, message.play.card, "play.card"))
    if kind == "say":
        return Say(_read_statement(message.say))
    return OF_A_SEAT[kind](_within(ALL_SEATS, getattr(message, kind).seat, f"{kind}.seat"))


def _read_statement(message: wire.Say) -> Statement:
    kind = message.WhichOneof("statement")
    if kind is None:
        raise Malformed(Flaw("say.statement", f"must be one of {', '.join(STATEMENT_FIELDS.values())}"))
    said, path = getattr(message, kind), f"say.{kind}"
    match kind:
        case "hand_feels":
            whose = _within(ALL_SEATS, said.seat, f"{path}.seat") if said.HasField("seat") else None
            return moves.HandFeels(whose, known(FEELS, said.feel, f"{path}.feel"))
        case "take_part":
            return moves.TakePart(_within(range(MOST_TIMES + 1), said.times, f"{path}.times"))
        case "seems":
            role = known(ROLES, said.role, f"{path}.role")
            return moves.Seems(_within(ALL_SEATS, said.seat, f"{path}.seat"), role)
        case "want":
            return moves.Want(said.to_play)
    for pair in combinations(ALL_SEATS, 2):
        if tuple(sorted(said.seats)) == pair:
            return moves.SuggestPair(pair)
    raise Malformed(Flaw(f"{path}.seats", f"must be two different seats of 0 to {ALL_SEATS[-1]}"))


def _read_player(path: str, message: wire.Player) -> Player:
    return Player(
        known(ROLES, message.role, f"{path}.role"),
        _read_cards(f"{path}.hand", message.hand),
        message.proposed_seat if message.HasField("proposed_seat") else None,
        _read_card(path, message, "played_card"),
        message.nominated_seat if message.HasField("nominated_seat") else None,
    )


def _read_round(path: str, message: wire.Round) -> Round:
    look = None
    if message.HasField("look"):
        target = message.look.target_seat if message.look.HasField("target_seat") else None
        look = Look(target, _read_card(f"{path}.look", message.look, "card"))
    cards = _read_cards(f"{path}.cards", message.cards)
    return Round(tuple(message.pair_seats), cards, message.validator_seat, look, tuple(message.nominated_seats))


def _read_cards(path: str, numbers: Any) -> tuple[Card, ...]:
    return tuple([known(CARDS, number, f"{path}[{index}]") for index, number in enumerate(numbers)])


def _read_card(path: str, message: Any, field: str) -> Card | None:
    """A card that may be absent."""
    return known(CARDS, getattr(message, field), f"{path}.{field}") if message.HasField(field) else None


def _within(numbers: range, number: int, path: str) -> int:
    """A number that some game has. Raises Malformed."""
    if number not in numbers:
        raise Malformed(Flaw(path, f"must be {numbers[0]} to {numbers[-1]}, is {number}"))
    return number


CODEC = Codec(
    messages=wire,
    read_options=read_options,
    write_options=MIRROR.options,
    spell_options=MIRROR.spelled,
    read_position=read_position,
    write_position=write_position,
    read_move=read_move,
    write_move=write_move,
    write_view=write_view,
    write_event=MIRROR.event,
)
