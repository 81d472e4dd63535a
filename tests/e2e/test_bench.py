"""The benchmark runs, and its report has the form that readers rely on. How good the figures are is not judged here."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from loadtests.rows import ROWS

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_tiny_run_measures_every_row_against_its_baseline(tmp_path: Path) -> None:
    output = tmp_path / "bench.json"
    command = [sys.executable, "loadtests/bench.py", "--quick", "--seconds", "0.1", "--rounds", "1"]

    done = subprocess.run([*command, "--output", str(output)], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    report = json.loads(output.read_text())
    assert report.keys() == {"date", "machine", "versions", "size", "rows"}
    latencies = [row for row in report["rows"] if row["unit"] == "ms"]
    rates = [row for row in report["rows"] if row["unit"] != "ms"]
    assert [row["name"] for row in rates] == [row.name for row in ROWS if not row.of_latencies]
    assert [row["name"] for row in latencies] == ["roll_arrival_p50", "roll_arrival_p99"]
    assert all(latencies[0][side] <= latencies[1][side] for side in ("value", "baseline"))
    for row in report["rows"]:
        assert f"{row['ratio']:.2f}" in done.stdout
        for figures in (row, *([] if row in latencies else [row["by_clock"]])):
            assert figures["value"] > 0
            assert figures["baseline"] > 0
            assert math.isclose(figures["ratio"], figures["value"] / figures["baseline"])
        low, high = row["range"]
        assert low <= high
        assert row["held"] in {True, False} if row["at_least"] or row["at_most"] else row["held"] is None


def test_an_unknown_row_is_refused_with_the_names_that_there_are() -> None:
    command = [sys.executable, "loadtests/bench.py", "--rows", "nonsense"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "play_seat" in done.stderr
