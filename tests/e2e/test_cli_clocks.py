"""Clocks and leaving at the command line."""

import json
import re
import subprocess

import pytest

from lair import connect
from lair.cli.notebook import Notebook
from lair.cli.opening import opened
from lair.cli.output import Output
from lair.cli.round import Round
from lair.cli.screen import Left
from tests.support.command_line import LAIR, PATIENCE, TWO, Lair, given, one_sentence, prompted


def new(lair: Lair, *arguments: str, **options: object) -> str:
    made = lair.here("new", "cabbages", *TWO, *arguments, *given({"first_seat": 0} | options), "--json")
    assert made.code == 0, made.err
    name: str = made.records[0]["session"]
    return name.removeprefix("sessions/")


def test_a_view_says_how_long_the_game_still_waits(lair: Lair) -> None:
    session = new(lair, "--turn-limit", "3600", "--idle-limit", "7200")
    assert "Ann to move, 60 min left." in lair.here("view", session).out
    record = lair.here("view", session, "--json").records[0]
    assert record["deadline"] > record["serverTime"]
    played = lair.here("play", session, "harvest", "--json").records[0]
    assert played["deadline"] > played["commitTime"]
    assert "left" not in lair.here("view", session, "--revision", "0").out, "no clock runs for what is past"
    assert "left" not in lair.here("view", lair.new()).out


def test_a_watcher_sees_the_deadline_and_the_time_outs(lair: Lair, elsewhere: Lair) -> None:
    options = given({"first_seat": 0, "max_turns": 2})
    made = lair.here("new", "cabbages", "Ann", "--lobby", "2", "--turn-limit", "1.5", *options, "--json")
    with subprocess.Popen(
        [LAIR, "watch"], stdout=subprocess.PIPE, text=True, encoding="utf-8", env=lair.environment
    ) as watcher:
        assert watcher.stdout is not None
        assert "as Ann sees it" in watcher.stdout.readline()
        assert elsewhere.here("join", made.records[0]["joinCode"], "Ben").code == 0
        shown, _ = watcher.communicate(timeout=PATIENCE)
    assert watcher.returncode == 0
    told = ["Ann to move, 2 s left.", "Ann is out of time.", "Ben to move, 2 s left.", "Ben is out of time."]
    assert [line for line in told if line in shown] == told
    assert [shown.index(line) for line in told] == sorted(shown.index(line) for line in told)
    assert re.search(r"^      Ben to move", shown, re.MULTILINE)
    records = lair.here("history", "--json").records
    assert [record["seat"] for record in records] == [None, None, None]


def test_a_table_can_have_a_clock(lair: Lair) -> None:
    options = given({"first_seat": 0})
    table = lair.here("table", "cabbages", *TWO, "--turn-limit", "3600", *options, typed="q\n")
    assert table.code == 0, table.err
    assert "60 min left" in table.out


def test_what_is_typed_after_a_time_out_is_told_so_and_not_played(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ann thinks too long; her answer must neither be Ben's move nor her next one."""
    session = new(lair, "--turn-limit", "3600")
    monkeypatch.setenv("LAIR_NOTEBOOK", str(lair.notebook))
    output = Output(json_lines=False)
    with opened(session, lair.server, output) as game:

        def answers() -> str:
            asked.append(game.session.facts().revision)
            if len(asked) == 1:
                game.session.timeout()
                game.take(1).play("harvest")  # Ann is to act again: the same number means another turn
                return "1"
            return "q"

        asked: list[int] = []
        monkeypatch.setattr("builtins.input", prompted(answers))
        with pytest.raises(Left):
            Round(game, output).play_to_the_end()
        assert game.session.facts().revision == 2, "nothing of what was typed was played"
    shown = capsys.readouterr()
    assert asked == [0, 2]
    assert shown.err == "STALE_SESSION: the game has gone on meanwhile, so nothing was played.\n"
    assert shown.out.index("Ann is out of time.") > shown.out.index("Ann> ")
    assert shown.out.count("Ann> ") == 2
    assert "60 min left." in shown.out


def test_who_looks_alone_is_told_when_the_turn_has_passed_meanwhile(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As at a table that has something to hide: between handing over and looking, the time-out is played."""
    session = new(lair, "--turn-limit", "3600")
    monkeypatch.setenv("LAIR_NOTEBOOK", str(lair.notebook))
    output = Output(json_lines=False)
    with opened(session, lair.server, output) as game:
        prompts: list[str] = []

        def answers() -> str:
            prompts.append(capsys.readouterr().out)
            if len(prompts) == 1:
                game.session.timeout()
            return "q" if prompts[-1].endswith("Ben> ") else ""

        monkeypatch.setattr("builtins.input", prompted(answers))
        table = Round(game, output)
        table._secret = True
        with pytest.raises(Left):
            table.play_to_the_end()
        assert game.session.facts().revision == 1
    handed, passed, asked = prompts
    assert "Ann, this is for you alone." in handed
    assert "The game has gone on meanwhile." in passed
    assert "Ben, this is for you alone." in passed
    assert "Ann is out of time." in asked


def test_a_table_in_json_names_a_stale_answer_by_its_reason(lair: Lair) -> None:
    session = new(lair, max_turns=1)
    note = Notebook(lair.notebook).latest()
    assert note is not None
    with subprocess.Popen(
        [LAIR, "table", "--resume", session, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=lair.environment,
    ) as table:
        assert table.stdout is not None
        while "state" not in json.loads(table.stdout.readline()):
            pass  # first it tells what has happened, then it asks
        with connect(lair.server) as client:
            client.session(note.name, host_token=note.host_token).timeout()
        _, said = table.communicate("harvest\n", timeout=PATIENCE)
    assert table.returncode == 0
    assert json.loads(said)["error"]["reason"] == "STALE_SESSION"
    assert [record["seat"] for record in lair.here("history", session, "--json").records] == [None, None]


def test_a_table_goes_on_without_who_has_left(lair: Lair) -> None:
    session = lair.new(max_turns=2)
    left = lair("leave", session, "--seat", "Ann", "--yes")
    assert (left.code, left.out) == (0, f"Ann has left sessions/{session}. A stand-in plays on.\n")
    note = Notebook(lair.notebook).latest()
    assert note is not None
    assert [seat.name for seat in note.seats] == ["Ben"]
    ran = lair.here("table", "--resume", session, typed="1\n")
    assert ran.code == 0, ran.err
    assert "Ben> 1" in ran.out
    assert "verified: 2 moves" in ran.out
    assert one_sentence(lair.here("leave", session, "--seat", "Ann", "--yes")).startswith('No seat "Ann"')
    assert one_sentence(lair.here("leave", session, "--yes")).startswith("GAME_OVER: ")


def test_a_seat_of_a_lobby_is_free_again(lair: Lair, elsewhere: Lair) -> None:
    code = lair.here("new", "cabbages", "Ann", "--lobby", "2", "--json").records[0]["joinCode"]
    left = lair.here("leave", "--yes", "--json")
    assert left.records == [{"session": left.records[0]["session"], "seat": 0, "state": "lobby"}]
    assert "2 of 2 seats are free" in lair.here("view").out
    assert elsewhere.here("join", code, "Cleo").code == 0
    assert one_sentence(lair.here("leave")).startswith("No seat of ")


def test_who_holds_several_seats_says_which_one_is_left(lair: Lair) -> None:
    refused = lair.here("leave", lair.new())
    assert refused.code == 2
    assert one_sentence(refused) == "Several seats are held here: say --seat Ann or --seat Ben."
