"""Sprinkleton over gRPC: real dice on a table, what is hidden, and what is refused of picks and rolls."""

from typing import Any

import pytest
from monsters.rules.v1 import rules_pb2 as words
from monsters.sprinkleton.v1 import rules_service_pb2 as service
from monsters.sprinkleton.v1 import sprinkleton_pb2 as sprinkleton

from tests.support.refusals import RULES, Refused, refusal_of
from tests.support.servers import Stubs

SPRINKLETON = "monsters.sprinkleton.v1"
ONE_LEG = (2, 3)
IN_ORDER = [*range(55, 1, -1)]
"""A shuffle that leaves every card where it is: cards 1 to 10 lie on the table."""


def started(server: Stubs, **options: Any) -> service.StartGameResponse:
    """A game for three in which seat 0 is the first Baker."""
    request = service.StartGameRequest(
        seats=3,
        options=sprinkleton.Options(first_seat=0, **options),
        chance=words.Chance(script=words.Script(results=IN_ORDER)),
        view_for=words.ViewFor(seats=[0], spectator=True, moves=True),
    )
    response: service.StartGameResponse = server.rules("sprinkleton").StartGame(request)
    return response


def apply(
    server: Stubs, position: sprinkleton.Position, *results: int, seat: int | None = 0, **move: Any
) -> service.ApplyMoveResponse:
    request = service.ApplyMoveRequest(
        position=position,
        seat=seat,
        chance=words.Chance(script=words.Script(results=results)),
        view_for=words.ViewFor(seats=[0, 1], spectator=True, moves=True),
        **move,
    )
    response: service.ApplyMoveResponse = server.rules("sprinkleton").ApplyMove(request)
    return response


def refused(server: Stubs, position: sprinkleton.Position, seat: int | None = 0, **move: Any) -> Refused:
    return refusal_of(lambda: apply(server, position, seat=seat, **move))


def searched(server: Stubs, **options: Any) -> sprinkleton.Position:
    """The search for one leg: cards 2 and 8 match, and seat 1 has claimed card 2."""
    rolled = apply(server, started(server, **options).position, *ONE_LEG, move_text="roll").position
    position: sprinkleton.Position = apply(server, rolled, seat=1, move_text="pick 2").position
    return position


def test_real_dice_and_real_fingers_play_a_round(server: Stubs) -> None:
    rolled = apply(server, started(server).position, *ONE_LEG, move_text="roll")
    assert [(draw.purpose, draw.sides, list(draw.results)) for draw in rolled.draws] == [
        ("number die", 6, [2]),
        ("part die", 6, [3]),
    ]
    assert list(rolled.standing.awaited) == [0, 1, 2]
    moves = [[move.text for move in view.moves] for view in rolled.views[:2]]
    assert moves[0] == moves[1] == [*[f"pick {card_id}" for card_id in range(1, 11)], "zilch", "pass"]
    claimed = apply(server, rolled.position, seat=2, move=sprinkleton.Move(pick=sprinkleton.Pick(card_id=8)))
    assert claimed.events[0].claimed.card == sprinkleton.Card(id=8, arms=1, legs=1, eyes=2, donuts=1)
    assert [(picked.seat, picked.card_id) for picked in claimed.views[2].view.picks] == [(2, 8)]
    over = apply(server, claimed.position, seat=0, move_text="pick 2")
    assert list(over.views[2].view.pile_sizes) == [1, 0, 1]
    assert [card.id for card in over.views[0].view.pile] == [2]
    assert not over.views[1].view.pile


def test_the_receipt_of_the_shuffle_is_for_nobody(server: Stubs) -> None:
    (shuffle,) = started(server).draws
    assert shuffle.shuffle
    assert shuffle.sides == 55
    assert shuffle.audience == words.Audience()


def test_the_card_of_a_zilch_is_told_to_its_owner_alone(server: Stubs) -> None:
    rolled = apply(server, started(server).position, 4, 1, move_text="roll").position
    won = apply(server, rolled, seat=1, move_text="zilch")
    drawn = [event for event in won.events if event.HasField("drawn")]
    assert [(event.drawn.HasField("card"), list(event.audience.seats)) for event in drawn] == [
        (True, [1]),
        (False, [0, 2]),
    ]
    assert [event.audience.spectators for event in drawn] == [False, True]
    assert [card.id for card in won.views[1].view.pile] == [11]
    secret = [view.view for view in won.views if view.seat != 1 or not view.HasField("seat")]
    assert all(11 not in [card.id for card in [*view.table, *view.pile]] for view in secret)


ILLEGAL: dict[str, tuple[int | None, dict[str, Any], str, str]] = {
    "a card that is claimed": (0, {"move_text": "pick 2"}, "CARD_TAKEN", "S-R9"),
    "a card in the deck": (0, {"move_text": "pick 11"}, "NO_SUCH_CARD", "S-R8"),
    "a card below all": (0, {"move": sprinkleton.Move(pick=sprinkleton.Pick(card_id=-1))}, "NO_SUCH_CARD", "S-R8"),
    "no card": (0, {"move": sprinkleton.Move(pick=sprinkleton.Pick())}, "NO_SUCH_CARD", "S-R8"),
    "a card above all": (
        0,
        {"move": sprinkleton.Move(pick=sprinkleton.Pick(card_id=2**31 - 1))},
        "NO_SUCH_CARD",
        "S-R8",
    ),
    "a second pick": (1, {"move_text": "pick 8"}, "ALREADY_PICKED", "S-R8"),
    "a Zilch after a pick": (1, {"move_text": "zilch"}, "ALREADY_PICKED", "S-R8"),
    "a second roll": (0, {"move_text": "roll"}, "WRONG_PHASE", "S-R6"),
    "a roll by one who is done": (1, {"move_text": "roll"}, "NOT_YOUR_TURN", "S-R8"),
    "the host's move": (0, {"move_text": "timeout"}, "HOST_ONLY", "S-H1"),
    "a pick by the host": (None, {"move_text": "pick 8"}, "SEAT_ONLY", "S-H1"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_what_is_illegal_in_a_search_is_refused_with_its_rule(server: Stubs, case: str) -> None:
    seat, move, reason, rule = ILLEGAL[case]
    position = searched(server)
    before = position.SerializeToString(deterministic=True)
    refusal = refused(server, position, seat, **move)
    assert refusal.kind == ("FAILED_PRECONDITION", SPRINKLETON, reason)
    assert refusal.rules == {rule: reason}
    assert position.SerializeToString(deterministic=True) == before


@pytest.mark.parametrize(
    ("seat", "text", "reason"),
    [(0, "pick 2", "WRONG_PHASE"), (1, "zilch", "WRONG_PHASE"), (2, "pass", "WRONG_PHASE"), (1, "roll", "NOT_BAKER")],
)
def test_before_the_roll_nothing_but_the_bakers_roll_is_legal(server: Stubs, seat: int, text: str, reason: str) -> None:
    refusal = refused(server, started(server).position, seat, move_text=text)
    assert refusal.kind == ("FAILED_PRECONDITION", SPRINKLETON, reason)
    assert refusal.rules == {"S-R6": reason}


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        ({"round_limit_ms": -1, "max_rounds": -1}, {"options.round_limit_ms", "options.max_rounds"}),
        ({"round_limit_ms": 2**31 - 1, "max_idle_rounds": -5}, {"options.round_limit_ms", "options.max_idle_rounds"}),
        ({"deck": 99}, {"options.deck"}),
        ({"late_touch": -1}, {"options.late_touch"}),
    ],
)
def test_absurd_options_are_refused_by_field(server: Stubs, options: dict[str, Any], fields: set[str]) -> None:
    refusal = refusal_of(lambda: started(server, **options))
    assert refusal.kind == ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
    assert set(refusal.fields) == fields


def test_cards_that_are_nowhere_or_twice_are_impossible(server: Stubs) -> None:
    position = searched(server)
    position.piles[0].card_ids.append(8)
    refusal = refused(server, position, move_text="pass")
    assert refusal.kind == ("INVALID_ARGUMENT", RULES, "IMPOSSIBLE_POSITION")
    assert set(refusal.fields) == {"position.table"}
