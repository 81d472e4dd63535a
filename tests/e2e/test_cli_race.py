"""Several people at one terminal who play all at once: a key for each, and the first line that is typed counts."""

import re
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from lair import Session
from lair.cli.opening import opened
from lair.cli.output import Output
from lair.cli.race import Race
from lair.cli.screen import Left
from tests.support.command_line import CTRL_C, LAIR, PATIENCE, Lair, given, in_a_terminal


def matches(view: Any) -> list[int]:
    part = view.DESCRIPTOR.fields_by_name["dice"].message_type.fields_by_name["part"].enum_type
    name = part.values_by_number[view.dice.part].name.removeprefix("PART_").lower()
    return [card.id for card in view.table if getattr(card, name) == view.dice.number]


def at_the_table(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, typing: Callable[[Session[Any]], str], **options: object
) -> str:
    """Let Ann and Ben sit down to a new game, and type what is made of how it stands. Gives the session's name."""
    made = lair.here("new", "sprinkleton", "Ann", "Ben", *given({"first_seat": 0} | options))
    assert made.code == 0, made.err
    monkeypatch.setenv("LAIR_NOTEBOOK", str(lair.notebook))
    output = Output(json_lines=False)
    session = made.out.split()[0]
    with opened(session, lair.server, output) as game:
        monkeypatch.setattr("builtins.input", lambda *_: typing(game.session))
        Race(game, output).play_to_the_end()
    return session


def test_everybody_plays_at_one_table_with_a_key_each(lair: Lair) -> None:
    options = given({"first_seat": 1, "max_rounds": 1})
    ran = lair("table", "sprinkleton", "Ann", "Ben", *options, typed="b roll\nB  PASS\na zilch\n")
    assert ran.code == 0, ran.err
    assert ran.err == ""
    assert re.search(r"^Keys:  a Ann   b Ben$", ran.out, re.MULTILINE)
    assert re.search(r"^Ben rolls (no|\d) (arm|leg|eye)s?\.$", ran.out, re.MULTILINE)
    order = [ran.out.index(said) for said in ("Ben is the first Baker.", "Ben rolls", "Ben passes.", "The piles are")]
    assert order == sorted(order)
    assert ran.out.count("Round 1. 45 cards in the deck.") == 2, "drawn for the roll and for the search, not in between"
    assert "verified: 3 moves" in ran.out
    assert "press Enter" not in ran.out, "nobody has to look away"


def test_of_two_who_touch_a_card_the_first_line_has_it(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rounds are passed until two cards match, so that the second to touch one can still take the other."""
    lines: list[str] = []

    def typing(session: Session[Any]) -> str:
        if lines:
            return lines.pop(0)
        view = session.view()
        if not view.HasField("dice"):
            return "roll"
        if len(found := matches(view)) < 2:
            lines.append("b pass")
            return "a pass"
        one, other = found[:2]
        lines.extend([f"a {other}", f"b pick {other}", f"A{one}", "q"])
        return f"b {other}"

    with pytest.raises(Left):
        at_the_table(lair, monkeypatch, typing, max_idle_rounds=0)
    said = capsys.readouterr()
    claims = re.findall(r"^(Ann|Ben) claims card (\d+)\.$", said.out, re.MULTILINE)
    assert [who for who, _ in claims] == ["Ben", "Ann"]
    assert re.findall(r"^\w+ \(S-R\d+\): ", said.err, re.MULTILINE) == [
        "CARD_TAKEN (S-R9): ",
        "ALREADY_PICKED (S-R8): ",
    ]


def test_the_table_tells_nobody_which_card_a_zilch_has_won(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ben has all seats here, and would be told; the table is told what a spectator is."""

    def typing(session: Session[Any]) -> str:
        view = session.view()
        if not view.HasField("dice"):
            return "q" if view.deck_size < 45 else "roll"
        if not (found := matches(view)):
            return "b zilch"
        taken = {picked.card_id for picked in view.picks}
        seats = {picked.seat for picked in view.picks}
        free = [card_id for card_id in found if card_id not in taken]
        return f"{'b' if 0 in seats else 'a'} {free[0]}"

    with pytest.raises(Left):
        at_the_table(lair, monkeypatch, typing)
    said = capsys.readouterr()
    assert "Ben touches the Zilch token and is right: no card matches." in said.out
    assert "Ben gets a card from the deck: 44 cards left in it." in said.out
    assert "Ben gets card" not in said.out
    assert "Your pile" not in said.out


def test_a_line_that_is_typed_for_the_roll_before_is_not_played(
    lair: Lair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While Ben thinks, the round ends elsewhere: his answer must not be his move in the next one."""
    lines = ["a roll", "b pass"]

    def typing(session: Session[Any]) -> str:
        if not lines:
            return "q"
        if lines[0] == "b pass":
            for name in ("Ann", "Ben"):
                played = lair.here("play", session.name.removeprefix("sessions/"), "pass", "--seat", name)
                assert played.code == 0, played.err
        return lines.pop(0)

    with pytest.raises(Left):
        at_the_table(lair, monkeypatch, typing)
    said = capsys.readouterr()
    assert "That came too late: the table has changed meanwhile." in said.out
    assert said.out.count("Ben passes.") == 1
    assert said.err == ""


def test_lines_that_say_nothing_are_explained_and_cost_nothing(lair: Lair) -> None:
    options = given({"first_seat": 0, "max_rounds": 1})
    typed = "\nnonsense\n?\nrules\nb roll\nroll\nzilch\n\na nonsense\nz pass\na pass\npass\n"
    ran = lair.here("table", "sprinkleton", "Ann", "Ben", *options, typed=typed)
    assert ran.code == 0, ran.err
    assert ran.err.count("Begin a line with your key, a to b, and a blank.") == 4
    assert ran.err.count('No move is called "nonsense".') == 1
    assert ran.err.count('No move is called "a nonsense".') == 1
    assert "timeout" not in ran.err, "that is the host's"
    assert "NOT_BAKER (S-R6): " in ran.err
    assert " S-R21 " in ran.out
    assert "verified: 3 moves" in ran.out


def test_a_table_of_all_at_once_that_was_left_goes_on_where_it_was(lair: Lair) -> None:
    options = given({"first_seat": 0, "max_rounds": 1})
    left = lair.here("table", "sprinkleton", "Ann", "Ben", *options, typed="a roll\na pass\n")
    assert left.code == 0
    session = re.findall(r"lair table --resume (\S+)", left.err)[0]
    resumed = lair.here("table", "--resume", session, typed="b pass\n")
    assert resumed.code == 0
    assert "Ann passes." in resumed.out, "the last that happened is told again"
    assert "verified: 3 moves" in resumed.out


def test_ctrl_c_leaves_a_table_of_all_at_once_with_a_hint(lair: Lair) -> None:
    arguments = ("table", "sprinkleton", "Ann", "Ben", "--option", "first_seat=0")
    shown, code = in_a_terminal(lair, *arguments, steps=[("\r\n> ", "a roll\n"), ("look for", CTRL_C)], TERM="xterm")
    assert code == 0, shown
    assert "lair table --resume " in shown
    assert "Traceback" not in shown


def test_one_person_plays_all_at_once_against_bots(lair: Lair) -> None:
    """Their moves make no line of hers stale: what she types counts for the round that she has seen."""
    options = given({"first_seat": 0, "max_rounds": 1})
    ran = lair.here("table", "sprinkleton", "Ann", "--bots", "1", *options, typed="roll\npass\n")
    assert ran.code == 0, ran.err
    assert "Keys:" not in ran.out, "she needs none"
    assert "verified: " in ran.out


def test_a_table_of_all_at_once_in_json_lists_the_moves_that_there_are(lair: Lair) -> None:
    options = given({"first_seat": 0, "max_rounds": 1})
    ran = lair.here("table", "sprinkleton", "Ann", "Ben", *options, "--json", typed="a roll\na pass\nb pass\n")
    assert ran.code == 0
    drawn = [record for record in ran.records if "state" in record and record["moves"]]
    assert [record["revision"] for record in drawn] == [0, 1]
    texts = [move["text"] for move in drawn[1]["moves"]]
    assert texts[-2:] == ["zilch", "pass"]
    assert len(texts) == 12
    assert all(record["seat"] is None and not record["view"]["pile"] for record in drawn)
    assert ran.records[-1]["ok"] is True


def test_a_table_of_all_at_once_waits_for_those_who_play_elsewhere(lair: Lair, elsewhere: Lair) -> None:
    """Two at this table, the first Baker elsewhere: the table hears the roll, and plays on."""
    options = given({"first_seat": 2, "max_rounds": 1})
    made = lair("new", "sprinkleton", "Ann", "Ben", "--lobby", "3", *options, "--json")
    assert made.code == 0, made.err
    with subprocess.Popen(
        [LAIR, "table", "--resume"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=lair.environment,
    ) as table:
        assert table.stdout is not None
        assert table.stdout.readline() == "Waiting for players to join.\n"
        assert elsewhere("join", made.records[0]["joinCode"], "Cleo").code == 0
        assert table.stdout.readline() == "Cleo has joined.\n"
        assert table.stdout.readline() == "Cleo is the first Baker.\n"
        assert table.stdout.readline() == "Waiting for Cleo.\n"
        assert elsewhere("play", "roll").code == 0
        assert elsewhere("play", "pass").code == 0
        out, _ = table.communicate("a pass\nb pass\n", timeout=PATIENCE)
    assert table.returncode == 0
    assert "Keys:  a Ann   b Ben\n" in out
    assert "Cleo passes." in out
    assert "verified: 4 moves" in out
