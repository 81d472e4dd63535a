"""The peers run where they are installed: `make bench-peers` does that. How good the figures are is not judged here."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loadtests.measuring import postgresql
from loadtests.peers.boardgame import FOLDER, MODULES
from loadtests.peers.table import write_edge_page
from services.games.cabbages.ending import outcome
from services.games.cabbages.position import DEFAULTS, Cause, Position, Roll
from tests.support.edge import needs_envoy

ROOT = Path(__file__).parents[2]
OPENSPIEL = ROOT / ".venv-peers/bin/python"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not MODULES.is_dir(), reason="boardgame.io is not installed")]


@pytest.mark.timeout(300)
def test_a_tiny_run_measures_everything_beside_its_peer(tmp_path: Path) -> None:
    output = tmp_path / "peers.json"
    command = [sys.executable, "-m", "loadtests.peers", "--games", "1", "2", "--seconds", "0.3", "--rounds", "1"]
    if OPENSPIEL.exists():
        command += ["--openspiel", str(OPENSPIEL)]

    done = subprocess.run([*command, "--output", str(output)], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    report = json.loads(output.read_text())
    names = {row["name"] for row in report["rows"]}
    assert {"play_seat_1_beside_files_by_processor", "submit_move_2_beside_files_p99"} <= names
    assert {"play_seat_1_by_processor", "play_seat_2_p99", "submit_move_2_by_clock"} <= names
    assert ("core_cabbages_by_processor" in names) == OPENSPIEL.exists()
    databases = {row["name"] for row in report["rows"] if row["database"] is not None}
    assert databases == {name for name in names if "_postgresql_" in name}
    assert ("play_seat_postgresql_2_beside_files_by_processor" in databases) == postgresql.is_installed()
    assert report["versions"]["boardgame.io"]
    for row in report["rows"]:
        assert row["value"] > 0
        assert row["baseline"] > 0
        assert f"{row['ratio']:.2f}" in done.stdout


@needs_envoy
@pytest.mark.timeout(300)
def test_a_tiny_run_through_the_edge_has_the_same_without_beside_it(tmp_path: Path) -> None:
    output, page = tmp_path / "peers.json", Path(shutil.copy(ROOT / "docs/performance.md", tmp_path))
    command = [sys.executable, "-m", "loadtests.peers", "--edge", "--games", "2", "--seconds", "0.3", "--rounds", "1"]

    done = subprocess.run([*command, "--output", str(output)], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    report = json.loads(output.read_text())
    through = {row["name"] for row in report["rows"] if row["edge"] is not None}
    assert through == {row["name"] for row in report["rows"] if "_edge_" in row["name"]}
    assert {"play_seat_2_edge_p99", "submit_move_2_edge_by_processor"} <= through
    assert {"play_seat_2_p99", "submit_move_2_by_processor"} <= {row["name"] for row in report["rows"]} - through
    write_edge_page(page, report)
    assert "| PlaySeat, 2 games, through Envoy |" in page.read_text()


def test_the_peers_game_ends_as_ours_does() -> None:
    """C-R13, C-R17 to C-R22: else its moves would be cheaper than they should be."""
    draw = random.Random(0)
    cases = [
        (
            [draw.randint(0, 4) for _ in range(3)],
            [draw.randint(0, 3) for _ in range(3)],
            draw.choices(range(1, 7), k=dice),
        )
        for dice in range(9)
        for _ in range(300)
    ]

    theirs = their_outcomes(cases)

    assert theirs == [our_outcome(*case) for case in cases]
    assert {None, "eaten", "row_1_2", "row_3_4", "row_5_6"} == {end and end["reason"] for end in theirs}


def our_outcome(cabbages: list[int], feedings: list[int], dice: list[int]) -> dict[str, Any] | None:
    last = (Roll(Cause.FEED, tuple(dice)),)
    end = outcome(Position(tuple(cabbages), tuple(feedings), len(dice), 0, 9, 0, last, DEFAULTS))
    return None if end is None else {"reason": end.reason, "winners": list(end.winners)}


def their_outcomes(cases: list[tuple[list[int], list[int], list[int]]]) -> list[dict[str, Any] | None]:
    script = """
        const { Cabbages } = require("./game");
        const cases = JSON.parse(require("node:fs").readFileSync(0));
        const end = ([cabbages, feedings, dice]) =>
          Cabbages.endIf({ G: { cabbages, feedings, lastRoll: [{ cause: "feed", dice }] } }) ?? null;
        console.log(JSON.stringify(cases.map(end)));
    """
    command = ["node", "-e", script]
    done = subprocess.run(command, cwd=FOLDER, input=json.dumps(cases), capture_output=True, text=True, check=True)
    told: list[dict[str, Any] | None] = json.loads(done.stdout)
    return told
