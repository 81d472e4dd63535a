"""What a request may cost: bounds on the wire, before anything is built of it."""

from collections.abc import Mapping
from typing import Any

import grpc
import pytest
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.session.v1 import session_pb2 as wire

from services.games import find_games
from services.runtime.requests import MOST_MESSAGE, MOST_REQUEST
from tests.support.refusals import RULES, SESSION, refusal_of
from tests.support.servers import Stubs, service_of
from tests.support.sessions import create, options, view_of

MALFORMED = ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
HEADS = "/monsters.heads.v1.RulesService"


def ends_with(call: Any) -> tuple[str, str]:
    """What gRPC itself says: it has no details."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    error: Any = caught.value
    return error.code().name, error.details()


@pytest.mark.parametrize("compression", [grpc.Compression.Gzip, grpc.Compression.Deflate])
@pytest.mark.parametrize("path", [f"{HEADS}/EnumerateMoves", "/monsters.session.v1.SessionService/CreateSession"])
def test_a_compressed_request_is_refused_whatever_is_in_it(
    server: Stubs, compression: grpc.Compression, path: str
) -> None:
    """236 bytes of it were 420 milliseconds of work."""
    channel: Any = server.channel
    code, details = ends_with(lambda: channel.unary_unary(path)(b"\x12\x00" * 50_000, compression=compression))
    assert code == "UNIMPLEMENTED"
    assert "disabled" in details


def test_a_compressed_message_of_a_stream_is_refused_too(server: Stubs) -> None:
    channel: Any = server.channel
    stream = channel.stream_stream("/monsters.session.v1.SessionService/PlaySeat")
    assert ends_with(lambda: list(stream(iter([b"\x0a\x00"]), compression=grpc.Compression.Gzip)))[0] == "UNIMPLEMENTED"


def test_answers_are_not_compressed(server: Stubs) -> None:
    """A server that takes no compressed bytes says so, and sends none."""
    answer, call = server.rules("heads").DescribeGame.with_call(opaque.DescribeGameRequest())
    assert answer.game.token == "heads"
    said = dict(call.initial_metadata())
    assert "grpc-encoding" not in said
    assert said.get("grpc-accept-encoding", "identity") == "identity"


@pytest.mark.parametrize("method", ["EnumerateMoves", "ViewPosition", "StartGame", "ParsePosition"])
def test_a_request_has_so_many_bytes(server: Stubs, method: str) -> None:
    path = f"{HEADS}/{method}"
    bound = f"must have at most {MOST_REQUEST} bytes, has {MOST_REQUEST + 1}"
    refused = refusal_of(lambda: server.raw(path, b"\xff" * (MOST_REQUEST + 1)))
    assert (refused.kind, refused.fields) == (MALFORMED, {"": bound})
    within = refusal_of(lambda: server.raw(path, b"\xff" * MOST_REQUEST))
    assert within.kind == MALFORMED
    assert "bytes are not" in within.fields[""]


def test_what_is_larger_than_any_message_is_refused_by_grpc(server: Stubs) -> None:
    code, details = ends_with(lambda: server.raw(f"{HEADS}/EnumerateMoves", b"\xff" * (MOST_MESSAGE + 1)))
    assert code == "RESOURCE_EXHAUSTED"
    assert str(MOST_MESSAGE) in details


def test_a_message_of_a_stream_may_have_more(server: Stubs) -> None:
    """A thousand moves with their seeds, and positions for 256 chains: what the documents allow fits in."""
    rules, channel = server.rules("sprinkleton"), server.channel
    started = rules.StartGame(service_of("sprinkleton").StartGameRequest(seats=6))
    (seat,) = started.standing.awaited
    moves = [
        opaque.NextMove(
            chain=number % 256,
            seat=seat,
            move_text="roll" if number < 256 else "timeout",
            position=started.position.SerializeToString() if number < 256 else b"",
            chance={"seed": bytes(32)},  # type: ignore[arg-type]  # as a dict
        )
        for number in range(1000)
    ]
    raw = opaque.ApplyMovesRequest(moves=moves).SerializeToString()
    assert MOST_REQUEST < len(raw) <= MOST_MESSAGE
    stream: Any = channel.stream_stream("/monsters.sprinkleton.v1.RulesService/ApplyMoves")
    answers = [opaque.ApplyMovesResponse.FromString(answer) for answer in stream(iter([raw]))]
    assert sum(len(answer.moves) for answer in answers) == 1000
    assert not answers[0].moves[0].HasField("error")


INVENTED: Mapping[str, str] = {
    "nobody's": "goblins",
    "in capitals": "CABBAGES",
    "with a space": "cabbages ",
    "a path": "../cabbages",
    "a method": "cabbages.v1.RulesService/StartGame?",
    "a target": "dns:///elsewhere:50051",
    "with a zero": "cabbages\0",
    "beyond ASCII": "kohlköpfe\U0001f96c",
    "endless": "a" * 20_000,
    "a template": "{game}",
}


@pytest.mark.parametrize("name", INVENTED)
@pytest.mark.parametrize("more", ["nothing", "its options", "another game's options", "absurd seats"])
def test_a_game_that_somebody_has_invented_is_not_found(any_server: Stubs, name: str, more: str) -> None:
    """Before anything else of the request is looked at, and whatever way the rules are reached."""
    game = INVENTED[name]
    request = wire.CreateSessionRequest(game=game, seats=[wire.SeatRequest(name="Ann")] * 2)
    if more == "its options":
        request.options.type_url = f"type.googleapis.com/monsters.{game}.v1.Options"
    elif more == "another game's options":
        request.options.CopyFrom(options())
    elif more == "absurd seats":
        request.seats.extend([wire.SeatRequest(name="\0", kind=9)] * 70)  # type: ignore[arg-type]  # the point
    refused = refusal_of(lambda: any_server.sessions.CreateSession(request))
    assert refused.kind == ("NOT_FOUND", SESSION, "GAME_NOT_FOUND")
    assert set(refused.metadata) == {"game"}


def test_every_game_that_is_served_is_found(any_server: Stubs) -> None:
    for game, entry in find_games().items():
        assert create(any_server, entry.game.seats[0], game=game, options=None).session.game == game


@pytest.mark.parametrize("header", ["Basic QW5uOg==", "Token abc", "abc", "", "Bearer", "bearer  ", "Bearer,Bearer x"])
def test_another_scheme_is_a_bad_token_and_no_spectator(server: Stubs, header: str) -> None:
    created = create(server)
    metadata = (("authorization", header),)
    name = created.session.name
    for call in (
        lambda: server.sessions.GetView(wire.GetViewRequest(name=name), metadata=metadata),
        lambda: server.sessions.ListEvents(wire.ListEventsRequest(name=name), metadata=metadata),
        lambda: server.sessions.WatchSession(wire.WatchSessionRequest(name=name), metadata=metadata),
        lambda: server.sessions.SubmitMove(wire.SubmitMoveRequest(name=name, text="harvest"), metadata=metadata),
        lambda: server.sessions.AbortSession(wire.AbortSessionRequest(name=name), metadata=metadata),
    ):
        assert refusal_of(call).kind == ("UNAUTHENTICATED", SESSION, "BAD_TOKEN")
    assert not view_of(server, created).HasField("seat"), "who says nothing of himself is a spectator"
