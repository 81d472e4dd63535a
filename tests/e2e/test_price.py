"""A live server and its edge get the worst that somebody can find: structured, mutated, and bred for what it costs.

LAIR_HOSTILE_INPUTS sets how many inputs are sent; without it they are sent for LAIR_HOSTILE_SECONDS.
"""

import os
import random
import sys

import pytest

from loadtests.price.course import Course, run
from loadtests.price.requests import targets
from tests.support.edge import needs_envoy
from tests.support.manifests import memory_of, workload

INPUTS = int(os.environ.get("LAIR_HOSTILE_INPUTS", "0")) or None
SECONDS = float(os.environ.get("LAIR_HOSTILE_SECONDS", "20"))
SEED = int(os.environ.get("LAIR_HOSTILE_SEED", "0")) or random.SystemRandom().randrange(1, 2**32)
MOST_MILLISECONDS = 25.0
"""Of the server's processors, for any request, and for any message of a stream."""

pytestmark = [
    pytest.mark.slow,
    needs_envoy,
    pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's clock of another process"),
]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    print(f"LAIR_HOSTILE_SEED={SEED}")  # noqa: T201  for the one who wants the same again
    return run(tmp_path_factory.mktemp("price"), SEED, inputs=INPUTS, seconds=None if INPUTS else SECONDS)


def test_every_door_was_tried_and_some_requests_were_right(course: Course) -> None:
    findings = course.findings
    assert set(findings.dearest) == {target.name for target in targets(edge=True)}
    assert findings.codes["OK"] > findings.inputs / 100
    assert findings.codes["INVALID_ARGUMENT"] > findings.inputs / 100
    assert findings.inputs >= (INPUTS or 0)


def test_no_request_ends_in_internal_or_unknown_or_not_at_all(course: Course) -> None:
    assert [(each.request, each.code) for each in course.findings.bad] == []
    assert course.alive
    assert "incident" not in course.log
    assert "Traceback" not in course.log


def test_no_request_costs_more_than_any_may(course: Course) -> None:
    dear = [priced for _, priced in course.findings.worst() if priced.milliseconds > MOST_MILLISECONDS]
    assert [(each.milliseconds, each.request) for each in dear] == []


def test_memory_stays_below_what_a_server_has_in_the_cluster(course: Course) -> None:
    """Sessions and the rules of every game are in this one, and it has no more than one with a single game's rules."""
    assert course.memory < memory_of(workload("standard", "rules-cabbages").main)
