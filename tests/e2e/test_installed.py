"""The client is installed from a clone by somebody who has nothing else of this repository, and plays."""

import os
import re
import shlex
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from services.games import find_games
from tests.support.installed import CLIENT, PIP, Environment, build_sdist, build_wheel, floors, ran
from tests.support.processes import Server
from tests.support.tree import copy_tracked

PROGRAM = """
import sys
import lair
import monsters.rules.v1.rules_pb2 as words

print(lair.__file__)
print(words.__file__)
with lair.connect(sys.argv[1]) as client:
    for game in client.games():
        table = client.create(game.token, seats=["Ann", "Ben", "Cleo", "Dan"][: game.min_seats])
        table.play_out("random")
        assert table.facts().standing.over
        verification = table.verify()
        assert verification.ok, verification
        print(game.token, verification)
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_tracked(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def wheel(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist, which was built from the clone."""
    folder = tmp_path_factory.mktemp("dist")
    return build_wheel(build_sdist(clone, folder / "sdist"), folder / "wheel")


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """With the oldest gRPC and protobuf that the distribution allows: the whole suite runs on the newest."""
    folder = tmp_path_factory.mktemp("elsewhere")
    probe = ("download", "--quiet", "--no-deps", "--dest", folder, f"typing-extensions=={version('typing-extensions')}")
    if "CI" not in os.environ and ran(*PIP, *probe, folder=folder).code:
        pytest.skip("no package index can be reached")
    made = Environment.create(folder / "environment")
    made.install(wheel, constraints=floors())
    return made


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with Server(tmp_path_factory.mktemp("server") / "lair.db", LAIR_LOG_LEVEL="warning") as server:
        yield server.address


def test_the_wheel_has_two_packages_and_nothing_of_others(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folders = {name.partition("/")[0] for name in names}
    assert {"lair", "monsters"} == {name for name in folders if not name.endswith(".dist-info")}
    assert {"lair/py.typed", "monsters/rules/v1/py.typed", "monsters/descriptors.binpb"} <= set(names)
    assert [name for name in names if name.endswith("/licenses/LICENSE")]
    for token in find_games():
        assert {f"monsters/{token}/v1/rules_service_pb2{end}" for end in (".py", ".pyi", "_grpc.py")} <= set(names)


def test_a_wheel_from_the_clone_is_the_same_and_leaves_the_clone_as_it_was(
    clone: Path, wheel: Path, tmp_path: Path
) -> None:
    before = {path for path in clone.rglob("*") if path.is_file()}
    straight = build_wheel(clone / CLIENT, tmp_path / "straight")
    with zipfile.ZipFile(straight) as one, zipfile.ZipFile(wheel) as other:
        assert {each.filename: each.CRC for each in one.infolist()} == {
            each.filename: each.CRC for each in other.infolist()
        }
    assert {path for path in clone.rglob("*") if path.is_file()} == before


def test_a_game_of_each_is_played_and_verified(environment: Environment, address: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, "utf-8")
    played = environment.run("python", program, address)
    assert played.code == 0, played.err
    lair, words, *lines = played.out.splitlines()
    assert Path(lair).is_relative_to(environment.folder)
    assert Path(words).is_relative_to(environment.folder)
    assert sorted(line.split()[0] for line in lines if " verified: " in line) == sorted(find_games())


def test_what_is_not_installed_is_named_with_what_to_type(environment: Environment, address: str) -> None:
    servers = environment.run("python", "-c", "import lair.testing")
    assert servers.code == 1
    assert re.search(r"lair\.testing .* structlog .*`pip install ./clients/python .` in a clone", servers.err)
    without = environment.run("lair", "games")
    assert without.code == 1
    assert without.out == ""
    (sentence,) = without.err.splitlines()
    assert "platformdirs and rich and typer" in sentence
    pip, install, extra = shlex.split(sentence.partition(": type ")[2])
    assert (pip, install) == ("pip", "install")
    environment.install(extra, constraints={name: version(name) for name in ("typer", "rich", "platformdirs")})
    notebook = str(environment.folder / "notebook.json")
    games = environment.run("lair", "games", LAIR_SERVER=address, LAIR_NOTEBOOK=notebook)
    assert games.code == 0, games.err
    assert all(token in games.out for token in find_games())
    assert environment.run("lair", "--version").out == f"lair {version('lair-games')}\n"
