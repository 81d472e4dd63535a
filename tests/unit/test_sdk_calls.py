"""From arguments to calls, without a channel."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.cabbages.v1 import rules_service_pb2
from monsters.session.v1 import session_pb2 as wire

import lair
from lair import _calls as calls
from lair import _rules_calls as rules
from lair import _simulation as simulation
from lair._clocks import Seconds, time_limits

SEATS = ["Ann", "Ben"]


def test_every_path_and_type_is_the_service_s_own() -> None:
    service = wire.DESCRIPTOR.services_by_name["SessionService"]
    made: list[calls.Call[Any]] = [
        calls.create("cabbages", SEATS, None, all_tokens=True),
        calls.join("7f3k-9mqa", "Ann", None, None),
        calls.get("7f3k"),
        calls.games(),
        calls.lobbies(None, ""),
        calls.standings([("7f3k", "token")]),
        calls.submit("sessions/7f3k", "token", 0, "harvest"),
        calls.look("sessions/7f3k", "token", 0),
        calls.watch("sessions/7f3k", "token", 0, None),
        calls.play_seat("sessions/7f3k", "token", None),
        calls.history("sessions/7f3k", "token", ""),
        calls.reveal("sessions/7f3k", ""),
        calls.leave("sessions/7f3k", "token"),
        calls.abort("sessions/7f3k", "token"),
        calls.create_rematch("sessions/7f3k", "token"),
        calls.join_rematch("sessions/7f3k", "token", None),
    ]
    seen = {}
    for call in made:
        _, service_name, method = call.path.split("/")
        assert service_name == service.full_name
        descriptor = service.methods_by_name[method]
        assert call.request.DESCRIPTOR is descriptor.input_type
        assert call.answer.DESCRIPTOR is descriptor.output_type
        seen[method] = call
    assert set(seen) == set(service.methods_by_name)


def test_every_path_and_type_of_the_rules_is_the_game_s_own() -> None:
    service = rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"]
    position = cabbages.Position()
    made: list[calls.Call[Any]] = [
        rules.describe(cabbages),
        rules.start(cabbages, 2),
        rules.moves(cabbages, position, 0),
        rules.why_not(cabbages, position, 0, "feed"),
        rules.apply(cabbages, position, 0, "feed"),
        rules.view(cabbages, position, None),
        rules.suggest(cabbages, position, 0),
        rules.position_text(cabbages, position),
        rules.position(cabbages, "turn 1"),
        simulation.stream(cabbages, rules_service_pb2.ApplyMovesRequest()),
    ]
    for call in made:
        _, service_name, method = call.path.split("/")
        assert service_name == service.full_name
        assert call.request.DESCRIPTOR is service.methods_by_name[method].input_type
        assert call.answer.DESCRIPTOR is service.methods_by_name[method].output_type
    assert {call.path.split("/")[2] for call in made} == set(service.methods_by_name)


@pytest.mark.parametrize(
    "make",
    [
        lambda: calls.create("cabbages", SEATS, None, all_tokens=True),
        lambda: calls.join("7f3k-9mqa", "Ann", None, None),
        lambda: calls.submit("sessions/7f3k", "token", 0, "harvest"),
        lambda: calls.leave("sessions/7f3k", "token"),
        lambda: calls.join_rematch("sessions/7f3k", "token", None),
    ],
)
def test_whatever_changes_something_carries_a_new_uuid(make: Any) -> None:
    first, second = make().request.request_id, make().request.request_id
    assert UUID(first).version == UUID(second).version == 4
    assert first != second


def test_a_caller_s_own_request_id_is_kept() -> None:
    request = calls.submit("sessions/7f3k", "token", 0, "harvest", request_id="mine").request
    assert isinstance(request, wire.SubmitMoveRequest)
    assert request.request_id == "mine"


def test_a_token_travels_as_a_bearer_token_and_is_never_shown() -> None:
    call = calls.submit("sessions/7f3k", "secret-token", 0, "harvest")
    assert ("authorization", "Bearer secret-token") in call.metadata
    assert "secret-token" not in repr(call)
    assert calls.games().metadata == ()


@pytest.mark.parametrize(
    "call",
    [
        calls.get("7f3k"),
        calls.join("sessions/7f3k", "Ann", None, None),
        calls.submit("sessions/7f3k", "token", 0, "harvest"),
        calls.look("sessions/7f3k", "token", 0),
        calls.view("sessions/7f3k", "token", 0, 3),
        calls.watch("sessions/7f3k", "token", 0, None),
        calls.play_seat("sessions/7f3k", "token", None),
        calls.history("sessions/7f3k", "token", ""),
        calls.reveal("sessions/7f3k", ""),
        calls.leave("sessions/7f3k", "token"),
        calls.abort("sessions/7f3k", "token"),
        calls.create_rematch("sessions/7f3k", "token"),
        calls.join_rematch("sessions/7f3k", "token", None),
    ],
    ids=lambda call: call.path.rpartition("/")[2],
)
def test_a_call_about_a_session_says_which(call: calls.Call[Any]) -> None:
    assert call.metadata[-1] == ("lair-session", "sessions/7f3k")


@pytest.mark.parametrize(
    "call",
    [
        calls.games(),
        calls.lobbies(None, ""),
        calls.create("cabbages", [""], None, all_tokens=True),
        calls.join("ABCD-EFGH", "Ann", None, None),
        calls.get("sessions/a b"),
        calls.get("sessions/\u00e4"),
        calls.get("sessions/" + "x" * 100),
        calls.get("games/7f3k"),
        calls.get("sessions/a\n"),
    ],
)
def test_a_call_about_no_session_says_none(call: calls.Call[Any]) -> None:
    """What is no name of a session may be no header either: the server says what is wrong with it."""
    assert call.metadata == ()


def test_a_session_is_named_by_its_id_too() -> None:
    assert calls.session_name("7f3k") == "sessions/7f3k"
    assert calls.session_name("sessions/7f3k") == "sessions/7f3k"


def test_a_joining_player_brings_entropy() -> None:
    def entropy(brought: bytes | None) -> bytes:
        request = calls.join("7f3k-9mqa", "Ann", None, brought).request
        assert isinstance(request, wire.JoinSessionRequest)
        return request.entropy

    assert len(entropy(None)) == 32
    assert entropy(None) != entropy(None)
    assert entropy(b"mine") == b"mine"
    assert entropy(b"") == b""


def test_a_session_is_joined_by_its_code_or_by_its_name() -> None:
    by_code, by_name = (calls.join(how, "Ann", None, None).request for how in ("7f3k-9mqa", "sessions/7f3k"))
    assert isinstance(by_code, wire.JoinSessionRequest)
    assert isinstance(by_name, wire.JoinSessionRequest)
    assert (by_code.join_code, by_code.name) == ("7f3k-9mqa", "")
    assert (by_name.join_code, by_name.name) == ("", "sessions/7f3k")


@pytest.mark.parametrize("game", ["cabbages", cabbages])
def test_lobbies_are_asked_for_by_token_or_module_also_of_a_game_that_is_not_installed(game: Any) -> None:
    request = calls.lobbies(game, "").request
    assert isinstance(request, wire.ListSessionsRequest)
    assert request.game == "cabbages"
    assert getattr(calls.lobbies("goblins", "").request, "game") == "goblins"  # noqa: B009  a request of some type


def test_a_bot_among_the_seats_is_a_seat_of_that_kind() -> None:
    request = calls.create("cabbages", ["Ann", lair.Bot(), lair.Bot("Robin")], None, all_tokens=True).request
    assert isinstance(request, wire.CreateSessionRequest)
    assert [(seat.name, seat.kind) for seat in request.seats] == [
        ("Ann", wire.SEAT_KIND_UNSPECIFIED),
        ("", wire.SEAT_KIND_BOT),
        ("Robin", wire.SEAT_KIND_BOT),
    ]


def test_a_seat_of_0_is_not_the_absent_seat() -> None:
    seated = calls.look("sessions/7f3k", "token", 0).request
    spectator = calls.look("sessions/7f3k", "", None).request
    assert isinstance(seated, wire.GetViewRequest)
    assert isinstance(spectator, wire.GetViewRequest)
    assert (seated.HasField("seat"), spectator.HasField("seat")) == (True, False)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"seats": "AnnBen"}, "seats"),
        ({"seats": [1, 2]}, "name"),
        ({"seats": SEATS, "entropies": [b"one"]}, "entropies"),
        ({"seats": SEATS, "entropies": ["a", "b\ud800"]}, "entropy"),
        ({"seats": SEATS, "request_id": 7}, "request_id"),
    ],
)
def test_what_cannot_be_sent_names_the_field(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(lair.InvalidRequest) as wrong:
        calls.create("cabbages", options=None, all_tokens=True, **arguments)
    assert wrong.value.violations[0].field == field


@pytest.mark.parametrize("limit", [90, 90.0, timedelta(minutes=1.5)])
def test_a_clock_is_in_seconds_or_a_timedelta(limit: Seconds) -> None:
    limits = time_limits(limit, limit, None, None)
    assert limits.turn.ToTimedelta() == limits.idle.ToTimedelta() == timedelta(seconds=90)
    assert not limits.HasField("keep")


def test_a_clock_keeps_its_microseconds() -> None:
    assert time_limits(0.1, None, None, None).turn.nanos == 100_000_000
    assert time_limits(0.000001, None, None, None).turn.nanos == 1000


@pytest.mark.parametrize("absurd", ["soon", float("nan"), float("inf"), 1e30, []])
def test_a_clock_that_cannot_be_sent_names_its_argument(absurd: Any) -> None:
    for number, name in enumerate(("turn_limit", "idle_limit", "keep", "stand_in")):
        given: list[Any] = [None] * 4
        given[number] = absurd
        with pytest.raises(lair.InvalidRequest) as wrong:
            time_limits(*given)
        assert (wrong.value.violations[0].field, wrong.value.domain) == (name, "lair")


def test_a_legal_move_is_sent_back_as_it_came() -> None:
    move = cabbages.Move(harvest=cabbages.Harvest())
    by_message = calls.action(move)
    assert calls.action(lair.LegalMove("harvest", move)) == by_message
    assert calls.action("harvest") == {"text": "harvest"}
    with pytest.raises(lair.InvalidRequest):
        calls.action(None)  # type: ignore[arg-type]  # what a caller without a type checker may do
