"""What a new game may be called, and that its files are well-formed whatever that is."""

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from msgspec import ValidationError

from services.games import find_games
from services.games.rulebook import Part, Source, read_rulebook
from services.scaffold.names import BadName, check_name
from services.scaffold.writing import KUSTOMIZATION, MANIFESTS, TEMPLATE, list_games, write_game

ROOT = Path(__file__).parents[2]
RUFF = Path(sysconfig.get_path("scripts")) / "ruff"


@pytest.mark.parametrize("name", ["ab", "goblins2", "abcdefghijklmnopqrst", "a1"])
def test_a_good_name_is_taken(name: str) -> None:
    check_name(name, ROOT)


@pytest.mark.parametrize(
    ("name", "because"),
    [
        ("", "make new-game NAME=goblins"),
        ("g", "2 to 20"),
        ("abcdefghijklmnopqrstu", "2 to 20"),
        ("Goblins", "a-z"),
        ("2goblins", "a letter first"),
        ("gob-lins", "a-z"),
        ("gob_lins", "a-z"),
        ("gob lins", "a-z"),
        ("../goblins", "a-z"),
        ("goblins\n", "a-z"),
        ("köbolde", "a-z"),
        ("async", "Python"),
        ("rules", "contract"),
        ("session", "contract"),
        ("monsters", "contract"),
        ("google", "contract"),
        ("codec", "There is"),
        ("rulebook", "There is"),
    ],
)
def test_a_bad_name_has_one_sentence(name: str, because: str) -> None:
    with pytest.raises(BadName, match=because) as refused:
        check_name(name, ROOT)
    assert len(str(refused.value).splitlines()) == 1


def test_a_game_that_is_there_is_not_written_again() -> None:
    for token in find_games():
        with pytest.raises(BadName, match="There is"):
            check_name(token, ROOT)


def test_a_proto_without_a_game_takes_the_name_too(tmp_path: Path) -> None:
    (tmp_path / "proto" / "monsters" / "goblins").mkdir(parents=True)
    (tmp_path / "services" / "games").mkdir(parents=True)
    with pytest.raises(BadName, match="There is"):
        check_name("goblins", tmp_path)
    check_name("trolls", tmp_path)


@pytest.mark.parametrize("name", ["ab", "codecs", "goblins", "abcdefghijklmnopqrst"])
def test_what_is_written_is_formatted_and_linted_whatever_the_name(name: str, tmp_path: Path) -> None:
    """The order of imports and the breaks of lines depend on the name."""
    written = write_game(name, tmp_path)
    assert len(written) == len(list(TEMPLATE.iterdir()))
    assert not [path for path in written if "$" in path.read_text(encoding="utf-8")]
    ours = "lint.isort.known-first-party = ['services']"  # only a part of them is there
    for check in (["format", "--check"], ["check", "--config", ours]):
        command = [str(RUFF), *check, "--no-cache", "--config", str(ROOT / "pyproject.toml"), "services"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_what_is_written_describes_itself_as_every_game_does(tmp_path: Path) -> None:
    (path,) = [path for path in write_game("goblins", tmp_path) if path.name == "rulebook.toml"]
    book = read_rulebook(path)
    assert book.aim
    assert len(book.how_to_play.split("\n\n")) == 3
    assert [rule.part for rule in book.rules.values()] == sorted(
        [rule.part for rule in book.rules.values()], key=list(Part).index
    )
    assert {rule.part for rule in book.rules.values()} == {*Part}
    assert {rule.source for rule in book.rules.values()} == {Source.LAIR}, "no rulebook of it is printed"


def test_a_rulebook_without_a_source_or_with_an_unknown_word_is_not_read(tmp_path: Path) -> None:
    (path,) = [path for path in write_game("goblins", tmp_path) if path.name == "rulebook.toml"]
    whole = path.read_text(encoding="utf-8")
    for part in ('source = "lair"\n', 'part = "set-up"\n', 'aim = "Be the first to come to the target exactly."\n'):
        assert part in whole
        path.write_text(whole.replace(part, "", 1), encoding="utf-8")
        with pytest.raises(ValidationError):
            read_rulebook(path)
    path.write_text(whole.replace('"lair"', '"liar"', 1), encoding="utf-8")
    with pytest.raises(ValidationError):
        read_rulebook(path)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (first, *_) = write_game("goblins", tmp_path)
    first.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        write_game("goblins", tmp_path)
    assert first.read_text(encoding="utf-8") == "mine"


def test_the_list_of_games_is_what_the_scaffold_would_write(tmp_path: Path) -> None:
    shutil.copytree(ROOT / MANIFESTS, tmp_path / MANIFESTS)
    before = (ROOT / MANIFESTS / KUSTOMIZATION).read_text("utf-8")
    assert list_games(tmp_path).read_text("utf-8") == before
    write_game("goblins", tmp_path)
    added = set(list_games(tmp_path).read_text("utf-8").splitlines()) - set(before.splitlines())
    assert added == {"  - goblins"}
