"""Playing again at the command line."""

from tests.support.command_line import Lair, one_sentence


def played(lair: Lair, session: str) -> None:
    """Until the game is over, by whoever is asked."""
    while legal := lair("moves", session).out.split():
        assert lair("play", session, legal[0]).code == 0


def test_a_game_is_played_again_from_where_every_seat_is_held(lair: Lair) -> None:
    before = lair.new(max_turns=2)
    assert "SESSION_NOT_OVER" in one_sentence(lair.here("rematch", before))
    played(lair, before)
    made = lair.here("rematch", before, "--json").records[0]
    assert made["session"] != f"sessions/{before}"
    assert [seat["name"] for seat in made["seats"]] == ["Ann", "Ben"]
    again = made["session"].removeprefix("sessions/")
    assert lair.here("rematch", before, "--json").records[0] == made, "asked again it is the same"
    played(lair, again)
    for session in (before, again):
        assert lair("verify", session).code == 0
    assert f"lair play {again} MOVE" not in lair.here("rematch").out, (
        "without a name it is the latest that is played again"
    )


def test_players_at_different_places_play_again_without_passing_a_code_around(lair: Lair, elsewhere: Lair) -> None:
    opened = lair.here("new", "cabbages", "Ann", "--lobby", "2", "--option", "max_turns=2", "--json").records[0]
    before = opened["session"].removeprefix("sessions/")
    assert elsewhere.here("join", opened["joinCode"], "Ben").code == 0
    for _ in range(2):
        for place in (lair, elsewhere):
            place.here("play", before, "harvest")
    assert "REMATCH_NOT_FOUND" in one_sentence(elsewhere.here("rematch"))
    asked = lair.here("rematch")
    assert f"lair rematch {before}" in asked.out
    assert "lair join " in asked.out
    taken = elsewhere.here("rematch", "--json").records[0]
    assert [seat["name"] for seat in taken["seats"]] == ["Ben"]
    assert lair.here("view", "--json").records[0]["session"] == taken["session"]
    assert lair.here("view", "--json").records[0]["state"] == "playing"


def test_whoever_holds_nothing_of_a_game_can_not_play_it_again(lair: Lair, elsewhere: Lair) -> None:
    session = lair.new()
    assert "there is none to take again" in one_sentence(elsewhere.here("rematch", session))
