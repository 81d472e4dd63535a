"""What a server says of a game: its seats; and more at length its rules in words and its options."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game that can be played."""

    token: str
    """What `Client.create` calls it."""
    title: str
    """The name for people."""
    min_seats: int
    max_seats: int
    rules_versions: tuple[str, ...]
    """The versions of its rules that are served, the one of new sessions first."""


class Source(StrEnum):
    """Where a rule, an option or an end of a game comes from."""

    UNKNOWN = "unknown"
    """The server doesn't say, or says something that this library doesn't know."""
    PRINTED = "printed"
    """The printed rulebook says it."""
    PUBLISHED = "published"
    """The rulebook doesn't, but the game's makers or people who own the game do, elsewhere."""
    LAIR = "lair"
    """It is Lair's own."""


class RulePart(StrEnum):
    """Which part of a game a rule is about, in the order in which they are read."""

    UNKNOWN = "unknown"
    """The server doesn't say, or says something that this library doesn't know."""
    SET_UP = "set_up"
    TURN = "turn"
    END = "end"
    TIME = "time"
    """What happens when somebody is out of time."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a game."""

    id: str
    """Such as C-R10. Refusals name it."""
    text: str
    part: RulePart = RulePart.UNKNOWN
    source: Source = Source.UNKNOWN
    note: str = ""
    """What Lair has settled in it where its source leaves something open. Empty: nothing."""


@dataclass(frozen=True, slots=True)
class OptionDescription:
    """One option of a game."""

    name: str
    default: str
    """In words."""
    text: str
    """What it changes."""
    source: Source = Source.UNKNOWN


@dataclass(frozen=True, slots=True)
class EndDescription:
    """One way in which a game can end."""

    reason: str
    """The value of Outcome.reason."""
    text: str
    source: Source = Source.UNKNOWN


@dataclass(frozen=True, slots=True)
class GameDescription:
    """What a game is."""

    token: str
    title: str
    credits: str
    """Who made the game. Lair is not theirs."""
    min_seats: int
    max_seats: int
    rules_version: str
    rules: tuple[Rule, ...]
    """In the order in which a stranger reads them: by their parts."""
    options: tuple[OptionDescription, ...]
    ends: tuple[EndDescription, ...]
    timeout: str
    """What the host's time-out does."""
    defaults: Any
    """The game's Options with every default written out."""
    aim: str = ""
    """What one plays for, in a sentence or two."""
    how_to_play: str = ""
    """Half a page for whoever has never heard of the game: paragraphs with blank lines between them."""
