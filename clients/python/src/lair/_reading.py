"""From the wire's messages to the values of this library, one function a message."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from lair._translation import from_status
from lair.descriptions import GameFacts
from lair.errors import NotFound
from lair.games import unpack
from lair.standings import SeatStanding
from lair.types import (
    Audience,
    Draw,
    LegalMove,
    Outcome,
    SeatFacts,
    SeatKind,
    SessionFacts,
    Snapshot,
    Standing,
    State,
    Step,
    TimeLimits,
    Update,
)

STATES = {
    wire.STATE_LOBBY: State.LOBBY,
    wire.STATE_PLAYING: State.PLAYING,
    wire.STATE_OVER: State.OVER,
    wire.STATE_ABORTED: State.ABORTED,
}


def standing(message: words.Standing) -> Standing:
    """Whom the game waits for, or how it ended."""
    outcome = None
    if message.HasField("outcome"):
        ended = message.outcome
        outcome = Outcome(tuple(ended.winners), tuple(ended.scores), ended.reason)
    return Standing(tuple(message.awaited), tuple(message.may_act), outcome, message.stage)


def draws(messages: Iterable[words.Draw]) -> tuple[Draw, ...]:
    """The receipts, in order."""
    return tuple(
        Draw(message.purpose, message.sides, tuple(message.results), message.shuffle, audience(message.audience))
        for message in messages
    )


def audience(message: words.Audience) -> Audience:
    """Who may know of something."""
    return Audience(message.everybody, tuple(message.seats), message.spectators)


def facts(message: wire.Session) -> SessionFacts:
    """What everybody may know of a session."""
    return SessionFacts(
        name=message.name,
        game=message.game,
        state=STATES.get(message.state, State.UNKNOWN),
        revision=message.revision,
        etag=message.etag,
        seats=tuple(_seat_facts(seat) for seat in message.seats),
        options=_options(message),
        rules_version=message.rules_version,
        commitment=message.commitment,
        standing=standing(message.standing) if message.HasField("standing") else None,
        create_time=time(message.create_time),
        update_time=time(message.update_time),
        limits=TimeLimits(**{clock: _span(message.limits, clock) for clock in ("turn", "idle", "keep", "stand_in")}),
        deadline=_moment(message, "deadline"),
        rematch=message.rematch,
        listed=message.listed,
        chance_version=message.chance_version or 1,  # older servers don't say it
    )


def standings(keys: Sequence[tuple[str, str]], answer: wire.BatchGetStandingsResponse) -> tuple[SeatStanding, ...]:
    """How things stand at seats, which are named by their sessions and tokens, in their order."""
    return tuple(
        SeatStanding(
            session_name=name,
            token=token,
            facts=facts(message.session) if message.HasField("session") else None,
            seat=message.seat if message.HasField("seat") else None,
            server_time=time(answer.server_time),
            error=from_status(message.error) if message.HasField("error") else None,
        )
        for (name, token), message in zip(keys, answer.standings, strict=True)
    )


def _options(message: wire.Session) -> Message | None:
    if not message.HasField("options"):
        return None
    try:
        return unpack(message.options)
    except NotFound:  # a list of sessions must not break at a game that is only there
        return message.options


def _seat_facts(message: wire.Seat) -> SeatFacts:
    kind = SeatKind.BOT if message.kind == wire.SEAT_KIND_BOT else SeatKind.HUMAN
    return SeatFacts(message.seat, message.display_name, kind, message.taken, message.left)


def game(message: wire.Game) -> GameFacts:
    """A game that a server serves."""
    versions = tuple(message.rules_versions)
    return GameFacts(message.token, message.title, message.min_seats, message.max_seats, versions)


def snapshot(message: wire.Snapshot) -> Snapshot[Any]:
    """How things stand for one reader."""
    return Snapshot(
        state=STATES.get(message.state, State.UNKNOWN),
        revision=message.revision,
        etag=message.etag,
        seat=message.seat if message.HasField("seat") else None,
        view=unpack(message.view) if message.HasField("view") else None,
        moves=_moves(message.moves),
        standing=standing(message.standing) if message.HasField("standing") else None,
        deadline=_moment(message, "deadline"),
        server_time=_moment(message, "server_time"),
    )


def update(message: wire.Update) -> Update[Any]:
    """One revision, as far as its reader may know it."""
    return Update(
        revision=message.revision,
        etag=message.etag,
        seat=message.seat if message.HasField("seat") else None,
        events=tuple(unpack(event) for event in message.events),
        draws=draws(message.draws),
        view=unpack(message.view) if message.HasField("view") else None,
        moves=_moves(message.moves),
        standing=standing(message.standing),
        commit_time=time(message.commit_time),
        deadline=_moment(message, "deadline"),
        rules_version=message.rules_version,
    )


def _moves(messages: Iterable[wire.LegalMove]) -> tuple[LegalMove[Any], ...]:
    return tuple(LegalMove(message.text, unpack(message.move)) for message in messages)


def step(message: wire.Step) -> Step:
    """One revision of a finished game."""
    return Step(
        revision=message.revision,
        seat=message.seat if message.HasField("seat") else None,
        move=unpack(message.move) if message.HasField("move") else None,
        position=unpack(message.position),
        standing=standing(message.standing),
        events=tuple(unpack(event) for event in message.events),
        draws=draws(message.draws),
        commit_time=time(message.commit_time),
        rules_version=message.rules_version,
    )


def time(message: Timestamp) -> datetime:
    """A moment, in UTC."""
    return message.ToDatetime(UTC)


def _moment(message: Message, field: str) -> datetime | None:
    return time(getattr(message, field)) if message.HasField(field) else None


def _span(message: Message, field: str) -> timedelta | None:
    return getattr(message, field).ToTimedelta() if message.HasField(field) else None
