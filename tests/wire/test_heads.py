"""3 to 4 Headed Monster over gRPC: what a view holds, and what is refused of cards, seats and statements."""

from typing import Any, cast

import pytest
from monsters.heads.v1 import heads_pb2 as heads
from monsters.heads.v1 import rules_service_pb2 as service
from monsters.rules.v1 import rules_pb2 as words

from services.games import find_games
from tests.support.refusals import RULES, Refused, refusal_of
from tests.support.servers import Stubs

HEADS = "monsters.heads.v1"
ENTRY = find_games()["heads"]
NO_CARD, NO_SUCH = heads.CARD_UNSPECIFIED, cast("Any", 99)


def position(text: str) -> heads.Position:
    """A position on the wire, by its notation."""
    message: heads.Position = ENTRY.codec.write_position(ENTRY.game.read(text))
    return message


START = position("roles D P D D; hands 1 4 8, 2 4 5, 3 5 7, 6 7 X")
PLAYING = position("roles D P D D; hands 1 8, 2 4 5, 3 5 7, 6 7 X; discussed 2; pair 0 1; down 0:4")
CHOOSING = position("roles D P D D; hands 1 8, 2 5, 3 5 7, 6 7 X; discussed 2; pair 0 1; down 0:4 1:4")
LOOKING = position(
    "roles D P D D; hands -, 4 8, 5 7, 7 X; trek 0:1 1:2 by 2 skipped, 0:5 2:6 by 1 skipped, 0:4 3:3 by 1"
)


def apply(server: Stubs, at: heads.Position, seat: int | None, *results: int, **move: Any) -> service.ApplyMoveResponse:
    """A move with these results, and everybody's view after it."""
    script = words.Script(results=results)
    request = service.ApplyMoveRequest(
        position=at,
        seat=seat,
        chance=words.Chance(script=script),
        view_for=words.ViewFor(seats=range(4), spectator=True),
        **move,
    )
    response: service.ApplyMoveResponse = server.rules("heads").ApplyMove(request)
    return response


def refused(server: Stubs, at: heads.Position, seat: int | None, **move: Any) -> Refused:
    return refusal_of(lambda: apply(server, at, seat, **move))


def test_a_validated_pair_is_in_the_validators_view_and_in_no_other(server: Stubs) -> None:
    named = apply(server, CHOOSING, 0, move_text="nominate seat 2").position
    after = apply(server, named, 1, move_text="nominate seat 2")
    seen = [list(view.view.rounds[0].validated_cards) for view in after.views]
    assert seen == [[], [], [heads.CARD_FOUR, heads.CARD_FOUR], [], []]
    placed = [event for event in after.events if event.HasField("placed")]
    assert [(list(event.audience.seats), len(event.placed.cards)) for event in placed] == [([2], 2), ([0, 1, 3], 0)]
    assert [event.audience.spectators for event in placed] == [False, True]


def test_a_card_that_was_looked_at_is_in_the_lookers_view_and_in_no_other(server: Stubs) -> None:
    after = apply(server, LOOKING, 2, 2, move_text="peek seat 1")
    looks = [view.view.rounds[2].look for view in after.views]
    assert [look.card if look.HasField("card") else None for look in looks] == [
        None,
        None,
        heads.CARD_EIGHT,
        None,
        None,
    ]
    assert {look.target_seat for look in looks} == {1}
    assert not after.draws[0].audience.seats
    assert not after.draws[0].audience.everybody


def test_one_nomination_is_in_nobodys_view(server: Stubs) -> None:
    by_two, by_three = (apply(server, CHOOSING, 0, move_text=f"nominate seat {seat}") for seat in (2, 3))
    assert by_two.position != by_three.position
    assert by_two.views == by_three.views
    assert by_two.events == by_three.events


ILLEGAL: dict[str, tuple[heads.Position, int | None, dict[str, Any], str, str]] = {
    "a card that isn't in the hand": (PLAYING, 1, {"move_text": "play 8"}, "CARD_NOT_IN_HAND", "H-R9"),
    "an offer to oneself": (START, 1, {"move_text": "propose seat 1"}, "SELF", "H-L1"),
    "a player as the validator": (CHOOSING, 1, {"move_text": "nominate seat 0"}, "BAD_CANDIDATE", "H-R11"),
    "a look into an empty hand": (LOOKING, 2, {"move_text": "peek seat 0"}, "EMPTY_HAND", "H-R16"),
    "talk after the cards are down": (CHOOSING, 2, {"move_text": "say I want in"}, "STATEMENT_NOT_ALLOWED", "H-R10"),
    "a card of somebody who doesn't play": (PLAYING, 2, {"move_text": "play 3"}, "NOT_IN_PAIR", "H-R9"),
    "a time-out by a seat": (START, 2, {"move_text": "timeout"}, "HOST_ONLY", "H-H1"),
    "a statement by the host": (START, None, {"move_text": "say I want in"}, "SEAT_ONLY", "H-H1"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_what_is_illegal_is_refused_with_its_reason_and_rule(server: Stubs, case: str) -> None:
    at, seat, move, reason, rule = ILLEGAL[case]
    refusal = refused(server, at, seat, **move)
    assert refusal.kind == ("FAILED_PRECONDITION", HEADS, reason)
    assert refusal.rules == {rule: reason}


def said(**statement: Any) -> heads.Move:
    return heads.Move(say=heads.Say(**statement))


MALFORMED = {
    "a seat that no game has": (heads.Move(propose=heads.Propose(seat=4)), "move.propose.seat"),
    "a negative seat": (heads.Move(peek=heads.Peek(seat=-1)), "move.peek.seat"),
    "a card without a value": (heads.Move(play=heads.Play()), "move.play.card"),
    "a card that there isn't": (heads.Move(play=heads.Play(card=NO_SUCH)), "move.play.card"),
    "nothing said": (said(), "move.say.statement"),
    "a hand without a feeling": (said(hand_feels=heads.HandFeels(seat=1)), "move.say.hand_feels.feel"),
    "the hand of nobody": (said(hand_feels=heads.HandFeels(seat=9, feel=heads.FEEL_LOW)), "move.say.hand_feels.seat"),
    "four times of three": (said(take_part=heads.TakePart(times=4)), "move.say.take_part.times"),
    "no role": (said(seems=heads.Seems(seat=1)), "move.say.seems.role"),
    "a pair of one": (said(suggest_pair=heads.SuggestPair(seats=[1, 1])), "move.say.suggest_pair.seats"),
    "a pair of three": (said(suggest_pair=heads.SuggestPair(seats=[0, 1, 2])), "move.say.suggest_pair.seats"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_move_that_no_game_has_is_malformed(server: Stubs, case: str) -> None:
    move, field = MALFORMED[case]
    refusal = refused(server, START, 0, move=move)
    assert refusal.kind == ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
    assert set(refusal.fields) == {field}


def test_a_pair_can_be_suggested_in_any_order(server: Stubs) -> None:
    move = said(suggest_pair=heads.SuggestPair(seats=[2, 0]))
    assert list(apply(server, START, 1, move=move).move.say.suggest_pair.seats) == [0, 2]


def test_no_text_names_a_card_but_that_of_playing_it(server: Stubs) -> None:
    for text in ("say I hold the X", "say my hand feels very low", "say my hand feels 4", "play 9", "propose"):
        refusal = refused(server, START, 0, move_text=text)
        assert refusal.kind == ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
        assert set(refusal.fields) == {"move_text"}


@pytest.mark.parametrize(
    ("damaged", "field"),
    [
        (heads.Position(players=[heads.Player()]), "position.players[0].role"),
        (
            heads.Position(players=[heads.Player(role=heads.ROLE_PEACEFUL, hand=[heads.CARD_ONE, NO_CARD])]),
            "position.players[0].hand[1]",
        ),
        (heads.Position(rounds=[heads.Round(cards=[NO_SUCH])]), "position.rounds[0].cards[0]"),
        (heads.Position(options=heads.Options(on_stall=NO_SUCH)), "position.options.on_stall"),
    ],
)
def test_a_position_with_cards_or_roles_that_there_are_not_is_malformed(
    server: Stubs, damaged: heads.Position, field: str
) -> None:
    refusal = refused(server, damaged, 0, move_text="withdraw")
    assert refusal.kind == ("INVALID_ARGUMENT", RULES, "MALFORMED_REQUEST")
    assert set(refusal.fields) == {field}


def test_a_forged_hand_is_impossible(server: Stubs) -> None:
    forged = heads.Position.FromString(START.SerializeToString())
    forged.players[2].hand.append(heads.CARD_X)
    refusal = refused(server, forged, 2, move_text="propose seat 0")
    assert refusal.kind == ("INVALID_ARGUMENT", RULES, "IMPOSSIBLE_POSITION")
    assert set(refusal.fields) == {"position.players[2].hand"}
