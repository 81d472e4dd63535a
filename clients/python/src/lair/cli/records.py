"""What the library returns, as JSON. Names are the wire's JSON names; a game's messages have protobuf's JSON form."""

from datetime import datetime
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from lair import Draw, GameDescription, GameFacts, LegalMove, SessionFacts, Snapshot, Standing, Update

Record = dict[str, Any]


def message_record(message: Message | None) -> Record | None:
    """A game's own message, zeros included."""
    return None if message is None else MessageToDict(message, always_print_fields_with_no_presence=True)


def move_record(move: LegalMove[Any]) -> Record:
    """A legal move."""
    return {"text": move.text, "move": message_record(move.move)}


def standing_record(standing: Standing | None) -> Record | None:
    """Whom the game waits for, or how it ended."""
    if standing is None:
        return None
    record: Record = {"awaited": standing.awaited, "mayAct": standing.may_act, "stage": standing.stage}
    if standing.outcome is not None:
        outcome = standing.outcome
        record["outcome"] = {"winners": outcome.winners, "scores": outcome.scores, "reason": outcome.reason}
    return record


def facts_record(facts: SessionFacts) -> Record:
    """What everybody may know of a session."""
    return {
        "session": facts.name,
        "game": facts.game,
        "state": facts.state.value,
        "revision": facts.revision,
        "etag": facts.etag,
        "seats": [
            {
                "seat": seat.index,
                "displayName": seat.name,
                "kind": seat.kind.value,
                "taken": seat.taken,
                "left": seat.left,
            }
            for seat in facts.seats
        ],
        "standing": standing_record(facts.standing),
        "createTime": _moment(facts.create_time),
        "rematch": facts.rematch,
        "listed": facts.listed,
    }


def snapshot_record(session: str, snapshot: Snapshot[Any]) -> Record:
    """How things stand for one reader."""
    return {
        "session": session,
        "state": snapshot.state.value,
        "revision": snapshot.revision,
        "etag": snapshot.etag,
        "seat": snapshot.seat,
        "view": message_record(snapshot.view),
        "moves": [move_record(move) for move in snapshot.moves],
        "standing": standing_record(snapshot.standing),
        "deadline": _moment(snapshot.deadline),
        "serverTime": _moment(snapshot.server_time),
    }


def update_record(session: str, update: Update[Any]) -> Record:
    """One revision."""
    return {
        "session": session,
        "revision": update.revision,
        "etag": update.etag,
        "seat": update.seat,
        "events": [message_record(event) for event in update.events],
        "draws": [_draw_record(draw) for draw in update.draws],
        "view": message_record(update.view),
        "moves": [move_record(move) for move in update.moves],
        "standing": standing_record(update.standing),
        "commitTime": update.commit_time.isoformat(),
        "deadline": _moment(update.deadline),
        "rulesVersion": update.rules_version,
    }


def game_facts_record(game: GameFacts) -> Record:
    """A game that can be played."""
    return {
        "token": game.token,
        "title": game.title,
        "minSeats": game.min_seats,
        "maxSeats": game.max_seats,
        "rulesVersions": game.rules_versions,
    }


def game_record(game: GameDescription) -> Record:
    """What a game is."""
    return {
        "token": game.token,
        "title": game.title,
        "credits": game.credits,
        "aim": game.aim,
        "howToPlay": game.how_to_play,
        "minSeats": game.min_seats,
        "maxSeats": game.max_seats,
        "rulesVersion": game.rules_version,
        "rules": [
            {"id": rule.id, "text": rule.text, "part": rule.part, "source": rule.source, "note": rule.note}
            for rule in game.rules
        ],
        "options": [
            {"name": option.name, "defaultValue": option.default, "text": option.text, "source": option.source}
            for option in game.options
        ],
        "ends": [{"reason": end.reason, "text": end.text, "source": end.source} for end in game.ends],
        "timeout": game.timeout,
        "defaults": message_record(game.defaults),
    }


def _moment(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat()


def _draw_record(draw: Draw) -> Record:
    return {"purpose": draw.purpose, "sides": draw.sides, "results": draw.results, "shuffle": draw.shuffle}
