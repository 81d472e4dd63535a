"""The command line with a notebook of its own, for the tests of this folder."""

from pathlib import Path

import pytest

from tests.support.command_line import Lair
from tests.support.servers import Stubs


@pytest.fixture
def lair(server: Stubs, tmp_path: Path) -> Lair:
    return Lair(server.address, tmp_path / "notebook.json")


@pytest.fixture
def elsewhere(server: Stubs, tmp_path: Path) -> Lair:
    """Somebody at another machine: the same server, another notebook."""
    return Lair(server.address, tmp_path / "elsewhere.json")
