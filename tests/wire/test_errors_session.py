"""What sessions refuse: strangers, wrong seats, stale callers, and whatever is not there (any more, or yet)."""

import pytest
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import SESSION, Refused, refusal_of
from tests.support.servers import Stubs, bearer
from tests.support.sessions import (
    Created,
    Player,
    abort,
    create,
    join,
    new_id,
    open_lobby,
    options,
    play_out,
    reveal_of,
    session_of,
    submit,
    view_of,
    watch,
)

NOWHERE = "sessions/000000000000"


@pytest.fixture(scope="module")
def created(server: Stubs) -> Created:
    """A session whose first move has been played."""
    created = create(server)
    submit(server, created, 0)
    return created


def with_token(created: Created, token: str) -> Created:
    """The same session, for somebody whose token this is."""
    changed = Created()
    changed.CopyFrom(created)
    changed.host_token = token
    changed.seat_tokens[:] = [token] * len(created.session.seats)
    return changed


# ---- who calls ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "A" * 4000])
def test_a_bad_token_opens_nothing(server: Stubs, created: Created, token: str) -> None:
    stranger = with_token(created, token)
    for call in (
        lambda: submit(server, stranger, 0),
        lambda: view_of(server, stranger, 0),
        lambda: watch(server, stranger, 0),
        lambda: Player(server, stranger, 0).received,
        lambda: abort(server, stranger),
        lambda: server.sessions.ListEvents(wire.ListEventsRequest(name=created.session.name), metadata=bearer(token)),
        lambda: server.sessions.RevealSession(
            wire.RevealSessionRequest(name=created.session.name), metadata=bearer(token)
        ),
    ):
        refused = refusal_of(call)
        assert refused.kind == ("UNAUTHENTICATED", SESSION, "BAD_TOKEN")
        assert "A" * 10 not in refused.message


def test_a_token_of_another_session_opens_nothing(server: Stubs, created: Created) -> None:
    stranger = with_token(created, create(server).seat_tokens[0])
    assert refusal_of(lambda: submit(server, stranger, 0)).kind == ("UNAUTHENTICATED", SESSION, "BAD_TOKEN")


def test_nobody_plays_or_aborts_without_a_token(server: Stubs, created: Created) -> None:
    name = created.session.name
    for call in (
        lambda: server.sessions.SubmitMove(wire.SubmitMoveRequest(name=name, text="harvest")),
        lambda: server.sessions.AbortSession(wire.AbortSessionRequest(name=name)),
        lambda: server.sessions.PlaySeat(iter([wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=name))])),
        lambda: server.sessions.SubmitMove(
            wire.SubmitMoveRequest(name=name, text="harvest"), metadata=(("authorization", "Basic QW5uOkJlbg=="),)
        ),
    ):
        assert refusal_of(call).kind == ("UNAUTHENTICATED", SESSION, "BAD_TOKEN")


def test_a_seat_that_is_not_the_tokens_is_refused(server: Stubs, created: Created) -> None:
    name, token = created.session.name, bearer(created.seat_tokens[0])
    for call in (
        lambda: submit(server, created, 0, seat=1),
        lambda: view_of(server, created, 0, seat=1),
        lambda: watch(server, created, 0, seat=1),
        lambda: server.sessions.SubmitMove(
            wire.SubmitMoveRequest(name=name, text="timeout", seat=1), metadata=bearer(created.host_token)
        ),
        lambda: server.sessions.GetView(wire.GetViewRequest(name=name, seat=1), metadata=token),
    ):
        refused = refusal_of(call)
        assert refused.kind == ("PERMISSION_DENIED", SESSION, "NOT_YOUR_SEAT")
        assert refused.metadata == {"seat": "1"}


def test_only_the_host_aborts(server: Stubs, created: Created) -> None:
    refused = refusal_of(lambda: abort(server, with_token(created, created.seat_tokens[0])))
    assert refused.kind == ("PERMISSION_DENIED", SESSION, "HOST_ONLY")
    assert session_of(server, created).state == wire.STATE_PLAYING


# ---- what is not there ----------------------------------------------------------------------------------------------


def test_an_unknown_session_is_not_found(server: Stubs, created: Created) -> None:
    nowhere = Created(session=wire.Session(name=NOWHERE), host_token="t", seat_tokens=["t"])
    for call in (
        lambda: session_of(server, nowhere),
        lambda: submit(server, nowhere, 0),
        lambda: view_of(server, nowhere),
        lambda: watch(server, nowhere),
        lambda: Player(server, nowhere, 0).received,
        lambda: server.sessions.ListEvents(wire.ListEventsRequest(name=NOWHERE)),
        lambda: reveal_of(server, nowhere),
        lambda: abort(server, nowhere),
    ):
        refused = refusal_of(call)
        assert refused.kind == ("NOT_FOUND", SESSION, "SESSION_NOT_FOUND")
        assert refused.metadata == {"name": NOWHERE}


def test_a_rematch_that_nobody_has_asked_for_is_not_found(server: Stubs, created: Created) -> None:
    name, token = created.session.name, bearer(created.seat_tokens[0])
    refused = refusal_of(lambda: server.sessions.JoinRematch(wire.JoinRematchRequest(name=name), metadata=token))
    assert refused.kind == ("NOT_FOUND", SESSION, "REMATCH_NOT_FOUND")
    assert refused.metadata == {"name": name}


def test_a_session_that_is_not_listed_is_joined_by_code_alone(server: Stubs) -> None:
    name = open_lobby(server).session.name
    refused = refusal_of(lambda: server.sessions.JoinSession(wire.JoinSessionRequest(name=name)))
    assert refused.kind == ("PERMISSION_DENIED", SESSION, "JOIN_CODE_REQUIRED")
    assert refused.metadata == {"name": name}


def test_there_is_no_rematch_before_the_end(server: Stubs, created: Created) -> None:
    name, token = created.session.name, bearer(created.host_token)
    refused = refusal_of(lambda: server.sessions.CreateRematch(wire.CreateRematchRequest(name=name), metadata=token))
    assert refused.kind == ("FAILED_PRECONDITION", SESSION, "SESSION_NOT_OVER")
    assert refused.metadata == {"name": name}


@pytest.mark.parametrize("code", ["7f3k-9mqa", "!", "\x00", "é" * 1000])
def test_an_unknown_join_code_is_not_found_and_not_repeated(server: Stubs, code: str) -> None:
    refused = refusal_of(lambda: server.sessions.JoinSession(wire.JoinSessionRequest(join_code=code)))
    assert refused.kind == ("NOT_FOUND", SESSION, "JOIN_CODE_NOT_FOUND")
    assert code == "!" or code not in refused.message


@pytest.mark.parametrize("game", ["chess", "Cabbages", "cabbages.v1", "../cabbages", "a" * 33])
def test_an_unknown_game_is_not_found(any_server: Stubs, game: str) -> None:
    request = wire.CreateSessionRequest(game=game, seats=[wire.SeatRequest()] * 2)
    refused = refusal_of(lambda: any_server.sessions.CreateSession(request))
    assert refused.kind == ("NOT_FOUND", SESSION, "GAME_NOT_FOUND")
    assert refused.metadata == {"game": game}


@pytest.mark.parametrize("revision", [2, -1, 2**63 - 1, -(2**63)])
def test_an_unknown_revision_is_not_found(server: Stubs, created: Created, revision: int) -> None:
    refused = refusal_of(lambda: view_of(server, created, revision=revision))
    assert refused.kind == ("NOT_FOUND", SESSION, "REVISION_NOT_FOUND")
    assert refused.metadata == {"revision": str(revision)}


@pytest.mark.parametrize("revision", [2, -2, 2**63 - 1, -(2**63)])
def test_nobody_resumes_from_an_unknown_revision(server: Stubs, created: Created, revision: int) -> None:
    for call in (
        lambda: watch(server, created, after_revision=revision),
        lambda: Player(server, created, 0, after_revision=revision).received,
    ):
        refused = refusal_of(call)
        assert refused.kind == ("NOT_FOUND", SESSION, "REVISION_NOT_FOUND")
        assert refused.metadata == {"revision": str(revision)}


# ---- stale and again ------------------------------------------------------------------------------------------------


def test_a_stale_etag_is_told_the_current_one(server: Stubs, created: Created) -> None:
    for etag in ('"0"', "1", "*", "é"):
        refused = refusal_of(lambda: submit(server, created, 1, etag=etag))  # noqa: B023  called here
        assert refused.kind == ("ABORTED", SESSION, "STALE_SESSION")
        assert refused.metadata == {"current_etag": session_of(server, created).etag}


def test_a_request_id_is_for_one_request(server: Stubs) -> None:
    def reused(refused: Refused, request_id: str) -> bool:
        return (refused.kind, refused.metadata) == (
            ("INVALID_ARGUMENT", SESSION, "REQUEST_ID_REUSED"),
            {"request_id": request_id},
        )

    request_id = new_id()
    lobby = open_lobby(server, request_id=request_id)
    assert reused(refusal_of(lambda: open_lobby(server, seats=3, request_id=request_id)), request_id)
    assert reused(refusal_of(lambda: create(server, request_id=request_id)), request_id)
    join(server, lobby, request_id=request_id, display_name="Ann")
    assert reused(refusal_of(lambda: join(server, lobby, request_id=request_id, display_name="Ben")), request_id)
    created = create(server)
    submit(server, created, 0, request_id=request_id)
    assert reused(refusal_of(lambda: submit(server, created, 0, "feed", request_id=request_id)), request_id)
    assert reused(refusal_of(lambda: submit(server, created, 1, request_id=request_id)), request_id)
    assert session_of(server, created).revision == 1


# ---- the life of a session ------------------------------------------------------------------------------------------


def test_nothing_is_played_before_the_last_seat_is_taken(server: Stubs) -> None:
    lobby = open_lobby(server)
    lobby.seat_tokens.append(join(server, lobby).seat_token)
    refused = refusal_of(lambda: submit(server, lobby, 0))
    assert refused.kind == ("FAILED_PRECONDITION", SESSION, "SESSION_NOT_STARTED")
    assert refused.metadata == {"name": lobby.session.name}


def test_a_seat_is_taken_once(server: Stubs) -> None:
    lobby = open_lobby(server)
    join(server, lobby, seat=1)
    refused = refusal_of(lambda: join(server, lobby, seat=1))
    assert refused.kind == ("FAILED_PRECONDITION", SESSION, "SEAT_TAKEN")
    assert refused.metadata == {"name": lobby.session.name}
    join(server, lobby)
    assert refusal_of(lambda: join(server, lobby)).kind == ("FAILED_PRECONDITION", SESSION, "SEAT_TAKEN")


def test_nothing_is_revealed_before_the_end(server: Stubs, created: Created) -> None:
    for unfinished in (created, open_lobby(server)):
        refused = refusal_of(lambda: reveal_of(server, unfinished))  # noqa: B023  called here
        assert refused.kind == ("FAILED_PRECONDITION", SESSION, "SESSION_NOT_OVER")
        assert refused.metadata == {"name": unfinished.session.name}


def test_an_aborted_session_takes_neither_moves_nor_players(server: Stubs) -> None:
    created, lobby = create(server), open_lobby(server)
    for session in (created, lobby):
        assert abort(server, session).state == wire.STATE_ABORTED
    for call, session in ((lambda: submit(server, created, 0), created), (lambda: join(server, lobby), lobby)):
        refused = refusal_of(call)
        assert refused.kind == ("FAILED_PRECONDITION", SESSION, "SESSION_ABORTED")
        assert refused.metadata == {"name": session.session.name}


def test_a_game_that_is_over_is_not_aborted(server: Stubs) -> None:
    created = create(server, options=options(max_turns=1))
    play_out(server, created)
    refused = refusal_of(lambda: abort(server, created))
    assert refused.kind == ("FAILED_PRECONDITION", SESSION, "GAME_OVER")
    assert session_of(server, created).state == wire.STATE_OVER
