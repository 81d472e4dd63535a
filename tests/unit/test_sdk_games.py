"""Finding the games whose messages are installed, and wrapping their messages."""

import re
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as Packed
from monsters.cabbages.v1 import cabbages_pb2 as cabbages
from monsters.session.v1 import session_pb2

import lair
from lair.games import installed, module_of, pack, token_of, unpack


def test_the_games_are_found_and_are_no_other_packages() -> None:
    assert "cabbages" in installed()
    assert not {"rules", "session"} & set(installed())
    assert list(installed()) == sorted(installed())


def test_a_game_is_given_by_its_token_or_its_module() -> None:
    assert module_of("cabbages") is cabbages
    assert module_of(cabbages) is cabbages
    assert token_of(cabbages) == "cabbages"


@pytest.mark.parametrize("token", ["chess", "", "rules", "session", "../cabbages", "cabbages.v1", "Cabbages", "os"])
def test_what_is_no_game_is_not_found(token: str) -> None:
    with pytest.raises(lair.NotFound, match=re.escape(f"no game {token!r}")):
        module_of(token)


@pytest.mark.parametrize("thing", [session_pb2, re, 7, None])
def test_another_thing_is_no_game(thing: Any) -> None:
    with pytest.raises(lair.InvalidRequest):
        module_of(thing)


def test_a_message_comes_out_of_its_wrapping() -> None:
    move = cabbages.Move(harvest=cabbages.Harvest())
    assert unpack(pack(move)) == move


@pytest.mark.parametrize("name", ["monsters.goblins.v1.View", "monsters.cabbages.v1.Nothing", "google.rpc.Status", ""])
def test_a_message_that_is_not_installed_is_named(name: str) -> None:
    with pytest.raises(lair.NotFound, match="is not installed"):
        unpack(Packed(type_url=f"type.googleapis.com/{name}"))


def test_bytes_that_are_no_message_are_refused() -> None:
    with pytest.raises(lair.InvalidRequest, match="can't be read"):
        unpack(Packed(type_url="type.googleapis.com/monsters.cabbages.v1.View", value=b"\xff"))
