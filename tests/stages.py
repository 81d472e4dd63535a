"""The order of all tests: `pytest -p stages` runs the fast stages first, in one run.

A stage is some folders. When a test has failed nothing of later stages is begun, unless told otherwise. Stages don't
wait for each other: where several processes share the tests, one begins with the next stage while another still has a
file of this one. Where tests are chosen by their paths there is one stage.

It has no assertions, and tests/run.py imports it before pytest does: PYTEST_DONT_REWRITE.
"""

from pathlib import PurePath
from typing import Any

import pytest

STAGES = {
    "quick": ("unit", "laws", "scenarios", "architecture", "typing"),
    "served": ("wire", "deploy", "contract"),
    "whole": ("e2e",),
}
"""The folders of each stage, the fast ones first. The last one has every other folder, too."""
NAMES = [*STAGES]
LAST = len(NAMES) - 1


def stage_of(nodeid: str) -> int:
    """The number of the stage that a test belongs to, by its path below the root."""
    _, *folders = PurePath(nodeid.partition("::")[0]).parts
    return next((number for number, name in enumerate(NAMES) if folders and folders[0] in STAGES[name]), LAST)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run go on."""
    parser.addoption("--keep-going", action="store_true", help="begin stages also after one that has failures")


def pytest_configure(config: pytest.Config) -> None:
    """Follow the stages where the whole run is seen."""
    if not hasattr(config, "workerinput"):
        chosen = config.args_source is pytest.Config.ArgsSource.ARGS
        config.pluginmanager.register(Stages(chosen=chosen, keep_going=chosen or config.getoption("--keep-going")))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring the stages into their order. Files with slow tests begin first, so that none is left alone at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (stage_of(item.nodeid), item.path not in slow))


class Stages:
    """Which stage the run has come to, and which is its last one."""

    def __init__(self, *, chosen: bool, keep_going: bool) -> None:
        self._reached = LAST if chosen else -1
        self._last = LAST
        self._keep_going = keep_going
        self._left_out = 0
        self._files: Any = None
        """Those that processes are still to be given, where there are several."""

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Give each process a file at a time."""
        from spreading import Files  # noqa: PLC0415  a module of xdist's, which pytest has to load first

        self._files = Files(config, log)
        return self._files

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Where there is one process: pass over what is not to begin."""
        if stage_of(item.nodeid) <= self._last:
            return None
        self._left_out += 1
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Announce a stage when its first test begins."""
        if stage_of(nodeid) > self._reached:
            self._reached = stage_of(nodeid)
            say(f"\n---- {NAMES[self._reached]}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Let the stage of a failure be the last one."""
        if report.failed and not self._keep_going and stage_of(report.nodeid) < self._last:
            self._last = stage_of(report.nodeid)
            if self._files:
                self._left_out += self._files.leave_out(lambda file: stage_of(file) > self._last)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self) -> None:
        """Say what was left out."""
        if self._left_out:
            say(f"{NAMES[self._last]} failed: {self._left_out} tests did not run (--keep-going runs them)")


def say(line: str) -> None:
    """Print, before whatever a child prints next."""
    print(line, flush=True)  # noqa: T201 - what whoever runs the tests reads
