"""Turns of many sessions that end in the same second, on three servers of one PostgreSQL: each time-out happens once.

`LAIR_DUE_SESSIONS=5000` is how many, usually 60. The figures are printed: how late the time-outs were, how many calls
to the rules and how much time of the processors each of them took. `LAIR_DUE_RULES=inprocess` leaves out the server of
rules that counts the calls, and so shows how many time-outs a second three servers manage.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from loadtests.measuring.filling import MOVES
from loadtests.measuring.filling_postgresql import fill_with_due
from loadtests.measuring.servers import processor_seconds
from tests.support.postgresql import PostgresqlServer, running_postgresql
from tests.support.processes import PATIENCE, Server
from tests.support.replica_processes import replicas

SESSIONS = int(os.environ.get("LAIR_DUE_SESSIONS", "60"))
RULES = os.environ.get("LAIR_DUE_RULES", "")
SECOND = 1_000_000
TURN = 3_600 * SECOND
"""In microseconds: how long the turn after a time-out lasts. Nobody waits for its end."""
UNTIL_DUE = 2 * SECOND
"""In microseconds, from the moment at which the database is filled: all servers know by then what is due."""
SLOWER = 5
"""How many times longer filling it may take than it took just before."""
MOST_CALLS = 1.05
"""To the rules, for each time-out."""
LONGEST = PATIENCE + SESSIONS / 20
"""Seconds until the last of them has to be done, however busy the machine is."""
APPLY = "/monsters.cabbages.v1.RulesService/ApplyMove"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3 * LONGEST)]


@contextmanager
def counting_rules(folder: Path) -> Iterator[Server]:
    """A server of rules alone, whose log has a line for each call."""
    with Server(folder / "rules.db", url="memory:", LAIR_LOG_LEVEL="info") as server:
        yield server


def calls_of(server: Server) -> int:
    """How often it has applied a move."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return sum(line.get("method") == APPLY for line in lines)


def test_each_time_out_happens_once_however_many_servers_keep_the_time(tmp_path: Path) -> None:
    with running_postgresql() as postgresql, postgresql.database() as name, counting_rules(tmp_path) as rules:
        url = postgresql.url(name)
        with replicas(tmp_path, url, LAIR_RULES=RULES or rules.address) as servers:
            begin = now() + SLOWER * time_of_filling(postgresql) + UNTIL_DUE
            fill_with_due(url, SESSIONS, begin, SECOND, TURN)
            assert now() < begin, "the database was not filled in time"
            used = [-processor_seconds(*(server.pid for server in servers)), -processor_seconds(postgresql.pid)]
            wait_for_all(url)
            used[0] += processor_seconds(*(server.pid for server in servers))
            used[1] += processor_seconds(postgresql.pid)
            time.sleep(1.0)  # whoever plays one of them again has time to
            lateness = lateness_of(url)
        calls = calls_of(rules)
    assert len(lateness) == SESSIONS, "one was played twice, or not at all"
    assert all(late >= 0 for late in lateness), "a turn was ended before its time"
    if not RULES:
        assert SESSIONS <= calls <= SESSIONS * MOST_CALLS
    took = (SECOND + max(lateness)) / SECOND
    print(f"{SESSIONS} time-outs, {calls / SESSIONS:.3f} calls to the rules each, {SESSIONS / took:.0f} a second")  # noqa: T201
    print(f"processor time of servers and database: {[round(each / SESSIONS * 1e6) for each in used]} us each")  # noqa: T201
    for share in (0.5, 0.99, 1.0):
        print(f"late by {lateness[int((SESSIONS - 1) * share)] / SECOND:.3f} s at {share:.0%}")  # noqa: T201  figures


def now() -> int:
    """In microseconds since 1970."""
    return time.time_ns() // 1000


def time_of_filling(postgresql: PostgresqlServer) -> int:
    """The microseconds that it takes at the moment."""
    with postgresql.database() as name:
        began = now()
        fill_with_due(postgresql.url(name), SESSIONS, began, SECOND, TURN)
        return now() - began


def wait_for_all(url: str) -> None:
    """Wait until nothing is due any more."""
    until = time.monotonic() + LONGEST
    with psycopg.connect(url, autocommit=True) as connection:
        while connection.execute("SELECT 1 FROM sessions WHERE revision = %s LIMIT 1", (MOVES,)).fetchone():
            assert time.monotonic() < until, "turns that are over go on"
            time.sleep(0.1)


def lateness_of(url: str) -> list[int]:
    """How late each time-out was, in microseconds."""
    played = (
        "SELECT late.committed - due.deadline FROM records AS late JOIN records AS due"
        " ON due.session_id = late.session_id AND due.revision = late.revision - 1"
        " WHERE late.revision > %s AND late.seat IS NULL ORDER BY 1"
    )
    with psycopg.connect(url) as connection:
        return [late for (late,) in connection.execute(played, (MOVES,))]
