"""Clients that strangers generate from the OpenAPI document: with them a game type-checks strictly, and is played.

The programs are in tests/generated, one in TypeScript and one in Python. They assert nothing of a type.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.edge.openapi import openapi
from services.edge.protos import read_protos
from tests.support.edge import Web, edge, needs_envoy
from tests.support.servers import Stubs

pytestmark = [needs_envoy, pytest.mark.slow]
PROGRAMS = Path(__file__).parents[1] / "generated"
MODULES = PROGRAMS / "node_modules"
SECONDS = 240
LEFT_OUT = "Node is missing" if shutil.which("node") is None else "`make check-web` has not installed the generator"
needs_node = pytest.mark.skipif(
    not (shutil.which("node") and MODULES.is_dir()) and "CI" not in os.environ, reason=LEFT_OUT
)
"""Where CI is set there are no excuses: the test fails."""
MOST_TURNS = 60


def run(*command: str | Path, within: Path) -> str:
    """What a program prints. Fails with all that it says, when it ends badly."""
    ended = subprocess.run(command, cwd=within, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def plays(said: str) -> None:
    """Fail unless this is what a whole game looks like."""
    lines = said.splitlines()
    assert lines[0] == "refused: monsters.cabbages.v1 NOT_YOUR_TURN C-R4"
    *moves, over, refused, closed, played = lines[1:]
    assert over.startswith("over: ")
    assert refused == "refused: monsters.session.v1 GAME_OVER"
    assert closed == "closed: CLOSING_REASON_SESSION_ENDED"
    assert 0 < len(moves) <= MOST_TURNS
    assert [line.split(" ")[0] for line in moves] == [str(number) for number in range(1, len(moves) + 1)]
    assert played == f"played: {len(moves)} {len(moves)} {len(moves)} true"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a client is generated, with the document as the edge serves it."""
    (tmp_path / "openapi.json").write_text(json.dumps(openapi(read_protos())))
    return tmp_path


@pytest.fixture(scope="module")
def web(server: Stubs) -> Iterator[Web]:
    with edge(server.address) as opened:
        yield opened


def test_the_document_is_the_one_that_is_served(web: Web, folder: Path) -> None:
    assert web.ask("GET", "/openapi.json").body == (folder / "openapi.json").read_bytes()


@needs_node
def test_a_game_is_played_in_typescript(web: Web, folder: Path) -> None:
    run(MODULES / ".bin" / "openapi-typescript", "openapi.json", "--output", "lair.d.mts", within=folder)
    for name in ("player.mts", "wrong.mts"):
        shutil.copyfile(PROGRAMS / name, folder / name)
    options = {"typeRoots": [str(MODULES / "@types")], "rootDir": ".", "outDir": "built"}
    config = {
        "extends": str(PROGRAMS / "tsconfig.json"),
        "compilerOptions": options,
        "files": ["player.mts", "wrong.mts"],
    }
    (folder / "tsconfig.json").write_text(json.dumps(config))
    run(MODULES / ".bin" / "tsc", "--project", ".", within=folder)
    plays(run("node", "built/player.mjs", f"http://{web.address}", within=folder))


def test_a_game_is_played_in_python(web: Web, folder: Path) -> None:
    program = Path(sys.executable).parent / "datamodel-codegen"
    models = ("--input", "openapi.json", "--input-file-type", "openapi", "--output", "lair_http")
    style = ("--output-model-type", "pydantic_v2.BaseModel", "--target-python-version", "3.11", "--use-annotated")
    run(program, *models, *style, "--allow-population-by-field-name", "--formatters", "builtin", within=folder)
    for name in ("player.py", "wrong.py"):
        shutil.copyfile(PROGRAMS / name, folder / name)
    run(sys.executable, "-m", "mypy", "--strict", "--config-file=", "player.py", "wrong.py", within=folder)
    plays(run(sys.executable, "player.py", f"http://{web.address}", within=folder))


ASSERTIONS = {
    "player.mts": r"\bas (?!of )|[\w\])]!(?!=)|\bany\b|@ts-",
    "player.py": r"\bcast\b|\bAny\b|type: ignore",
}


@pytest.mark.parametrize("name", ASSERTIONS)
def test_the_programs_assert_nothing_of_types(name: str) -> None:
    assert not re.search(ASSERTIONS[name], (PROGRAMS / name).read_text())
