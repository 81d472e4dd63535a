"""Plays the cases of every game's scenarios.toml: the rules as data, readable in any language.

[[case]]
name = "feeding the last die rolls nothing"     a sentence; unique in its game
rule = "C-R12"                                  the rule that it shows, by its id in rulebook.toml

Where it begins, one of:
position = "turn 5; seat 1; ..."                the game's own notation
start = {seats = 3, options = {cup_start = 1}, script = [2]}
                                                options as in the proto's JSON; the script is what is drawn, each
                                                result from 1, as many as the start draws

What is played then, if anything:
play = ["0 harvest: 3 4", "host timeout: 1 2"]  who, the move's text, and after a colon the results that it draws

What must come out, at least one of:
then = "turn 6; ..."                            the position
refused = "CUP_EMPTY"                           the last step is refused for this reason and by the case's rule
moves = {0 = ["harvest"], host = ["timeout"]}   all legal moves of those who are named, in the game's order
awaited = [1]                                   the seats that the game waits for; so it is not over
outcome = {winners = [1], scores = [3, 9], reason = "row_1_2"}
events = [{fed = {seat = 0, feedings = 1}}]     all events of the last step, as the proto's JSON; the audience is
                                                looked at where it is given
draws = [{purpose = "harvest", sides = 6, results = [3, 4]}]
                                                all draws of the last step; `shuffle = true` for a shuffle
views = [{seat = 0, shows = {turn = 6}}]        fields of views, as the proto's JSON; no seat: a spectator
flawed = ["cup_start"]                          the start is refused: seats or fields of the options
impossible = ["cabbages[1]"]                    the position can't be: the fields that `check` names

[[count]]                                       how many sequences of moves there are, all from the seed of 32
start = {seats = 2, script = [1]}               zero bytes (tests.support.replaying)
length = 4
sequences = 81
"""

from collections.abc import Mapping
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from services.games import Entry
from services.kernel.standing import Seat
from tests.support.games import ENTRIES, every_game, reasons
from tests.support.replaying import count_sequences
from tests.support.scenarios import Case, Count, Reached, begin, reach, read_options, read_scenarios

CASES = [(entry, case) for entry in ENTRIES for case in read_scenarios(entry)[0]]
COUNTS = [(entry, count) for entry in ENTRIES for count in read_scenarios(entry)[1]]
ZERO_SEED = bytes(32)


@pytest.mark.parametrize(("entry", "case"), CASES, ids=[f"{entry.game.token}: {case.name}" for entry, case in CASES])
def test_scenario(entry: Entry, case: Case) -> None:
    if case.flawed is not None:
        assert _flaws_of_start(entry, case) == list(case.flawed)
        return
    reached = reach(entry, case)
    impossible = [flaw.field for flaw in entry.game.check(reached.position)]
    assert impossible == list(case.impossible or ())
    if case.refused is None:
        assert reached.refusal is None, reached.refusal
    else:
        assert reached.refusal is not None, "was accepted"
        assert (reached.refusal.reason, reached.refusal.rule) == (case.refused, case.rule)
    _compare_position(entry, case, reached)
    _compare_step(entry, case, reached)
    for view in case.views or ():
        _compare_view(entry, reached, **view)


def _flaws_of_start(entry: Entry, case: Case) -> list[str]:
    assert case.start is not None
    if case.start.seats not in entry.game.seats:
        return ["seats"]
    return [flaw.field for flaw in entry.game.flaws(read_options(entry, case.start), case.start.seats)]


def _compare_position(entry: Entry, case: Case, reached: Reached) -> None:
    game, standing = entry.game, entry.game.standing(reached.position)
    if case.then is not None:
        assert game.write(reached.position) == game.write(game.read(case.then))
    if case.awaited is not None:
        assert standing.awaited == tuple(case.awaited)
    if case.outcome is not None:
        assert standing.outcome is not None, "the game is not over"
        outcome = standing.outcome
        assert {
            "winners": list(outcome.winners),
            "scores": list(outcome.scores),
            "reason": outcome.reason,
        } == case.outcome
    for who, texts in (case.moves or {}).items():
        seat = None if who == "host" else int(who)
        assert [game.write_move(move) for move in game.moves(reached.position, seat)] == list(texts)


def _compare_step(entry: Entry, case: Case, reached: Reached) -> None:
    if case.events is not None:
        expected = [ParseDict(dict(event), entry.codec.messages.Event()) for event in case.events]
        happened = [entry.codec.write_event(event) for event in reached.events]
        for wanted, event in zip(expected, happened, strict=False):
            if not wanted.HasField("audience"):
                event.ClearField("audience")
        assert happened == expected
    if case.draws is not None:
        assert [
            {"purpose": draw.purpose, "sides": draw.sides, "results": list(draw.results), "shuffle": draw.shuffle}
            for draw in reached.draws
        ] == [{"shuffle": False, **draw} for draw in case.draws]


def _compare_view(entry: Entry, reached: Reached, shows: Mapping[str, Any], seat: Seat | None = None) -> None:
    view = entry.codec.write_view(entry.game.view(reached.position, seat))
    shown = MessageToDict(view, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    assert {field: shown.get(field) for field in shows} == shows


@pytest.mark.parametrize(
    ("entry", "count"),
    COUNTS,
    ids=[f"{entry.game.token}: {count.sequences} sequences of {count.length} moves" for entry, count in COUNTS],
)
def test_count(entry: Entry, count: Count) -> None:
    position = begin(entry, count.start).position
    assert count_sequences(entry.game, position, count.length, ZERO_SEED) == count.sequences


@every_game
def test_names_are_unique_and_every_case_expects_something(entry: Entry) -> None:
    cases, counts = read_scenarios(entry)
    assert len({case.name for case in cases}) == len(cases)
    assert counts
    for case in cases:
        expectations = (
            case.then,
            case.refused,
            case.moves,
            case.awaited,
            case.outcome,
            case.events,
            case.draws,
            case.views,
            case.flawed,
            case.impossible,
        )
        assert any(expected is not None for expected in expectations), case.name


@every_game
def test_every_rule_is_shown_by_a_case(entry: Entry) -> None:
    cases, _ = read_scenarios(entry)
    assert {case.rule for case in cases} == set(entry.rulebook.rules)


@every_game
def test_every_option_is_changed_by_a_case(entry: Entry) -> None:
    cases, counts = read_scenarios(entry)
    starts = [case.start for case in cases if case.start and case.flawed is None] + [count.start for count in counts]
    changed = {
        field.name
        for start in starts
        for field, _ in entry.codec.write_options(read_options(entry, start)).ListFields()
    }
    assert changed == set(entry.codec.messages.Options.DESCRIPTOR.fields_by_name)


@every_game
def test_every_reason_to_refuse_and_to_end_occurs_in_a_case(entry: Entry) -> None:
    cases, _ = read_scenarios(entry)
    assert {case.refused for case in cases if case.refused} == reasons(entry)
    assert {case.outcome["reason"] for case in cases if case.outcome} == set(entry.rulebook.ends)
