"""What holds for how every game is described: in order, short enough, complete, and each rule with where it is from."""

import re
from enum import Enum
from pathlib import Path
from textwrap import wrap

import pytest
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as wire

from services.games import Entry, find_games
from services.games.rulebook import Part, Source
from services.rules.handler import RulesHandler
from tests.support.games import every_game

PROTOS = Path(__file__).parents[2] / "proto" / "monsters"
RULE_ID = r"-[RHL]\d+\b"
"""What comes after a game's letter: R of the rules, H of the host's, L of Lair's own."""
OPTION = re.compile(r"\boptions? (\w+(?:_\w+)*)(?: and (\w+_\w+))?")
SENTENCES = re.compile(r"[A-Z].*\.", re.DOTALL)
WIDTH, HEIGHT = 78, 22
"""A terminal of 80 columns and 24 lines, without its frame and its prompt."""


def described(entry: Entry) -> wire.GameDescription:
    """What DescribeGame answers."""
    return RulesHandler(entry).describe_game(opaque.DescribeGameRequest()).game


@every_game
def test_a_stranger_reads_set_up_turn_end_and_time_in_this_order(entry: Entry) -> None:
    parts = [rule.part for rule in described(entry).rules]
    assert parts == sorted(parts)
    assert {*parts} == {*wire.RulePart.values()} - {wire.RULE_PART_UNSPECIFIED}


@every_game
def test_every_rule_option_and_end_says_where_it_comes_from(entry: Entry) -> None:
    game = described(entry)
    for told in (*game.rules, *game.options, *game.ends):
        assert told.source != wire.SOURCE_UNSPECIFIED, told


def test_the_words_of_rulebooks_are_those_of_the_contract() -> None:
    assert {f"SOURCE_{word.name}" for word in Source} == {*wire.Source.keys()} - {"SOURCE_UNSPECIFIED"}
    assert {f"RULE_PART_{word.name}" for word in Part} == {*wire.RulePart.keys()} - {"RULE_PART_UNSPECIFIED"}


@every_game
def test_the_host_and_whoever_is_out_of_time_are_in_no_rulebook(entry: Entry) -> None:
    told = [rule for rule in described(entry).rules if rule.part == wire.RULE_PART_TIME]
    assert [rule.source for rule in told] == [wire.SOURCE_LAIR] * len(told)


@every_game
def test_every_text_is_made_of_sentences(entry: Entry) -> None:
    game = described(entry)
    texts = [game.aim, game.timeout, game.credits, *game.how_to_play.split("\n\n")]
    texts += [told.text for told in (*game.rules, *game.options, *game.ends)]
    texts += [rule.note for rule in game.rules if rule.note]
    for text in texts:
        assert SENTENCES.fullmatch(text), text
        assert text.replace("\n", "").isprintable()
        assert "  " not in text


@every_game
def test_how_to_play_is_half_a_page_of_paragraphs_that_name_no_rule(entry: Entry) -> None:
    game = described(entry)
    paragraphs = game.how_to_play.split("\n\n")
    lines = [line for paragraph in paragraphs for line in ("", *wrap(paragraph, WIDTH))][1:]
    assert len(paragraphs) >= 3
    assert HEIGHT // 3 <= len(lines) <= HEIGHT, len(lines)
    assert not any("\n" in paragraph for paragraph in paragraphs), "the reader breaks the lines"
    assert not re.search(RULE_ID, game.how_to_play)
    assert len(wrap(game.aim, WIDTH)) <= 5


@every_game
def test_every_rule_that_is_named_anywhere_is_described(entry: Entry) -> None:
    """In the game's code, where refusals name them, in its texts and in the comments of its proto."""
    rules = entry.rulebook.rules
    (letter,) = {rule.partition("-")[0] for rule in rules}
    proto = PROTOS / entry.game.token / "v1" / f"{entry.game.token}.proto"
    files = [*entry.folder.glob("*.py"), *entry.folder.glob("*.toml"), proto]
    named = {name for file in files for name in re.findall(rf"\b{letter}{RULE_ID}", file.read_text("utf-8"))}
    assert len(files) > 5
    assert named == {*rules}


@every_game
def test_the_options_that_rules_name_are_there(entry: Entry) -> None:
    named = {
        name
        for rule in entry.rulebook.rules.values()
        for found in OPTION.finditer(rule.text)
        for name in found.groups()
        if name
    }
    assert named <= {*entry.rulebook.options}


@every_game
def test_the_default_in_words_is_the_default(entry: Entry) -> None:
    for name, option in entry.rulebook.options.items():
        default = getattr(entry.game.options, name)
        word = option.default.partition(",")[0]
        if default is None:
            assert word.isalpha(), "there is no value, and a word says what happens"
        elif isinstance(default, bool):
            assert word == ("yes" if default else "no")
        else:
            assert word == str(default.value if isinstance(default, Enum) else default)


@pytest.mark.parametrize(
    ("token", "rules", "options", "ends"),
    [
        ("cabbages", "C-R12 C-R22 C-R24 C-L1 C-H1", "max_turns empty_feed hungry_first", "turn_limit"),
        ("heads", "H-L1 H-L2 H-L3 H-L4 H-R21 H-H1", "on_stall stall_limit statements binding", ""),
        ("maidens", "M-L1 M-H1", "uniform_end chip_on_adventure", ""),
        ("sprinkleton", "S-R5 S-L1 S-L2 S-L3 S-H1", "max_idle_rounds max_rounds late_touch deck", "idle round_limit"),
    ],
)
def test_what_lair_has_added_is_marked_as_its_own(token: str, rules: str, options: str, ends: str) -> None:
    """Passing, limits of rounds and turns, drawn pairs, secret nominations, closed statements, open readings."""
    game = described(find_games()[token])
    assert {rule.id for rule in game.rules if rule.source == wire.SOURCE_LAIR} == {*rules.split()}
    ours = {option.name for option in game.options if option.source == wire.SOURCE_LAIR}
    assert {*options.split()} <= ours
    assert {option.name for option in game.options} - ours == ({"adventure_die"} if token == "maidens" else set())
    assert {end.reason for end in game.ends if end.source == wire.SOURCE_LAIR} == {*ends.split()}


def test_the_title_of_maidens_promises_no_die_that_is_usually_not_there() -> None:
    entry = find_games()["maidens"]
    assert not entry.game.options.adventure_die
    assert entry.rulebook.title == "Monsters & Maidens"
    assert "Adventure" not in entry.rulebook.aim + entry.rulebook.how_to_play


def test_what_heads_call_the_trek_card_is_said_before_it_is_needed() -> None:
    rules = find_games()["heads"].rulebook.rules
    first = next(rule for rule in rules.values() if "trek card" in rule.text)
    assert first.part is Part.SET_UP
    assert "peaceful and a dangerous side" in first.text


def test_what_is_turned_up_at_the_end_of_heads_includes_the_cards_that_were_looked_at() -> None:
    """The scenario "also the cards that were looked at" shows that they are in the view."""
    assert "which cards were looked at" in find_games()["heads"].rulebook.rules["H-R21"].text


def test_dice_of_cabbages_never_run_out_and_the_rules_say_so() -> None:
    """The scenario of C-R25 rolls nine of the cup's beside the two of a harvest."""
    assert "never run out" in find_games()["cabbages"].rulebook.rules["C-R25"].text
