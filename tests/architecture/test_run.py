"""tests/run.py on small trees of its own: stages, totals, exit codes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.stages import STAGES

TESTS = Path(__file__).parents[1]
PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist.plugin"}
"""None but that one is looked at here."""
SLOW = "import pytest\n@pytest.mark.slow\ndef test_slow(): pass\n"
SETTINGS = "[pytest]\nmarkers = slow\naddopts = --import-mode=importlib\n"


class Tree:
    """A tree with tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tests").mkdir()
        (folder / "pytest.ini").write_text(SETTINGS)
        for name in ("run.py", "spreading.py", "stages.py"):
            shutil.copy(TESTS / name, folder / "tests")

    def add(self, stage: str, code: str, name: str = "test_it") -> None:
        """Write a file of tests."""
        folder = self.folder / "tests" / stage
        folder.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(code)

    def run(self, *arguments: str, processes: int = 0) -> tuple[int, list[str]]:
        """Run the tests: the exit code, and the lines that were said."""
        spread = ("-v", "-p", "no:cacheprovider", "-n", str(processes))
        done = subprocess.run(
            [sys.executable, "tests/run.py", *arguments, *spread],
            cwd=self.folder,
            env={**os.environ, **PLUGINS},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout.splitlines()


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def stages(lines: list[str]) -> list[str]:
    """The stages that were announced."""
    return [line.removeprefix("---- ") for line in lines if line.startswith("---- ")]


def played(lines: list[str]) -> list[str]:
    """The folders and names of the tests that passed, in their order."""
    found = (re.search(r"tests/(\w+)/\w+\.py::(\w+)", line) for line in lines if "PASSED" in line)
    return [f"{each[1]} {each[2]}" for each in found if each]


def test_fast_folders_come_first_and_files_with_slow_tests_first_among_theirs(tree: Tree) -> None:
    for folder in ("e2e", "unit", "contract", "another"):
        tree.add(folder, "def test_it(): pass")
    tree.add("unit", SLOW, "test_slow")
    tree.add("e2e", SLOW, "test_slow")
    code, lines = tree.run()
    assert stages(lines) == ["quick", "served", "whole"]
    *first, begun, one, other = played(lines)
    assert first == ["unit test_slow", "unit test_it", "contract test_it"]
    assert (begun, {one, other}) == ("e2e test_slow", {"another test_it", "e2e test_it"})
    assert (code, lines[-1]) == (0, "6 passed, 0 failed")


def test_every_folder_has_a_stage() -> None:
    named = {folder for folders in STAGES.values() for folder in folders}
    assert named == {path.parent.name for path in TESTS.glob("*/test_*.py")}


def test_a_failing_stage_is_the_last_one_unless_told_otherwise(tree: Tree) -> None:
    tree.add("unit", "def test_good(): pass\ndef test_bad(): assert False\ndef test_other(): pass")
    tree.add("e2e", "def test_it(): pass")
    code, lines = tree.run()
    assert stages(lines) == ["quick"]
    assert (code, lines[-1]) == (1, "2 passed, 1 failed")
    code, lines = tree.run("--keep-going")
    assert stages(lines) == ["quick", "whole"]
    assert (code, lines[-1]) == (1, "3 passed, 1 failed")


def test_several_processes_begin_no_later_stage_after_a_failure(tree: Tree) -> None:
    """What they have begun they end: those wait here until there is a failure."""
    failed = tree.folder / "failed"
    tree.add("unit", f"from pathlib import Path\ndef test_bad():\n    Path({str(failed)!r}).touch()\n    assert False")
    tree.add("unit", "def test_good(): pass", "test_good")
    waiting = f"while not Path({str(failed)!r}).exists(): time.sleep(0.01)\n    time.sleep(0.1)"
    for number in range(30):
        code = f"import time\nfrom pathlib import Path\ndef test_it():\n    {waiting}"
        tree.add("e2e", code, f"test_{number}")
    code, lines = tree.run(processes=2)
    passed = re.fullmatch(r"(\d+) passed, 1 failed", lines[-1])
    assert passed
    assert 1 <= int(passed[1]) < 15
    assert f"quick failed: {31 - int(passed[1])} tests did not run (--keep-going runs them)" in lines
    assert code == 1
    code, lines = tree.run("--keep-going", processes=2)
    assert (code, lines[-1]) == (1, "31 passed, 1 failed")


def test_what_several_processes_find_is_one_total(tree: Tree) -> None:
    tree.add("unit", "def test_good(): pass")
    tree.add("laws", "import pytest\ndef test_bad(): assert False\ndef test_skipped(): pytest.skip()")
    tree.add("typing", "import nothing_of_this_name")
    code, lines = tree.run(processes=2)
    assert (code, lines[-1]) == (1, "1 passed, 2 failed, 1 skipped"), "a file that can't be read is one"


def test_nothing_run_is_no_success(tree: Tree) -> None:
    tree.add("unit", "def test_it(): pass")
    code, lines = tree.run("-k", "nothing")
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
    assert stages(lines) == []
    assert (code, lines[-1]) == (0, "1 passed, 0 failed")
    tree.add("e2e", "def test_one(): pass")
    code, lines = tree.run("tests/laws", "tests/e2e")
    assert (code, lines[-1]) == (1, "1 passed, 1 failed"), "they are one stage"
