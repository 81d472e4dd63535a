"""What a server says of a game: its seats; and more at length its rules in words and its options."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a game."""

    id: str
    """Such as C-R10. Refusals name it."""
    text: str


@dataclass(frozen=True, slots=True)
class OptionDescription:
    """One option of a game."""

    name: str
    default: str
    """In words."""
    text: str
    """What it changes."""


@dataclass(frozen=True, slots=True)
class EndDescription:
    """One way in which a game can end."""

    reason: str
    """The value of Outcome.reason."""
    text: str


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
    options: tuple[OptionDescription, ...]
    ends: tuple[EndDescription, ...]
    timeout: str
    """What the host's time-out does."""
    defaults: Any
    """The game's Options with every default written out."""
