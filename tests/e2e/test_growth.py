"""The growth of a move's cost is measured, tabled and drawn. How it grows is not judged here."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from loadtests.growth.axes import AXES, Axis
from loadtests.growth.curves import write_page
from loadtests.measuring.markers import write_parts
from tests.support.contending import contending

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/performance.md"
MOST = 10
MEASURED = ("stored", "stored_postgresql", "watchers")
"""One axis whose members have costs of their own, one whose members have none, and one on a database of its own."""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_tiny_run_measures_draws_and_tables_axes_of_each_kind(tmp_path: Path) -> None:
    output, pictures = tmp_path / "growth.json", tmp_path / "pictures"
    command = [sys.executable, "-m", "loadtests.growth", "--most", str(MOST), "--seconds", "0.1", "--rounds", "1"]
    places = ["--axes", *MEASURED, "--idle", "0.1", "--output", str(output), "--pictures", str(pictures)]

    done = subprocess.run([*command, *places], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    report = json.loads(output.read_text())
    assert report.keys() == {"date", "machine", "versions", "size", "curves"}
    page = Path(shutil.copy(PAGE, tmp_path))
    write_page(page, report)
    for axis in (axis for axis in AXES if axis.name in MEASURED and axis.needs()):
        curve = report["curves"][axis.name]
        assert [point["size"] for point in curve["points"]] == [size for size in axis.sizes if size <= MOST]
        for point in curve["points"]:
            assert point["microseconds"] > 0
            assert 0 < point["p50"] <= point["p99"]
            assert point["memory"] > 1
            assert point["idle"] >= 0
            assert (point["database"] is not None) == axis.side(1).on_postgresql
        assert axis.title in done.stdout
        assert f"| {axis.title} |" in page.read_text()
        if not axis.is_drawn:
            continue
        drawn = ET.parse(pictures / f"growth-{axis.name}.svg").getroot()
        assert axis.title in "".join(drawn.itertext())


@pytest.mark.parametrize("axis", [axis for axis in AXES if axis.needs()], ids=lambda axis: axis.name)
def test_what_an_axis_calls_answers(axis: Axis, request: pytest.FixtureRequest) -> None:
    side = axis.side(min(axis.sizes))
    with contending(side, request.getfixturevalue("postgresql") if side.on_postgresql else None) as contender:
        assert contender(0.05).calls > 0


def test_every_axis_that_is_drawn_has_its_picture_in_the_page() -> None:
    for axis in (axis for axis in AXES if axis.is_drawn):
        assert f"pictures/growth-{axis.name}.svg" in PAGE.read_text()
        assert (PAGE.parent / f"pictures/growth-{axis.name}.svg").exists()


def test_a_part_of_a_page_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- a: by a script -->\nold\n<!-- end of a -->\nafter\n")

    write_parts(page, {"a": "new"})
    write_parts(page, {"a": "newer"})

    assert page.read_text() == "before\n<!-- a: by a script -->\n\nnewer\n\n<!-- end of a -->\nafter\n"


def test_a_page_without_a_place_for_a_part_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- a: by a script -->\nold\n<!-- end of a -->\n")

    with pytest.raises(ValueError, match="0 places for b"):
        write_parts(page, {"a": "new", "b": "new"})

    assert "old" in page.read_text()
