"""What is due in a session, and when: it follows from its values and the time."""

import pytest
from monsters.rules.v1 import rules_pb2 as words
from msgspec.structs import replace

from services.session.domain.clocks import LONGEST_ABSENCE, Due, due_at, pause_of, standstill, what_is_due
from services.session.domain.session import Limits, Record, Seat, SeatKind, Session, State, Step

SECOND = 1_000_000
START = 1_000 * SECOND
LIMITS = Limits(idle=100 * SECOND, keep=50 * SECOND, turn=10 * SECOND, stand_in=SECOND)
ANN = Seat("Ann", SeatKind.HUMAN, b"hash")
LEFT = replace(ANN, left=True)
BOT = Seat("Bot 1", SeatKind.BOT)


def playing(*seats: Seat, awaited: int = 0, **changes: object) -> Session:
    """A session that began at START, and waits for one seat."""
    step = Step(standing=words.Standing(awaited=[awaited]))
    session = Session(
        id="a",
        version=0,
        game="cabbages",
        state=State.PLAYING,
        seats=seats,
        options=b"",
        rules_version="1",
        server_seed=b"",
        host_hash=b"",
        join_hash=None,
        created=START,
        updated=START,
        head=Record(0, None, step, START, START + 10 * SECOND),
        limits=LIMITS,
        touched=START,
    )
    return replace(session, **changes)  # type: ignore[arg-type]  # as the caller says


@pytest.mark.parametrize(
    ("session", "after", "due"),
    [
        (playing(ANN, ANN), 9, Due.NOTHING),
        (playing(ANN, ANN), 10, Due.TIME_OUT),
        (playing(ANN, ANN), 99, Due.TIME_OUT),
        (playing(ANN, ANN), 100, Due.END),
        (playing(ANN, LEFT), 9, Due.NOTHING),
        (playing(LEFT, ANN), 0, Due.NOTHING),
        (playing(LEFT, ANN), 1, Due.STAND_IN),
        (playing(BOT, ANN), 1, Due.STAND_IN),
        (playing(BOT, ANN), 100, Due.END),
        (playing(LEFT, LEFT), 0, Due.STAND_IN),
        (playing(BOT, LEFT), 0, Due.STAND_IN),
        (playing(ANN, ANN, head=None, state=State.LOBBY), 99, Due.NOTHING),
        (playing(ANN, BOT, head=None, state=State.LOBBY), 100, Due.END),
        (playing(ANN, ANN, state=State.OVER), 49, Due.NOTHING),
        (playing(ANN, ANN, state=State.ABORTED), 50, Due.DELETION),
    ],
)
def test_what_is_due(session: Session, after: int, due: Due) -> None:
    assert what_is_due(session, START + after * SECOND) is due


@pytest.mark.parametrize(
    ("seats", "seconds"),
    [((ANN, BOT), 1), ((BOT, BOT), 1), ((ANN, LEFT), 1), ((LEFT, LEFT), 0), ((LEFT, BOT), 0)],
)
def test_a_stand_in_waits_unless_all_people_have_gone(seats: tuple[Seat, ...], seconds: int) -> None:
    assert pause_of(playing(*seats)) == seconds * SECOND


def test_a_stand_in_waits_no_longer_than_half_a_turn() -> None:
    slow = replace(LIMITS, stand_in=60 * SECOND)
    assert pause_of(playing(LEFT, ANN, limits=slow)) == 5 * SECOND
    assert pause_of(playing(LEFT, ANN, limits=replace(slow, turn=None))) == 60 * SECOND


def test_keeping_counts_from_the_end_and_not_from_what_comes_after_it() -> None:
    ended = playing(ANN, ANN).changed(START + 5 * SECOND, state=State.ABORTED, touched=START + 5 * SECOND)
    rematched = ended.changed(START + 30 * SECOND, rematch="b")
    assert due_at(ended) == due_at(rematched) == START + 55 * SECOND


def test_a_time_out_that_ends_the_game_is_where_keeping_begins() -> None:
    over = Step(standing=words.Standing(outcome=words.Outcome()))
    session = playing(ANN, ANN)
    assert due_at(session.with_record(Record(1, None, over, START + 10 * SECOND))) == START + 60 * SECOND


def test_what_no_player_does_is_nobody_s_touch() -> None:
    step = Step(standing=words.Standing(awaited=[1]))
    later = START + 10 * SECOND
    session = playing(ANN, ANN)
    for seat in (None, 0):
        assert session.with_record(Record(1, seat, step, later), touched=False).touched == START
    assert session.with_record(Record(1, 0, step, later)).touched == later


def test_a_session_ends_when_it_is_as_long_as_it_may_be() -> None:
    over, on = (words.Standing(outcome=words.Outcome()), words.Standing(awaited=[1]))
    session, later = playing(ANN, ANN), START + 10 * SECOND
    last, ended = (session.with_record(Record(7, 0, Step(standing=it), later), longest=7) for it in (on, over))
    assert (last.state, ended.state) == (State.ABORTED, State.OVER)
    assert due_at(last) == later + LIMITS.keep
    assert session.with_record(Record(6, 0, Step(standing=on), later), longest=7).state is State.PLAYING


def test_times_of_a_session_never_go_back() -> None:
    session = playing(ANN, ANN)
    assert session.after(START - 1) == START
    assert session.after(START + 1) == START + 1


@pytest.mark.parametrize(
    ("wall", "seen", "gap"),
    [
        (START, None, 0),
        (START, START, 0),
        (START - LONGEST_ABSENCE * 9, START, 0),
        (START + LONGEST_ABSENCE, START, 0),
        (START + LONGEST_ABSENCE + 1, START, LONGEST_ABSENCE + 1),
    ],
)
def test_clocks_stand_still_for_a_time_that_nobody_can_vouch_for(wall: int, seen: int | None, gap: int) -> None:
    assert standstill(wall, seen) == gap
