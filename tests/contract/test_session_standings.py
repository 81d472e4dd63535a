"""How things stand at many seats, by one question, over every store."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from monsters.session.v1 import session_pb2 as wire

from services.session.wire.bounds import MOST_STANDINGS
from tests.support.postgresql import PostgresqlServer, running_postgresql
from tests.support.refusals import refusal_of
from tests.support.servers import Stubs, running
from tests.support.sessions import Created, abort, create, endless, feed_on, join, leave, open_lobby, session_of, submit
from tests.support.statements import EVERY_STATEMENT, Statements

ABSENT = "sessions/000000000000"


@pytest.fixture(scope="module", params=["sqlite", "memory", "postgresql"])
def stubs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stubs]:
    """A server over each of the stores."""
    with ExitStack() as stack:
        if request.param == "postgresql":
            postgresql: PostgresqlServer = request.getfixturevalue("postgresql")
            database = postgresql.url(stack.enter_context(postgresql.database()))
        else:
            database = "memory:" if request.param == "memory" else tmp_path_factory.mktemp("standings") / "lair.db"
        yield stack.enter_context(running(database))


def key(created: Created, seat: int | None = None) -> wire.SeatKey:
    """Of a seat, or of nobody."""
    return wire.SeatKey(name=created.session.name, token="" if seat is None else created.seat_tokens[seat])


def ask(stubs: Stubs, *keys: wire.SeatKey) -> wire.BatchGetStandingsResponse:
    return stubs.sessions.BatchGetStandings(wire.BatchGetStandingsRequest(seats=keys))


def reason_of(standing: wire.SeatStanding) -> tuple[int, str]:
    """The code and the reason of an entry that has none else."""
    assert not standing.HasField("session")
    assert not standing.HasField("seat")
    info = ErrorInfo()
    standing.error.details[0].Unpack(info)
    return standing.error.code, info.reason


def test_each_seat_hears_what_everybody_may_know_and_which_seat_it_is(stubs: Stubs) -> None:
    played, other = create(stubs), create(stubs, 3, limits={"turn": {"seconds": 600}})
    submit(stubs, played, 0)
    answer = ask(stubs, key(other, 2), key(played, 0), key(played, 1), key(other))
    assert [standing.session for standing in answer.standings] == [
        session_of(stubs, created) for created in (other, played, played, other)
    ]
    assert [standing.seat if standing.HasField("seat") else None for standing in answer.standings] == [2, 0, 1, None]
    assert not any(standing.HasField("error") for standing in answer.standings)
    first = answer.standings[0].session
    left = first.deadline.ToNanoseconds() - answer.server_time.ToNanoseconds()
    assert 0 < left <= 600 * 10**9, "by the server's own time"
    assert list(answer.standings[1].session.standing.awaited) == [1]


def test_the_host_and_a_spectator_have_no_seat(stubs: Stubs) -> None:
    lobby = open_lobby(stubs)
    standings = ask(stubs, wire.SeatKey(name=lobby.session.name, token=lobby.host_token), key(lobby)).standings
    assert [standing.HasField("seat") for standing in standings] == [False, False]
    assert [standing.session for standing in standings] == [lobby.session] * 2


def test_one_that_opens_nothing_spoils_none_of_the_others(stubs: Stubs) -> None:
    created, other = create(stubs), create(stubs)
    absent = wire.SeatKey(name=ABSENT, token=created.seat_tokens[0])
    wrong = wire.SeatKey(name=created.session.name, token=other.seat_tokens[0])
    left = key(other, 1)
    leave(stubs, other, 1)
    standings = ask(stubs, absent, key(created, 1), wrong, left, key(other, 0)).standings
    assert [reason_of(standings[at]) for at in (0, 2, 3)] == [
        (5, "SESSION_NOT_FOUND"),
        (16, "BAD_TOKEN"),
        (16, "BAD_TOKEN"),
    ]
    assert [standings[at].session.name for at in (1, 4)] == [created.session.name, other.session.name]


def test_every_state_is_told(stubs: Stubs) -> None:
    lobby, over, aborted = open_lobby(stubs), create(stubs, **endless(1)), create(stubs)
    joined = join(stubs, lobby, display_name="Ann")
    feed_on(stubs, over)
    abort(stubs, aborted)
    sitting = wire.SeatKey(name=lobby.session.name, token=joined.seat_token)
    standings = ask(stubs, sitting, key(over, 0), key(aborted, 0)).standings
    assert [standing.session.state for standing in standings] == [
        wire.STATE_LOBBY,
        wire.STATE_OVER,
        wire.STATE_ABORTED,
    ]
    assert standings[1].session.standing.HasField("outcome")


def test_a_caller_s_own_token_does_not_count(stubs: Stubs) -> None:
    """Each seat has its own in the body: what the call carries opens nothing, and spoils nothing."""
    created = create(stubs)
    request = wire.BatchGetStandingsRequest(seats=[key(created)])
    metadata = (("authorization", f"Bearer {created.seat_tokens[0]}"),)
    (standing,) = stubs.sessions.BatchGetStandings(request, metadata=metadata).standings
    assert not standing.HasField("seat")


def test_as_many_seats_as_a_question_may_have(stubs: Stubs) -> None:
    made = [create(stubs, 5) for _ in range(MOST_STANDINGS // 5)]
    keys = [key(created, seat) for created in made for seat in range(5)]
    assert [standing.seat for standing in ask(stubs, *keys).standings] == [0, 1, 2, 3, 4] * len(made)
    refused = refusal_of(lambda: ask(stubs, *keys, key(made[0])))
    assert refused.fields == {"seats": f"must be at most {MOST_STANDINGS}, are {MOST_STANDINGS + 1}"}


def test_what_is_no_name_is_named_by_its_place(stubs: Stubs) -> None:
    created = create(stubs)
    refused = refusal_of(lambda: ask(stubs, key(created), wire.SeatKey(name="7f3k")))
    assert set(refused.fields) == {"seats[1].name"}
    assert set(refusal_of(lambda: ask(stubs)).fields) == {"seats"}


@pytest.mark.slow
def test_many_sessions_are_a_few_statements() -> None:
    """Of PostgreSQL, and by a server that has seen none of them before."""
    with running_postgresql(*EVERY_STATEMENT) as postgresql, postgresql.database() as name:
        database = postgresql.url(name)
        with running(database) as one:
            made = [create(one) for _ in range(60)]
        with running(database) as other:
            session_of(other, made[0])
            statements = Statements(postgresql)
            assert len(ask(other, *(key(created, 0) for created in made)).standings) == 60
            assert 1 <= statements.since()["load"] <= 4
