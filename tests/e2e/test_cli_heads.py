"""3 to 4 Headed Monster at one terminal: each looks alone, from the first screen to the last."""

import re

import pytest

from lair import connect
from lair.cli.notebook import Notebook
from tests.support.command_line import Lair, given, prompted

QUICK = given({"stall_limit": 1, "statements": False})
"""The first move of a discussion draws a pair: so a game takes few answers."""
HAND_OVER = re.compile(r"^(\w+), this is for you alone\. Press Enter when nobody else looks: $", re.MULTILINE)
RULER = re.compile(r"^-{40}$", re.MULTILINE)


def first_move(lair: Lair, prompt: str) -> str:
    """The first legal move of whoever is asked by name; an empty line where something else is asked."""
    note = Notebook(lair.notebook).latest()
    assert note is not None
    for seat in note.seats:
        if prompt == f"{seat.name}> ":
            with connect(lair.server) as client:
                return client.seat(note.name, seat.token).moves()[0].text
    return ""


def test_everybody_looks_alone_from_the_first_screen_to_the_end(lair: Lair, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(prompt: str) -> str:
        return prompted(lambda: first_move(lair, prompt))(prompt)

    monkeypatch.setattr("builtins.input", answer)
    ran = lair.here("table", "heads", "Ann", "Ben", "Cleo", *QUICK)
    assert ran.code == 0, ran.err
    *turns, end = RULER.split(ran.out)
    assert len(turns) >= 2 * 3, "two rounds at least, with a discussion and two cards each"
    for turn in turns:
        looking = HAND_OVER.findall(turn)
        assert len(set(looking)) == 1, "one at a time"
        assert turn.lstrip().startswith(f"{looking[0]}, this is for you alone."), "nothing before is shown"
        assert set(re.findall(r"^(\w+) is (?:peaceful|dangerous) and is dealt", turn, re.MULTILINE)) <= {looking[0]}
        assert turn.count("You hold") == 1
        for name, card in re.findall(r"^(\w+) plays (the \w|a card) face down\.$", turn, re.MULTILINE):
            assert (card != "a card") == (name == looking[0])
    assert "Everything is turned up" in ran.out
    assert "You hold" not in end
    assert "verified: " in end


def test_a_table_that_goes_on_starts_with_a_cleared_screen(lair: Lair) -> None:
    left = lair.here("table", "heads", "Ann", "Ben", "Cleo", *QUICK, typed="q\nq\n")
    assert left.code == 0
    session = re.findall(r"lair table --resume (\S+)", left.err)[0]
    resumed = lair.here("table", "--resume", session, typed="")
    assert HAND_OVER.match(resumed.out)
    assert "is dealt" not in resumed.out
