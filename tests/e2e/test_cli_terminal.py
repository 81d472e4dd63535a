"""What a stranger sees at terminals of two sizes, and what is asked there."""

import shutil
from pathlib import Path

import pytest

from tests.support.command_line import CTRL_C, Lair, given, one_sentence
from tests.support.strangers import certificate
from tests.support.terminal import LARGE, SMALL, Terminal
from tests.support.tls import tls_in_front

SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "140x50"])
FOUR = ("Ann", "Ben", "Cleo", "Dan")


@SIZES
@pytest.mark.parametrize("game", ["cabbages", "heads", "maidens", "sprinkleton"])
def test_the_first_screen_fits_from_the_first_name_to_the_prompt(lair: Lair, game: str, size: tuple[int, int]) -> None:
    options = {} if game == "heads" else {"first_seat": 0}
    with Terminal(lair, "table", game, *FOUR, *given(options), size=size) as table:
        if game == "heads":
            table.enter("Ann, this is for you alone. Press Enter when nobody else looks:", "")
        table.is_asked("> " if game == "sprinkleton" else "Ann>")
        table.sees("> Ann", "Dan", "help explains, rules shows the rules, q leaves.")
        if game == "heads":
            table.sees("You are ", "You hold ", "propose Ben", "say ... (36)")
        table.type("help\n")
        table.sees("help or ? shows this" if game != "sprinkleton" else "A line is a key and a move")
        table.type(CTRL_C)
        assert table.ends() == 0
        assert table.shows(f"--server {lair.server}")


def test_what_was_typed_for_another_turn_is_discarded(lair: Lair, elsewhere: Lair) -> None:
    """At one terminal, while somebody elsewhere is waited for."""
    made = lair.here("new", "cabbages", "Ann", "--lobby", "2", *given({"first_seat": 1}), "--json").records[0]
    assert elsewhere.here("join", made["joinCode"], "Ben").code == 0
    with Terminal(lair, "table", "--resume") as table:
        table.sees("Waiting for Ben.")
        table.type("1\n1\n")
        assert elsewhere.here("play", "harvest").code == 0
        table.is_asked("Ann>")
        table.type("exit\n")
        assert table.ends() == 0
        assert "Ann harvests" not in table.text


@pytest.mark.skipif(shutil.which("less") is None, reason="where there is a pager")
def test_long_rules_go_through_a_pager_and_begin_with_how_to_play(lair: Lair) -> None:
    with Terminal(lair, "games", "heads", PAGER="less") as shown:
        shown.sees("Aim", "How to play")
        shown.is_asked(":")  # there is more
        shown.type("q")
        assert shown.ends() == 0
    assert "H-R18" in lair.here("games", "heads").out, "without a terminal all is printed"


def test_what_can_not_be_taken_back_is_asked_for(lair: Lair) -> None:
    session = lair.new()
    for command in (("leave", "--seat", "Ann"), ("abort",)):
        assert "say --yes" in one_sentence(lair.here(*command))
        with Terminal(lair, *command) as asked:
            asked.enter_any("y does it: ", "")
            asked.sees("Nothing was done.")
            assert asked.ends() == 1
    assert "Ann to move." in lair.here("view", session).out
    with Terminal(lair, "abort") as asked:
        asked.enter_any("y does it: ", "y")
        assert asked.ends() == 0
    assert "without a result" in lair.here("view", session).out


def test_the_join_code_is_shown_again(lair: Lair, elsewhere: Lair) -> None:
    made = lair.here("new", "cabbages", "Ann", "--lobby", "3", "--json").records[0]
    line = f"lair join {made['joinCode']} NAME --server {lair.server}"
    assert line in lair.here("invite").out
    assert elsewhere.here("join", made["joinCode"], "Ben").code == 0
    assert line in elsewhere.here("invite").out
    assert lair.here("invite", "--json").records[0]["freeSeats"] == 1
    assert one_sentence(lair.here("invite", lair.new())).startswith("The join code of ")


def test_names_of_those_who_joined_later_are_shown_at_the_end(lair: Lair, elsewhere: Lair) -> None:
    options = given({"first_seat": 1, "max_turns": 1})
    made = lair.here("new", "cabbages", "Ann", "--lobby", "2", *options, "--json").records[0]
    with Terminal(lair, "table", "--resume", size=LARGE) as table:
        table.sees("Waiting for players to join.")
        assert elsewhere.here("join", made["joinCode"], "Ben").code == 0
        table.sees("Waiting for Ben.")
        assert elsewhere.here("play", "harvest").code == 0
        table.sees("Scores: Ann 0, Ben ", "─ Ben ─")
        assert "seat 1" not in table.text


def test_colours_are_left_out_where_nobody_wants_them(lair: Lair) -> None:
    session = lair.new(cup_start=6)
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        with Terminal(lair, "view", session, **environment) as shown:
            assert shown.ends() == 0
            assert "Ann to move." in shown.text
            assert (b"\x1b[31m" in shown.raw) == coloured


def test_a_notebook_that_can_not_be_written_is_found_out_before_a_session_is_made(lair: Lair, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    broken = Lair(lair.server, tmp_path / "file" / "notebook.json")
    for command in (("new", "cabbages", "Nemo", "--lobby", "2", "--listed"), ("table", "cabbages", "Nemo", "Ben")):
        assert "The notebook " in one_sentence(broken.here(*command))
    assert "Nemo" not in lair.here("lobbies").out
    code = lair.here("new", "cabbages", "Ann", "--lobby", "2", "--json").records[0]["joinCode"]
    assert "The notebook " in one_sentence(broken.here("join", code, "Ben"))
    assert "1 of 2 seats are free" in lair.here("view").out


def test_servers_have_names_in_a_file_which_flag_and_variable_come_before(lair: Lair, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'server = "home"\n[servers]\nhome = "{lair.server}"\nnowhere = "127.0.0.1:1"\n')
    ways = {"LAIR_CONFIG": str(config)}
    assert lair("games", **ways, LAIR_SERVER="").code == 0, "the file's"
    assert "127.0.0.1:1" in one_sentence(lair("games", **ways, LAIR_SERVER="nowhere"))
    assert lair("games", "--server", "home", **ways, LAIR_SERVER="nowhere").code == 0
    config.write_text("server = [")
    assert "can't be read" in one_sentence(lair("games", **ways))


def test_a_server_behind_tls_is_reached_and_remembered(lair: Lair, tmp_path: Path) -> None:
    key, chain = certificate(tmp_path)
    with tls_in_front(lair.server, key, chain) as address:
        secure = Lair(address, tmp_path / "secure.json")
        assert "say --tls" in one_sentence(secure("games"))
        made = secure("new", "cabbages", "Ann", "Ben", "--ca", str(chain), "--option", "first_seat=0")
        assert made.code == 0, made.err
        assert f"tls://{address}?ca=" in made.out
        assert "Ann harvests" in secure("play", "harvest", LAIR_SERVER="").out
    assert "certificates" in one_sentence(secure("games", "--ca", str(tmp_path / "missing.pem")))


def test_the_tabulator_completes_from_what_is_here_without_asking_a_server(lair: Lair) -> None:
    session = lair.new("Ann", "Ben")

    def completed(line: str) -> list[str]:
        words = line.split(" ")
        ran = lair(
            _LAIR_COMPLETE="complete_bash",
            COMP_WORDS=line,
            COMP_CWORD=str(len(words) - 1),
            LAIR_SERVER="127.0.0.1:1",
        )
        assert ran.code == 0, ran.err
        return ran.out.split()

    assert completed("lair s") == ["sit", "sessions"]
    assert completed("lair games ") == ["cabbages", "heads", "maidens", "sprinkleton"]
    assert completed(f"lair sit {session[:3]}") == [session]
    assert completed(f"lair sit {session} --seat B") == ["Ben"]
