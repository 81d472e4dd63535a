"""The client for TypeScript is installed by somebody who has nothing else of this repository, and plays."""

import json
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.games import Entry, find_games
from tests.support.edge import Web, edge, needs_envoy
from tests.support.games import every_game
from tests.support.installed import done, ran
from tests.support.npm import compile_strictly, install, needs_npm, pack, readme_programs
from tests.support.processes import Server

OPTIONS = {"cabbages": {"maxTurns": 6}, "heads": {"stallLimit": 3}, "sprinkleton": {"maxRounds": 2}}
"""So that games by chance are short."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), needs_npm, needs_envoy]


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    return pack(folder / "clone", folder / "npm")


@pytest.fixture(scope="module")
def project(tarball: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and the README's programs, compiled as strictly as TypeScript can."""
    folder = install(tarball, tmp_path_factory.mktemp("elsewhere") / "project")
    compile_strictly(folder, {f"program{at}": program for at, program in enumerate(readme_programs())})
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server") / "lair.db", LAIR_LOG_LEVEL="warning") as server:
        yield server


@pytest.fixture(scope="module")
def web(server: Server) -> Iterator[Web]:
    with edge(server.address) as web:
        yield web


def test_the_tarball_has_what_was_built_of_every_game_and_nothing_else(tarball: Path) -> None:
    with tarfile.open(tarball) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    assert {name for name in names if not name.startswith("dist/")} == {"LICENSE", "README.md", "package.json"}
    assert {"".join(Path(name).suffixes) for name in names if name.startswith("dist/")} == {".js", ".d.ts"}
    for token in find_games():
        assert {f"dist/gen/monsters/{token}/v1/{token}_pb{end}" for end in (".js", ".d.ts")} <= names


@every_game
def test_the_program_of_its_readme_plays_and_verifies(project: Path, web: Web, entry: Entry) -> None:
    token = entry.game.token
    options = json.dumps(OPTIONS.get(token, {}))
    said = done("node", project / "program0.js", f"http://{web.address}", token, options, folder=project)
    *moves, verdict = said.splitlines()
    assert verdict.startswith(f"verified: {token}, ")
    assert [line for line in moves if line.startswith(("Ann: ", "Ben: "))]


def test_its_other_program_looks_on_by_grpc_and_verifies(project: Path, server: Server) -> None:
    program = next(at for at, text in enumerate(readme_programs()) if "createGrpcTransport" in text)
    said = done("node", project / f"program{program}.js", f"http://{server.address}", folder=project)
    assert re.search(r"^\d: over, \w+$", said, re.MULTILINE)
    assert "problem: undefined" in said


def test_a_game_that_is_not_there_is_told(project: Path, web: Web) -> None:
    end = ran("node", project / "program0.js", f"http://{web.address}", "goblins", folder=project)
    assert (end.code, "has no goblins" in end.err) == (1, True)
