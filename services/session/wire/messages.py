"""Messages to and from the domain. What a reader may not know of a revision, `updates` leaves out."""

import re
import uuid
from collections.abc import Iterator
from typing import cast

from google.protobuf.any_pb2 import Any
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from services.runtime.failure import Failure
from services.runtime.status import to_status
from services.session.domain import failures
from services.session.domain.secrets import commitment_of
from services.session.domain.session import Record, Session, etag_of
from services.session.usecases.items import Closed, Heartbeat
from services.session.usecases.reading import Snapshot
from services.session.usecases.standings import SeatStanding
from services.session.wire.limits import write_limits
from services.session.wire.values import type_url, write_deadline, write_time

SESSIONS = "sessions/"
ID = re.compile(r"[0-9A-Za-z]{1,64}")
CANONICAL = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def read_name(name: str, path: str = "name") -> str:
    """The id in sessions/{id}. Raises Failure MALFORMED_REQUEST."""
    session_id = name.removeprefix(SESSIONS)
    if not name.startswith(SESSIONS) or not ID.fullmatch(session_id):
        raise failures.invalid_field(path, "must be sessions/{id}")
    return session_id


def read_request_id(text: str) -> str:
    """A UUID in its canonical form (RFC 9562), or "" when there is none. Raises Failure MALFORMED_REQUEST."""
    if not text or CANONICAL.fullmatch(text):
        return text
    try:
        return str(uuid.UUID(text))
    except ValueError:
        raise failures.invalid_field("request_id", "must be a UUID") from None


def write_game(game: words.GameDescription) -> wire.Game:
    """A game that can be played."""
    return wire.Game(
        token=game.token,
        title=game.title,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        rules_versions=[game.rules_version],
    )


def write_session(session: Session) -> wire.Session:
    """What everybody may know."""
    return wire.Session(
        name=session.name,
        game=session.game,
        state=_state(session),
        revision=session.revision,
        etag=session.etag,
        seats=[
            wire.Seat(
                seat=number,
                display_name=seat.name,
                kind=cast("wire.SeatKind.ValueType", seat.kind),
                taken=seat.taken,
                left=seat.left,
            )
            for number, seat in enumerate(session.seats)
        ],
        options=_pack(session, "Options", session.options),
        rules_version=session.rules_version if session.head else "",
        commitment=commitment_of(session.server_seed),
        standing=session.head.step.standing if session.head else None,
        create_time=write_time(session.created),
        update_time=write_time(session.updated),
        limits=write_limits(session.limits),
        deadline=write_deadline(session.head),
        rematch=f"{SESSIONS}{session.rematch}" if session.rematch else "",
        listed=session.listed,
        chance_version=session.chance_version,
    )


def write_standing(standing: SeatStanding | Failure) -> wire.SeatStanding:
    """How things stand at one seat, or why nothing is said of it."""
    if isinstance(standing, Failure):
        return wire.SeatStanding(error=to_status(standing))
    return wire.SeatStanding(session=write_session(standing.session), seat=standing.caller.seat)


def write_snapshot(snapshot: Snapshot, now: int) -> wire.Snapshot:
    """How things stand for one reader."""
    session, record, view = snapshot.session, snapshot.record, snapshot.view
    revision = record.revision if record else session.revision
    return wire.Snapshot(
        state=_state(session),
        revision=revision,
        etag=etag_of(revision),
        seat=snapshot.caller.seat,
        view=_pack(session, "View", view.view) if view else None,
        moves=_moves(session, view) if view else (),
        standing=record.step.standing if record else None,
        deadline=write_deadline(record),
        server_time=write_time(now) if record and record.deadline is not None else None,
    )


def write_step(session: Session, record: Record) -> wire.Step:
    """One revision of a session that has ended, whole."""
    step = record.step
    return wire.Step(
        revision=record.revision,
        seat=record.seat,
        move=_pack(session, "Move", step.move) if record.revision else None,
        position=_pack(session, "Position", step.position),
        standing=step.standing,
        events=[_pack(session, "Event", event) for event in step.events],
        draws=step.draws,
        commit_time=write_time(record.committed),
        rules_version=record.rules_version,
    )


def write_heartbeat(quiet: Heartbeat, now: int) -> wire.Heartbeat:
    """Nothing has happened for a while."""
    return wire.Heartbeat(revision=quiet.revision, server_time=write_time(now))


def write_closing(closed: Closed) -> wire.Closing:
    """Why a stream ends."""
    return wire.Closing(reason=cast("wire.ClosingReason.ValueType", closed.ending.value), revision=closed.revision)


def write_failed(revision: int, failure: Failure) -> wire.Closing:
    """Why a stream ends that has come to a revision, and to a failure."""
    return wire.Closing(reason=wire.CLOSING_REASON_FAILED, revision=revision, error=to_status(failure))


def _state(session: Session) -> "wire.State.ValueType":
    return cast("wire.State.ValueType", session.state.value)


def _pack(session: Session, name: str, value: bytes) -> Any:
    return Any(type_url=type_url(session.game, name), value=value)


def _moves(session: Session, view: opaque.SeatView) -> Iterator[wire.LegalMove]:
    return (wire.LegalMove(move=_pack(session, "Move", move.move), text=move.text) for move in view.moves)
