"""One's own seat of a session on a server: two people, each at a terminal of their own."""

import re

import pytest

from lair import connect
from tests.support.command_line import CTRL_C, Lair, given
from tests.support.terminal import LARGE, SMALL, Terminal

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "140x50"])


def opened(lair: Lair, game: str, seats: int, **options: object) -> tuple[str, str]:
    """A lobby in which Ann sits. Gives the session's short name and its join code."""
    made = lair.here("new", game, "Ann", "--lobby", str(seats), *given(options), "--json")
    assert made.code == 0, made.err
    return made.records[0]["session"].removeprefix("sessions/"), made.records[0]["joinCode"]


def revision(lair: Lair, session: str) -> int:
    with connect(lair.server) as client:
        return client.session(session).known_facts.revision


@SIZES
def test_two_play_a_game_from_the_lobby_to_the_end(lair: Lair, elsewhere: Lair, size: tuple[int, int]) -> None:
    session, code = opened(lair, "cabbages", 2, first_seat=0, max_turns=2)
    with Terminal(lair, "sit", size=size) as ann:
        ann.sees("Waiting for players to join.", f"lair join {code} NAME", f"--server {lair.server}")
        joined = elsewhere.here("join", code, "Ben")
        assert f"lair sit {session} --server {lair.server}" in joined.out
        ann.sees("Ben has joined.")
        with Terminal(elsewhere, "sit", size=size) as ben:
            ben.sees("Waiting for Ann.")
            ben.is_asked("waiting>")
            ann.enter("Ann>", "har")
            ben.sees("Ann harvests")
            ben.enter("Ben>", "1")
            for each in (ann, ben):
                each.sees("Ben harvests", "Nobody wins (turn_limit).", "Ann", "Ben", "verified: 2 moves")
                assert each.ends() == 0
                assert each.shows(f"lair rematch {session} --server {lair.server}")


@SIZES
def test_news_appear_at_the_prompt_and_what_is_typed_stays(lair: Lair, elsewhere: Lair, size: tuple[int, int]) -> None:
    """Everybody may act at once. The other is called Ann too."""
    session, code = opened(lair, "sprinkleton", 2, first_seat=0, max_rounds=2)
    assert "Somebody is called Ann already: you are Ann 2." in elsewhere.here("join", code, "Ann").out
    with Terminal(lair, "sit", size=size) as one, Terminal(elsewhere, "sit", size=size) as other:
        other.is_asked("waiting>")
        one.enter("Ann>", "ROLL")
        other.is_asked("Ann 2>")
        other.sees("Ann rolls", "zilch", "pass")
        other.type("pa")
        other.is_asked("Ann 2> pa")
        one.enter("Ann>", "pass")
        other.sees("Ann passes.")
        other.is_asked("Ann 2> pa")
        other.type("ss\n")
        one.sees("Ann 2 passes.", "Round 2: Ann 2 has the dice.")
        other.type(CTRL_C)
        assert other.ends() == 0
        assert other.shows(f"lair sit {session} --server {lair.server}")


def test_a_number_is_a_cards_number_and_nothing_else(lair: Lair) -> None:
    session, code = opened(lair, "sprinkleton", 2, first_seat=0)
    assert lair.here("join", code, "Ben").code == 0
    with Terminal(lair, "sit", "--seat", "Ann") as ann:
        ann.is_asked("Ann>")
        assert "1  roll" not in ann.text
        ann.type("1\n")
        ann.sees("There is no move with 1 now.")
        ann.enter("Ann>", "roll")
        ann.sees("pick ")
        ann.is_asked("Ann>")
        cards = {int(number) for number in re.findall(r"pick (\d+)", ann.text)}
        assert len(cards) == 10
        ann.type(f"{min({*range(1, 11)} - cards)}\n")
        ann.sees("There is no move with ")
        assert revision(lair, session) == 1
        ann.enter("Ann>", str(max(cards)))
        ann.sees(f"card {max(cards)}")


def test_what_is_typed_while_waiting_is_never_played(lair: Lair, elsewhere: Lair) -> None:
    session, code = opened(lair, "cabbages", 2, first_seat=1)
    assert elsewhere.here("join", code, "Ben").code == 0
    with Terminal(lair, "sit") as ann:
        ann.enter("waiting>", "1")
        ann.sees("It is not your turn. Waiting for Ben.")
        ann.is_asked("waiting>")
        ann.type("1")
        ann.is_asked("waiting> 1")
        assert elsewhere.here("play", "harvest").code == 0
        ann.sees("Ben harvests")
        ann.is_asked("Ann>")
        ann.type("\n")
        ann.is_asked("Ann>")
        assert revision(lair, session) == 1
        ann.enter("Ann>", "exit")
        assert ann.ends() == 0


def test_an_offer_at_heads_is_told_at_the_prompt_and_takes_away_what_was_typed_before_it(
    lair: Lair, elsewhere: Lair
) -> None:
    """What is offered has other numbers then. Role and hand are seen wherever she looks."""
    session, code = opened(lair, "heads", 3)
    for name in ("Ben", "Cleo"):
        assert elsewhere.here("join", code, name).code == 0
    with Terminal(lair, "sit") as ann:
        ann.enter("Ann>", "say")
        ann.sees("You hold", "my hand feels low", "An empty line goes back.")
        ann.enter("Ann>", "my hand feels l")
        ann.sees('Ann says "my hand feels low".', "You hold")
        ann.is_asked("Ann>")
        ann.type("4")
        assert elsewhere.here("play", session, "say I want in", "--seat", "Ben").code == 0
        ann.sees('Ben says "I want in".')
        ann.is_asked("Ann> 4")
        assert elsewhere.here("play", session, "propose Ann", "--seat", "Ben").code == 0
        ann.sees("Ben offers Ann to play together.", "accept Ben", "You hold", "dangerous (8 or less)")
        ann.is_asked("Ann>")
        before = revision(lair, session)
        ann.type("acept ben\n")
        ann.sees('Did you mean "accept Ben"? y plays it.')
        assert revision(lair, session) == before
        ann.enter("Ann>", "y")
        ann.sees("Ann and Ben agree to play.", "play ", "You hold")
        ann.enter("Ann>", "nonsense")
        ann.sees('No move is called "nonsense".')
        assert "timeout" not in ann.text


def test_a_script_sits_too(lair: Lair) -> None:
    made = lair.here("new", "cabbages", "Ann", "--bots", "1", *given({"first_seat": 0, "max_turns": 3}))
    assert made.code == 0, made.err
    ran = lair("sit", typed="1\nharvest\n")
    assert ran.code == 0, ran.err
    assert "verified: 3 moves" in ran.out
    assert "\x1b" not in ran.out


def test_a_dumb_terminal_hears_news_without_control_sequences(lair: Lair, elsewhere: Lair) -> None:
    _, code = opened(lair, "sprinkleton", 2, first_seat=0)
    assert elsewhere.here("join", code, "Ben").code == 0
    with Terminal(lair, "sit", TERM="dumb") as ann:
        ann.enter("Ann>", "roll")
        ann.sees("zilch")
        ann.is_asked("Ann>")
        assert elsewhere.here("play", "pass").code == 0
        ann.sees("Ben passes.")
        ann.enter("Ann>", "pass")
        ann.sees("Ann passes.", "Round 2")
        assert b"\x1b" not in ann.raw


def test_whoever_holds_several_seats_or_none_is_told_what_to_type(lair: Lair, elsewhere: Lair) -> None:
    session = lair.new("Ann", "Ann")
    assert lair.here("sit").err.strip() == "Several seats are held here: say --seat Ann or --seat 'Ann 2'."
    assert "join it with its code" in elsewhere.here("sit", session).err
