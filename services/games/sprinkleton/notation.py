"""A position as one line.

    round 3; baker 0; table 1-8; deck 11-55; piles 9, 10, -; idle 1; rolled 1 legs; picks 0 claimed 2, 1 wrong 5;
    options late_touch spent

Cards are their ids; three or more in a row are the first and the last of them. The deck's top card comes first, a
pile's last; without cards there is a dash. A pick is the seat, what it was worth, and the card if one was touched.
Clauses after the piles are left out where there is nothing to say.
"""

import re
from collections.abc import Mapping

from services.games.sprinkleton.position import DEFAULTS, NO_CARD, Dice, Part, Picked, Position, Verdict
from services.kernel.notation import read_options, write_options

NEEDED = ("round", "baker", "table", "deck", "piles")
CLAUSES = (*NEEDED, "idle", "rolled", "picks", "options")
NO_CARDS = "-"
RUN = 3
IDS = re.compile(r"(?P<first>[0-9]{1,3})(?:-(?P<last>[0-9]{1,3}))?")


def write(position: Position) -> str:
    """A position's text."""
    dice = position.dice
    values = (
        str(position.round),
        str(position.baker_seat),
        _cards(position.table),
        _cards(position.deck),
        ", ".join(map(_cards, position.piles)),
        str(position.idle_rounds or ""),
        f"{dice.number} {dice.part.value}" if dice else "",
        ", ".join(map(_picked, position.picks)),
        write_options(position.options, DEFAULTS),
    )
    return "; ".join(f"{name} {value}" for name, value in zip(CLAUSES, values, strict=True) if value)


def read(text: str) -> Position:
    """The position of a text. Raises ValueError when it can't be read."""
    pairs = [clause.strip().partition(" ")[::2] for clause in text.split(";")]
    clauses = dict(pairs)
    if [name for name in CLAUSES if name in NEEDED or name in clauses] != [name for name, _ in pairs]:
        raise ValueError(f"a position reads '{' ..; '.join(CLAUSES)} ..', not {text!r}")
    try:
        return _read(clauses)
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{text!r} can't be read: {problem}") from None


def _read(clauses: Mapping[str, str]) -> Position:
    number, _, part = clauses.get("rolled", "").partition(" ")
    return Position(
        _read_cards(clauses["table"]),
        _read_cards(clauses["deck"]),
        tuple([_read_cards(pile.strip()) for pile in clauses["piles"].split(",")]),
        int(clauses["baker"]),
        int(clauses["round"]),
        int(clauses.get("idle", "0")),
        Dice(int(number), Part(part)) if "rolled" in clauses else None,
        tuple([_read_picked(picked) for picked in clauses["picks"].split(",")]) if "picks" in clauses else (),
        read_options(clauses["options"], DEFAULTS) if "options" in clauses else DEFAULTS,
    )


def _cards(ids: tuple[int, ...]) -> str:
    runs: list[list[int]] = []
    for card_id in ids:
        if runs and card_id == runs[-1][-1] + 1:
            runs[-1].append(card_id)
        else:
            runs.append([card_id])
    words = [[f"{run[0]}-{run[-1]}"] if len(run) >= RUN else map(str, run) for run in runs]
    return " ".join(word for run in words for word in run) or NO_CARDS


def _read_cards(text: str) -> tuple[int, ...]:
    ids: list[int] = []
    for word in text.split() if text != NO_CARDS else ():
        found = IDS.fullmatch(word)
        if found is None:
            raise ValueError(f"{word!r} is no card")
        first = int(found["first"])
        ids += range(first, int(found["last"] or first) + 1)
    return tuple(ids)


def _picked(picked: Picked) -> str:
    card = f" {picked.card_id}" if picked.card_id != NO_CARD else ""
    return f"{picked.seat} {picked.verdict.value}{card}"


def _read_picked(text: str) -> Picked:
    seat, verdict, *card_ids = text.split()
    (card_id,) = card_ids or (NO_CARD,)
    return Picked(int(seat), Verdict(verdict), int(card_id))
