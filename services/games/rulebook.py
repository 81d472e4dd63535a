"""A game's rulebook: aim, our wording of every rule, option and end, and where each comes from, as data."""

import tomllib
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct


class Source(Enum):
    """Where a rule, an option or an end comes from. The values are words of rulebook.toml."""

    PRINTED = "printed"
    """The printed rulebook says it."""
    PUBLISHED = "published"
    """The rulebook doesn't, but the game's makers or people who own the game do, elsewhere."""
    LAIR = "lair"
    """It is Lair's own."""


class Part(Enum):
    """Which part of a game a rule is about, in the order in which they are read. The values are words there, too."""

    SET_UP = "set-up"
    TURN = "turn"
    END = "end"
    TIME = "time"


class RuleText(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule."""

    part: Part
    source: Source
    text: str
    note: str = ""
    """What Lair has settled in it where its source leaves something open."""


class OptionText(Struct, frozen=True, forbid_unknown_fields=True):
    """One option: its default in words, and what it changes."""

    default: str
    text: str
    source: Source = Source.LAIR


class EndText(Struct, frozen=True, forbid_unknown_fields=True):
    """One way in which the game can end."""

    source: Source
    text: str


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that DescribeGame says and that is not in the rules' code."""

    title: str
    credits: str
    aim: str
    """What one plays for, in a sentence or two."""
    how_to_play: str
    """Half a page for whoever has never heard of the game: paragraphs with blank lines between them."""
    timeout: str
    """What the host's time-out does."""
    rules: Mapping[str, RuleText]
    """By the rule's id, in the order in which they are read: part by part."""
    options: Mapping[str, OptionText]
    """By the option's field name, in order."""
    ends: Mapping[str, EndText]
    """By the reason of an outcome."""


def read_rulebook(path: Path) -> Rulebook:
    """Read a rulebook.toml. Raises ValidationError when a part is missing, unknown or not of its kind."""
    book: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return msgspec.convert(book, Rulebook)
