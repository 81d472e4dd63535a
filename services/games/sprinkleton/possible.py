"""What can't be: options that make no game, and positions that can't be played on.

A position costs the same to check however absurd it is: what the rest is measured by comes first, and while that is
flawed nothing else is looked at. Whether a game has come to it is not asked.
"""

from collections.abc import Iterator, Sequence

from services.games.sprinkleton.deck import DECKS, LEVELS, NUMBERS
from services.games.sprinkleton.position import NO_CARD, SEATS, Options, Picked, Position, Verdict
from services.games.sprinkleton.search import is_searched, matching
from services.kernel.refusals import Flaw

MOST_ROUNDS = 100_000_000
"""After so many rounds every number still fits the 32 bits that it has on the wire."""
MOST_MS = 24 * 60 * 60 * 1000


def flaws(options: Options, seats: int) -> Sequence[Flaw]:
    """What is wrong with these options for so many seats."""
    found = []
    if not 0 <= options.round_limit_ms <= MOST_MS:
        found.append(Flaw("round_limit_ms", f"must be 0 to {MOST_MS}, a day, is {options.round_limit_ms}"))
    if options.max_idle_rounds < 0:
        found.append(Flaw("max_idle_rounds", f"must be 0 for no limit or more, is {options.max_idle_rounds}"))
    if options.max_rounds < 0:
        found.append(Flaw("max_rounds", f"must be 0 for no limit or more, is {options.max_rounds}"))
    if options.first_seat is not None and not 0 <= options.first_seat < seats:
        found.append(Flaw("first_seat", f"must be 0 to {seats - 1}, is {options.first_seat}"))
    return found


def check(position: Position) -> Sequence[Flaw]:
    """What is wrong with a position: with its frame, then with its cards, then with what was picked."""
    for part in (_frame, _cards, _search):
        found = list(part(position))
        if found:
            return found
    return ()


def _frame(position: Position) -> Iterator[Flaw]:
    """Seats, options, rounds, and whose the dice are."""
    seats, options = position.seats, position.options
    if seats not in SEATS:
        yield Flaw("piles", f"must be {SEATS[0]} to {SEATS[-1]}, are {seats}")
        return
    for flaw in flaws(options, seats):
        yield Flaw(f"options.{flaw.field}", flaw.description)
    most = min(options.max_rounds, MOST_ROUNDS) if options.max_rounds > 0 else MOST_ROUNDS
    if not 1 <= position.round <= most + 1:
        yield Flaw("round", f"must be 1 to {most + 1}, is {position.round}")
    if not 0 <= position.baker_seat < seats:
        yield Flaw("baker_seat", f"must be 0 to {seats - 1}, is {position.baker_seat}")
    idle = options.max_idle_rounds if options.max_idle_rounds > 0 else MOST_ROUNDS
    if not 0 <= position.idle_rounds <= idle:
        yield Flaw("idle_rounds", f"must be 0 to {idle}, is {position.idle_rounds}")


def _cards(position: Position) -> Iterator[Flaw]:
    """Every card of the deck is somewhere, and Zilches have drawn from it by elevens (S-T1)."""
    whole, levels = DECKS[position.options.deck], LEVELS[position.options.deck]
    places = (position.table, position.deck, *position.piles)
    if sum(map(len, places)) != len(whole) or {card_id for place in places for card_id in place} != set(whole):
        yield Flaw("table", "with the deck and the piles must be the cards of the game, each once")
        return
    if position.table != tuple(sorted(position.table)):
        yield Flaw("table", "must be in ascending order")
    left = len(position.deck)
    if left not in (*levels, levels[-1] - 1):
        yield Flaw("deck", f"must have {', '.join(map(str, levels))} or {levels[-1] - 1} cards, has {left}")


def _search(position: Position) -> Iterator[Flaw]:
    """Dice that there are, everybody's only pick with its true worth, and something left to search."""
    dice, picks = position.dice, position.picks
    if dice is None:
        if picks:
            yield Flaw("picks", "can't be there before the roll")
        return
    if dice.number not in NUMBERS:
        yield Flaw("dice.number", f"must be 0 to {NUMBERS[-1]}, is {dice.number}")
        return
    if len(picks) > position.seats:
        yield Flaw("picks", f"must be {position.seats} at most, are {len(picks)}")
        return
    matches = matching(position.table, dice)
    seats, taken = set(range(position.seats)), set[int]()
    for index, picked in enumerate(picks):
        if picked.seat not in seats:
            yield Flaw(f"picks[{index}].seat", f"must be a seat that has not picked, is {picked.seat}")
        if not _can_be(picked, position, matches, taken):
            yield Flaw(f"picks[{index}].verdict", "is not what this pick can have been worth")
        seats.discard(picked.seat)
        if picked.verdict is Verdict.CLAIMED:
            taken.add(picked.card_id)
    if is_searched(position, dice):
        yield Flaw("picks", "leave nothing to search: the round is over")


def _can_be(picked: Picked, position: Position, matches: frozenset[int], taken: set[int]) -> bool:
    """Whether a pick can have been worth this. What lay on the table then, lies there still, and matches still."""
    match picked.verdict:
        case Verdict.CLAIMED:
            return picked.card_id in matches and picked.card_id not in taken
        case Verdict.TOO_LATE:
            return picked.card_id in taken
        case Verdict.WRONG_CARD:
            return picked.card_id in position.table and picked.card_id not in matches
        case Verdict.WRONG_ZILCH | Verdict.PASSED:
            return picked.card_id == NO_CARD
