"""The tutorials, done word for word, and the picture in the README, drawn again."""

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shlex import split
from textwrap import dedent

import pytest
from mypy import api

import lair.testing
from services.runtime.settings import Settings
from tests.support.command_line import LAIR, Lair
from tests.support.tree import ROOT, tracked

INDEX = "docs/README.md"
TUTORIALS = ROOT / "docs" / "tutorials"
ADDRESS = "localhost:50051"
PATIENCE = 120.0
ELSEWHERE = ("git clone", "cd ", "make ", "export ")
"""Commands that lead to where this test is already."""
TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)
VARIES = re.compile(r"\b[0-9a-f]{64}\b|\d+")
"""What is another one each time: dice, counts and commitments."""


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with lair.testing.server() as address:
        yield address


def blocks(page: Path, language: str) -> list[str]:
    """What is fenced in a page, in this language."""
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [dedent(block) for block in found]


def commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Each command of a page, with the lines that are shown after it."""
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *shown = part.rstrip().splitlines()
            yield command, shown


def in_order(shown: list[str], said: str) -> list[str]:
    """The lines that are shown and were not said, in this order. Numbers may be others."""
    lines = iter([VARIES.sub("#", line).rstrip() for line in said.splitlines()])
    return [line for line in shown if line != "..." and VARIES.sub("#", line).rstrip() not in lines]


def test_what_is_missing_or_elsewhere_is_found() -> None:
    assert in_order(["Ann 5", "...", "Ben 6"], "Ann 7\nCleo\nBen 1\n") == []
    assert in_order(["Ben 6", "Ann 5"], "Ann 7\nCleo\nBen 1\n") == ["Ann 5"]


def test_the_first_game_goes_as_its_tutorial_says(target: str, tmp_path: Path) -> None:
    environment = os.environ | {"LAIR_SERVER": target, "LAIR_NOTEBOOK": str(tmp_path / "notebook.json")}
    ran = 0
    for command, shown in commands(TUTORIALS / "first-game.md"):
        if command.startswith(ELSEWHERE):
            continue
        program, *arguments = command.split()
        assert program == "lair"
        typed = [line.partition("> ")[2] for line in shown if re.match(r"\w+> ", line)]
        done = subprocess.run(
            [LAIR, *arguments],
            input="".join(f"{line}\n" for line in typed),
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment | {"PYTHONIOENCODING": "utf-8"},
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert in_order(shown, done.stdout) == [], f"{command}\n{done.stdout}{done.stderr}"
        ran += 1
    assert ran == 5


def test_the_commands_of_the_readme_do_what_they_say(target: str, tmp_path: Path) -> None:
    lair_here = Lair(target, tmp_path / "notebook.json")
    lines = [command for command, _ in commands(ROOT / "README.md") if command.startswith(".venv/bin/lair ")]
    assert len(lines) >= 5
    for line in lines:
        ran = lair_here.here(*split(line, comments=True)[1:], typed="q\n")
        if "verify" in line:  # nobody has played it to its end
            assert "SESSION_NOT_OVER" in ran.err
        else:
            assert ran.code == 0, ran.err


def test_the_edge_is_written_as_the_page_about_http_says(tmp_path: Path) -> None:
    (line,) = (command for command, _ in commands(ROOT / "docs/http.md") if "services.edge" in command)
    command = line.replace("python ", f"{sys.executable} ", 1)
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True, timeout=PATIENCE)
    assert json.loads((tmp_path / "envoy.json").read_text("utf-8"))["static_resources"]


def test_friends_meet_as_the_how_to_says(target: str, tmp_path: Path) -> None:
    page = ROOT / "docs" / "how-to" / "play-with-friends.md"
    opening, joining = (command for command, _ in commands(page) if command.startswith("lair "))
    anns, bens = (Lair(target, tmp_path / f"{name}.json") for name in ("ann", "ben"))
    opened = anns.here(*opening.split()[1:])
    assert opened.code == 0, opened.err
    code = re.search(r"lair join (\S+) ", opened.out)
    assert code
    assert joining.endswith(" --server 192.168.1.20:50051")
    joined = bens.here(*joining.replace("04wc-q55d", code[1]).replace("192.168.1.20:50051", target).split()[1:])
    assert joined.code == 0, joined.err
    assert code[1] in anns.here("invite").out
    with lair.connect(target) as client:
        standing = client.session(opened.out.split()[0]).facts().standing
    assert standing is not None
    assert (anns, bens)[standing.awaited[0]].here("sit", typed="q\n").code == 0


@pytest.mark.parametrize("page", ["README.md", INDEX, *tracked("docs/how-to"), *tracked("docs/tutorials")])
def test_the_settings_that_a_document_names_are_there(page: str) -> None:
    named = set(re.findall(r"\bLAIR_[A-Z_]+\b", (ROOT / page).read_text("utf-8")))
    of_servers = {f"LAIR_{name.upper()}" for name in Settings.model_fields}
    assert named <= of_servers | {"LAIR_SERVER", "LAIR_NOTEBOOK", "LAIR_CONFIG"}


def programs() -> list[str]:
    """The programs of the first bot: by chance, careful, greedy by what is put into that, and the one among people."""
    chance, careful, greedy, people = blocks(TUTORIALS / "first-bot.md", "python")
    old = re.search(r"^def careful.+?\n\n\n", careful, re.DOTALL | re.MULTILINE)
    assert old
    better = careful.replace(old[0], f"{greedy}\n\n").replace("careful(now)", "greedy(now)")
    assert "careful" not in better
    return [chance, careful, better, people]


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_first_bot_says_what_its_tutorial_shows(number: int, target: str, tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(programs()[number].replace(ADDRESS, target), "utf-8")
    (shown,) = [[shown for _, shown in commands(TUTORIALS / "first-bot.md")][number]]
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert in_order(shown, done.stdout) == [], done.stdout
    if number == 2:
        won = re.search(r"wins (\d+) of 40", done.stdout)
        assert won
        assert int(won[1]) > 20, "the tutorial's best bot has to beat chance"


def test_the_programs_of_the_first_bot_are_typed(tmp_path: Path) -> None:
    for number, program in enumerate(programs()):
        (tmp_path / f"bot_{number}.py").write_text(program, "utf-8")
    config = ["--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache")]
    said, failed, code = api.run([*config, *map(str, sorted(tmp_path.glob("*.py")))])
    assert code == 0, said + failed


def test_the_bot_plays_with_people(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    with lair.connect(target) as client:
        table = client.open("maidens", seats=["", lair.Bot()], stand_in=0)
        assert table.join_code
        program = programs()[-1].replace(ADDRESS, target).replace("04wc-q55d", table.join_code)
        exec(compile(program, "bot.py", "exec"), {})
        assert table.facts().state is lair.State.OVER
    assert "the winners are" in capsys.readouterr().out


def test_the_picture_in_the_readme_is_what_the_command_line_shows() -> None:
    """After `.venv/bin/python docs/site/picture.py`."""
    spec = spec_from_file_location("picture", ROOT / "docs" / "site" / "picture.py")
    assert spec is not None
    assert spec.loader is not None
    picture = module_from_spec(spec)
    spec.loader.exec_module(picture)
    drawn = picture.write(picture.record())
    assert words(drawn) == words(picture.PICTURE.read_text("utf-8"))
    assert f"docs/pictures/{picture.PICTURE.name}" in (ROOT / "README.md").read_text("utf-8")


def words(picture: str) -> list[str]:
    return [html.unescape(text) for text in TEXT.findall(picture)]
