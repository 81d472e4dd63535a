"""My games at a glance: lair sessions."""

import json
import re
from pathlib import Path

from tests.support.command_line import Lair, in_a_terminal
from tests.support.servers import running

NOBODY = "everybody lost"


def words_of(out: str) -> list[list[str]]:
    """The rows of the table, as words. Each begins with the id of a session."""
    return [line.split() for line in out.splitlines() if re.match(r" *[0-9a-z]{12} ", line)]


def test_mine_are_listed_with_whose_turn_it_is_the_most_urgent_first(lair: Lair, elsewhere: Lair) -> None:
    quiet = lair.new("Ann", "Ben")
    code = lair.here("new", "cabbages", "--lobby", "2", "Ann", "--option", "first_seat=1", "--json").records[0]
    theirs = code["session"].removeprefix("sessions/")
    assert elsewhere.here("join", code["joinCode"], "Ben").code == 0
    waiting = lair.here("new", "cabbages", "--lobby", "3", "Ann", "--json").records[0]
    hurried = lair.here("new", "cabbages", "Ann", "--bots", "1", "--turn-limit", "3000", "--option", "first_seat=0")
    first = hurried.out.split()[0].removeprefix("sessions/")
    ran = lair.here("sessions")
    assert ran.code == 0, ran.err
    rows = words_of(ran.out)
    assert [row[0] for row in rows] == [first, quiet, theirs, waiting["session"].removeprefix("sessions/")]
    assert " ".join(rows[0][1:4]) == "cabbages your turn"
    assert rows[0][4:] == ["50", "min", "Bot", "1"]
    assert " ".join(rows[1]) == f"{quiet} cabbages your turn: Ann"
    assert " ".join(rows[2]) == f"{theirs} cabbages turn of Ben Ben"
    assert " ".join(rows[3][2:]) == f"2 seats free: {waiting['joinCode']}"
    assert f"Next:  lair sit {first}" in ran.out
    (other,) = words_of(elsewhere.here("sessions").out)
    assert " ".join(other) == f"{theirs} cabbages your turn Ann"


def test_what_has_ended_is_listed_when_it_is_asked_for(lair: Lair, elsewhere: Lair) -> None:
    lobby = lair.here("new", "cabbages", "--lobby", "2", "Ann", "--json").records[0]
    elsewhere.here("join", lobby["joinCode"], "Ben")
    assert elsewhere.here("leave", "--yes", lobby["session"]).code == 0
    over = lair.new(max_turns=1)
    lair.here("play", over, "harvest")
    aborted = lair.new()
    lair.here("abort", "--yes", aborted)
    ran = lair.here("sessions")
    assert [row[0] for row in words_of(ran.out)] == [lobby["session"].removeprefix("sessions/")]
    assert "2 sessions that ended or went:  lair sessions --all" in ran.out
    rows = {row[0]: " ".join(row[2:]) for row in words_of(lair.here("sessions", "--all").out)}
    assert rows[aborted] == "ended without a result"
    winners = lair.here("view", over, "--json").records[0]["standing"]["outcome"]["winners"]
    assert rows[over] == (f"won by {' and '.join(('Ann', 'Ben')[seat] for seat in winners)}" if winners else NOBODY)
    nothing = elsewhere.here("sessions")
    assert (nothing.code, "None of your sessions goes on" in nothing.err) == (0, True)


def test_programs_get_a_line_a_session_and_no_secret(lair: Lair) -> None:
    made = lair.here("new", "cabbages", "Ann", "Ben", "--option", "first_seat=0", "--turn-limit", "60", "--json")
    (note,) = made.records
    ran = lair.here("sessions", "--json")
    (record,) = ran.records
    assert record["session"] == note["session"]
    assert record["server"] == lair.server
    assert record["held"] == [
        {"seat": 0, "awaited": True, "mayAct": True, "error": None},
        {"seat": 1, "awaited": False, "mayAct": False, "error": None},
    ]
    assert 0 < record["secondsLeft"] <= 60
    secrets = [note["hostToken"], *(seat["token"] for seat in note["seats"])]
    assert not [secret for secret in secrets if secret in ran.out]


def test_sessions_of_several_servers_are_one_list(lair: Lair, tmp_path: Path) -> None:
    with running(tmp_path / "other.db") as other:
        there = Lair(other.address, lair.notebook)
        here, far = lair.new(), there.new()
        environment = {name: value for name, value in lair.environment.items() if name != "LAIR_SERVER"}
        assert environment["LAIR_NOTEBOOK"] == str(lair.notebook)
        records = lair("sessions", "--json", LAIR_SERVER="").records
        assert {(record["session"], record["server"]) for record in records} == {
            (f"sessions/{here}", lair.server),
            (f"sessions/{far}", other.address),
        }
        assert other.address in lair("sessions", LAIR_SERVER="").out
        assert [record["server"] for record in there.here("sessions", "--json").records] == [other.address]
    ran = lair("sessions", "--json", LAIR_SERVER="")
    assert ran.code == 1, "one of them does not answer"
    assert [record["session"] for record in ran.records] == [f"sessions/{here}"]
    assert f"Nobody answers at {other.address}" in json.loads(ran.err)["error"]["message"]


def test_an_empty_notebook_says_how_to_begin(lair: Lair) -> None:
    ran = lair.here("sessions")
    assert (ran.code, ran.out) == (0, "")
    assert "lair new" in ran.err
    assert lair.here("sessions", "--json").records == []


def test_the_list_fits_a_small_terminal(lair: Lair) -> None:
    lair.new("Ann", "Ben")
    lair.here("new", "sprinkleton", "--lobby", "3", "Ann")
    lair.here("new", "heads", "Ann", "--bots", "3", "--turn-limit", "300")
    shown, code = in_a_terminal(lair, "sessions", steps=[], COLUMNS="80")
    assert code == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(len(line.rstrip()) for line in plain.splitlines()) <= 80
    assert "your turn: Ann" in plain
    assert re.search(r"2 seats free: \w{4}-\w{4}", plain)
