"""The benchmark through the edge runs, and says what the edge takes. How good the figures are is not judged here."""

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from loadtests.bench import pairs
from loadtests.bench.__main__ import main
from loadtests.bench.edge_page import EDGE_PARTS, write_edge_page
from loadtests.bench.edge_rows import EDGE_ROWS, NAMES
from loadtests.bench.row import Row, Size
from loadtests.bench.rows import ROWS
from tests.support.contending import contending
from tests.support.edge import needs_envoy

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/performance.md"
KINDS = ("roll_arrival", "json_submit_move")
"""Of latencies, and of what only the edge can do. What the others call is in `make bench`, and its test, too."""
OTHERS_IN_JSON = [row for row in EDGE_ROWS if row.name not in {*NAMES, *KINDS}]
MOMENT = Size(seconds=0.05, rounds=1, stored=10, moves=10, through_edge=True)


@needs_envoy
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_tiny_run_measures_rows_of_each_kind_with_the_edge_and_without(tmp_path: Path) -> None:
    output, page = tmp_path / "bench.json", Path(shutil.copy(PAGE, tmp_path))
    command = [sys.executable, "-m", "loadtests.bench", "--edge", "--quick", "--seconds", "0.2", "--rounds", "1"]
    command += ["--rows", *KINDS]

    done = subprocess.run([*command, "--output", str(output)], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    report = json.loads(output.read_text())
    names = {row.name for row in EDGE_ROWS if row.name in KINDS and not row.of_latencies}
    assert {row["name"] for row in report["rows"]} == names | {"roll_arrival_p50", "roll_arrival_p99"}
    for row in report["rows"]:
        assert f"{row['ratio']:.2f}" in done.stdout
        assert row["held"] is None, "goals are for what comes directly"
        for side in (row, row["directly"]):
            assert side["value"] > 0
            assert math.isclose(side["ratio"], side["value"] / side["baseline"])
        assert row["edge"]["value"] >= 0
    assert sum(row["edge"]["value"] for row in report["rows"]) > 0
    write_edge_page(page, report)
    text = page.read_text()
    for part in EDGE_PARTS:
        inside = text.partition(f"<!-- {part.name}: ")[2].partition(f"<!-- end of {part.name} -->")[0]
        rows = [row for row in report["rows"] if part.of(row)]
        assert inside.count("\n|") == len(rows) + 2
        assert all(row["title"] in inside for row in rows)
    assert text.startswith(PAGE.read_text().partition("<!-- ")[0])


def test_the_rows_that_come_through_the_edge_are_rows() -> None:
    assert set(NAMES) <= {row.name for row in ROWS}


@needs_envoy
@pytest.mark.parametrize("row", OTHERS_IN_JSON, ids=lambda row: row.name)
def test_what_a_row_of_json_calls_answers(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "contending", contending)

    measured = row.measure(MOMENT)

    for sample in (*measured.subject, *measured.baseline):
        assert sample.calls > 0


@needs_envoy
def test_a_row_that_never_comes_through_the_edge_is_refused_with_those_that_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--edge", "--rows", "core"])

    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "no row core" in said
    assert "json_submit_move" in said
