"""Updates are put together from bytes: they must say what a message filled field by field would say."""

from collections.abc import Iterator

import pytest
from google.protobuf.any_pb2 import Any
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from services.games import Entry, find_games
from services.rules.handler import RulesHandler
from services.session.domain.callers import HOST, SPECTATOR, Caller
from services.session.domain.session import Record, Session, State, Step
from services.session.wire.encoding import delimited, tag_of
from services.session.wire.updates import Updates
from services.session.wire.values import write_deadline, write_time

MOVES = 40
COMMITTED = 1_700_000_000_123_456


@pytest.mark.parametrize("length", [0, 1, 127, 128, 300, 2047, 2048, 16_383, 16_384, 100_000])
def test_a_field_of_any_length_is_read_back(length: int) -> None:
    value = b"x" * length
    assert Any.FromString(delimited(tag_of(Any, "value"), value)) == Any(value=value)


@pytest.mark.parametrize("entry", find_games().values(), ids=find_games())
def test_everybody_is_told_what_a_message_filled_field_by_field_would_say(entry: Entry) -> None:
    """Of random games, with every seat, a spectator and the host, with a view and without."""
    for record, views in played(entry):
        session = Session("s", 1, entry.game.token, State.PLAYING, (), b"", "1", b"", b"", None, 0, 0, record)
        updates = Updates(session, record, views)
        for caller in (*[Caller(seat) for seat in views if seat is not None], SPECTATOR, HOST):
            view = views[caller.seat]
            told = updates.of(caller)
            assert told is not None
            assert wire.Update.FromString(told) == filled(session, caller, record, view)
            assert updates.of(caller) is told, "it is made once"
            assert wire.Update.FromString(updates.write(caller)) == filled(session, caller, record, None)


def test_without_a_view_that_was_made_with_the_move_nothing_is_told() -> None:
    session = Session("s", 1, "cabbages", State.PLAYING, (), b"", "1", b"", b"", None, 0, 0)
    assert Updates(session, Record(1, 0, Step(), 0)).of(Caller(1)) is None


def played(entry: Entry) -> Iterator[tuple[Record, dict[int | None, opaque.SeatView]]]:
    """A game in which seats take turns to play one of their moves."""
    handler, seats = RulesHandler(entry), entry.game.seats[-1]
    everybody = words.ViewFor(seats=range(seats), spectator=True, moves=True)
    start = opaque.StartGameRequest(seats=seats, chance=_chance(0), view_for=everybody)
    step = Step.FromString(handler.start_game(start).SerializeToString())
    for revision in range(MOVES):
        yield (
            Record(revision, None if revision % 5 == 0 else 1, step, COMMITTED, COMMITTED if revision % 2 else None),
            {view.seat if view.HasField("seat") else None: view for view in step.views},
        )
        if step.standing.HasField("outcome"):
            return
        seat = step.standing.may_act[revision % len(step.standing.may_act)]
        moves = handler.enumerate_moves(opaque.EnumerateMovesRequest(position=step.position, seat=seat)).moves
        step = handler.apply_move(
            opaque.ApplyMoveRequest(
                position=step.position,
                seat=seat,
                move=moves[revision % len(moves)].move,
                chance=_chance(revision + 1),
                view_for=everybody,
            )
        )


def filled(session: Session, caller: Caller, record: Record, view: opaque.SeatView | None) -> wire.Update:
    """The plain way."""
    step = record.step
    update = wire.Update(
        revision=record.revision,
        etag=f'"{record.revision}"',
        seat=record.seat,
        events=[
            _pack(session, "Event", event)
            for event in step.events
            if _admits(opaque.Event.FromString(event).audience, caller)
        ],
        draws=[draw for draw in step.draws if _admits(draw.audience, caller)],
        standing=step.standing,
        commit_time=write_time(record.committed),
        deadline=write_deadline(record),
    )
    if view:
        update.view.CopyFrom(_pack(session, "View", view.view))
        for legal in view.moves:
            update.moves.add(move=_pack(session, "Move", legal.move), text=legal.text)
    return update


def _admits(audience: words.Audience, caller: Caller) -> bool:
    return audience.everybody or (audience.spectators if caller.seat is None else caller.seat in audience.seats)


def _pack(session: Session, name: str, value: bytes) -> Any:
    return Any(type_url=f"type.googleapis.com/monsters.{session.game}.v1.{name}", value=value)


def _chance(number: int) -> words.Chance:
    return words.Chance(seed=number.to_bytes(32, "big"))
