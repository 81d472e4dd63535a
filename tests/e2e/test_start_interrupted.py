"""A first start and an upgrade happen as a whole or not at all: whatever interrupts them, the next start goes on."""

import signal
from pathlib import Path

import pytest

import lair
from tests.support.interrupted import DONE, EVERY_START, FIRST_START, interrupt
from tests.support.old_databases import build
from tests.support.servers import running


@pytest.mark.slow
@pytest.mark.parametrize("schema", EVERY_START)
def test_a_start_that_is_killed_before_any_statement_goes_on_at_the_next(tmp_path: Path, schema: str) -> None:
    points = interrupt(tmp_path, schema, "killed")
    assert [point["ended"] for point in points] == [-signal.SIGKILL] * (len(points) - 1) + [DONE]
    assert len(points) > 5, "it has so many statements"
    assert all(point["intact"] for point in points), "with everything that an undisturbed start has"
    tokens = build(tmp_path / "tokens.db", schema)[0] if schema != FIRST_START else None
    left = sorted(tmp_path.glob("left-*.db"), key=lambda path: int(path.stem.removeprefix("left-")))
    with (
        running(left[(len(left) - 1) // 2]) as server,  # as it was left, half-way through
        lair.connect(server.address) as client,
    ):
        new = client.create("cabbages", seats=["Ann", "Ben"])
        seats = [client.seat(tokens.name, token) for token in tokens.seats] if tokens else new.seats
        seat = next(seat for seat in seats if seat.moves())
        seat.play(seat.moves()[0])


@pytest.mark.slow
@pytest.mark.parametrize("schema", EVERY_START[:2])
def test_a_start_that_is_cut_short_while_it_writes_goes_on_at_the_next(tmp_path: Path, schema: str) -> None:
    points = interrupt(tmp_path, schema, "cut")
    assert [point["ended"] for point in points] == [-signal.SIGXFSZ] * (len(points) - 1) + [DONE]
    assert len(points) > 8, "it writes so many pages"
    assert all(point["intact"] for point in points)
