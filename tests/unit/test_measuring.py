"""Rounds in which next to nothing happens, as on a busy machine, have figures, too."""

import asyncio
import time

import pytest

from loadtests.generator.driver import measure
from loadtests.measuring.conditions import percentile
from loadtests.measuring.rounds import Sample


@pytest.mark.parametrize("percent", [1, 50, 99])
def test_every_percentile_of_one_latency_is_that_one(percent: int) -> None:
    assert percentile([Sample(1, 0.1, 0.1, [0.07])], percent) == 0.07


def test_a_percentile_is_that_of_all_rounds_together() -> None:
    rounds = [Sample(2, 0.1, 0.1, [1.0, 3.0]), Sample(1, 0.1, 0.1, [2.0])]
    assert percentile(rounds, 50) == 2.0


async def test_each_lane_makes_a_call_however_short_a_round_is() -> None:
    made: list[float] = []

    async def call() -> None:
        made.append(time.perf_counter())
        await asyncio.sleep(0)

    measured = await measure([call, call], 0.0)
    assert measured["calls"] == len(made) == 2
    assert measured["latencies"]
