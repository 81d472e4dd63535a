"""What Envoy is told, for one server and for a server of each game: Envoy itself finds nothing wrong with it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from google.api import annotations_pb2, http_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

from services.edge.bootstrap import Edge, render
from services.edge.limits import Rates
from services.edge.process import find_envoy
from services.edge.protos import Protos, read_protos
from services.edge.strict_json import pattern, render_strict_json
from services.games import find_games
from tests.support.edge import needs_envoy
from tests.support.processes import ROOT

TELL = "/monsters.replicas.v1.HintsService/Tell"
ONE = Edge("127.0.0.1:0", sessions="127.0.0.1:50051", rules="127.0.0.1:50051", admin="/tmp/admin")
EACH = Edge(
    "0.0.0.0:8080",
    sessions="sessions:50051",
    rules="rules-{game}:50051",
    origins=("https://play.example", "*"),
    admin="127.0.0.1:9901",
    access_log=True,
    rates=Rates(creations=1, joins=60, streams=700),
    proxies=2,
)


def routes_of(bootstrap: Any) -> list[Any]:
    (listener,) = bootstrap["static_resources"]["listeners"]
    (manager,) = listener["filter_chains"][0]["filters"]
    (host,) = manager["typed_config"]["route_config"]["virtual_hosts"]
    found: list[Any] = host["routes"]
    return found


def clusters_of(bootstrap: Any) -> list[str]:
    return [cluster["name"] for cluster in bootstrap["static_resources"]["clusters"]]


@needs_envoy
@pytest.mark.parametrize("edge", [ONE, EACH], ids=["one server", "a server of each game"])
def test_envoy_finds_nothing_wrong_with_it(edge: Edge, tmp_path: Path) -> None:
    config = tmp_path / "envoy.json"
    config.write_text(json.dumps(render(edge, read_protos())))
    program = find_envoy()
    assert program is not None
    options = ("--mode", "validate", "--log-level", "warning", "--config-path", config)
    done = subprocess.run([program, *options], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), "no warning either: it names what the next Envoy won't take"


def test_one_server_is_one_cluster() -> None:
    assert clusters_of(render(ONE, read_protos())) == ["127.0.0.1:50051"]


def test_a_game_with_a_server_of_its_own_is_a_cluster_of_its_own() -> None:
    bootstrap = render(EACH, read_protos())
    assert clusters_of(bootstrap) == sorted(["sessions:50051", *(f"rules-{token}:50051" for token in find_games())])
    led = {
        route["match"]["prefix"]: route["route"]["cluster"]
        for route in routes_of(bootstrap)
        if "prefix" in route["match"] and "route" in route
    }
    for token in find_games():
        assert led[f"/monsters.{token}.v1.RulesService/"] == f"rules-{token}:50051"
    assert led["/"] == led["/monsters.session.v1.SessionService/"] == "sessions:50051"


def test_no_route_leads_to_what_servers_say_among_themselves() -> None:
    """Such a service has no path of HTTP. It is refused before the route that takes whatever else there is."""
    protos = read_protos()
    assert protos.private == ["monsters.replicas.v1.HintsService"]
    assert not set(protos.private) & ({method.service for method in protos.methods} | set(protos.services))
    for edge in (ONE, EACH):
        first = next(route for route in routes_of(render(edge, protos)) if _takes(route["match"], TELL))
        assert first["direct_response"] == {"status": 404}


def _takes(match: Any, path: str) -> bool:
    """Whether a route takes this path of gRPC, which nobody asks for as a page."""
    return match.get("path") == path or path.startswith(match.get("prefix", "nowhere"))


def test_streams_have_no_end_in_time_and_calls_do() -> None:
    streams = {method.path for method in read_protos().methods if method.streams}
    for route in routes_of(render(ONE, read_protos())):
        if "route" in route:
            assert (route["route"]["timeout"] == "0s") == (route["match"].get("path") in streams)


def test_administration_is_off_unless_asked_for() -> None:
    assert "admin" not in render(Edge("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:1"), read_protos())


@pytest.mark.parametrize("address", ["nowhere", ":80", "host:", "host:99999", "host:-1"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="is no host:port"):
        render(Edge(address, "127.0.0.1:1", "127.0.0.1:1"), read_protos())


def test_the_name_of_this_machine_is_an_address() -> None:
    (listener,) = render(Edge("localhost:0", "localhost:1", "localhost:1"), read_protos())["static_resources"][
        "listeners"
    ]
    assert listener["address"]["socket_address"]["address"] == "127.0.0.1"


def test_the_command_writes_it() -> None:
    command = [sys.executable, "-m", "services.edge", "--listen", "0.0.0.0:8080", "--sessions", "sessions:50051"]
    command += ["--rules", "rules-{game}:50051", "--origin", "https://play.example", "--origin", "*"]
    command += ["--admin", "127.0.0.1:9901", "--access-log", "--proxies", "2"]
    command += ["--creations", "1", "--streams", "700"]
    written = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert json.loads(written) == render(EACH, read_protos())


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/sessions", "^/v1/sessions$"),
        ("/v1/{name=sessions/*}:submitMove", "^/v1/(sessions/[^/:]+)%:submitMove$"),
        ("/v1/{name=sessions/*}/view", "^/v1/(sessions/[^/:]+)/view$"),
        ("/v1/games/{game}", "^/v1/games/([^/:]+)$"),
    ],
)
def test_a_path_is_a_pattern_of_lua(path: str, expected: str) -> None:
    assert pattern(path) == expected


def test_what_other_protos_may_have_is_understood() -> None:
    """No proto of ours has a map or several bindings; a game that comes may."""
    descriptors = FileDescriptorSet()
    file = descriptors.file.add(name="monsters/x/v1/x.proto", package="monsters.x.v1")
    message = file.message_type.add(name="Ask")
    entry = message.nested_type.add(name="ByNameEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", json_name="key", type=FieldDescriptorProto.TYPE_STRING)
    entry.field.add(
        name="value", json_name="value", type=FieldDescriptorProto.TYPE_MESSAGE, type_name=".monsters.x.v1.Ask"
    )
    message.field.add(
        name="by_name",
        json_name="byName",
        type=FieldDescriptorProto.TYPE_MESSAGE,
        type_name=".monsters.x.v1.Ask.ByNameEntry",
    )
    message.field.add(name="no_json_name", type=FieldDescriptorProto.TYPE_INT32)
    method = file.service.add(name="Service").method.add(
        name="Do", input_type=".monsters.x.v1.Ask", output_type=".monsters.x.v1.Ask"
    )
    rule = http_pb2.HttpRule(get="/v1/x", additional_bindings=[http_pb2.HttpRule(post="/v1/x:do", body="*")])
    method.options.Extensions[annotations_pb2.http].CopyFrom(rule)
    protos = Protos(descriptors)
    assert [(each.verb, each.path) for each in protos.methods[0].bindings] == [("GET", "/v1/x"), ("POST", "/v1/x:do")]
    lua = render_strict_json(protos)
    assert '["monsters.x.v1.Ask"] = {["byName"] = "%monsters.x.v1.Ask", ["noJsonName"] = "int32", ' in lua
    assert '["by_name"] = "=byName", ["no_json_name"] = "=noJsonName"}' in lua
    assert '{"^/v1/x%:do$", {["POST"] = {["request"] = "monsters.x.v1.Ask", ["takes_body"] = true,' in lua
