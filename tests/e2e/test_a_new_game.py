"""A new game is one folder and its protos: shown on a copy of the tree, with every gate and a real session."""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.demo import find_address, stop
from tests.support.edge import Web, needs_envoy
from tests.support.tree import ROOT, copy_tracked

SCRIPTS = Path(sysconfig.get_path("scripts"))
NAME = "goblins"
FOLDER = f"services/games/{NAME}"
LIST = "deploy/k8s/games/kustomization.yaml"
"""Kustomize can't look for the folders of games, so a file names them. The command that writes the game writes it."""
WRITTEN = {
    f"proto/monsters/{NAME}/v1/{NAME}.proto",
    f"proto/monsters/{NAME}/v1/rules_service.proto",
    f"deploy/k8s/games/{NAME}/kustomization.yaml",
    *(f"{FOLDER}/{file}" for file in ("__init__.py", "codec.py", "notation.py", "rules.py", "telling.py")),
    *(f"{FOLDER}/{file}" for file in ("rulebook.toml", "scenarios.toml")),
}
TUTORIAL_TESTS = ("tests/scenarios", "tests/laws/test_games_play.py", "tests/laws/test_games_telling.py")
"""Of those that the tutorial runs the ones that its change is about: all of them ran on the game as it was written."""
PATIENCE = 280

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


class Copy:
    """A copy of the tree, whose own code comes first wherever something is imported."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        paths = (folder, folder / "proto" / "gen" / "python", folder / "clients" / "python" / "src")
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("LAIR_", "PYTEST_"))},
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "LAIR_LOG_LEVEL": "warning",
            "LAIR_NOTEBOOK": str(folder.with_name("notebook.json")),
        }

    def run(self, *command: str | Path) -> str:
        """Run a command there, and give what it says. Fails with all of that unless the exit code is 0."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
        return done.stdout

    def python(self, *arguments: str) -> str:
        """Run this Python there."""
        return self.run(sys.executable, *arguments)

    def git(self, *arguments: str) -> set[str]:
        """The lines that git says there."""
        return set(self.run("git", *arguments).splitlines())

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Serve from there, on a free port."""
        with self._serving() as server:
            yield find_address(server)

    @contextmanager
    def serving_http(self) -> Iterator[Web]:
        """Serve from there, with an edge."""
        with self._serving("--edge", "127.0.0.1:0") as server:
            find_address(server)
            assert server.stdout is not None
            yield Web(server.stdout.readline().rpartition("//")[2].strip())

    @contextmanager
    def _serving(self, *more: str) -> Iterator["subprocess.Popen[str]"]:
        command = [sys.executable, "-m", "services", "--address", "127.0.0.1:0", "--database", "../lair.db", *more]
        server = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            yield server
        finally:
            code = stop(server)
        assert code == 0


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The tree as git sees it, with the new game in it and its code generated."""
    copy = Copy(copy_tracked(tmp_path_factory.mktemp("new-game") / "lair"))
    copy.git("init", "--quiet")
    copy.git("add", "--all")
    said = copy.python("-m", "services.scaffold", NAME)
    assert all(file in said for file in WRITTEN)
    copy.python("proto/generate.py")
    return copy


def test_the_copy_is_what_is_imported(copy: Copy) -> None:
    modules = (
        "services",
        "lair",
        f"services.games.{NAME}",
        f"monsters.{NAME}.v1.{NAME}_pb2",
        "monsters.rules.v1.rules_pb2",
    )
    told = "import importlib, sys; [print(importlib.import_module(name).__file__) for name in sys.argv[1:]]"
    files = copy.python("-c", told, *modules).splitlines()
    assert len(files) == len(modules)
    for file in files:
        assert Path(file).is_relative_to(copy.folder), file


def test_it_is_formatted_linted_and_typed(copy: Copy) -> None:
    copy.run(SCRIPTS / "ruff", "format", "--check", FOLDER)
    copy.run(SCRIPTS / "ruff", "check", FOLDER)
    copy.run(SCRIPTS / "mypy", FOLDER)


def test_it_keeps_to_the_contract(copy: Copy) -> None:
    copy.python("proto/render.py", "--check")
    copy.run(SCRIPTS / "buf", "lint", "proto")
    copy.run(SCRIPTS / "buf", "format", "--diff", "--exit-code", "proto")


def test_it_keeps_to_the_architecture(copy: Copy) -> None:
    copy.run(SCRIPTS / "lint-imports", "--no-cache")


def test_it_passes_the_tests_that_every_game_has_to_pass(copy: Copy) -> None:
    folders, deployed = ("tests/laws", "tests/scenarios", "tests/wire"), "tests/deploy/test_agreement.py"
    chosen = ("-k", f"{NAME} or {Path(deployed).stem}")
    said = copy.python("-m", "pytest", "-v", "-p", "no:cacheprovider", *folders, deployed, *chosen)
    passed = [line for line in said.splitlines() if "PASSED" in line]
    for folder in folders:
        own = [line for line in passed if line.startswith(folder) and f"[{NAME}" in line]
        assert own, f"{folder} has nothing for the new game"
    assert [line for line in passed if line.startswith(deployed)]


def test_it_is_played_and_verified_through_a_session(copy: Copy) -> None:
    with copy.serving() as address:
        command = (
            "-c",
            "from lair.cli import main; main()",
            "autoplay",
            NAME,
            "--seats",
            "3",
            "--server",
            address,
            "--json",
        )
        (line,) = copy.python(*command).splitlines()
    played = json.loads(line)
    assert played["verified"] is True
    assert played["moves"] > 0
    assert len(played["winners"]) == 1


@needs_envoy
def test_it_is_played_over_http(copy: Copy) -> None:
    with copy.serving_http() as web:
        seats = [{"name": "Ann"}, {"name": "Ben"}]
        created = web.ask("POST", "/v1/sessions", {"game": NAME, "seats": seats, "allTokens": True}).json
        assert web.ask("GET", f"/v1/{created['session']['name']}/view").json["snapshot"]["view"]
        assert web.ask("POST", f"/v1/games/{NAME}:startGame", {"seats": 2}).json["position"]
        assert web.ask("POST", f"/v1/games/{NAME}:startGame", {"seast": 2}).fields.keys() == {"seast"}
        assert f"/v1/games/{NAME}:applyMove" in web.ask("GET", "/openapi.json").json["paths"]


def test_it_is_deployed_as_every_game_is(copy: Copy) -> None:
    rendered = copy.run(SCRIPTS / "kubectl", "kustomize", "deploy/k8s/overlays/standard")
    assert f"name: rules-{NAME}\n" in rendered


def test_the_change_in_the_tutorial_makes_another_game_that_passes(copy: Copy) -> None:
    page = (ROOT / "docs" / "tutorials" / "new-game.md").read_text("utf-8")
    change = copy.folder.with_name(f"{NAME}.diff")
    change.write_text(page.partition("```diff\n")[2].partition("```")[0], "utf-8")
    copy.git("apply", str(change))
    try:
        said = copy.python("-m", "pytest", "-v", "-p", "no:cacheprovider", *TUTORIAL_TESTS, "-k", NAME)
        assert "a roll of one loses the turn" in said
        copy.run(SCRIPTS / "ruff", "format", "--check", FOLDER)
        copy.run(SCRIPTS / "ruff", "check", FOLDER)
    finally:
        copy.git("apply", "--reverse", str(change))


def test_nothing_else_is_touched(copy: Copy) -> None:
    assert copy.git("diff", "--name-only") == {LIST}
    changed = [line for line in copy.git("diff", "--unified=0", LIST) if line.startswith(("+ ", "- "))]
    assert changed == [f"+  - {NAME}"]
    assert copy.git("ls-files", "--others", "--exclude-standard") == WRITTEN
