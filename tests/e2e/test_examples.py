"""The SDK's examples run, against a real server."""

import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import lair.testing

FOLDER = Path(__file__).parents[2] / "clients/python/examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
README = FOLDER.parent / "README.md"


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(example))["main"](target)
    assert capsys.readouterr().out


def test_an_example_is_a_program_too(target: str) -> None:
    command = [sys.executable, str(FOLDER / "play_a_game.py"), target]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "verified: " in done.stdout


def blocks(path: Path) -> list[str]:
    """The Python of a page, one text a block."""
    return [part.partition("\n")[2] for part in path.read_text().split("```")[1::2] if part.startswith("python")]


def test_the_readme_s_python_runs_from_top_to_bottom(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in blocks(README):
        exec(compile(block.replace("localhost:50051", target), str(README), "exec"), names)
    assert "NOT_YOUR_TURN C-R4" in capsys.readouterr().out


def test_the_docstring_of_lair_runs(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lair.__doc__ is not None
    lines = [line.removeprefix("    ") for line in lair.__doc__.splitlines() if line.startswith("    ")]
    exec(compile("\n".join(lines).replace("localhost:50051", target), "lair", "exec"), {})
    assert "NOT_YOUR_TURN C-R4" in capsys.readouterr().out
