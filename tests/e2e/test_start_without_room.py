"""A first start or an upgrade for which there is no room says so, and goes on once there is some."""

from pathlib import Path

import pytest

from tests.support.interrupted import DONE, EVERY_START, SAID, interrupt


@pytest.mark.slow
@pytest.mark.parametrize("schema", EVERY_START)
def test_a_start_without_room_says_so_and_goes_on_once_there_is_some(tmp_path: Path, schema: str) -> None:
    """As far as the limit of a file's size is like a full disk: see tests.support.interrupted."""
    points = interrupt(tmp_path, schema, "full")
    assert [point["ended"] for point in points] == [SAID] * (len(points) - 1) + [DONE]
    assert len(points) > 8, "it writes so many pages"
    assert all(point["intact"] for point in points)
    for point in points[:-1]:
        assert point["said"].startswith("can't keep sessions in ")
        assert "\n" not in point["said"]
