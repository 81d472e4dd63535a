"""How each game words what happens in it. That seats are written as they should be is a law of all games."""

from collections.abc import Sequence
from typing import Any

import pytest

from services.games import find_games
from services.games.cabbages import events as cabbages
from services.games.cabbages.position import Cause
from services.games.heads import events as heads
from services.games.heads.moves import Feel, HandFeels, Say, Seems, Statement, SuggestPair, TakePart, Want
from services.games.heads.position import Card, Hand, Role, Side
from services.games.maidens import events as maidens
from services.games.maidens.events import EndCondition, RolledDie
from services.games.maidens.position import DieKind, Face
from services.games.sprinkleton import events as sprinkleton
from services.games.sprinkleton.deck import CARDS
from services.games.sprinkleton.position import Dice, Part
from services.games.sprinkleton.view import Pile
from services.kernel.standing import Outcome
from services.kernel.wording import counted, listed, result

FOUR, FIVE, X = Card.FOUR, Card.FIVE, Card.X
PEACEFUL, DANGEROUS = Role.PEACEFUL, Role.DANGEROUS
CARD = CARDS[17]


def rolled(kind: DieKind, *faces: Face) -> tuple[RolledDie, ...]:
    return tuple(RolledDie(0, kind, face) for face in faces)


def ended(reason: str, *winners: int) -> Outcome:
    return Outcome(winners, (1, 2, 3, 4), reason)


CABBAGES: Sequence[tuple[cabbages.Fact, str]] = (
    (cabbages.Started(2), "Seat 2 begins."),
    (cabbages.TimedOut(0), "Seat 0 is out of time."),
    (cabbages.Harvested(0, (3, 4), 8), "Seat 0 harvests 3 4: 7 more, 8 cabbages now."),
    (cabbages.DieRemoved(1), "A die is taken out of the Monster Cup: 1 die left."),
    (cabbages.Fed(1, 1), "Seat 1 feeds the monster: 1 feeding now."),
    (cabbages.MonsterRoll(Cause.FEED, (5, 6)), "The Monster Dice show 5 6: 11 in all."),
    (cabbages.MonsterRoll(Cause.FEED, ()), "The Monster Cup is empty: nothing is rolled."),
    (cabbages.DieAdded(2), "A die goes into the Monster Cup: 2 dice now."),
    (cabbages.CupMoved(1), "The Monster Cup moves to the left of seat 1."),
    (cabbages.Ended(ended("row_1_2", 1)), "Triples of 1 or 2 end the game: seat 1 wins."),
    (cabbages.Ended(ended("turn_limit")), "The limit of turns is reached: nobody wins."),
)
HEADS: Sequence[tuple[heads.Fact, str]] = (
    (heads.Started(), "Everybody is dealt a role and three cards."),
    (heads.Dealt(0, PEACEFUL, (FOUR, FIVE, X)), "Seat 0 is peaceful and is dealt 4, 5 and X."),
    (heads.Proposed(0, 2), "Seat 0 offers seat 2 to play together."),
    (heads.Withdrawn(0), "Seat 0 takes the offer back."),
    (heads.Declined(2, 0), "Seat 2 turns the offer of seat 0 down."),
    (heads.Agreed((0, 2)), "Seat 0 and seat 2 agree to play."),
    (heads.PairDrawn((1, 3)), "Seat 1 and seat 3 are drawn to play."),
    (heads.BackedOut(1), "Seat 1 backs out, and the talk goes on."),
    (heads.CardPlayed(0, X), "Seat 0 plays the X face down."),
    (heads.CardPlayed(0, None), "Seat 0 plays a card face down."),
    (heads.Nominated(0), "Seat 0 has named a validator."),
    (heads.ValidatorChosen(3), "Seat 3 validates."),
    (heads.ValidatorChosen(3, (3, 3)), "Seat 3 validates."),
    (heads.ValidatorChosen(3, (2, 3)), "Named were seat 2 and seat 3: seat 3 validates."),
    (heads.Placed(2, 3, Side.PEACEFUL, ()), "Seat 3 puts the cards of round 2 on the peaceful side."),
    (
        heads.Placed(2, 3, Side.DANGEROUS, (FOUR, FIVE)),
        "Seat 3 sees 4 and 5, and puts the cards of round 2 on the dangerous side.",
    ),
    (heads.Peeked(3, 0, None), "Seat 3 looks at a card of seat 0."),
    (heads.Peeked(3, 0, X), "Seat 3 looks at a card of seat 0: it is the X."),
    (heads.PeekSkipped(3), "Seat 3 looks at no card."),
    (heads.RoundBegan(3), "Round 3 begins."),
    (heads.ForkReached(), "The Fork in the Road is reached: two have to play their roles."),
    (heads.TimedOut((1,)), "Seat 1 is out of time."),
    (heads.TimedOut((1, 2)), "Seat 1 and seat 2 are out of time."),
    (
        heads.Revealed((PEACEFUL, DANGEROUS), (Hand((FOUR,)), Hand(())), ()),
        "Everything is turned up: seat 0 was peaceful and still held 4; seat 1 was dangerous and still held no cards.",
    ),
    (heads.Ended(ended("trek_peaceful", 1)), "Two rounds went to the peaceful side: seat 1 wins."),
    (heads.Ended(ended("fork_dangerous", 0, 2)), "Two dangerous heads were at the Fork: seat 0 and seat 2 win."),
)
MAIDENS: Sequence[tuple[maidens.Fact, str]] = (
    (maidens.Started(1), "Seat 1 begins."),
    (maidens.TimedOut(0), "Seat 0 is out of time."),
    (maidens.Rolled(0, 1, rolled(DieKind.HERO, Face.HERO, Face.HERO)), "Seat 0 rolls 2 dice: 2 Heroes."),
    (
        maidens.Rolled(0, 1, rolled(DieKind.MAIDEN, Face.MAIDEN) + rolled(DieKind.ADVENTURE, Face.TWO_HEROES)),
        "Seat 0 rolls 2 dice: 1 Maiden and 2 Heroes on the Adventure Die.",
    ),
    (
        maidens.Rerolled(1, 1, rolled(DieKind.HERO, Face.MONSTER) + rolled(DieKind.ADVENTURE, Face.REROLL)),
        "Seat 1 rolls them all once more: 1 Monster and Re-Roll on the Adventure Die.",
    ),
    (maidens.ChipUsed(0, 3, Face.MONSTER, Face.MAIDEN), "Seat 0 uses the chip: die 3 turns from Monster to Maiden."),
    (maidens.ChipUsed(0, 9, Face.KING, Face.DRAGON), "Seat 0 uses the chip: die 9 turns from King to Dragon."),
    (maidens.Rescued(1, (4,), 4), "The Hero card gets 1 Maiden: 4 on it now."),
    (maidens.Fought(1, 3), "It is 1 Hero against 3 Monsters."),
    (
        maidens.Captured(2, 1, 2),
        "The Monsters capture 2 Maidens: 1 on the Hero card now, 2 on the Monster card.",
    ),
    (maidens.Freed(1, 5, 0), "The Heroes free 1 Maiden: 5 on the Hero card now, 0 on the Monster card."),
    (maidens.TakenToCastle(3, 5), "The King takes 3 Maidens to the castle: 5 there now."),
    (maidens.TakenByDragon(1, 1), "The Dragon takes 1 Maiden away."),
    (maidens.TurnEnded(0, EndCondition.STOPPED), "Seat 0 stops."),
    (
        maidens.TurnEnded(0, EndCondition.UNIFORM),
        "The other dice are all Heroes or all Monsters: the turn of seat 0 ends.",
    ),
    (maidens.Scored(0, 3, 0, 12, 5), "Seat 0 scores 3: 12 points now, 5 left in the supply."),
    (maidens.Scored(0, 1, 2, 1, 0), "Seat 0 scores 3 (2 from the castle): 1 point now, and the supply is used up."),
    (maidens.ChipEarned(1), "Seat 1 gets a chip for the next turn."),
    (maidens.ChipLost(1), "Seat 1 loses the chip."),
    (maidens.Ended(ended("supply", 0)), "The supply is used up and the round played to its end: seat 0 wins."),
)
SPRINKLETON: Sequence[tuple[sprinkleton.Fact, str]] = (
    (sprinkleton.Started(1, (CARD,), 45), "Seat 1 is the first Baker."),
    (sprinkleton.Rolled(0, Dice(0, Part.LEGS)), "Seat 0 rolls no legs."),
    (sprinkleton.Rolled(0, Dice(1, Part.EYES)), "Seat 0 rolls 1 eye."),
    (sprinkleton.Rolled(0, Dice(5, Part.ARMS)), "Seat 0 rolls 5 arms."),
    (sprinkleton.Claimed(1, CARD), "Seat 1 claims card 17."),
    (sprinkleton.PickedWrong(1, CARD), "Seat 1 touches card 17: it doesn't match."),
    (sprinkleton.TooLate(1, CARD), "Seat 1 is too late for card 17."),
    (sprinkleton.ZilchRight(1), "Seat 1 touches the Zilch token and is right: no card matches."),
    (sprinkleton.ZilchWrong(1), "Seat 1 touches the Zilch token, but a card matches."),
    (sprinkleton.Passed(1), "Seat 1 passes."),
    (sprinkleton.PenaltyPaid(1, CARD, 1), "Seat 1 lays card 17 back on the table: 1 card left."),
    (sprinkleton.Collected(1, CARDS[1], 2), "Seat 1 collects card 1 with 1 donut: 2 cards now."),
    (sprinkleton.Drawn(1, CARDS[1], 2, 44), "Seat 1 gets card 1 with 1 donut from the deck: 44 cards left in it."),
    (sprinkleton.Drawn(1, None, 2, 0), "Seat 1 gets a card from the deck: 0 cards left in it."),
    (sprinkleton.Refilled((CARD, CARDS[4]), 1), "New on the table: 17 and 4, and 1 card left in the deck."),
    (sprinkleton.DicePassed(1, 3), "Round 3: seat 1 has the dice."),
    (sprinkleton.TimedOut((0, 1)), "Seat 0 and seat 1 are out of time."),
    (
        sprinkleton.Revealed((Pile((CARDS[1], CARDS[1])), Pile(()))),
        "The piles are turned over: seat 0 has 2 donuts and seat 1 has 0 donuts.",
    ),
    (sprinkleton.Ended(ended("deck", 0, 1)), "The deck has run out: seat 0 and seat 1 win."),
)
TOLD = [
    (token, fact, text)
    for token, told in {
        "cabbages": CABBAGES,
        "heads": HEADS,
        "maidens": MAIDENS,
        "sprinkleton": SPRINKLETON,
    }.items()
    for fact, text in told
]
STATEMENTS: Sequence[tuple[Statement, str]] = (
    (HandFeels(None, Feel.LOW), "my hand feels low"),
    (HandFeels(2, Feel.MIXED), "the hand of seat 2 feels mixed"),
    (TakePart(1), "I can take part safely 1 time"),
    (TakePart(0), "I can take part safely 0 times"),
    (Seems(3, DANGEROUS), "seat 3 seems dangerous"),
    (Want(to_play=True), "I want in"),
    (Want(to_play=False), "I want out"),
    (SuggestPair((0, 3)), "I suggest the pair seat 0 and seat 3"),
)


@pytest.mark.parametrize(("token", "fact", "text"), TOLD)
def test_what_happens_is_told_in_a_sentence(token: str, fact: Any, text: str) -> None:
    assert find_games()[token].game.tell(fact) == text


@pytest.mark.parametrize(("statement", "words"), STATEMENTS)
def test_a_statement_is_told_as_it_is_made(statement: Statement, words: str) -> None:
    game = find_games()["heads"].game
    assert game.tell(heads.Said(1, Say(statement))) == f'Seat 1 says "{words}".'
    assert game.write_move(Say(statement)) == f"say {words}"


def test_every_reason_to_end_has_its_words() -> None:
    for token, kind in (
        ("cabbages", cabbages.Ended),
        ("heads", heads.Ended),
        ("maidens", maidens.Ended),
        ("sprinkleton", sprinkleton.Ended),
    ):
        entry = find_games()[token]
        assert len({entry.game.tell(kind(ended(reason, 0))) for reason in entry.rulebook.ends}) == len(
            entry.rulebook.ends
        )


def test_numbers_lists_and_results_are_english() -> None:
    assert [counted(number, "die", "dice") for number in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert [listed(["a", "b", "c"][:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert result("It ends", Outcome((), (), "")) == "It ends: nobody wins."
    assert result("It ends", Outcome((2, 0), (), "")) == "It ends: seat 2 and seat 0 win."
