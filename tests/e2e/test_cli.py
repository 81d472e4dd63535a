"""Games by commands: new, join, moves, play, view, watch, history, verify, autoplay."""

import json
import re
import subprocess

import pytest

from lair import Problem, Verification, connect
from lair.cli.notebook import Notebook
from lair.cli.opening import opened
from lair.cli.output import Output
from lair.cli.verifying import show_verification
from tests.support.command_line import LAIR, PATIENCE, Lair, one_sentence


def test_the_games_are_listed_and_one_is_shown_with_every_rule(lair: Lair) -> None:
    listed = lair.here("games")
    assert listed.code == 0
    assert re.search(r"cabbages +Monster in the Cabbages +2-5", listed.out)
    shown = lair.here("games", "cabbages").out
    assert all(f" C-R{number} " in shown for number in range(1, 25))
    assert re.search(r"cup_start.*", shown)
    headings = ("Aim", "How to play", "Set-up", "A turn", "The end", "Time", "How it ends", "Out of time", "Options")
    lines = shown.splitlines()
    assert sorted(headings, key=lines.index) == list(headings)
    assert re.search(r"C-L1 .*\[Lair's own\]", shown, re.DOTALL)
    assert not re.search(r"C-R8 [^[]*\[[^[]*C-R9 ", shown), "what is printed has no mark"
    assert "Default: 0." in shown
    (record,) = lair.here("games", "cabbages", "--json").records
    assert record["defaults"]["maxTurns"] == 1000
    assert {
        "token": "cabbages",
        "title": record["title"],
        "minSeats": 2,
        "maxSeats": 5,
        "rulesVersions": [record["rulesVersion"]],
    } in lair.here("games", "--json").records
    assert one_sentence(lair.here("games", "chess")).startswith('There is no game "chess" here, only: cabbages, ')


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
    assert one_sentence(elsewhere.here("abort", "--yes")).startswith("Only its host can end ")
    assert "SEAT_TAKEN" in one_sentence(elsewhere.here("join", code, "Cleo"))
    assert "JOIN_CODE_NOT_FOUND" in one_sentence(elsewhere.here("join", "zzzz-zzzz", "Cleo"))


def test_a_listed_game_is_found_and_joined_by_its_name(lair: Lair, elsewhere: Lair) -> None:
    nobody = elsewhere.here("lobbies", "goblins")
    assert (nobody.code, nobody.out) == (0, "")
    assert nobody.err.startswith("Nobody waits for players.")
    made = lair.here("new", "cabbages", "Ann", "--lobby", "2", "--bots", "1", "--listed").out
    session = made.split()[0]
    assert f"lair join {session} NAME" in made
    assert re.search(rf"{session} +cabbages +1 of 3 +Ann and ", elsewhere.here("lobbies").out)
    (listed,) = [each for each in elsewhere.here("lobbies", "cabbages", "--json").records if each["session"] == session]
    assert [seat["kind"] for seat in listed["seats"]] == ["human", "human", "bot"]
    assert "Ben has seat 1" in elsewhere.here("join", session, "Ben").out
    assert session not in lair.here("lobbies").out
    assert "--lobby SEATS" in one_sentence(lair.here("new", "cabbages", "Ann", "Ben", "--listed"))
    hidden = lair.here("new", "cabbages", "--lobby", "2", "--json").records[0]["session"]
    assert one_sentence(elsewhere.here("join", hidden, "Ben")).startswith("JOIN_CODE_REQUIRED: ")


def test_the_host_can_abort_a_session(lair: Lair) -> None:
    session = lair.new()
    assert lair.here("abort", session, "--yes", "--json").records == [
        {"session": f"sessions/{session}", "state": "aborted"}
    ]
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


def test_a_watcher_is_told_who_joins_who_leaves_and_that_the_host_plays_again(lair: Lair, elsewhere: Lair) -> None:
    made = lair.here("new", "cabbages", "Ann", "--lobby", "2", "--option", "max_turns=1", "--json").records[0]
    session = made["session"].removeprefix("sessions/")
    with subprocess.Popen(
        [LAIR, "watch", session, "--until-rematch"],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=elsewhere.environment,
    ) as watcher:
        assert watcher.stdout is not None
        assert "as a spectator sees it" in watcher.stdout.readline()
        assert watcher.stdout.readline() == "The game has not started: 1 of 2 seats are free.\n"
        assert lair.here("leave", session, "--yes").code == 0
        for name in ("Cleo", "Ben"):
            assert elsewhere.here("join", made["joinCode"], name).code == 0
        assert elsewhere.here("play", session, "harvest").code == 0
        assert lair.here("rematch", session).code == 0
        said, _ = watcher.communicate(timeout=PATIENCE)
    assert watcher.returncode == 0
    told = [line for line in said.splitlines() if "has " in line or "plays again" in line]
    assert told == [
        "Ann has left: the seat is free again.",
        "Cleo has joined.",
        "Ben has joined.",
        f"The host plays again:  lair rematch {session} --server {lair.server}",
    ]
    assert "Nobody wins (turn_limit)." in said


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
        "movesByRecord": {},
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
