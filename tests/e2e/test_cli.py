"""The command `lair` as people and scripts run it, against a real server.

`lair(...)` is a process of its own, as in a shell. `lair.here(...)` is the same command line in this process: it saves
the time of starting Python where a process of its own shows nothing more.
"""

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.rules.v1.rules_pb2 import Audience

from lair import Problem, Verification, connect
from lair.cli import run
from lair.cli.notebook import Notebook
from lair.cli.opening import opened
from lair.cli.output import Output
from lair.cli.round import Round, differ
from lair.cli.screen import Left
from lair.cli.verifying import show_verification
from tests.support.processes import free_port
from tests.support.servers import Stubs

LAIR = Path(sys.executable).with_name("lair")
FULL = Path("/dev/full")
PATIENCE = 60.0
TWO = ("Ann", "Ben")


@dataclass(frozen=True)
class Ran:
    """What a command has left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[Any]:
        """The JSON lines of standard output. Fails when anything else was printed."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass(frozen=True)
class Lair:
    """The command, with a notebook of its own and a server."""

    server: str
    notebook: Path

    @property
    def environment(self) -> dict[str, str]:
        chosen = {"LAIR_SERVER": self.server, "LAIR_NOTEBOOK": str(self.notebook), "PYTHONIOENCODING": "utf-8"}
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
        return kept | chosen

    def __call__(self, *arguments: str, typed: str = "", **environment: str) -> Ran:
        ran = subprocess.run(
            [LAIR, *arguments],
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
            env=self.environment | environment,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    def here(self, *arguments: str, typed: str = "") -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with (
            patch.dict(os.environ, self.environment),
            patch("sys.stdin", io.StringIO(typed)),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = run(arguments)
        for stream in (out, err):
            stream.seek(0)
        return Ran(code, out.read(), err.read())

    def new(self, *names: str, **options: object) -> str:
        """A session of cabbages, by its short name. Seat 0 begins, unless the options say otherwise."""
        made = self.here("new", "cabbages", *(names or TWO), *given({"first_seat": 0} | options))
        assert made.code == 0, made.err
        return made.out.split()[0].removeprefix("sessions/")


def given(options: dict[str, object]) -> list[str]:
    """Options of a game as they are typed."""
    return [word for name, value in options.items() for word in ("--option", f"{name}={value}")]


@pytest.fixture
def lair(server: Stubs, tmp_path: Path) -> Lair:
    return Lair(server.address, tmp_path / "notebook.json")


@pytest.fixture
def elsewhere(server: Stubs, tmp_path: Path) -> Lair:
    """Somebody at another machine: the same server, another notebook."""
    return Lair(server.address, tmp_path / "elsewhere.json")


def one_sentence(ran: Ran) -> str:
    """What a command that failed said. It says nothing else."""
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1, ran.err
    return ran.err.strip()


def test_the_games_are_listed_and_one_is_shown_with_every_rule(lair: Lair) -> None:
    listed = lair.here("games")
    assert listed.code == 0
    assert re.search(r"cabbages +Monster in the Cabbages +2-5", listed.out)
    shown = lair.here("games", "cabbages").out
    assert all(f" C-R{number} " in shown for number in range(1, 25))
    assert re.search(r"cup_start.*", shown)
    assert "Default: 0." in shown
    record = next(record for record in lair.here("games", "--json").records if record["token"] == "cabbages")
    assert lair.here("games", "cabbages", "--json").records == [record]
    assert record["defaults"]["maxTurns"] == 1000


def test_a_whole_game_is_played_by_moves_and_play_and_verified(lair: Lair) -> None:
    session = lair.new(cup_start=6, max_turns=4)
    played = 0
    while legal := lair("moves", session).out.split():
        assert legal in (["harvest"], ["harvest", "feed"])
        told = lair("play", session, legal[-1])
        assert told.code == 0, told.err
        played += 1
    assert played > 0
    view = lair("view", session, "--json").records[0]
    assert view["state"] == "over"
    assert view["revision"] == played
    history = lair("history", session, "--json").records
    assert [record["revision"] for record in history] == list(range(played + 1))
    outcome = history[-1]["standing"]["outcome"]
    assert outcome == view["standing"]["outcome"]
    assert f"({outcome['reason']})" in lair("history", session).out
    verified = lair("verify", session)
    assert verified.code == 0
    assert f"verified: {played} move" in verified.out
    assert "It is the one in the notebook" in verified.out
    assert "GAME_OVER" in one_sentence(lair("play", session, "harvest"))


def test_the_latest_session_and_the_awaited_seat_need_no_naming(lair: Lair) -> None:
    lair.new("Eve", "Fay")
    session = lair.new()
    assert "Ann harvests" in lair.here("play", "harvest").out
    assert "Ben harvests" in lair.here("play", "harvest").out
    assert lair.here("view", "--json").records[0]["session"] == f"sessions/{session}"
    assert lair.here("view", f"sessions/{session}", "--json").records == lair.here("view", session, "--json").records


def test_a_seat_can_be_named_by_name_or_number(lair: Lair) -> None:
    session = lair.new()
    for seat in ("Ben", "ben", "1"):
        assert lair.here("view", session, "--seat", seat, "--json").records[0]["seat"] == 1
    assert one_sentence(lair.here("view", session, "--seat", "Zoe")).startswith('No seat "Zoe"')
    refused = lair.here("play", session, "harvest", "--seat", "Ben")
    assert refused.code == 1
    assert one_sentence(refused).startswith("NOT_YOUR_TURN (C-R4): ")


def test_a_refusal_in_json_has_its_parts_on_standard_error(lair: Lair) -> None:
    session = lair.new()
    refused = lair("play", session, "feed", "--json")
    assert refused.code == 1
    assert refused.out == ""
    error = json.loads(refused.err)["error"]
    assert (error["code"], error["reason"], error["rule"]) == ("FAILED_PRECONDITION", "CUP_EMPTY", "C-R10")


def test_an_earlier_revision_can_be_seen_as_it_was(lair: Lair) -> None:
    session = lair.new()
    lair.here("play", session, "harvest")
    now, then = (
        lair.here("view", session, "--seat", "0", *more, "--json").records[0] for more in ((), ("--revision", "0"))
    )
    assert sum(now["view"]["cabbages"]) > 0
    assert (then["revision"], then["view"]["cabbages"]) == (0, [0, 0])
    assert [move["text"] for move in then["moves"]] == ["harvest"]
    assert "REVISION_NOT_FOUND" in one_sentence(lair.here("view", session, "--revision", "9"))


def test_tokens_are_printed_only_when_asked_for(lair: Lair) -> None:
    quiet = lair.here("new", "cabbages", "Ann", "Ben")
    note = Notebook(lair.notebook).latest()
    assert note is not None
    tokens = [note.host_token, *(seat.token for seat in note.seats)]
    assert all(tokens)
    assert not any(token in quiet.out + quiet.err for token in tokens)
    shown = lair.here("new", "cabbages", "Ann", "Ben", "--show-tokens").out
    assert "token of Ann: " in shown
    assert "token of the host: " in shown
    made = lair.here("new", "cabbages", "Ann", "Ben", "--json").records[0]
    with connect(lair.server) as client:
        assert client.seat(made["session"], made["seats"][1]["token"]).index == 1


def test_friends_join_by_code_from_elsewhere_and_play(lair: Lair, elsewhere: Lair) -> None:
    made = lair.here("new", "cabbages", "Ann", "--lobby", "2", "--option", "first_seat=0")
    code = re.findall(r"lair join (\S+) NAME", made.out)[0]
    assert "1 of 2 seats are free" in lair.here("view").out
    joined = elsewhere.here("join", code.upper().replace("-", ""), "Ben")
    assert joined.code == 0
    assert "Ben has seat 1" in joined.out
    assert "Ann harvests" in lair.here("play", "harvest").out
    assert "Ben harvests" in elsewhere.here("play", "harvest").out
    assert one_sentence(elsewhere.here("abort")).startswith("Only its host can end ")
    assert "SEAT_TAKEN" in one_sentence(elsewhere.here("join", code, "Cleo"))
    assert "JOIN_CODE_NOT_FOUND" in one_sentence(elsewhere.here("join", "zzzz-zzzz", "Cleo"))


def test_the_host_can_abort_a_session(lair: Lair) -> None:
    session = lair.new()
    assert lair.here("abort", session, "--json").records == [{"session": f"sessions/{session}", "state": "aborted"}]
    assert one_sentence(lair.here("play", session, "harvest")).startswith("SESSION_ABORTED: ")
    assert "without a result" in lair.here("view", session).out
    assert "without a result" in one_sentence(lair.here("table", "--resume", session))


def test_a_watcher_sees_every_event_and_leaves_at_the_end(lair: Lair) -> None:
    session = lair.new(max_turns=3)
    with subprocess.Popen(
        [LAIR, "watch", session], stdout=subprocess.PIPE, text=True, encoding="utf-8", env=lair.environment
    ) as watcher:
        assert watcher.stdout is not None
        head = watcher.stdout.readline()
        assert "revision 0, as a spectator sees it" in head
        for _ in range(3):
            assert lair("play", session, "harvest").code == 0
        rest = watcher.stdout.read()
        assert watcher.wait(PATIENCE) == 0
    told = [line for line in rest.splitlines() if "harvests" in line]
    assert [line.split()[:2] for line in told] == [["1", "Ann"], ["2", "Ben"], ["3", "Ann"]]
    assert rest.rstrip().splitlines()[-1].startswith("Nobody wins (turn_limit).")
    records = lair("watch", session, "--json").records
    assert records[0]["state"] == "over"


def test_autoplay_plays_and_verifies_each_game(lair: Lair) -> None:
    ran = lair("autoplay", "cabbages", "--seats", "3", "--option", "max_turns=40", "--games", "3", "--seed", "7")
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert len(lines) == 3
    assert all(re.fullmatch(r"sessions/\S+: \d+ moves, (winners|no winners) .*, verified", line) for line in lines)
    records = lair("autoplay", "cabbages", "--option", "max_turns=9", "--games", "2", "--json").records
    assert [record["verified"] for record in records] == [True, True]
    assert len({record["session"] for record in records}) == 2
    session = records[0]["session"]
    assert lair("verify", session, "--json").records[0] == {
        "session": session,
        "ok": True,
        "moves": records[0]["moves"],
        "draws": records[0]["draws"],
        "problem": None,
        "commitment": lair("verify", session).out.splitlines()[0].removeprefix("commitment "),
        "sameAsNotebook": None,
    }


def test_verify_fails_when_the_commitment_is_not_the_one_that_was_seen(lair: Lair) -> None:
    session = lair.new(max_turns=1)
    lair.here("play", session, "harvest")
    content = json.loads(lair.notebook.read_text())
    content["sessions"][0]["commitment"] = "00" * 32
    lair.notebook.write_text(json.dumps(content))
    ran = lair.here("verify", session)
    assert ran.code == 1
    assert "It is NOT the one" in ran.out


def test_verify_names_the_first_thing_that_does_not_agree(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What can disagree is the library's to find; here is what the command makes of it."""
    session = lair.new()
    monkeypatch.setenv("LAIR_NOTEBOOK", str(lair.notebook))
    problem = Problem("draw", "move 3: draw 1 (harvest) shows 4, the seed gives 5", 3, 1)
    output = Output(json_lines=False)
    with opened(session, lair.server, output) as game:
        assert not show_verification(game, Verification(game.facts.name, 2, 4, problem), output)
    assert "NOT verified: move 3: draw 1 (harvest) shows 4, the seed gives 5" in capsys.readouterr().out


def test_verify_waits_for_the_end(lair: Lair) -> None:
    refused = lair.here("verify", lair.new())
    assert refused.code == 1
    assert one_sentence(refused).startswith("SESSION_NOT_OVER: ")


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
    assert re.search(r"^Ann harvests . .: \d+ more, \d+ cabbages? now\.$", ran.out, re.MULTILINE)
    assert "Nobody wins (turn_limit)." in ran.out
    assert "verified: 3 moves" in ran.out
    assert "press Enter" not in ran.out, "nothing is secret in this game"


def test_a_refused_answer_at_the_table_is_explained_and_asked_again(lair: Lair) -> None:
    ran = lair.here(
        "table", "cabbages", "Ann", "Ben", "--option", "first_seat=0", typed="feed\n9\n?\n\nnonsense\n1\nq\n"
    )
    assert ran.code == 0
    assert "CUP_EMPTY (C-R10): " in ran.err
    assert "There is no move 9: the numbers go to 1." in ran.err
    assert "MALFORMED_REQUEST: " in ran.err
    assert " C-R24 " in ran.out
    assert ran.out.count("Ann> ") == 6
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
        assert elsewhere("join", made.records[0]["joinCode"], "Ben").code == 0
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
    monkeypatch.setattr("builtins.input", lambda *_: next(answers))
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


CTRL_C = "\x03"
TAKE_THE_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def in_a_terminal(lair: Lair, *arguments: str, steps: list[tuple[str, str]], **environment: str) -> tuple[str, int]:
    """Run a command in a terminal: wait for a text, type, and so on. Gives what was shown, and the exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE_THE_TERMINAL, LAIR, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=lair.environment | environment,
    )
    os.close(theirs)
    shown, typed = "", ""
    waiting = list(steps)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if waiting and waiting[0][0] in shown:
            typed = waiting.pop(0)[1]
            os.write(ours, typed.encode())
        if select.select([ours], [], [], 1.0)[0]:
            try:
                shown += os.read(ours, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                break
        elif typed == CTRL_C:  # Python loses one that comes just before it reads: press again, as people do
            os.write(ours, typed.encode())
    else:
        process.kill()
    os.close(ours)
    code = process.wait(PATIENCE)
    assert not waiting, shown
    return shown, code


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


def test_a_server_that_is_not_there_is_named_at_once(lair: Lair) -> None:
    nobody = replace(lair, server=f"127.0.0.1:{free_port()}")
    began = time.monotonic()
    ran = nobody("games")
    assert time.monotonic() - began < 5
    assert ran.code == 1
    assert "make run" in one_sentence(ran)


@pytest.mark.skipif(not FULL.exists(), reason="only where there is a device that is always full")
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["drawn", "json"])
def test_an_answer_that_cannot_be_written_is_an_error_in_one_sentence(lair: Lair, more: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        command = [str(LAIR), "games", *more]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=lair.environment)
    assert ran.returncode == 1
    assert len(ran.stderr.splitlines()) == 1
    assert "can't be written" in ran.stderr


USAGE: list[tuple[tuple[str, ...], str]] = [
    (("nonsense",), "No such command"),
    (("play",), "Missing argument"),
    (("new", "cabbages"), "Name the players"),
    (("new", "cabbages", "Ann", "Ben", "--lobby", "1"), "too many"),
    (("table",), "Name a game and its players"),
    (("table", "--resume", "7f3k", "Ann"), "Name one session"),
    (("games", "--server", "nowhere"), "HOST:PORT"),
    (("autoplay", "cabbages", "--games", "0"), "--games"),
    (("view",), "The notebook has no session"),
]


@pytest.mark.parametrize(("arguments", "said"), USAGE, ids=[" ".join(arguments) for arguments, _ in USAGE])
def test_a_command_line_that_makes_no_sense_has_exit_code_2(lair: Lair, arguments: tuple[str, ...], said: str) -> None:
    ran = lair.here(*arguments)
    assert ran.code == 2
    assert said in one_sentence(ran)


REFUSED: list[tuple[tuple[str, ...], str]] = [
    (("games", "chess"), "chess"),
    (("new", "chess", "Ann", "Ben"), "GAME_NOT_FOUND"),
    (("new", "cabbages", "Ann"), "MALFORMED_REQUEST"),
    (("new", "cabbages", "Ann", "Ben", "--option", "cup_start=99"), "cup_start"),
    (("new", "cabbages", "Ann", "Ben", "--option", "nonsense"), "nonsense"),
    (("view", "nonsense"), "SESSION_NOT_FOUND"),
    (("autoplay", "cabbages", "--seats", "9"), "MALFORMED_REQUEST"),
    (("play", "sessions/elsewhere", "harvest"), "SESSION_NOT_FOUND"),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[" ".join(arguments) for arguments, _ in REFUSED])
def test_what_is_refused_has_exit_code_1(lair: Lair, arguments: tuple[str, ...], said: str) -> None:
    ran = lair.here(*arguments)
    assert ran.code == 1
    assert said in one_sentence(ran)


def test_a_session_of_others_can_be_seen_but_not_played(lair: Lair, elsewhere: Lair) -> None:
    session = lair.new()
    assert "as a spectator sees it" in elsewhere.here("view", session).out
    assert "No seat of" in one_sentence(elsewhere.here("play", f"sessions/{session}", "harvest"))
    assert "No seat of" in one_sentence(elsewhere.here("table", "--resume", session))


def test_the_help_names_every_command(lair: Lair) -> None:
    shown = lair.here("--help")
    assert shown.code == 0
    assert lair.here().out == shown.out
    commands = ("table", "new", "join", "moves", "play", "abort", "games", "view", "watch", "history", "verify")
    for command in (*commands, "autoplay"):
        assert f" {command} " in shown.out
        help_of = lair.here(command, "--help")
        assert help_of.code == 0
        assert "--server" in help_of.out
        assert "--json" in help_of.out
    assert re.fullmatch(r"lair \d+\.\d+\.\d+\n", lair.here("--version").out)


def test_importing_the_library_loads_no_command_line() -> None:
    check = "import lair, sys; sys.exit(bool({'typer', 'rich', 'lair.cli.app'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
