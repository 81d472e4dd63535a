"""Games that wait for players: lair lobbies, and joining one of them from the list."""

import re
from datetime import UTC, datetime

import pytest

import lair as sdk
from lair.cli.lobbies import find_lobbies
from lair.types import SeatFacts, SeatKind
from tests.support.command_line import Lair, in_a_terminal

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def opened_by(lair: Lair, name: str, game: str = "maidens") -> str:
    """A listed lobby of two seats, one of them this one's."""
    made = lair.here("new", game, name, "--lobby", "2", "--listed")
    assert made.code == 0, made.err
    return made.out.split()[0]


def number_of(shown: str, session: str) -> str:
    """Its number in the list."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    found = re.search(rf"(\d+) +{session}", plain)
    assert found, plain
    return found[1]


def test_one_is_joined_by_its_number(lair: Lair, elsewhere: Lair) -> None:
    session = opened_by(lair, "Ann")
    opened_by(lair, "Zoe")
    number = number_of(elsewhere.here("lobbies", "maidens").out, session)
    steps = [("Join which?", "0\n"), ("None of them", f"{number}\n"), ("Your name:", "Ben\n")]
    shown, code = in_a_terminal(elsewhere, "lobbies", "maidens", steps=steps)
    assert code == 0, shown
    assert f"{session}: Ben has seat 1." in shown
    assert session not in elsewhere.here("lobbies").out
    assert "state" in elsewhere.here("view", session, "--seat", "Ben", "--json").records[0], "the notebook has the seat"


def test_one_is_joined_by_who_sits_there_or_by_its_session(lair: Lair, elsewhere: Lair) -> None:
    by_host, by_session = opened_by(lair, "Hostess Hilda"), opened_by(lair, "Igor")
    short = by_session.removeprefix("sessions/")
    for wanted, session in (("hostess hilda", by_host), (short[:9], by_session)):
        steps = [("Join which?", f"{wanted}\n"), ("Your name:", "Ben\n")]
        shown, code = in_a_terminal(elsewhere, "lobbies", steps=steps)
        assert code == 0, shown
        assert f"{session}: Ben has seat 1." in shown


@pytest.mark.parametrize("typed", ["\n", "\x04"], ids=["nothing", "the end of the input"])
def test_nobody_is_made_to_join(lair: Lair, elsewhere: Lair, typed: str) -> None:
    session = opened_by(lair, "Ann")
    shown, code = in_a_terminal(elsewhere, "lobbies", steps=[("Join which?", typed)])
    assert code == 0, shown
    assert session in elsewhere.here("lobbies").out


def test_a_script_is_asked_nothing(lair: Lair, elsewhere: Lair) -> None:
    session = opened_by(lair, "Ann")
    ran = elsewhere("lobbies", typed="1\nBen\n")
    assert (ran.code, "Join which?" in ran.out) == (0, False)
    assert re.search(r"Sit down with: +lair join \w+ NAME", ran.out)
    assert session in ran.out
    assert session in [record["session"] for record in elsewhere.here("lobbies", "--json").records]


def facts(name: str, *names: str) -> sdk.SessionFacts:
    seats = tuple(SeatFacts(seat, who, SeatKind.HUMAN, taken=bool(who)) for seat, who in enumerate(names))
    return sdk.SessionFacts(f"sessions/{name}", "maidens", sdk.State.LOBBY, 0, "", seats, None, "", b"", None, NOW, NOW)


def test_what_is_typed_means_one_of_them_or_is_asked_again() -> None:
    first, second, third = facts("7f3k2", "Ann", ""), facts("7f3k4", "2", ""), facts("0abc7", "Ann", "Ben")
    waiting = [first, second, third]
    expected = {
        "1": [first],
        "2": [second],
        "3": [third],
        "4": [],
        "0": [],
        "7f3k2": [first],
        "sessions/0abc7": [third],
        "0abc": [third],
        "7F3K": [first, second],
        "7f": [],
        "ben": [third],
        "ANN": [first, third],
        "Zoe": [],
        "": [],
    }
    assert {wanted: find_lobbies(waiting, wanted) for wanted in expected} == expected
