"""The contract that rules are pure, on a copy of the servers in which rules are not."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BROKEN = re.compile(r"(\S+)\s+is\s+not\s+allowed\s+to\s+import\s+(\S+)")
"""A line may be wrapped."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of all that the contract looks at, to plant imports in."""
    shutil.copytree(ROOT / "services", tmp_path / "services", ignore=shutil.ignore_patterns("__pycache__"))
    for name in (".importlinter", "tests/architecture/contracts.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def judged(folder: Path) -> tuple[bool, list[str]]:
    """Whether the contract is kept in a folder, and each import that breaks it."""
    lint = Path(sys.executable).with_name("lint-imports")
    ran = subprocess.run(
        [lint, "--no-cache", "--contract", "pure-rules"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "Rules" in ran.stdout, ran.stdout + ran.stderr
    return ran.returncode == 0, [" -> ".join(ends) for ends in BROKEN.findall(ran.stdout)]


def plant(folder: Path, name: str, line: str) -> None:
    path = folder / name
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")


def test_rules_as_they_are_are_pure(copy: Path) -> None:
    assert judged(copy) == (True, [])


def test_whatever_is_not_named_is_found_wherever_it_is_imported(copy: Path) -> None:
    plant(copy, "services/kernel/chance.py", "import secrets")
    plant(copy, "services/games/heads/rules.py", "from socket import socket")
    plant(copy, "services/games/heads/codec.py", "import datetime")
    plant(copy, "services/games/maidens/__init__.py", "def now():\n    import time")
    plant(copy, "services/games/cabbages/ending.py", "from services.games import find_games")
    plant(copy, "services/games/cabbages/rules.py", "from monsters.cabbages.v1 import cabbages_pb2")
    kept, found = judged(copy)
    assert not kept
    assert found == [
        "services.games.cabbages.ending -> services.games",
        "services.games.cabbages.rules -> monsters",
        "services.games.heads.codec -> datetime",
        "services.games.heads.rules -> socket",
        "services.games.maidens -> time",
        "services.kernel.chance -> secrets",
    ]
