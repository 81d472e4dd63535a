"""From the wire's messages to values."""

from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

import lair
from lair import _reading as reading

ELSEWHERE = Packed(type_url="type.googleapis.com/monsters.goblins.v1.Options")


def test_a_lobby_of_a_game_that_is_not_installed_can_still_be_listed() -> None:
    facts = reading.facts(wire.Session(name="sessions/7f3k", game="goblins", state=wire.STATE_LOBBY, options=ELSEWHERE))
    assert (facts.game, facts.state, facts.options) == ("goblins", lair.State.LOBBY, ELSEWHERE)


def test_its_views_can_not_be_read() -> None:
    with pytest.raises(lair.NotFound, match="goblins"):
        reading.snapshot(wire.Snapshot(view=ELSEWHERE))


def test_a_state_that_is_newer_than_the_sdk_is_unknown() -> None:
    session = wire.Session(state=wire.State.ValueType(99))
    assert reading.facts(session).state is lair.State.UNKNOWN


def test_what_is_absent_is_none_and_seat_0_is_not() -> None:
    assert reading.snapshot(wire.Snapshot()).seat is None
    assert reading.snapshot(wire.Snapshot(seat=0)).seat == 0
    facts = reading.facts(wire.Session())
    assert (facts.options, facts.standing, facts.deadline) == (None, None, None)
    assert facts.limits == lair.TimeLimits(None, None, None)
    assert (reading.snapshot(wire.Snapshot()).deadline, reading.update(wire.Update()).deadline) == (None, None)


def test_times_are_utc_and_spans_are_timedeltas() -> None:
    due = Timestamp(seconds=1_800_000_000, nanos=500_000_000)
    limits = wire.TimeLimits(turn=Duration(nanos=300_000_000), keep=Duration(seconds=86_400))
    facts = reading.facts(wire.Session(limits=limits, deadline=due))
    assert facts.limits == lair.TimeLimits(turn=timedelta(seconds=0.3), keep=timedelta(days=1))
    assert facts.deadline == datetime(2027, 1, 15, 8, 0, 0, 500_000, UTC)
    shown = reading.snapshot(wire.Snapshot(deadline=due, server_time=Timestamp(seconds=1_800_000_000)))
    assert shown.deadline is not None
    assert shown.server_time is not None
    assert shown.deadline - shown.server_time == timedelta(seconds=0.5)
    assert reading.update(wire.Update(deadline=due)).deadline == facts.deadline


def test_a_standing_has_its_stage() -> None:
    assert reading.standing(words.Standing(awaited=[1], may_act=[1], stage=7)) == lair.Standing((1,), (1,), stage=7)


def test_seats_are_people_or_programs() -> None:
    seats = [wire.Seat(seat=0, display_name="Ann", taken=True), wire.Seat(seat=1, kind=wire.SEAT_KIND_BOT)]
    ann, bot = reading.facts(wire.Session(seats=seats)).seats
    assert ann == lair.SeatFacts(0, "Ann", lair.SeatKind.HUMAN, taken=True)
    assert (bot.kind, bot.taken) == (lair.SeatKind.BOT, False)
    (gone,) = reading.facts(wire.Session(seats=[wire.Seat(taken=True, left=True)])).seats
    assert (ann.left, gone.left) == (False, True)
