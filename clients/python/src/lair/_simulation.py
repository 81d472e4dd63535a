"""Many moves over one stream: what is sent, and how the answers are read. Pure, once for both shells."""

from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from monsters.rules.v1 import rules_pb2 as words

from lair import _reading as reading
from lair import _rules_calls as rules
from lair._calls import Call, build, several
from lair._translation import from_status, invalid
from lair.errors import LairError
from lair.games import service_of
from lair.types import NextMove, Simulated

Result = Simulated[Any, Any, Any] | LairError


def stream(module: Any, first: Message) -> Call[Iterator[Result]]:
    """A stream in both directions, and the first message that it sends."""
    return Call(rules.path_of(module, "ApplyMoves"), first, service_of(module).ApplyMovesResponse, _results)


def request(
    module: Any,
    batch: Sequence[NextMove],
    *,
    position: bool,
    moves: bool,
    events: bool,
    draws: bool,
    view_for: Sequence[int],
    spectator: bool,
) -> Any:
    """One message with moves. Raises InvalidRequest and WrongGame for what can't be sent."""
    wanted = {"position": position, "moves": moves, "events": events, "draws": draws, "chance": draws}
    wanted |= {"standing": True, "views": bool(view_for) or spectator}
    return build(
        service_of(module).ApplyMovesRequest,
        moves=[_next_move(module, move) for move in several("batch", batch)],
        view_for=build(words.ViewFor, seats=view_for, spectator=spectator),
        read_mask=FieldMask(paths=[field for field, is_wanted in wanted.items() if is_wanted]),
    )


def check_move(module: Any, move: NextMove) -> None:
    """Raises InvalidRequest and WrongGame for a move that can't be sent."""
    _next_move(module, move)


def _next_move(module: Any, move: NextMove) -> Any:
    if not isinstance(move, NextMove):
        raise invalid("moves", f"must be a list of NextMove, has {move!r}")
    return build(
        service_of(module).NextMove,
        chain=move.chain,
        seat=move.seat,
        position=None if move.position is None else rules.position_of(module, move.position),
        chance=rules.chance_of(move.seed, move.script),
        **rules.move_fields(module, move.move),
    )


def _results(answer: Any) -> Iterator[Result]:
    return (_result(move, answer.rules_version) for move in answer.moves)


def _result(message: Any, rules_version: str) -> Result:
    if message.HasField("error"):
        return from_status(message.error)
    return Simulated(
        standing=reading.standing(message.standing),
        position=message.position if message.HasField("position") else None,
        moves={able.seat: rules.legal_moves(able) for able in message.moves},
        events=tuple(message.events),
        draws=reading.draws(message.draws),
        seed=rules.seed_of(message.chance),
        script=rules.script_of(message.chance),
        views=rules.views_of(message.views),
        rules_version=rules_version,
    )
