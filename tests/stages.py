"""Which tests belong to a stage: `pytest -p stages --stage quick`. tests/run.py runs one stage after another.

It has no assertions, and tests/run.py imports it before pytest does: PYTEST_DONT_REWRITE.
"""

import pytest

STAGES = {
    "quick": ("unit", "laws", "scenarios", "architecture", "typing"),
    "served": ("wire", "deploy", "contract"),
    "whole": ("e2e",),
}
"""The folders of each stage, the fast ones first. The last one has every other folder, too, and whatever is slow."""
*_, LAST = STAGES


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run have one stage only."""
    parser.addoption("--stage", choices=[*STAGES], help="run the tests of this stage only")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests of other stages out. Slow ones begin first, so that none of them is left alone at the end."""
    wanted = config.getoption("--stage")
    if wanted is None:
        return
    others = [item for item in items if stage_of(item) != wanted]
    config.hook.pytest_deselected(items=others)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items[:] = sorted((item for item in items if stage_of(item) == wanted), key=lambda item: item.path not in slow)


def stage_of(item: pytest.Item) -> str:
    """The stage that a test belongs to."""
    if item.get_closest_marker("slow"):
        return LAST
    folders = item.path.relative_to(item.config.rootpath / "tests").parts
    return next((stage for stage, names in STAGES.items() if folders[0] in names), LAST)
