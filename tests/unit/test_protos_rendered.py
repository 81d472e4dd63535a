"""The proto of every game's RulesService is rendered from the one shape: `proto/render.py`."""

import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.games import find_games

PROTO = Path(__file__).parents[2] / "proto"
TOOL: Any = runpy.run_path(str(PROTO / "render.py"))
SHAPE = """
// Asks for something.
message AskRequest {
  // The game's Position. Absent: none.
  bytes position = 1;
  // What all games have.
  repeated Draw draws = 7;
  // What stands beside it.
  optional Answer answer = 10;
}

// The answer.
message Answer {}

// Left to the game.
message Event {
  // Who may know of it.
  Audience audience = 1;
}
"""
SERVICE = "monsters/cabbages/v1/rules_service.proto"


def test_bytes_become_the_game_s_types_and_shared_ones_have_their_full_names() -> None:
    _, _, messages = TOOL["render"](SHAPE, "goblins", "Goblins").partition("\n}\n\n")
    assert (
        messages
        == """// Asks for something.
message AskRequest {
  // The position. Absent: none.
  Position position = 1;
  // What all games have.
  repeated monsters.rules.v1.Draw draws = 7;
  // What stands beside it.
  optional Answer answer = 10;
}

// The answer.
message Answer {}
"""
    )


def test_bytes_behind_which_no_game_has_a_type_are_refused() -> None:
    with pytest.raises(KeyError, match="pieces"):
        TOOL["render"](SHAPE.replace("bytes position", "bytes pieces"), "goblins", "Goblins")


def test_every_method_has_its_messages_in_the_shape() -> None:
    shape = TOOL["SHAPE"].read_text("utf-8")
    requests = {name for name in TOOL["MESSAGE"].findall(shape) if name.endswith("Request")}
    assert {f"{method}Request" for method in TOOL["METHODS"]} == requests


def test_every_game_is_found_and_nothing_else() -> None:
    assert [path.parts[-3] for path, _ in TOOL["services"]()] == sorted(find_games())


def test_what_is_not_of_the_shape_is_named_and_written_anew(tmp_path: Path) -> None:
    shutil.copy(PROTO / "render.py", tmp_path)
    shutil.copytree(PROTO / "monsters", tmp_path / "monsters")
    command = [sys.executable, str(tmp_path / "render.py")]

    def check() -> "subprocess.CompletedProcess[str]":
        return subprocess.run([*command, "--check"], capture_output=True, text=True, check=False, timeout=60)

    assert check().returncode == 0
    file = tmp_path / SERVICE
    before = file.read_text("utf-8")
    file.write_text(before.replace("int32 seats = 10", "int32 seats = 11"), "utf-8")
    refused = check()
    assert (refused.returncode, SERVICE in refused.stderr, "heads" in refused.stderr) == (1, True, False)
    subprocess.run(command, check=True, timeout=60)
    assert file.read_text("utf-8") == before
