"""From the wire's messages to values."""

import pytest
from google.protobuf.any_pb2 import Any as Packed
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
    assert (facts.options, facts.standing) == (None, None)


def test_seats_are_people_or_programs() -> None:
    seats = [wire.Seat(seat=0, display_name="Ann", taken=True), wire.Seat(seat=1, kind=wire.SEAT_KIND_BOT)]
    ann, bot = reading.facts(wire.Session(seats=seats)).seats
    assert ann == lair.SeatFacts(0, "Ann", lair.SeatKind.HUMAN, taken=True)
    assert (bot.kind, bot.taken) == (lair.SeatKind.BOT, False)
