"""The calls of a game's rules. The path and the messages of every game follow from its module."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from google.protobuf.message import Message
from monsters.rules.v1 import rules_pb2 as words

from lair import _reading as reading
from lair._calls import Call, Playable, Result, build
from lair._options import Options, read_options
from lair._translation import invalid
from lair.descriptions import EndDescription, GameDescription, OptionDescription, Rule, RulePart, Source
from lair.games import own, service_of
from lair.types import Applied, LegalMove, Refusal, Started


def _rules_call(module: Any, method: str, fields: dict[str, Any], read: Callable[[Any], Result]) -> Call[Result]:
    service = service_of(module)
    request = build(getattr(service, f"{method}Request"), **fields)
    return Call(path_of(module, method), request, getattr(service, f"{method}Response"), read)


def path_of(module: Any, method: str) -> str:
    """Where a method of a game's rules is called."""
    return f"/{module.DESCRIPTOR.package}.RulesService/{method}"


PARTS: Mapping[int, RulePart] = {
    words.RULE_PART_SET_UP: RulePart.SET_UP,
    words.RULE_PART_TURN: RulePart.TURN,
    words.RULE_PART_END: RulePart.END,
    words.RULE_PART_TIME: RulePart.TIME,
}
SOURCES: Mapping[int, Source] = {
    words.SOURCE_PRINTED: Source.PRINTED,
    words.SOURCE_PUBLISHED: Source.PUBLISHED,
    words.SOURCE_LAIR: Source.LAIR,
}


def describe(module: Any) -> Call[GameDescription]:
    """What the game is."""
    return _rules_call(module, "DescribeGame", {}, _description)


def _description(answer: Any) -> GameDescription:
    game: words.GameDescription = answer.game
    return GameDescription(
        token=game.token,
        title=game.title,
        credits=game.credits,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        rules_version=game.rules_version,
        rules=tuple(
            Rule(rule.id, rule.text, PARTS.get(rule.part, RulePart.UNKNOWN), _source(rule), rule.note)
            for rule in game.rules
        ),
        options=tuple(
            OptionDescription(option.name, option.default_value, option.text, _source(option))
            for option in game.options
        ),
        ends=tuple(EndDescription(end.reason, end.text, _source(end)) for end in game.ends),
        timeout=game.timeout,
        defaults=answer.options,
        aim=game.aim,
        how_to_play=game.how_to_play,
    )


def _source(told: words.Rule | words.OptionDescription | words.EndDescription) -> Source:
    """Where it comes from; what is newer than this library is unknown."""
    return SOURCES.get(told.source, Source.UNKNOWN)


def start(
    module: Any,
    seats: int,
    *,
    options: Options | None = None,
    seed: bytes | None = None,
    script: Sequence[int] | None = None,
    view_for: Sequence[int] = (),
    spectator: bool = False,
) -> Call[Started[Any, Any]]:
    """A new game."""
    fields = {
        "seats": seats,
        "options": read_options(module, options),
        "chance": chance_of(seed, script),
        "view_for": build(words.ViewFor, seats=view_for, spectator=spectator),
    }
    return _rules_call(module, "StartGame", fields, _started)


def _started(answer: Any) -> Started[Any, Any]:
    return Started(
        position=answer.position,
        standing=reading.standing(answer.standing),
        seed=seed_of(answer.chance),
        script=script_of(answer.chance),
        events=tuple(answer.events),
        draws=reading.draws(answer.draws),
        views=views_of(answer.views),
        rules_version=answer.rules_version,
    )


def moves(module: Any, position: Message, seat: int | None) -> Call[tuple[LegalMove[Any], ...]]:
    """Every legal move of a seat."""
    return _rules_call(module, "EnumerateMoves", _position(module, position, seat), legal_moves)


def legal_moves(answer: Any) -> tuple[LegalMove[Any], ...]:
    """The legal moves of a message that has a seat's."""
    return tuple(_legal_move(move) for move in answer.moves)


def _legal_move(message: Any) -> LegalMove[Any]:
    return LegalMove(message.text, message.move)


def why_not(module: Any, position: Message, seat: int | None, move: Playable) -> Call[Refusal | None]:
    """Why a move is not legal."""
    fields = _position(module, position, seat) | move_fields(module, move)
    return _rules_call(module, "ValidateMove", fields, _refusal)


def _refusal(answer: Any) -> Refusal | None:
    refusal = answer.refusal
    return None if answer.legal else Refusal(refusal.reason, refusal.rule, refusal.message)


def apply(
    module: Any,
    position: Message,
    seat: int | None,
    move: Playable,
    *,
    seed: bytes | None = None,
    script: Sequence[int] | None = None,
    view_for: Sequence[int] = (),
    spectator: bool = False,
) -> Call[Applied[Any, Any, Any]]:
    """The position after a move."""
    fields = {
        **_position(module, position, seat),
        **move_fields(module, move),
        "chance": chance_of(seed, script),
        "view_for": build(words.ViewFor, seats=view_for, spectator=spectator),
    }
    return _rules_call(module, "ApplyMove", fields, _applied)


def _applied(answer: Any) -> Applied[Any, Any, Any]:
    return Applied(
        position=answer.position,
        move=answer.move,
        standing=reading.standing(answer.standing),
        seed=seed_of(answer.chance),
        script=script_of(answer.chance),
        events=tuple(answer.events),
        draws=reading.draws(answer.draws),
        views=views_of(answer.views),
        rules_version=answer.rules_version,
    )


def view(module: Any, position: Message, seat: int | None) -> Call[Any]:
    """What a seat, or a spectator, may know."""
    fields = _position(module, position, seat)
    return _rules_call(module, "ViewPosition", fields, lambda answer: answer.view.view)


def suggest(module: Any, position: Message, seat: int, seed: bytes | None = None) -> Call[LegalMove[Any] | None]:
    """A plausible move of a seat whose player is away; None when it rather waits for the others."""
    fields = _position(module, position, seat) | {"chance": chance_of(seed, None)}
    return _rules_call(
        module,
        "SuggestMove",
        fields,
        lambda answer: _legal_move(answer.suggestion) if answer.HasField("suggestion") else None,
    )


def position_text(module: Any, position: Message) -> Call[str]:
    """A position's line of text."""
    fields = {"position": position_of(module, position)}
    return _rules_call(module, "FormatPosition", fields, lambda answer: str(answer.position_text))


def position(module: Any, text: str) -> Call[Any]:
    """The position of a line of text."""
    return _rules_call(module, "ParsePosition", {"position_text": text}, lambda answer: answer.position)


def position_of(module: Any, position: Message) -> Message:
    """The position, when it is this game's. Raises InvalidRequest and WrongGame."""
    if not isinstance(position, Message):
        raise invalid("position", f"must be the game's Position, is {position!r}")
    return own(position, module.Position.DESCRIPTOR.full_name, "position")


def _position(module: Any, position: Message, seat: int | None) -> dict[str, Any]:
    return {"position": position_of(module, position), "seat": seat}


def move_fields(module: Any, move: Playable) -> dict[str, Any]:
    """The fields that carry a move. Raises InvalidRequest and WrongGame."""
    if isinstance(move, str):
        return {"move_text": move}
    message = move.move if isinstance(move, LegalMove) else move
    if not isinstance(message, Message):
        raise invalid("move", f"must be a text, a Move or a legal move, is {move!r}")
    return {"move": own(message, module.Move.DESCRIPTOR.full_name, "move")}


def chance_of(seed: bytes | None, script: Sequence[int] | None) -> words.Chance | None:
    """What feeds the draws. Raises InvalidRequest for a seed and a script."""
    if seed is not None and script is not None:
        raise invalid("chance", "a seed or a script, not both")
    if script is not None:
        return words.Chance(script=build(words.Script, results=script))
    return None if seed is None else build(words.Chance, seed=seed)


def seed_of(chance: words.Chance) -> bytes | None:
    """The seed, unless it is a script."""
    return chance.seed if chance.HasField("seed") else None


def script_of(chance: words.Chance) -> tuple[int, ...] | None:
    """The script, unless it is a seed."""
    return tuple(chance.script.results) if chance.HasField("script") else None


def views_of(messages: Any) -> dict[int | None, Any]:
    """The views, by seat: None is a spectator's."""
    return {message.seat if message.HasField("seat") else None: message.view for message in messages}
