"""MALFORMED_REQUEST: the request is wrong whatever the position, and a BadRequest names each field that is."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.cabbages.v1 import rules_service_pb2 as service
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from tests.support.refusals import RULES, Refused, read_status, refusal_of
from tests.support.servers import Stubs, bearer
from tests.support.sessions import TYPE_URL, Created, Player, create, open_lobby, options, pack

MALFORMED = ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
SERVICE = "/monsters.cabbages.v1.RulesService"
TWO = [wire.SeatRequest(name="Ann"), wire.SeatRequest(name="Ben")]
POSITION = cabbages.Position(
    cabbages=[0, 0], feedings=[0, 0], cup_gap=1, turn=1, options=cabbages.Options(first_seat=0)
)


def position(**changes: Any) -> cabbages.Position:
    changed = cabbages.Position()
    changed.CopyFrom(POSITION)
    changed.MergeFrom(cabbages.Position(**changes))
    return changed


def script(*results: int) -> words.Chance:
    return words.Chance(script=words.Script(results=results))


HARVEST = cabbages.Move(harvest=cabbages.Harvest())

RULES_CASES: Mapping[str, tuple[str, Message, str]] = {
    "no seats": ("StartGame", service.StartGameRequest(), "seats"),
    "too many seats": ("StartGame", service.StartGameRequest(seats=6), "seats"),
    "seats below zero": ("StartGame", service.StartGameRequest(seats=-2), "seats"),
    "an option that can't be": (
        "StartGame",
        service.StartGameRequest(seats=2, options=cabbages.Options(cup_start=7)),
        "options.cup_start",
    ),
    "an option's value that there isn't": (
        "StartGame",
        service.StartGameRequest(seats=2, options=cabbages.Options(cup_move=9)),  # type: ignore[arg-type]  # the point
        "options.cup_move",
    ),
    "options that can't be read": ("StartGame", opaque.StartGameRequest(seats=2, options=b"\xff"), "options"),
    "a short seed": ("StartGame", service.StartGameRequest(seats=2, chance=words.Chance(seed=b"x")), "chance.seed"),
    "a result that isn't on the die": (
        "StartGame",
        service.StartGameRequest(seats=2, chance=script(3)),
        "chance.script.results[0]",
    ),
    "a script that is too short": (
        "StartGame",
        service.StartGameRequest(seats=2, chance=script()),
        "chance.script.results",
    ),
    "a script that is too long": (
        "StartGame",
        service.StartGameRequest(seats=2, chance=script(1, 1)),
        "chance.script.results",
    ),
    "the view of a seat that there isn't": (
        "StartGame",
        service.StartGameRequest(seats=2, view_for=words.ViewFor(seats=[1, 2])),
        "view_for.seats[1]",
    ),
    "more views than seats": (
        "StartGame",
        service.StartGameRequest(seats=2, view_for=words.ViewFor(seats=[0] * 4)),
        "view_for.seats",
    ),
    "no position": ("EnumerateMoves", service.EnumerateMovesRequest(seat=0), "position"),
    "a position that can't be read": ("ViewPosition", opaque.ViewPositionRequest(position=b"\xff"), "position"),
    "a position's value that there isn't": (
        "ViewPosition",
        service.ViewPositionRequest(position=position(last_roll=[cabbages.Roll(cause=9)])),  # type: ignore[arg-type]  # the point
        "position.last_roll[0].cause",
    ),
    "a seat that there isn't": ("ViewPosition", service.ViewPositionRequest(position=POSITION, seat=2), "seat"),
    "a seat below zero": ("EnumerateMoves", service.EnumerateMovesRequest(position=POSITION, seat=-1), "seat"),
    "no move": ("ApplyMove", service.ApplyMoveRequest(position=POSITION, seat=0), "move"),
    "a move that can't be read": (
        "ValidateMove",
        opaque.ValidateMoveRequest(position=POSITION.SerializeToString(), move=b"\xff", seat=0),
        "move",
    ),
    "a move of no kind that is known": (
        "ValidateMove",
        opaque.ValidateMoveRequest(position=POSITION.SerializeToString(), move=b"\x7a\x00", seat=0),
        "move.kind",
    ),
    "a move and a text": (
        "ApplyMove",
        service.ApplyMoveRequest(position=POSITION, seat=0, move=HARVEST, move_text="harvest"),
        "move_text",
    ),
    "a text that is no move": (
        "ValidateMove",
        service.ValidateMoveRequest(position=POSITION, seat=0, move_text="dance"),
        "move_text",
    ),
}


def endless(name: str, size: int) -> Packed:
    """So many bytes of one field, again and again: fields that come twice are no error to protobuf."""
    repeated = (b"\x08\x01" * size)[: size - size % 2] + b"\x08\x01"
    return Packed(type_url=f"{TYPE_URL}monsters.cabbages.v1.{name}", value=repeated)


Make = Callable[[str], Message]
SESSION_CASES: Mapping[str, tuple[str, Make, str]] = {
    "no game": ("CreateSession", lambda _: wire.CreateSessionRequest(seats=TWO), "game"),
    "no seats": ("CreateSession", lambda _: wire.CreateSessionRequest(game="cabbages"), "seats"),
    "more seats than anybody has": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest()] * 65),
        "seats",
    ),
    "more seats than the game has": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest()] * 6),
        "seats",
    ),
    "a long name": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=[TWO[0], wire.SeatRequest(name="n" * 65)]),
        "seats[1].name",
    ),
    "a name that steers a terminal": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest(name="\x1b[2J"), TWO[1]]),
        "seats[0].name",
    ),
    "a kind that there isn't": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest(kind=9), TWO[1]]),  # type: ignore[arg-type]  # the point
        "seats[0].kind",
    ),
    "too much entropy": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=[wire.SeatRequest(entropy=bytes(65)), TWO[1]]),
        "seats[0].entropy",
    ),
    "options that can't be": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=TWO, options=options(cup_start=7)),
        "options.cup_start",
    ),
    "options that can't be read": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(
            game="cabbages",
            seats=TWO,
            options=Packed(type_url=f"{TYPE_URL}monsters.cabbages.v1.Options", value=b"\xff"),
        ),
        "options",
    ),
    "options without an end": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=TWO, options=endless("Options", 4097)),
        "options",
    ),
    "a request id that is no UUID": (
        "CreateSession",
        lambda _: wire.CreateSessionRequest(game="cabbages", seats=TWO, request_id="again"),
        "request_id",
    ),
    "no join code": ("JoinSession", lambda _: wire.JoinSessionRequest(), "join_code"),
    "a long display name": (
        "JoinSession",
        lambda _: wire.JoinSessionRequest(join_code="7f3k-9mqa", display_name="n" * 65),
        "display_name",
    ),
    "too much entropy from a player": (
        "JoinSession",
        lambda _: wire.JoinSessionRequest(join_code="7f3k-9mqa", entropy=bytes(65)),
        "entropy",
    ),
    "a join's request id that is no UUID": (
        "JoinSession",
        lambda _: wire.JoinSessionRequest(join_code="7f3k-9mqa", request_id="again"),
        "request_id",
    ),
    "no name": ("GetSession", lambda _: wire.GetSessionRequest(), "name"),
    "a name without its collection": ("GetSession", lambda _: wire.GetSessionRequest(name="7f3k"), "name"),
    "a name without its id": ("GetView", lambda _: wire.GetViewRequest(name="sessions/"), "name"),
    "a name of something deeper": ("ListEvents", lambda _: wire.ListEventsRequest(name="sessions/a/b"), "name"),
    "an endless name": ("AbortSession", lambda _: wire.AbortSessionRequest(name=f"sessions/{'a' * 65}"), "name"),
    "a watch of no name": ("WatchSession", lambda _: wire.WatchSessionRequest(name="7f3k"), "name"),
    "no action": ("SubmitMove", lambda name: wire.SubmitMoveRequest(name=name), "move"),
    "an empty text": ("SubmitMove", lambda name: wire.SubmitMoveRequest(name=name, text=""), "move"),
    "a text that is no move": ("SubmitMove", lambda name: wire.SubmitMoveRequest(name=name, text="dance"), "text"),
    "a text without an end": ("SubmitMove", lambda name: wire.SubmitMoveRequest(name=name, text="d" * 257), "text"),
    "a move without an end": (
        "SubmitMove",
        lambda name: wire.SubmitMoveRequest(name=name, move=endless("Move", 4097)),
        "move",
    ),
    "a name and a code": (
        "JoinSession",
        lambda name: wire.JoinSessionRequest(name=name, join_code="7f3k-9mqa"),
        "name",
    ),
    "a name to join by without its id": ("JoinSession", lambda _: wire.JoinSessionRequest(name="sessions/"), "name"),
    "a move of no kind": (
        "SubmitMove",
        lambda name: wire.SubmitMoveRequest(name=name, move=pack(cabbages.Move())),
        "move",
    ),
    "a submit's request id that is no UUID": (
        "SubmitMove",
        lambda name: wire.SubmitMoveRequest(name=name, text="harvest", request_id="again"),
        "request_id",
    ),
    "a page below zero": ("ListEvents", lambda name: wire.ListEventsRequest(name=name, page_size=-1), "page_size"),
    "an endless page": (
        "RevealSession",
        lambda name: wire.RevealSessionRequest(name=name, page_size=1001),
        "page_size",
    ),
    "an endless page of lobbies": ("ListSessions", lambda _: wire.ListSessionsRequest(page_size=101), "page_size"),
}

# Nonsense, JSON of another kind, a number too far, and half a pair of UTF-16, which no string on a wire has.
PAGE_TOKENS = ("nonsense", "bnVsbA==", "Wy0xXQ==", "WzFlMzBd", "WzEsIlx1ZDgwMCJd", "W" * 60_000, "é")


@pytest.fixture(scope="module")
def created(server: Stubs) -> Created:
    return create(server)


@pytest.mark.parametrize("case", RULES_CASES)
def test_the_rules_name_the_field(server: Stubs, case: str) -> None:
    method, request, field = RULES_CASES[case]
    refused = refusal_of(lambda: server.raw(f"{SERVICE}/{method}", request.SerializeToString()))
    assert refused.kind == MALFORMED
    assert set(refused.fields) == {field}


@pytest.mark.parametrize("case", SESSION_CASES)
def test_the_sessions_name_the_field(server: Stubs, created: Created, case: str) -> None:
    method, make, field = SESSION_CASES[case]
    token = bearer(created.seat_tokens[0])
    refused = refusal_of(lambda: getattr(server.sessions, method)(make(created.session.name), metadata=token))
    assert refused.kind == MALFORMED
    assert set(refused.fields) == {field}


@pytest.mark.parametrize("page_token", PAGE_TOKENS)
def test_a_page_token_that_nobody_gave(server: Stubs, created: Created, page_token: str) -> None:
    name = created.session.name
    for call in (
        lambda: server.sessions.ListSessions(wire.ListSessionsRequest(page_token=page_token)),
        lambda: server.sessions.ListEvents(wire.ListEventsRequest(name=name, page_token=page_token)),
        lambda: server.sessions.RevealSession(wire.RevealSessionRequest(name=name, page_token=page_token)),
    ):
        refused = refusal_of(call)
        assert refused.kind == MALFORMED
        assert set(refused.fields) == {"page_token"}


def test_a_seat_of_a_lobby_that_there_isnt(server: Stubs) -> None:
    lobby = open_lobby(server)
    refused = refusal_of(
        lambda: server.sessions.JoinSession(wire.JoinSessionRequest(join_code=lobby.join_code, seat=2))
    )
    assert refused.kind == MALFORMED
    assert set(refused.fields) == {"seat"}


@pytest.mark.parametrize(
    "path",
    [f"{SERVICE}/ApplyMove", "/monsters.session.v1.SessionService/CreateSession"],
)
@pytest.mark.parametrize("junk", [b"\xff", b"\x0a\x02\xff\xfe", b"\x0b" * 1000, b"\x0a\xff\xff\xff\xff\x0f"])
def test_bytes_that_are_no_request(server: Stubs, path: str, junk: bytes) -> None:
    assert refusal_of(lambda: server.raw(path, junk)).kind == MALFORMED


def played(server: Stubs, created: Created, *messages: wire.PlaySeatRequest) -> Refused:
    """What a stream of these messages ends with."""
    token = bearer(created.seat_tokens[0])
    return refusal_of(lambda: server.sessions.PlaySeat(iter(messages), metadata=token))


def test_a_stream_has_to_open_first(server: Stubs, created: Created) -> None:
    submit = wire.PlaySeatRequest(submit=wire.PlaySeatSubmit(text="harvest"))
    for first in (submit, wire.PlaySeatRequest()):
        refused = played(server, created, first)
        assert (refused.kind, set(refused.fields)) == (MALFORMED, {"open"})
    assert played(server, created).kind == MALFORMED


def test_a_stream_opens_a_session_by_its_name(server: Stubs, created: Created) -> None:
    refused = played(server, created, wire.PlaySeatRequest(open=wire.PlaySeatOpen(name="7f3k")))
    assert (refused.kind, set(refused.fields)) == (MALFORMED, {"open.name"})


def test_a_stream_opens_once(server: Stubs, created: Created) -> None:
    opening = wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=created.session.name))
    refused = played(server, created, opening, opening)
    assert (refused.kind, set(refused.fields)) == (MALFORMED, {"submit"})


def test_a_malformed_submit_is_refused_within_the_stream(server: Stubs, created: Created) -> None:
    with Player(server, created, 0) as player:
        for submit, field in (({"text": ""}, "move"), ({"text": "dance"}, "text"), ({"request_id": "x"}, "request_id")):
            player.submit(**submit)
            *_, message = player.answer()
            refused = read_status(message.acknowledgement.error)
            assert (refused.kind, set(refused.fields)) == (MALFORMED, {field})


@pytest.mark.parametrize("size", [1_000, 30_000])
def test_an_error_stays_small_however_absurd_the_request(server: Stubs, created: Created, size: int) -> None:
    """`refusal_of` looks at the size of each: details above 16 KiB would break the call."""
    long, token = "\U0001f47e" * (size // 4), bearer(created.seat_tokens[0])
    sessions, name = server.sessions, created.session.name
    absurd = Packed(type_url=long, value=long.encode()[: size // 4])
    for call in (
        lambda: sessions.GetSession(wire.GetSessionRequest(name=long)),
        lambda: sessions.CreateSession(wire.CreateSessionRequest(game=long, seats=TWO)),
        lambda: sessions.CreateSession(wire.CreateSessionRequest(game="cabbages", seats=TWO, options=absurd)),
        lambda: sessions.CreateSession(wire.CreateSessionRequest(game="cabbages", seats=TWO, request_id=long)),
        lambda: sessions.JoinSession(wire.JoinSessionRequest(join_code=long)),
        lambda: sessions.SubmitMove(wire.SubmitMoveRequest(name=name, text=long), metadata=token),
        lambda: sessions.SubmitMove(wire.SubmitMoveRequest(name=name, move=absurd), metadata=token),
        lambda: sessions.SubmitMove(wire.SubmitMoveRequest(name=name, text="harvest", etag=long), metadata=token),
        lambda: server.rules().ValidateMove(service.ValidateMoveRequest(position=POSITION, move_text=long)),
        lambda: server.rules().ViewPosition(
            service.ViewPositionRequest(position=position(cabbages=[-1] * (size // 16)))
        ),
        lambda: server.rules().StartGame(
            service.StartGameRequest(seats=2, view_for=words.ViewFor(seats=[99] * (size // 16)))
        ),
    ):
        assert refusal_of(call).code in {"INVALID_ARGUMENT", "NOT_FOUND", "ABORTED"}
