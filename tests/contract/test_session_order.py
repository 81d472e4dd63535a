"""The order of checks: each test breaks two neighbours at once, and the first of them is what is told.

Request, session, token, request id, etag, state, game, rules. If the etag came before the request id, the retry of a
move that had been accepted would be told that its own first attempt had made it stale.
"""

from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as Packed

from tests.support.refusals import refusal_of
from tests.support.servers import Stubs
from tests.support.sessions import (
    Created,
    abort,
    create,
    join,
    new_id,
    open_lobby,
    options,
    play_out,
    session_of,
    submit,
)

STRANGE = Packed(type_url="type.googleapis.com/monsters.chess.v1.Move")
STALE = '"99"'


@pytest.fixture
def created(any_server: Stubs) -> Created:
    return create(any_server)


def nowhere(created: Created) -> Created:
    """A session that there isn't, with the tokens of one that there is."""
    elsewhere = Created()
    elsewhere.CopyFrom(created)
    elsewhere.session.name = "sessions/000000000000"
    return elsewhere


def stranger(created: Created) -> Created:
    """The session, for somebody whose tokens open nothing."""
    changed = Created()
    changed.CopyFrom(created)
    changed.seat_tokens[:] = ["x"] * len(created.seat_tokens)
    return changed


def told(call: Callable[[], Any]) -> str:
    return refusal_of(call).reason


def test_the_request_comes_before_the_session(any_server: Stubs, created: Created) -> None:
    assert told(lambda: submit(any_server, nowhere(created), 0, text="")) == "MALFORMED_REQUEST"
    assert told(lambda: submit(any_server, nowhere(created), 0, request_id="x")) == "MALFORMED_REQUEST"


def test_the_session_comes_before_the_token(any_server: Stubs, created: Created) -> None:
    assert told(lambda: submit(any_server, stranger(nowhere(created)), 0)) == "SESSION_NOT_FOUND"


def test_the_token_comes_before_its_seat(any_server: Stubs, created: Created) -> None:
    assert told(lambda: submit(any_server, stranger(created), 0, seat=1)) == "BAD_TOKEN"


def test_the_seat_comes_before_the_request_id(any_server: Stubs, created: Created) -> None:
    request_id = new_id()
    submit(any_server, created, 0, request_id=request_id)
    assert told(lambda: submit(any_server, stranger(created), 0, request_id=request_id)) == "BAD_TOKEN"
    assert told(lambda: submit(any_server, created, 0, seat=1, request_id=request_id)) == "NOT_YOUR_SEAT"


def test_the_request_id_comes_before_the_etag(any_server: Stubs, created: Created) -> None:
    request_id, etag = new_id(), created.session.etag
    first = submit(any_server, created, 0, request_id=request_id, etag=etag)
    assert first.etag != etag
    assert submit(any_server, created, 0, request_id=request_id, etag=etag) == first
    assert told(lambda: submit(any_server, created, 0, request_id=request_id, etag=STALE)) == "REQUEST_ID_REUSED"


def test_the_etag_comes_before_the_state(any_server: Stubs, created: Created) -> None:
    lobby = open_lobby(any_server)
    lobby.seat_tokens.append(join(any_server, lobby).seat_token)
    assert told(lambda: submit(any_server, lobby, 0, etag=STALE)) == "STALE_SESSION"
    abort(any_server, created)
    assert told(lambda: submit(any_server, created, 0, etag=STALE)) == "STALE_SESSION"
    assert told(lambda: submit(any_server, created, 0, etag=created.session.etag)) == "SESSION_ABORTED"
    over = create(any_server, options=options(max_turns=1))
    play_out(any_server, over)
    assert told(lambda: submit(any_server, over, 0, etag=STALE)) == "STALE_SESSION"
    assert told(lambda: submit(any_server, over, 0, etag=session_of(any_server, over).etag)) == "GAME_OVER"


def test_the_request_id_comes_before_the_state(any_server: Stubs) -> None:
    over, request_id = create(any_server, options=options(max_turns=1)), new_id()
    last = submit(any_server, over, 0, request_id=request_id)
    assert last.standing.HasField("outcome")
    assert submit(any_server, over, 0, request_id=request_id) == last


def test_the_state_comes_before_the_game(any_server: Stubs, created: Created) -> None:
    lobby = open_lobby(any_server)
    lobby.seat_tokens.append(join(any_server, lobby).seat_token)
    assert told(lambda: submit(any_server, lobby, 0, move=STRANGE)) == "SESSION_NOT_STARTED"
    abort(any_server, created)
    assert told(lambda: submit(any_server, created, 0, move=STRANGE)) == "SESSION_ABORTED"
    over = create(any_server, options=options(max_turns=1))
    play_out(any_server, over)
    assert told(lambda: submit(any_server, over, 0, move=STRANGE)) == "GAME_OVER"


def test_the_game_comes_before_the_rules(any_server: Stubs, created: Created) -> None:
    assert told(lambda: submit(any_server, created, 1, move=STRANGE)) == "WRONG_GAME"


def test_the_rules_come_last_in_their_own_order(any_server: Stubs, created: Created) -> None:
    """Malformed, host or seat, turn, detail (D3)."""
    assert told(lambda: submit(any_server, created, 1, text="dance")) == "MALFORMED_REQUEST"
    assert told(lambda: submit(any_server, created, 1, text="timeout")) == "HOST_ONLY"
    assert told(lambda: submit(any_server, created, 1, text="feed")) == "NOT_YOUR_TURN"
    assert told(lambda: submit(any_server, created, 0, text="feed")) == "CUP_EMPTY"
