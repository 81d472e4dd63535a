"""The benchmark runs, and its report has the form that readers rely on. How good the figures are is not judged here."""

import json
import math
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from monsters.cabbages.v1 import rules_service_pb2

from loadtests.bench import pairs, rows
from loadtests.bench.__main__ import main
from loadtests.bench.page import LEFT_OUT, PARTS, write_page
from loadtests.bench.postgresql_rows import POSTGRESQL_ROWS
from loadtests.bench.row import Row, Size
from loadtests.bench.rows import ROWS
from loadtests.generator import hops
from loadtests.measuring import postgresql
from tests.support.contending import contending

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/performance.md"
TINY = {
    "core",
    "time_outs",
    "old_session",
    "hop_apply_move",
    "h2load_empty",
    "roll_arrival",
    "play_seat_replicas_sprayed",
}
"""Rows of each kind. The others differ from them in loads and servers alone: those need no processes to be tried."""
MEASURED = [row for row in ROWS if row.name in TINY and row.needs()]
LARGER = {"submit_move_postgresql_200", "play_seat_postgresql_200"}
"""They differ from others in their number of games alone."""
OTHERS = [row for row in ROWS if row.name not in TINY | LARGER | {"chassis_stream"} and row.needs()]
MOMENT = Size(seconds=0.05, rounds=1, stored=10, moves=10)


def is_on_postgresql(row: Row) -> bool:
    """Whether the time of a database's server stands beside it."""
    return row.table == "postgresql" and not row.of_latencies


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """The report of a tiny run, and what it printed."""
    output = tmp_path_factory.mktemp("bench") / "bench.json"
    command = [sys.executable, "-m", "loadtests.bench", "--quick", "--seconds", "0.1", "--rounds", "1"]
    chosen = ["--rows", *(row.name for row in MEASURED)]

    done = subprocess.run(
        [*command, *chosen, "--output", str(output)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    return json.loads(output.read_text()), done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_tiny_run_measures_rows_of_each_kind_against_their_baselines(tiny: tuple[dict[str, Any], str]) -> None:
    report, printed = tiny

    assert report.keys() == {"date", "machine", "versions", "size", "rows"}
    assert report["versions"].keys() == {
        *("python", "sqlite", "grpcio", "protobuf", "uvloop", "psycopg"),
        *(["postgresql"] if postgresql.is_installed() else []),
    }
    latencies = [row for row in report["rows"] if row["unit"] == "ms"]
    databases = [row for row in report["rows"] if row["table"] == "databases"]
    rates = [row for row in report["rows"] if row not in latencies and row not in databases]
    assert [row["name"] for row in rates] == [row.name for row in MEASURED if not row.of_latencies]
    names = [f"{row.name}_p{percent}" for row in MEASURED if row.of_latencies for percent in (50, 99)]
    assert [row["name"] for row in latencies] == names
    for p50, p99 in zip(latencies[::2], latencies[1::2], strict=True):
        assert all(p50[side] <= p99[side] for side in ("value", "baseline"))
    assert [row["name"] for row in databases] == [f"{row.name}_database" for row in MEASURED if is_on_postgresql(row)]
    for row in report["rows"]:
        assert f"{row['ratio']:.2f}" in printed
        for figures in (row, row.get("by_clock", row)):
            assert figures["value"] > 0
            assert figures["baseline"] > 0
            assert math.isclose(figures["ratio"], figures["value"] / figures["baseline"])
        low, high = row["range"]
        assert low <= high
        has_goal = row["at_least"] or row["at_most"] or row["value_at_most"]
        assert row["held"] in {True, False} if has_goal else row["held"] is None


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_served_has_percentiles_of_its_latencies(tiny: tuple[dict[str, Any], str]) -> None:
    report, _ = tiny
    latencies = {row["name"]: row["latencies"] for row in report["rows"] if "latencies" in row}

    assert {name for name, sides in latencies.items() if sides["value"] is None} == {"core", "time_outs"}
    assert latencies["hop_apply_move"]["baseline"] is None
    for sides in latencies.values():
        for side in filter(None, (sides["value"], sides["baseline"])):
            assert 0 < side["p50"] <= side["p99"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_page_gets_every_table_and_keeps_its_text(tiny: tuple[dict[str, Any], str], tmp_path: Path) -> None:
    report, _ = tiny
    page = Path(shutil.copy(PAGE, tmp_path))

    write_page(page, report)

    text = page.read_text()
    for part in PARTS:
        inside = text.partition(f"<!-- {part.name}: ")[2].partition(f"<!-- end of {part.name} -->")[0]
        shown = [row for row in report["rows"] if part.of(row)]
        assert all(row["title"] in inside for row in shown)
        assert inside.count("\n|") == len(shown) + 2 if shown else LEFT_OUT[part.name] in inside
    assert report["machine"]["processor"] in text
    outside = PAGE.read_text().partition("<!-- ")[0]
    assert text.startswith(outside)


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row.name)
def test_what_a_row_calls_answers(row: Row, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    database = request.getfixturevalue("postgresql") if row.table == "postgresql" else None
    for module in (pairs, rows):
        monkeypatch.setattr(module, "contending", partial(contending, postgresql=database))

    measured = row.measure(MOMENT)

    for sample in (*measured.subject, *measured.baseline):
        assert sample.calls > 0


def test_every_method_of_the_rules_is_measured_with_and_without_a_hop() -> None:
    methods = rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"].methods
    unary = [method.name for method in methods if not method.client_streaming and not method.server_streaming]

    assert [*hops.REQUESTS] == unary
    assert {row.name for row in ROWS} >= {hops.row_of(method) for method in unary}
    assert all(hops.in_process(method)(0.001).calls > 0 for method in unary)


def test_where_there_is_no_postgresql_its_rows_are_left_out_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    names = [row.name for row in POSTGRESQL_ROWS]
    monkeypatch.setattr(postgresql, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["bench", "--rows", *names, "--output", str(tmp_path / "bench.json")])
    for name in ("configure", "signal"):  # they change this process
        monkeypatch.setattr(f"loadtests.bench.__main__.{name}", Mock())

    main()

    assert postgresql.MISSING in " ".join(capsys.readouterr().err.split())
    report = json.loads((tmp_path / "bench.json").read_text())
    assert report["rows"] == []
    assert "postgresql" not in report["versions"]


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the benchmark says when it doesn't begin."""
    monkeypatch.setattr(sys, "argv", ["bench", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_an_unknown_row_is_refused_with_the_names_that_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "play_seat" in refused(monkeypatch, capsys, "--rows", "nonsense")


def test_a_page_of_some_rows_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--docs needs every row" in refused(monkeypatch, capsys, "--rows", "core", "--docs")
