"""What a row comes to: the time of a database's own server beside it, and goals for values themselves."""

import math
import subprocess
import sys
from contextlib import nullcontext
from typing import Any

import pytest

from loadtests.bench.page import PARTS, tables
from loadtests.bench.report import results
from loadtests.bench.row import Row
from loadtests.measuring.rounds import Measured, Sample
from loadtests.measuring.servers import processor_seconds


def row(**more: Any) -> Row:
    return Row("moves", "moves", "others", lambda _: nullcontext(), **more)  # type: ignore[arg-type]


def sample(microseconds: float, database: float | None = None) -> Sample:
    """1,000 calls, with what each has taken."""
    return Sample(1000, 1.0, microseconds / 1e3, [0.010], database_seconds=database and database / 1e3)


def test_a_database_of_its_own_is_told_beside_that_of_the_baseline() -> None:
    measured = Measured([sample(500, 80), sample(500, 120)], [sample(400, 50), sample(400, 50)])

    ours, database = results(row(at_most=1.15, database_at_most=90), measured)

    assert math.isclose(ours["ratio"], 1.25)
    assert (ours["held"], ours["value_at_most"]) == (False, None)
    assert (database["name"], database["against"]) == ("moves_database", "others")
    assert [round(database[side]) for side in ("value", "baseline")] == [100, 50]
    assert [round(ratio, 2) for ratio in database["range"]] == [1.6, 2.4]
    assert (database["held"], database["value_at_most"]) == (False, 90)


def test_where_the_baseline_has_none_it_is_told_beside_the_servers_own_time() -> None:
    _, database = results(row(at_most=1.0, database_at_most=100), Measured([sample(500, 75)], [sample(600)]))

    assert database["against"] == "our servers"
    assert [round(database[side]) for side in ("value", "baseline")] == [75, 500]
    assert database["held"] is True


def test_a_row_without_such_a_database_has_one_result() -> None:
    assert len(results(row(at_most=1.0), Measured([sample(500)], [sample(600)]))) == 1


@pytest.mark.parametrize(("limit", "held"), [(30.0, "reached"), (9.0, "not reached")])
def test_the_last_percentile_may_have_a_goal_in_milliseconds(limit: float, held: str) -> None:
    p50, p99 = results(row(of_latencies=True, p99_at_most=limit), Measured([sample(1)], [sample(1)]))

    assert (p50["held"], p99["held"]) == (None, held == "reached")
    goals = tables([p50, p99], PARTS)["goals"].splitlines()
    assert goals[2:] == [f"| moves, p99 |  | 10.00 ms | ≤ {limit:.2f} ms | {held} |"]


def test_processes_that_have_ended_count_with_those_that_started_them() -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}]); print(); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()

        assert processor_seconds(process.pid) >= 0.2

        process.communicate()
