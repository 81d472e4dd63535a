"""Reads a game's scenarios.toml and plays a case. test_scenarios.py describes the format."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.json_format import ParseDict

from services.games import Entry
from services.kernel.chance import Dice, Draw, refuse_leftovers, scripted
from services.kernel.game import Event
from services.kernel.refusals import IllegalMove, Refusal
from services.kernel.standing import Seat

STEP = re.compile(r"(?P<who>host|\d+) (?P<move>.+?)(?:: (?P<results>\d+(?: \d+)*))?")


@dataclass(frozen=True, slots=True)
class Start:
    """A start: seats, options in the form of the proto's JSON, and what is drawn."""

    seats: int
    options: Mapping[str, Any] | None = None
    script: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One case. What is None is not looked at."""

    name: str
    rule: str
    start: Start | None = None
    position: str | None = None
    play: Sequence[str] = ()
    then: str | None = None
    refused: str | None = None
    moves: Mapping[str, Sequence[str]] | None = None
    awaited: Sequence[Seat] | None = None
    outcome: Mapping[str, Any] | None = None
    events: Sequence[Mapping[str, Any]] | None = None
    draws: Sequence[Mapping[str, Any]] | None = None
    views: Sequence[Mapping[str, Any]] | None = None
    flawed: Sequence[str] | None = None
    impossible: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many sequences of so many moves there are."""

    start: Start
    length: int
    sequences: int


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a case has led: the position, and what its last step did."""

    position: Any
    events: Sequence[Event[Any]] = ()
    draws: Sequence[Draw] = ()
    refusal: Refusal | None = None


def read_scenarios(entry: Entry) -> tuple[list[Case], list[Count]]:
    """The cases and counts of a game. Raises TypeError for a key that the format doesn't know."""
    table = tomllib.loads((entry.folder / "scenarios.toml").read_text(encoding="utf-8"))
    return [_read(Case, raw) for raw in table.pop("case")], [_read(Count, raw) for raw in table.pop("count", ())]


def _read(kind: type[Any], raw: dict[str, Any]) -> Any:
    if "start" in raw:
        raw["start"] = Start(**raw["start"])
    return kind(**raw)


def read_options(entry: Entry, start: Start) -> Any:
    """The options of a start."""
    return entry.codec.read_options(ParseDict(dict(start.options or {}), entry.codec.messages.Options()))


def reach(entry: Entry, case: Case) -> Reached:
    """Play a case to its end. Raises IllegalMove when a step other than the last is refused."""
    reached = _begin(entry, case)
    for number, step in enumerate(case.play, start=1):
        try:
            reached = _play(entry, reached.position, step)
        except IllegalMove as error:
            if number < len(case.play):
                raise
            return Reached(reached.position, refusal=error.refusal)
    return reached


def begin(entry: Entry, start: Start) -> Reached:
    """A new game."""
    dice = Dice(scripted(start.script))
    played = entry.game.start(read_options(entry, start), start.seats, dice)
    refuse_leftovers(start.script, dice)
    return Reached(played.position, played.events, dice.draws)


def _begin(entry: Entry, case: Case) -> Reached:
    if case.start is not None:
        return begin(entry, case.start)
    if case.position is not None:
        return Reached(entry.game.read(case.position))
    raise ValueError(f"{case.name!r} has neither a start nor a position")


def _play(entry: Entry, position: Any, text: str) -> Reached:
    step = STEP.fullmatch(text)
    if step is None:
        raise ValueError(f"a step reads '<seat or host> <move>: <results>', not {text!r}")
    seat = None if step["who"] == "host" else int(step["who"])
    script = [int(result) for result in (step["results"] or "").split()]
    dice = Dice(scripted(script))
    played = entry.game.play(position, seat, entry.game.read_move(step["move"]), dice)
    refuse_leftovers(script, dice)
    return Reached(played.position, played.events, dice.draws)
