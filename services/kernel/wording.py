"""English for what games tell. A seat is always written `seat 0`: whoever shows a text puts names in by that."""

from collections.abc import Iterable, Sequence

from services.kernel.standing import Outcome, Seat


def counted(number: int, thing: str, things: str = "") -> str:
    """A number with its noun: "1 die", "3 dice"."""
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"


def listed(items: Sequence[str]) -> str:
    """Items with commas, and "and" before the last."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def seats_listed(seats: Iterable[Seat]) -> str:
    """Seats with commas, and "and" before the last."""
    return listed([f"seat {seat}" for seat in seats])


def late(seats: Sequence[Seat]) -> str:
    """Who ran out of time, in a sentence."""
    return sentence(f"{seats_listed(seats)} {'is' if len(seats) == 1 else 'are'} out of time")


def result(why: str, outcome: Outcome) -> str:
    """How a game ended, in a sentence: why, and who wins."""
    winners = outcome.winners
    verb = "wins" if len(winners) == 1 else "win"
    return sentence(f"{why}: {f'{seats_listed(winners)} {verb}' if winners else 'nobody wins'}")


def sentence(text: str) -> str:
    """The same with a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
