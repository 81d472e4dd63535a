"""An image that was built, run as the manifests say and played on: `make check-image`.

No part of `make test`, which has no image.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

import pytest

from tests.support.containers import Container
from tests.support.edge import Web, needs_envoy
from tests.support.manifests import ROOT, workloads
from tests.support.pods import Cluster, cluster

OVERLAYS = ["dev", pytest.param("standard", marks=needs_envoy)]
"""In standard only the edge leads to both, sessions and rules."""
READ_ONLY = 30
"""EROFS: not even root could."""
LOOK = """
import json, os, pathlib
said = dict(line.split(":", 1) for line in open("/proc/self/status"))
def write(folder):
    try:
        (pathlib.Path(folder) / "anything").touch()
    except OSError as error:
        return error.errno
status = {key: said[key].strip() for key in ("Uid", "Gid", "CapEff", "NoNewPrivs")}
places = ("/", "/opt/lair", "/opt/lair/site", "/tmp")
print(json.dumps({**status, "writes": {place: write(place) for place in places}}))
"""

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module", params=OVERLAYS)
def pods(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A pod of every workload. In the end each ends well, in the time that it has."""
    overlay = str(request.param)
    names = [each.name for each in workloads(overlay)]
    with cluster(overlay, tmp_path_factory.mktemp(overlay), Container) as made:
        made.start(*(name for name in sorted(names, reverse=True) if name != "edge" or find_spec("envoy")))
        yield made
        with ThreadPoolExecutor() as pool:
            assert [code for code in pool.map(made.end, containers(made)) if code] == []


def containers(pods: Cluster) -> list[Container]:
    """Those of our image."""
    every = [pod for some in pods.pods.values() for pod in some]
    return [pod for pod in every if isinstance(pod, Container) and pod.ours]


def test_every_server_is_a_user_without_rights_on_a_root_that_is_only_read(pods: Cluster) -> None:
    servers = containers(pods)
    assert servers
    for pod in servers:
        seen = json.loads(pod.look(LOOK))
        assert set(seen["Uid"].split()) == set(seen["Gid"].split()) == {"10001"}
        assert int(seen["CapEff"], 16) == 0
        assert seen["NoNewPrivs"] == "1"
        assert seen["writes"] == {"/": READ_ONLY, "/opt/lair": READ_ONLY, "/opt/lair/site": READ_ONLY, "/tmp": None}


def test_a_game_of_each_is_played_and_verified(pods: Cluster) -> None:
    """By gRPC, as far as one server has all of it, and through the edge."""
    all_in_one = set(pods.pods) <= {"session", "edge"}
    for entry, port in {"edge": 8080, **({"session": 50051} if all_in_one else {})}.items():
        for pod in pods.pods.get(entry, ()):
            done = subprocess.run(
                [sys.executable, "-m", "services.demo"],
                cwd=ROOT,
                env={**os.environ, "LAIR_SERVER": f"{pod.host}:{port}"},
                capture_output=True,
                text=True,
                check=False,
                timeout=200,
            )
            print(done.stdout)  # noqa: T201 - with -s, for whoever wants to see it
            assert done.returncode == 0, done.stderr


@needs_envoy
def test_the_edge_serves_the_page_that_the_image_has(pods: Cluster) -> None:
    (pod,) = pods.pods["edge"]
    web = Web(f"{pod.host}:8080")
    page = web.ask("GET", "/")
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    parts = re.findall(r'(?:src|href)="\./([^"]+)"', page.body.decode())
    kinds = {web.ask("GET", f"/{part}").headers["content-type"].partition(";")[0] for part in parts}
    assert kinds == {"text/javascript", "text/css"}
