"""Every test in stages, the fast ones first: `python tests/run.py [--keep-going] [PATH]... [PYTEST OPTION]...`.

A stage is a folder of tests; what is marked as slow comes after all of them. It is one run of pytest, which ends after
the first stage that has failures, unless told to keep going. The last line is the total: "123 passed, 0 failed".
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
STAGES = ("unit", "laws", "scenarios", "architecture", "wire", "deploy", "contract", "e2e", "slow")
KEEP_GOING = "--keep-going"


def stage_of(item: pytest.Item) -> str:
    """The stage that a test belongs to."""
    if item.get_closest_marker("slow"):
        return "slow"
    return item.path.relative_to(TESTS).parts[0]


def place_of(stage: str) -> int:
    """When a stage comes. One that has no place yet comes just before the slow tests."""
    return STAGES.index(stage) if stage in STAGES else len(STAGES) - 1


class Stages:
    """Puts the tests in order, announces each stage, and ends the run after one that has failed."""

    def __init__(self, *, keep_going: bool) -> None:
        self._keep_going = keep_going
        self._stage = ""
        self.counts: Counter[str] = Counter()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort by stage. Within a stage the order stays what it is, random or not."""
        items.sort(key=lambda item: (place_of(stage_of(item)), stage_of(item)))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Begin a stage with its first test, unless the one before it has failed."""
        stage = stage_of(item)
        if stage != self._stage:
            if item.session.testsfailed and not self._keep_going:
                ending = f"{self._stage} failed: {stage} and what follows did not run ({KEEP_GOING} runs it)"
                item.session.shouldfail = ending
                raise item.session.Failed(ending)
            self._stage = stage
            reporter = item.config.pluginmanager.getplugin("terminalreporter")
            reporter.write_line("")
            reporter.write_sep("-", stage)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count as pytest does: a test by its body, and whatever fails around it as a failure more."""
        if report.when == "call" or report.outcome != "passed":
            self.counts[report.outcome] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count a file that can't be read as a failure."""
        if report.failed:
            self.counts["failed"] += 1


def main() -> int:
    """Run, and give pytest's exit code: it is not 0 either when nothing ran."""
    arguments = [argument for argument in sys.argv[1:] if argument != KEEP_GOING]
    stages = Stages(keep_going=KEEP_GOING in sys.argv)
    code = pytest.main(arguments, plugins=[stages])
    counts = stages.counts
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"{counts['passed']} passed, {counts['failed']} failed{skipped}")  # noqa: T201 - the point of a total
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
