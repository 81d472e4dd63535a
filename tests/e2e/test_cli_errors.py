"""What goes wrong: one sentence, and an exit code that says whose fault it is."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support import strangers
from tests.support.command_line import FULL, LAIR, Lair, one_sentence
from tests.support.processes import free_port


def test_a_server_that_is_not_there_is_named_at_once(lair: Lair) -> None:
    """The command looks for itself before it calls: gRPC would try for some seconds, and word it otherwise."""
    nobody = replace(lair, server=f"127.0.0.1:{free_port()}")
    ran = nobody("games")
    assert ran.code == 1
    said = one_sentence(ran)
    assert said.startswith(f"Nobody answers at {nobody.server}.")
    assert "make run" in said


@pytest.mark.parametrize(
    ("stranger", "said"),
    [
        (strangers.web_server, "SPEAKS_HTTP_1: {} speaks HTTP/1 and not gRPC"),
        (strangers.talkative, "SPEAKS_NO_GRPC: {} does not speak gRPC"),
        (strangers.silent, "SAYS_NOTHING: {} takes connections and says nothing"),
    ],
)
def test_whoever_else_listens_there_is_said(lair: Lair, stranger: Any, said: str) -> None:
    with stranger() as address:
        ran = replace(lair, server=address)("games")
    assert ran.code == 1
    assert one_sentence(ran).startswith(said.format(address))


def test_tls_is_said(lair: Lair, tmp_path: Path) -> None:
    with strangers.grpc_over_tls(*strangers.certificate(tmp_path)) as address:
        ran = replace(lair, server=address)("games")
    assert one_sentence(ran).startswith(f"SPEAKS_TLS: {address} speaks TLS")


def test_a_proxy_on_the_way_is_named_and_none_is_on_the_way_to_this_machine(lair: Lair) -> None:
    with strangers.silent() as proxy:
        assert lair("games", http_proxy=f"http://{proxy}").code == 0
        ran = replace(lair, server="lair.example:50051")("games", http_proxy=f"http://{proxy}")
    assert ran.code == 1
    assert f"through the proxy {proxy} (from http_proxy)" in one_sentence(ran)


def test_equal_names_are_told_apart_and_shown(lair: Lair) -> None:
    name = lair.here("new", "cabbages", "Ann", "Ann", "--json").records[0]["session"]
    assert "Ann 2" in lair.here("view", name).out


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
    (("games", "--server", "http://127.0.0.1:50051"), "HOST:PORT"),
    (("games", "--server", "127.0.0.1:99999"), "HOST:PORT"),
    (("autoplay", "cabbages", "--games", "0"), "--games"),
    (("new", "cabbages", "Ann", "Ben", "--turn-limit", "soon"), "--turn-limit"),
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
    (("new", "cabbages", "Ann", "Ben", "--turn-limit", "0.01"), "limits.turn"),
    (("new", "cabbages", "Ann", "Ben", "--idle-limit", "nan"), "idle_limit"),
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
    commands = ("table", "new", "join", "moves", "play", "leave", "abort", "games", "view", "watch", "history")
    for command in (*commands, "verify", "autoplay", "sit", "invite", "rematch"):
        assert f" {command} " in shown.out
        help_of = lair.here(command, "--help")
        assert help_of.code == 0
        assert "--server" in help_of.out
        assert "--ca" in help_of.out
        assert "--json" in help_of.out
    assert re.fullmatch(r"lair \d+\.\d+\.\d+\n", lair.here("--version").out)


def test_importing_the_library_loads_no_command_line() -> None:
    check = "import lair, sys; sys.exit(bool({'typer', 'rich', 'lair.cli.app'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
