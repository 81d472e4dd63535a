"""tests/run.py on small trees of its own: stages, totals, exit codes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[1] / "run.py"
SLOW = "import pytest\n@pytest.mark.slow\ndef test_slow(): pass\n"
SETTINGS = "[pytest]\nmarkers = slow\naddopts = --import-mode=importlib\n"


class Tree:
    """A tree with tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tests").mkdir()
        (folder / "pytest.ini").write_text(SETTINGS)
        shutil.copy(RUN, folder / "tests")

    def add(self, stage: str, code: str, name: str = "test_it") -> None:
        """Write a file of tests."""
        folder = self.folder / "tests" / stage
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(code)

    def run(self, *arguments: str) -> tuple[int, list[str]]:
        """Run the tests: the exit code, and the lines that were said."""
        command = [sys.executable, "tests/run.py", *(arguments or ("tests",)), "-v", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # none of them is looked at here
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def stages(lines: list[str]) -> list[str]:
    """The stages that were announced."""
    return [line.strip("- ") for line in lines if line.startswith("---")]


def test_stages_come_in_their_order_and_slow_tests_last(tree: Tree) -> None:
    tree.add("unit", SLOW, "test_slow")
    for stage in ("e2e", "unit", "another", "laws"):
        tree.add(stage, "def test_it(): pass")
    code, lines = tree.run()
    assert stages(lines) == ["unit", "laws", "e2e", "another", "slow"]
    assert (code, lines[-1]) == (0, "5 passed, 0 failed")


def test_a_failing_stage_is_the_last_one_unless_told_otherwise(tree: Tree) -> None:
    tree.add("unit", "def test_good(): pass\ndef test_bad(): assert False\ndef test_other(): pass")
    tree.add("e2e", "def test_it(): pass")
    code, lines = tree.run()
    assert stages(lines) == ["unit"]
    assert (code, lines[-1]) == (1, "2 passed, 1 failed")
    code, lines = tree.run("tests", "--keep-going")
    assert stages(lines) == ["unit", "e2e"]
    assert (code, lines[-1]) == (1, "3 passed, 1 failed")


def test_nothing_run_is_no_success(tree: Tree) -> None:
    tree.add("unit", "def test_it(): pass")
    code, lines = tree.run("tests", "-k", "nothing")
    assert code != 0
    assert lines[-1] == "0 passed, 0 failed"


def test_skips_errors_and_unreadable_files_are_counted(tree: Tree) -> None:
    fixture = "import pytest\n@pytest.fixture\ndef bad(): raise ValueError\n"
    tree.add("unit", f"{fixture}def test_it(bad): pass\ndef test_skipped(): pytest.skip()")
    code, lines = tree.run()
    assert (code, lines[-1]) == (1, "0 passed, 1 failed, 1 skipped")
    tree.add("laws", "import nothing_of_this_name")
    code, lines = tree.run()
    assert code != 0
    assert lines[-1] == "0 passed, 1 failed"


def test_paths_and_arguments_are_passed_through(tree: Tree) -> None:
    tree.add("unit", "def test_one(): pass\ndef test_two(): pass")
    tree.add("laws", "def test_one(): assert False")
    code, lines = tree.run("tests/unit", "-k", "one")
    assert (code, lines[-1]) == (0, "1 passed, 0 failed")
