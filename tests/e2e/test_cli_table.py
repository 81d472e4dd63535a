"""Several people at one terminal."""

import re
import subprocess
from dataclasses import replace

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.rules.v1.rules_pb2 import Audience

from lair.cli.opening import opened
from lair.cli.output import Output
from lair.cli.round import Round, differ
from lair.cli.screen import Left
from tests.support.command_line import CTRL_C, LAIR, PATIENCE, Lair, in_a_terminal, one_sentence, prompted


def test_people_play_a_whole_game_at_one_table(lair: Lair) -> None:
    ran = lair(
        "table",
        "cabbages",
        "Ann",
        "Ben",
        "--option",
        "max_turns=3",
        "--option",
        "first_seat=1",
        typed="1\n HARVEST \n1\n",
    )
    assert ran.code == 0, ran.err
    assert ran.err == ""
    asked = [line for line in ran.out.splitlines() if "> 1" in line or "> HARVEST" in line]
    assert asked == ["Ben> 1", "Ann> HARVEST", "Ben> 1"]
    assert re.search(r"^Ann harvests [1-6] [1-6]: \d+ more, \d+ cabbages? now\.$", ran.out, re.MULTILINE)
    assert "Nobody wins (turn_limit)." in ran.out
    assert "verified: 3 moves" in ran.out
    assert "press Enter" not in ran.out, "nothing is secret in this game"


def test_one_person_plays_against_bots(lair: Lair) -> None:
    ran = lair(
        *("table", "cabbages", "Ann", "--bots", "2", "--option", "first_seat=0", "--option", "max_turns=3"), typed="1\n"
    )
    assert ran.code == 0, ran.err
    assert ran.out.count("Ann> ") == 1
    assert "verified: " in ran.out
    assert one_sentence(lair.here("table", "--resume", "--bots", "1")).startswith("Name one session")


def test_a_refused_answer_at_the_table_is_explained_and_asked_again(lair: Lair) -> None:
    ran = lair.here(
        "table", "cabbages", "Ann", "Ben", "--option", "first_seat=0", typed="feed\n9\n?\n\nnonsense\nrules\n1\nexit\n"
    )
    assert ran.code == 0
    assert "CUP_EMPTY (C-R10): " in ran.err
    assert "There is no move 9: the numbers go to 1." in ran.err
    assert 'No move is called "nonsense". There is harvest.' in ran.err
    assert "timeout" not in ran.err, "that is the host's"
    assert "A move can be typed as its number" in ran.out
    assert " C-R24 " in ran.out
    assert ran.out.count("Ann> ") == 7
    assert ran.out.count("Ben> ") == 1


@pytest.mark.parametrize("typed", ["1\nq\n", "1\n"], ids=["by q", "by the end of the input"])
def test_a_table_that_was_left_goes_on_where_it_was(lair: Lair, typed: str) -> None:
    left = lair.here(
        "table", "cabbages", "Ann", "Ben", "--option", "first_seat=0", "--option", "max_turns=2", typed=typed
    )
    assert left.code == 0
    session = re.findall(r"lair table --resume (\S+)", left.err)[0]
    lair.new("Eve", "Fay")
    resumed = lair.here("table", "--resume", session, typed="1\n")
    assert resumed.code == 0
    assert "Ben> 1" in resumed.out
    assert "verified: 2 moves" in resumed.out


def test_a_table_in_json_prints_nothing_but_json(lair: Lair) -> None:
    ran = lair.here("table", "cabbages", "Ann", "Ben", "--option", "max_turns=2", "--json", typed="harvest\nharvest\n")
    assert ran.code == 0
    assert [record["revision"] for record in ran.records if "state" in record] == [0, 1, 2]
    assert ran.records[-1]["ok"] is True


def test_a_table_waits_for_those_who_play_elsewhere(lair: Lair, elsewhere: Lair) -> None:
    made = lair(
        "new", "cabbages", "Ann", "--lobby", "2", "--option", "first_seat=1", "--option", "max_turns=2", "--json"
    )
    with subprocess.Popen(
        [LAIR, "table", "--resume"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=lair.environment,
    ) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        assert table.stdout.readline() == "Waiting for players to join.\n"
        code = made.records[0]["joinCode"]
        assert table.stdout.readline().startswith(f"Others join with:  lair join {code} NAME")
        assert elsewhere("join", code, "Ben").code == 0
        assert table.stdout.readline() == "Ben has joined.\n"
        assert "begins" in table.stdout.readline()
        assert table.stdout.readline() == "Waiting for Ben.\n"
        assert elsewhere("play", "harvest").code == 0
        out, _ = table.communicate("1\n", timeout=PATIENCE)
    assert table.returncode == 0
    assert re.search(r"^Ben harvests ", out, re.MULTILINE)
    assert "Ann> 1" in out
    assert "verified: 2 moves" in out


def test_seats_that_know_different_things_look_one_after_the_other(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No game here hides anything yet, so the table is told that it has seen something secret."""
    session = lair.new(first_seat=0)
    answers = iter(["", "harvest", "", "", "q"])
    monkeypatch.setenv("LAIR_NOTEBOOK", str(lair.notebook))
    monkeypatch.setattr("builtins.input", prompted(lambda: next(answers)))
    output = Output(json_lines=False)
    with opened(session, lair.server, output) as game:
        table = Round(game, output)
        table._secret = True
        with pytest.raises(Left):
            table.play_to_the_end()
    assert next(answers, None) is None
    out = capsys.readouterr().out
    order = [
        "Ann, this is for you alone.",
        "Ann begins.",
        "Ann> ",
        "Ann harvests",
        "Ann, press Enter when you have read this",
        "----",
        "Ben, this is for you alone.",
        "Ann begins.",
        "Ann harvests",
        "Ben> ",
        "----",
    ]
    place = 0
    for expected in order:
        place = out.index(expected, place) + 1


def test_an_event_that_is_not_for_everybody_makes_the_table_secret(lair: Lair, monkeypatch: pytest.MonkeyPatch) -> None:
    session = lair.new()
    monkeypatch.setenv("LAIR_NOTEBOOK", str(lair.notebook))
    output = Output(json_lines=False)
    with opened(session, lair.server, output) as game:
        public = game.take(0).play("harvest")
        table = Round(game, output)
        assert not table._hides([public])
        assert table._hides([replace(public, events=(cabbages.Event(audience=Audience(seats=[0])),))])
        assert table._hides(), "once seen, it is not forgotten"
        ours = game.take(0).snapshot()
        assert not differ({0: ours, 1: ours})
        assert differ({0: ours, 1: replace(ours, view=cabbages.View())})


def test_ctrl_c_leaves_the_table_with_a_hint(lair: Lair) -> None:
    arguments = ("table", "cabbages", "Ann", "Ben", "--option", "first_seat=0")
    shown, code = in_a_terminal(lair, *arguments, steps=[("Ann> ", "1\n"), ("Ben> ", CTRL_C)], TERM="xterm")
    assert code == 0, shown
    assert "lair table --resume " in shown
    assert "Traceback" not in shown


def test_a_dumb_terminal_gets_no_control_sequences(lair: Lair) -> None:
    arguments = ("table", "cabbages", "Ann", "Ben", "--option", "first_seat=0")
    shown, code = in_a_terminal(lair, *arguments, steps=[("Ann> ", "1\n"), ("Ben> ", "q\n")], TERM="dumb")
    assert code == 0
    assert "\x1b" not in shown
    assert "Ann harvests" in shown


def test_ctrl_c_ends_a_watch_quietly(lair: Lair) -> None:
    session = lair.new()
    shown, code = in_a_terminal(lair, "watch", session, steps=[("to move.", CTRL_C)], TERM="xterm")
    assert code == 130
    assert "Traceback" not in shown


def test_an_ascii_locale_gets_numbers_for_dice(lair: Lair) -> None:
    session = lair.new("Ann", "Zoë")
    played = lair("play", session, "harvest", PYTHONIOENCODING="ascii")
    assert re.search(r"Ann harvests [1-6] [1-6]: ", played.out)
    shown = lair("view", session, PYTHONIOENCODING="ascii")
    assert shown.code == 0
    assert shown.out.isascii()
    assert "Zo?" in shown.out
