"""What `make bench-peers` counts and tells. That the peers run is tested end to end, where they are installed."""

import io
import random
from collections import Counter

import pytest
from rich.console import Console

from loadtests.measuring.rounds import Sample
from loadtests.peers import pig
from loadtests.peers.core import games, proved_dice, unproved_game
from loadtests.peers.figures import BY_CLOCK, BY_PROCESSOR, OF_SEATS, P50, P99, Row, Subject, rows
from loadtests.peers.table import show
from services.games import find_games

CABBAGES = find_games()["cabbages"].game
LATENCIES = [number / 1000 for number in range(1, 102)]
OURS = [
    Sample(300, 1.0, 0.1, LATENCIES),
    Sample(100, 1.0, 0.2, LATENCIES),
    Sample(200, 2.0, 0.1, LATENCIES),
]
THEIRS = [Sample(100, 1.0, 0.1, LATENCIES[:51])] * 3
SUBJECT = Subject("play_seat_8", "PlaySeat, 8 games", "a peer", {"by_processor": 2.5, "p99": 1.0})


def told() -> dict[str, Row]:
    return {row["figure"]: row for row in rows(SUBJECT, OURS, THEIRS, OF_SEATS)}


class HeadsOrTails:
    """In OpenSpiel's terms: two players by turns flip a coin each, four times in all."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def new_initial_state(self) -> "HeadsOrTails":
        return HeadsOrTails()

    def is_terminal(self) -> bool:
        return len(self.done) == 8

    def is_chance_node(self) -> bool:
        return len(self.done) % 2 == 1

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 0.5), (1, 0.5)]

    def legal_actions(self) -> list[int]:
        return [7]

    def apply_action(self, action: int) -> None:
        assert action in ((0, 1) if self.is_chance_node() else (7,))
        self.done.append(action)


def test_a_row_for_each_figure_has_what_readers_rely_on() -> None:
    for name, row in told().items():
        assert row["name"] == f"play_seat_8_{name}"
        assert {"value", "baseline", "ratio", "unit"} <= row.keys()
        assert row["ratio"] == pytest.approx(row["value"] / row["baseline"])


def test_rates_are_medians_over_the_rounds() -> None:
    rates = told()

    assert (rates["by_processor"]["value"], rates["by_processor"]["baseline"]) == (2000, 1000)
    assert (rates["by_clock"]["value"], rates["by_clock"]["baseline"]) == (100, 100)
    assert rates["by_processor"]["range"] == [0.5, 3.0]


def test_latencies_are_of_all_rounds_together_in_milliseconds() -> None:
    assert P50.of(OURS) == pytest.approx(51)
    assert P99.of(OURS) == pytest.approx(100)
    assert told()["p50"]["ratio"] == pytest.approx(51 / 26)


def test_a_rate_is_held_from_its_goal_on_and_a_latency_up_to_it() -> None:
    for goal, held in ((1.99, True), (2.01, False)):
        (row,) = rows(Subject("", "", "", {"by_processor": goal}), OURS, THEIRS, [BY_PROCESSOR])
        assert (row["at_least"], row["at_most"], row["held"]) == (goal, None, held)
    for goal, held in ((1.9, False), (2.1, True)):
        (row,) = rows(Subject("", "", "", {"p99": goal}), OURS, THEIRS, [P99])
        assert (row["at_least"], row["at_most"], row["held"]) == (None, goal, held)


def test_what_has_no_goal_is_neither_held_nor_missed() -> None:
    (row,) = rows(SUBJECT, OURS, THEIRS, [BY_CLOCK])

    assert (row["at_least"], row["at_most"], row["held"]) == (None, None, None)


def test_the_table_has_both_sides_the_ratio_its_range_and_the_goal() -> None:
    output = io.StringIO()

    show(list(told().values()), Console(file=output))

    text = output.getvalue()
    for part in ("Lair : a peer", "PlaySeat, 8 games", "2,000 : 1,000", "2.00 (0.50 to 3.00)", "≥ 2.50 missed"):
        assert part in text
    assert "51.0 ms : 26.0 ms" in text
    assert "≤ 1.00 missed" in text


def test_each_peer_has_a_table_of_its_own() -> None:
    output = io.StringIO()
    other = rows(Subject("core_cabbages", "cabbages", "another peer", {}), OURS, THEIRS, [BY_PROCESSOR])

    show([*told().values(), *other], Console(file=output))

    assert output.getvalue().index("Lair : a peer") < output.getvalue().index("Lair : another peer")


def test_of_the_peers_game_decisions_count_and_chance_does_not() -> None:
    assert pig.random_game(HeadsOrTails(), random.Random(0)) == 4


def test_chance_falls_as_the_outcomes_say() -> None:
    choice = random.Random(0)

    fallen = Counter(pig.sampled([(0, 0.5), (1, 0.3), (2, 0.2)], choice) for _ in range(10_000))

    assert [fallen[outcome] / 10_000 for outcome in range(3)] == pytest.approx([0.5, 0.3, 0.2], abs=0.02)


def test_probabilities_that_miss_one_by_rounding_still_give_an_outcome() -> None:
    class Highest(random.Random):
        def random(self) -> float:
            return 1 - 2**-53

    assert pig.sampled([(number, 0.1) for number in range(10)], Highest()) == 9


def test_of_our_games_moves_count_and_the_start_does_not() -> None:
    """C-R10, C-T3: the cup is empty at the start, so no game of two is over before it holds three dice."""
    moves = [unproved_game(CABBAGES, random.Random(seed)) for seed in range(50)]

    assert min(moves) >= 3
    assert len(set(moves)) > 5


def test_every_game_is_played_and_cabbages_comes_first() -> None:
    assert games()[0] == "cabbages"
    assert set(games()) == set(find_games())
    for token in games():
        assert proved_dice(token)(0.001).calls > 0
