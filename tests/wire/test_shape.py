"""Every game's RulesService has the one shape that the opaque form writes down: a caller needs no game's code."""

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import pytest
from google.api.annotations_pb2 import http
from google.api.field_behavior_pb2 import field_behavior
from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from monsters.rules.v1 import opaque_pb2, rules_pb2

from services.games import find_games
from services.kernel.playing import random_play
from tests.support.servers import messages_of, service_of

OPAQUE: FileDescriptor = opaque_pb2.DESCRIPTOR
SHARED = {name: message for name, message in OPAQUE.message_types_by_name.items() if name != "Event"}
METHODS = sorted(name.removesuffix("Request") for name in SHARED if name.endswith("Request"))
OWN_TYPES = {"position": "Position", "move": "Move", "view": "View", "events": "Event", "options": "Options"}
STREAMS = {"ApplyMoves"}
FIRST_EXTRA = 20
EVERY_GAME_REFUSES = {"GAME_OVER", "NOT_YOUR_TURN", "HOST_ONLY", "SEAT_ONLY"}


def packages_with_rules() -> Iterable[str]:
    """The tokens of all generated packages that have a RulesService."""
    for folder in files("monsters").iterdir():
        if folder.joinpath("v1", "rules_service_pb2.py").is_file():
            yield folder.name


GAMES = sorted({*find_games(), *packages_with_rules()})


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def protos(game: str) -> FileDescriptor:
    """What is the game's own."""
    descriptor: FileDescriptor = messages_of(game).DESCRIPTOR
    return descriptor


@pytest.fixture
def service(game: str) -> FileDescriptor:
    """Its RulesService, with requests and answers."""
    descriptor: FileDescriptor = service_of(game).DESCRIPTOR
    return descriptor


def types_of(protos: FileDescriptor) -> dict[str, Descriptor]:
    return dict(protos.message_types_by_name)


def shape_of(field: FieldDescriptor) -> tuple[Any, ...]:
    """All that a field and its opaque twin have in common. A message has presence, where its bytes have none."""
    kind: Any = field.type
    if field.message_type is not None:
        assert field.containing_type is not None
        kind = field.message_type.full_name.removeprefix(f"{field.containing_type.file.package}.")
    presence = field.has_presence and field.message_type is None
    behaviour = tuple(field.GetOptions().Extensions[field_behavior])
    return field.number, kind, field.is_repeated, presence, behaviour


def opaque_shape_of(field: FieldDescriptor) -> tuple[Any, ...]:
    """The same of an opaque field, with the game's own type where there are bytes."""
    number, kind, *rest = shape_of(field)
    if field.type == FieldDescriptor.TYPE_BYTES:
        kind = OWN_TYPES[field.name]
    elif field.message_type is not None and field.message_type.name not in SHARED:
        kind = field.message_type.full_name
    return (number, kind, *rest)


def test_the_games_of_the_protos_are_the_games_of_the_code() -> None:
    assert sorted(packages_with_rules()) == sorted(find_games()) == GAMES


def test_the_package_follows_from_the_token(game: str, protos: FileDescriptor, service: FileDescriptor) -> None:
    assert protos.package == service.package == f"monsters.{game}.v1"
    assert protos.name == f"monsters/{game}/v1/{game}.proto"
    assert service.name == f"monsters/{game}/v1/rules_service.proto"


def test_what_is_the_game_s_own_and_the_service_are_apart(protos: FileDescriptor, service: FileDescriptor) -> None:
    assert set(types_of(service)) == set(SHARED)
    assert set(OWN_TYPES.values()) <= set(types_of(protos))
    assert (list(protos.services_by_name), list(service.services_by_name)) == ([], ["RulesService"])


@pytest.mark.parametrize("name", SHARED)
def test_a_message_has_the_fields_of_its_opaque_form(service: FileDescriptor, name: str) -> None:
    fields = {field.name: shape_of(field) for field in types_of(service)[name].fields if field.number < FIRST_EXTRA}
    assert fields == {field.name: opaque_shape_of(field) for field in SHARED[name].fields}


def test_the_methods_are_those_of_the_opaque_form_and_one_is_a_stream(service: FileDescriptor) -> None:
    methods = service.services_by_name["RulesService"].methods
    assert sorted(method.name for method in methods) == METHODS
    for method in methods:
        assert (method.input_type.name, method.output_type.name) == (f"{method.name}Request", f"{method.name}Response")
        streams = method.name in STREAMS
        assert (method.client_streaming, method.server_streaming) == (streams, streams)


def test_all_games_have_the_methods_in_one_order(service: FileDescriptor) -> None:
    first = service_of(GAMES[0]).DESCRIPTOR.services_by_name["RulesService"].methods
    assert [m.name for m in service.services_by_name["RulesService"].methods] == [m.name for m in first]


def test_the_paths_of_http_follow_from_the_token(game: str, service: FileDescriptor) -> None:
    """A stream in both directions has none: browsers have no such thing."""
    for method in service.services_by_name["RulesService"].methods:
        rule = method.GetOptions().Extensions[http]
        verb = method.name[0].lower() + method.name[1:]
        if method.name in STREAMS:
            assert not method.GetOptions().HasExtension(http)
        elif method.name == "DescribeGame":
            assert (rule.get, rule.body) == (f"/v1/games/{game}", "")
        else:
            assert (rule.post, rule.body) == (f"/v1/games/{game}:{verb}", "*")
        assert not rule.additional_bindings


def test_an_answer_on_a_stream_has_what_apply_move_answers() -> None:
    """So whoever reads the one can read the other. The version of the rules is told once for many moves."""
    names = ("ApplyMoveResponse", "AppliedMove", "ApplyMovesResponse")
    answer, applied, message = (
        {field.name: shape_of(field) for field in OPAQUE.message_types_by_name[name].fields} for name in names
    )
    assert answer.pop("rules_version") == message["rules_version"]
    assert answer.items() <= applied.items()


def test_a_move_on_a_stream_has_what_apply_move_asks() -> None:
    """But for the views, which are asked for once, and the position, which may be left out."""
    asked, following = (OPAQUE.message_types_by_name[name].fields for name in ("ApplyMoveRequest", "NextMove"))
    wanted = {field.name: shape_of(field)[:4] for field in asked if field.name != "view_for"}
    assert wanted.items() <= {field.name: shape_of(field)[:4] for field in following}.items()


def test_an_event_begins_with_its_audience(protos: FileDescriptor) -> None:
    audience = types_of(protos)["Event"].fields_by_number[1]
    assert (audience.name, audience.is_repeated) == ("audience", False)
    assert audience.message_type is rules_pb2.Audience.DESCRIPTOR


def test_an_event_has_its_text(protos: FileDescriptor) -> None:
    text, opaque = (types["Event"].fields_by_name["text"] for types in (types_of(protos), types_of(OPAQUE)))
    assert shape_of(text) == shape_of(opaque)


def test_every_option_can_be_left_out(protos: FileDescriptor) -> None:
    for field in types_of(protos)["Options"].fields:
        assert field.has_presence, field.full_name


def test_a_move_is_one_of_several_and_one_is_the_timeout(protos: FileDescriptor) -> None:
    move = types_of(protos)["Move"]
    (kinds,) = move.oneofs
    assert {field.name for field in kinds.fields} == {field.name for field in move.fields}
    assert "timeout" in move.fields_by_name


def test_every_game_has_the_refusals_that_all_games_have(protos: FileDescriptor) -> None:
    prefix = "REFUSAL_REASON_"
    names = [value.name for value in protos.enum_types_by_name["RefusalReason"].values]
    assert names[0] == f"{prefix}UNSPECIFIED"
    assert all(name.startswith(prefix) for name in names)
    assert {name.removeprefix(prefix) for name in names} >= EVERY_GAME_REFUSES


def test_the_opaque_form_carries_a_games_messages_unchanged(game: str) -> None:
    entry, messages = find_games()[game], service_of(game)
    *_, ply = random_play(entry.game, entry.game.options, entry.game.seats[-1], bytes(32))
    position = entry.codec.write_position(ply.played.position)
    view = messages.SeatView(seat=0, view=entry.codec.write_view(entry.game.view(ply.played.position, 0)))
    answer = messages.ApplyMoveResponse(
        position=position,
        move=entry.codec.write_move(ply.move),
        events=[entry.codec.write_event(event) for event in ply.played.events],
        views=[view],
    )
    carried = opaque_pb2.ApplyMoveResponse.FromString(answer.SerializeToString())
    assert carried.position == position.SerializeToString()
    assert carried.events, "the last move of a game has events"
    assert all(opaque_pb2.Event.FromString(event).HasField("audience") for event in carried.events)
    assert messages.ApplyMoveResponse.FromString(carried.SerializeToString()) == answer
