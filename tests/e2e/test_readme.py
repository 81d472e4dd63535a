"""The programs in the README, run as they stand there."""

import re
from pathlib import Path
from typing import Any

import pytest

import lair.testing

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.+?)```", README, re.DOTALL)
ADDRESS = "localhost:50051"


def test_there_are_a_session_and_the_rules_alone() -> None:
    assert ["client.create" in program for program in PROGRAMS] == [True, False]
    assert ["client.rules" in program for program in PROGRAMS] == [False, True]


def test_they_run_and_say_what_their_comments_say(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    with lair.testing.server() as address:
        for program in PROGRAMS:
            assert ADDRESS in program
            exec(compile(program.replace(ADDRESS, address), "README.md", "exec"), names)
            said = capsys.readouterr().out
            assert "NOT_YOUR_TURN" in said
            assert "C-R4" in said
