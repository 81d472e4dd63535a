"""A game's rulebook: title, credits, and our wording of every rule, option and end, as data."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct


class OptionText(Struct, frozen=True):
    """One option: its default in words, and what it changes."""

    default: str
    text: str


class Rulebook(Struct, frozen=True):
    """Everything that DescribeGame says and that is not in the rules' code."""

    title: str
    credits: str
    timeout: str
    """What the host's time-out does."""
    rules: Mapping[str, str]
    """Our wording by the rule's id, in order."""
    options: Mapping[str, OptionText]
    """By the option's field name, in order."""
    ends: Mapping[str, str]
    """What each reason of an outcome means."""


def read_rulebook(path: Path) -> Rulebook:
    """Read a rulebook.toml. Raises KeyError or TypeError when a part is missing or unknown."""
    book = tomllib.loads(path.read_text(encoding="utf-8"))
    options = {name: OptionText(**option) for name, option in book.pop("options").items()}
    return Rulebook(**book, options=options)
