"""An answer that changes without a new version is noticed: recorded games are played again, and compared."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.games import Entry, find_games
from services.games.cabbages import ending
from tests.support.corpus import FOLDER, PARTS, Step, difference, folder_of, play, record, settings_of
from tests.support.games import ENTRIES

RECORDED = [entry for entry in ENTRIES if (FOLDER / entry.game.token).is_dir()]
"""A game that is being made has no recordings yet: its rules change with every day."""
every_recorded_game = pytest.mark.parametrize("entry", RECORDED, ids=[entry.game.token for entry in RECORDED])
FILES = sorted(FOLDER.glob("*/*/*.txt"))
MEANT = "if that is meant, give the game a new version and run `make corpus`"


@pytest.mark.parametrize("file", FILES, ids=["-".join(file.with_suffix("").parts[-3:]) for file in FILES])
def test_a_recorded_game_has_the_answers_that_it_had(file: Path) -> None:
    entry = find_games()[file.parts[-3]]
    assert file.parent == folder_of(entry), "recordings of another version: run `make corpus`"
    assert not (changed := difference(entry, file)), f"{changed}\n{MEANT}"


@every_recorded_game
def test_a_game_has_a_recording_of_each_setting_in_the_version_that_it_has(entry: Entry) -> None:
    names = {file.stem for file in folder_of(entry).glob("*.txt")}
    assert names == {setting.name for setting in settings_of(entry)}, "run `make corpus`"
    assert len(names) > 2


@every_recorded_game
def test_a_recording_covers_every_option(entry: Entry) -> None:
    recorded = {name for setting in settings_of(entry) for name in setting.options}
    assert recorded == {field.name for field in entry.codec.messages.Options.DESCRIPTOR.fields}


Mutation = Callable[[Any], dict[str, Any]]


def another_reason(game: Any) -> dict[str, Any]:
    def standing(position: Any) -> Any:
        now = game.standing(position)
        return now if now.outcome is None else replace(now, outcome=replace(now.outcome, reason="another"))

    return {"standing": standing}


def events_in_another_order(game: Any) -> dict[str, Any]:
    def play(position: Any, seat: Any, move: Any, dice: Any) -> Any:
        played = game.play(position, seat, move, dice)
        return replace(played, events=played.events[::-1])

    return {"play": play}


def one_move_less(game: Any) -> dict[str, Any]:
    def moves(position: Any, seat: Any) -> Any:
        found = game.moves(position, seat)
        return found[:-1] if len(found) > 1 else found

    return {"moves": moves}


@every_recorded_game
@pytest.mark.parametrize("mutation", [another_reason, events_in_another_order, one_move_less])
def test_a_planted_change_is_found_with_the_move_that_shows_it(entry: Entry, mutation: Mutation) -> None:
    changed = replace(entry, game=replace(entry.game, **mutation(entry.game)))
    found = next(told for file in sorted(folder_of(entry).glob("*.txt")) if (told := difference(changed, file)))
    assert f"{entry.game.token} version {entry.game.version}" in found
    assert "revision" in found
    assert any(part in found for part in PARTS)


def test_a_constant_of_the_rules_that_changes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cup ends the game with 25 and wants 31: some recorded game goes on where it had ended."""
    monkeypatch.setattr(ending, "_ends", lambda dice: sum(dice) > ending.HUNGRY + 5 or ending._has_triples(dice))
    entry = find_games()["cabbages"]
    assert [told for file in folder_of(entry).glob("*.txt") if (told := difference(entry, file))]


def test_what_is_recorded_is_never_overwritten_and_other_versions_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.corpus.FOLDER", tmp_path)
    entry = ENTRIES[0]
    settings = list(settings_of(entry))
    assert record(entry) == len(settings)
    file = folder_of(entry) / f"{settings[0].name}.txt"
    file.write_text(file.read_text() + "mine", encoding="utf-8")
    assert record(entry) == 0
    assert file.read_text().endswith("mine")
    newer = replace(entry, game=replace(entry.game, version="next"))
    assert record(newer) == len(settings)
    assert not file.exists()


def test_the_same_game_is_recorded_alike_twice() -> None:
    entry = ENTRIES[0]
    setting = next(settings_of(entry))
    first: list[Step] = list(play(entry, setting))
    assert first == list(play(entry, setting))
