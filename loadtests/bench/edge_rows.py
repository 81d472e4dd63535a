"""The rows once more through the edge, and what only the edge can do: calls in JSON.

Each is measured four times by turns: subject and baseline through the edge, and the same two without it. Goals are for
those without. Rows of what lies behind the edge, or in one process, are left out.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from loadtests.bench.pairs import EMPTY, LAIR, served
from loadtests.bench.report import Result
from loadtests.bench.report import results as figures
from loadtests.bench.row import Contenders, Row, Size
from loadtests.bench.rows import EMPTY_METHOD, ROWS
from loadtests.measuring.contenders import Side
from loadtests.measuring.rounds import Measured, edge_microseconds, in_turns

NAMES = ("apply_move", "stream_moves", "submit_move", "play_seat", "old_session", "full_store", "roll_arrival")
TOLD = ("value", "baseline", "ratio", "range", "by_clock", "latencies")
"""Of what is measured without the edge."""


def results(row: Row, size: Size) -> Sequence[Result]:
    """Start, measure by turns, stop: what a row comes to, with `directly` and the `edge` beside it."""
    with row.contenders(replace(size, through_edge=True)) as edged, row.contenders(size) as direct:
        *through, subject, baseline = in_turns((*edged, *direct), size.seconds, size.rounds)
    pairs = zip(figures(row, Measured(*through)), figures(row, Measured(subject, baseline)), strict=True)
    edge = {"unit": "microseconds of Envoy's processor a call", **_sides(*map(edge_microseconds, through))}
    return [
        {**there, "directly": {name: here[name] for name in TOLD if name in here}, "edge": edge}
        for there, here in pairs
    ]


def _sides(value: float, baseline: float) -> dict[str, float]:
    return {"value": value, "baseline": baseline}


def _json(load: str) -> Contenders:
    """In JSON there is no way around the edge: without it, it is the same call by gRPC."""

    def sides(size: Size) -> tuple[Side, Side]:
        prefix = "json_" if size.through_edge else ""
        return Side(LAIR, f"{prefix}{load}", stored=0), Side(EMPTY, f"{prefix}empty")

    return partial(served, sides)


def _without_goals(row: Row) -> Row:
    return replace(row, at_least=None, at_most=None, as_time=row.is_time)


EDGE_ROWS: Sequence[Row] = (
    *(_without_goals(row) for row in ROWS if row.name in NAMES),
    Row("json_apply_move", "ApplyMove, in JSON", f"{EMPTY_METHOD}, in JSON", _json("apply_move")),
    Row(
        "json_submit_move", "SubmitMove, in JSON, both seats watching", f"{EMPTY_METHOD}, in JSON", _json("submit_move")
    ),
)
