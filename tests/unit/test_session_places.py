"""How many sessions are looked at side by side: bounded in all and of each game, and nobody is left without a place."""

from services.session.places import FAILURES_IN_A_ROW, PAUSE, Places


def taken(places: Places, game: str, most: int = 100) -> int:
    """Take as many places as there are."""
    count = 0
    while places.free(game, 0) and count < most:
        places.take(game)
        count += 1
    return count


def test_a_game_gets_its_share_and_all_of_them_theirs() -> None:
    places = Places(in_all=10, of_a_game=4)
    assert [taken(places, game) for game in "abc"] == [4, 4, 2]


def test_a_game_that_has_none_gets_one_however_many_others_are_stuck() -> None:
    places = Places(in_all=4, of_a_game=4)
    assert [taken(places, game) for game in "abc"] == [4, 1, 1]


def test_what_is_given_back_can_be_taken_again() -> None:
    places = Places(in_all=4, of_a_game=2)
    assert taken(places, "a") == 2
    places.give_back("a")
    assert places.free("a", 0) == 1


def test_a_game_that_fails_again_and_again_is_left_alone_for_a_while() -> None:
    places = Places()
    places.take("a")
    for failure in range(FAILURES_IN_A_ROW):
        assert places.free("a", 0), failure
        places.tell("a", 0, answered=False)
    assert [places.free("a", 0), places.free("a", PAUSE - 1)] == [0, 0]
    assert places.free("a", PAUSE)
    assert places.free("b", 0)


def test_an_answer_in_between_is_forgiven() -> None:
    places = Places()
    places.take("a")
    for answered in (False,) * (FAILURES_IN_A_ROW - 1) + (True,) + (False,) * (FAILURES_IN_A_ROW - 1):
        places.tell("a", 0, answered=answered)
    assert places.free("a", 0)
