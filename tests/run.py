"""Every test in stages, the fast ones first: `python tests/run.py [--keep-going] [PATH]... [PYTEST OPTION]...`.

A stage is a run of pytest whose tests are spread over several processes, a file to each (`-n 0` has them all in this
one). The first stage that has failures is the last one, unless told to keep going. Tests that are chosen by their paths
are one stage. The last line is the total: "123 passed, 0 failed".
"""

import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from stages import LAST, STAGES

TESTS = Path(__file__).parent
KEEP_GOING = "--keep-going"
PROCESSES = 2 * (os.cpu_count() or 1)
"""Tests of servers wait for most of their time, so there are more processes than processors."""
HARMLESS = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
"""Of a single stage. A run in which no stage has any tests is no success."""
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
    arguments = [argument for argument in sys.argv[1:] if argument != KEEP_GOING]
    totals, codes = Totals(), set[int]()
    for name, stage in stages_for(arguments).items():
        say(f"\n---- {name}")
        codes.add(pytest.main([*SPREAD, *stage, *arguments], plugins=[totals]))
        if pytest.ExitCode.INTERRUPTED in codes:
            break
        if codes - HARMLESS and KEEP_GOING not in sys.argv:
            say(f"{name} failed: what follows did not run ({KEEP_GOING} runs it)")
            break
    say(str(totals))
    return max(codes - HARMLESS, default=min(codes))


def stages_for(arguments: Sequence[str]) -> dict[str, Sequence[str]]:
    """Pytest's options for each stage."""
    if any(Path(argument.partition("::")[0]).exists() for argument in arguments):
        return {"chosen": ()}
    return {stage: ("--stage", stage, *_places_of(stage)) for stage in STAGES}


def _places_of(stage: str) -> Sequence[str]:
    """The folders where its tests are, so that nothing else is read. Slow ones are everywhere."""
    return () if stage == LAST else [str(TESTS / folder) for folder in STAGES[stage] if (TESTS / folder).is_dir()]


def say(line: str) -> None:
    """Print, before whatever a child prints next."""
    print(line, flush=True)  # noqa: T201 - the point of a total


if __name__ == "__main__":
    # Without this each process and each server of the tests would compile every module anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    sys.exit(main())
