"""Every test, the fast ones first: `python tests/run.py [--keep-going] [PATH]... [PYTEST OPTION]...`.

The tests are spread over several processes, a file to each (`-n 0` has them all in this one). The first stage that has
failures is the last one, unless told to keep going: see stages.py. The last line is the total: "123 passed, 0 failed".
"""

import os
import sys
from collections import Counter

import pytest
from stages import say

PROCESSES = 2 * (os.cpu_count() or 1)
"""Tests of servers wait for most of their time, so there are more processes than processors."""
SPREAD = ("-n", str(PROCESSES), "--dist", "loadfile", "--no-loadscope-reorder", "-p", "stages")


class Totals:
    """Counts over all stages."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count as pytest does: a test by its body, and whatever fails around it as a failure more."""
        if report.when == "call" or report.outcome != "passed":
            self.counts[report.outcome] += 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count a file that can't be read as a failure."""
        if report.failed:
            self.counts["failed"] += 1

    def __str__(self) -> str:
        skipped = f", {self.counts['skipped']} skipped" if self.counts["skipped"] else ""
        return f"{self.counts['passed']} passed, {self.counts['failed']} failed{skipped}"


def main() -> int:
    """Run, and give pytest's exit code: it is not 0 either when nothing ran."""
    totals = Totals()
    code = pytest.main([*SPREAD, *sys.argv[1:]], plugins=[totals])
    say(str(totals))
    return code


if __name__ == "__main__":
    # Without this each process and each server of the tests would compile every module anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    sys.exit(main())
