"""How the game is played: start, roll, picks, time-out. rulebook.toml words the rules that are named."""

from msgspec.structs import replace

from services.games.sprinkleton import events as happened
from services.games.sprinkleton.deck import CARDS, DECKS, REFILL, cards
from services.games.sprinkleton.ending import outcome
from services.games.sprinkleton.events import Fact
from services.games.sprinkleton.moves import Act, Move, Pick, refuse
from services.games.sprinkleton.position import WRONG, Dice, Options, Part, Picked, Position, Verdict
from services.games.sprinkleton.scoring import end_round, pay
from services.games.sprinkleton.search import claimed, is_searched, matching, searching
from services.kernel import chance
from services.kernel.audience import NOBODY
from services.kernel.game import Event, Played
from services.kernel.refusals import IllegalMove
from services.kernel.standing import Seat, Standing, ended, waiting_for

SIDES = 6
PARTS = tuple([part for part in Part for _ in range(2)])
"""What the part die shows, from 1 (S-R3, D16)."""


def start(options: Options, seats: int, dice: chance.Dice) -> Played[Position, Fact]:
    """Shuffle, lay ten cards on the table, draw the first Baker (S-R4, S-R5, D1).

    How the shuffle went tells the order of the deck; so its receipt is for nobody's eyes.
    """
    deck = dice.shuffle(DECKS[options.deck], "deck", NOBODY)
    first = options.first_seat
    if first is None:
        first = dice.pick(range(seats), "first seat")
    table, deck = tuple(sorted(deck[:REFILL])), deck[REFILL:]
    position = Position(table, deck, ((),) * seats, first, 1, 0, None, (), options)
    return Played(position, (Event(happened.Started(first, cards(table), len(deck))),))


def standing(position: Position) -> Standing:
    """The game waits for the Baker, then for everybody who searches, until it is over. Each has a clock of its own."""
    result = outcome(position)
    if result is not None:
        return ended(result)
    return waiting_for(*_awaited(position), stage=2 * position.round + (position.dice is not None))


def play(position: Position, seat: Seat | None, move: Move, dice: chance.Dice) -> Played[Position, Fact]:
    """Roll or pick, with the end of the round where it brings it. Raises IllegalMove."""
    refusal = refuse(position, seat, move)
    if refusal is not None:
        raise IllegalMove(refusal)
    events: list[Event[Fact]] = []
    if seat is None:
        after = _time_out(position, dice, events)
    elif move is Act.ROLL:
        after = _roll(position, dice, events)
    else:
        after = _pick(position, seat, move, events)
    return Played(after, tuple(events))


def _awaited(position: Position) -> tuple[Seat, ...]:
    """Whom a game that isn't over waits for."""
    return (position.baker_seat,) if position.dice is None else searching(position)


def _roll(position: Position, dice: chance.Dice, events: list[Event[Fact]]) -> Position:
    """Roll both dice: everybody searches (S-R6)."""
    number, part = (dice.roll(1, SIDES, purpose)[0] for purpose in ("number die", "part die"))
    shown = Dice(number - 1, PARTS[part - 1])
    events.append(Event(happened.Rolled(position.baker_seat, shown)))
    return replace(position, dice=shown)


def _pick(position: Position, seat: Seat, move: Move, events: list[Event[Fact]]) -> Position:
    """Take a pick, and end the round where nothing is left to search (S-R9 to S-R13)."""
    dice = position.dice
    if move is Act.ZILCH and dice is not None and not matching(position.table, dice):
        events.append(Event(happened.ZilchRight(seat)))
        return end_round(position, seat, events)
    return _settle(_touch(position, seat, move, events), events)


def _time_out(position: Position, dice: chance.Dice, events: list[Event[Fact]]) -> Position:
    """Roll for the Baker, or pass for everybody who searches, by seat (D17)."""
    late = _awaited(position)
    events.append(Event(happened.TimedOut(late)))
    if position.dice is None:
        return _roll(position, dice, events)
    after = position
    for seat in late:
        after = _touch(after, seat, Act.PASS, events)
    return _settle(after, events)


def _settle(position: Position, events: list[Event[Fact]]) -> Position:
    """End the round where it is over (S-R13)."""
    dice = position.dice
    return end_round(position, None, events) if dice is not None and is_searched(position, dice) else position


def _touch(position: Position, seat: Seat, move: Move, events: list[Event[Fact]]) -> Position:
    """Note a pick with what it is worth, and take the penalty where it is due at once."""
    picked = _judge(position, seat, move)
    events.append(Event(_told(picked)))
    after = replace(position, picks=(*position.picks, picked))
    return pay(after, seat, events) if picked.verdict in WRONG and position.options.penalty_at_once else after


def _judge(position: Position, seat: Seat, move: Move) -> Picked:
    """What a pick is worth. A Zilch comes here only where it is wrong."""
    if not isinstance(move, Pick):
        return Picked(seat, Verdict.WRONG_ZILCH if move is Act.ZILCH else Verdict.PASSED)
    if move.card_id in claimed(position):
        verdict = Verdict.TOO_LATE
    elif position.dice is not None and matching((move.card_id,), position.dice):
        verdict = Verdict.CLAIMED
    else:
        verdict = Verdict.WRONG_CARD
    return Picked(seat, verdict, move.card_id)


def _told(picked: Picked) -> Fact:
    """The event of a pick."""
    match picked.verdict:
        case Verdict.PASSED:
            return happened.Passed(picked.seat)
        case Verdict.WRONG_ZILCH:
            return happened.ZilchWrong(picked.seat)
        case Verdict.CLAIMED:
            return happened.Claimed(picked.seat, CARDS[picked.card_id])
        case Verdict.TOO_LATE:
            return happened.TooLate(picked.seat, CARDS[picked.card_id])
        case Verdict.WRONG_CARD:
            return happened.PickedWrong(picked.seat, CARDS[picked.card_id])
