"""The rows of sessions on PostgreSQL: beside SQLite, several servers beside one, and a watcher at another server.

Each side has a PostgreSQL of its own, so what the database takes is told for each of them.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from loadtests.bench.pairs import LAIR, SPREAD, pair, stores
from loadtests.bench.row import Row
from loadtests.measuring import postgresql
from loadtests.measuring.contenders import Side

REPLICAS = 3
GAMES = 32
DATABASE_AT_MOST: Mapping[int, float] = {GAMES: 100.0, 200: 60.0}
"""Microseconds of the database's processors a move, by how many games are played at once."""
WAYS = {"submit_move": "SubmitMove, both seats watching", "play_seat": "PlaySeat, two seats a game"}
ON_POSTGRESQL = partial(Side, LAIR, stored=0, on_postgresql=True)
_Row = partial(Row, table="postgresql", needs=postgresql.is_installed, missing=postgresql.MISSING)

POSTGRESQL_ROWS: Sequence[Row] = (
    *(
        _Row(
            f"{way}_postgresql_{games}",
            f"{title}, {games} games, PostgreSQL",
            "SQLite",
            pair(ON_POSTGRESQL(f"sticky_{way}", games), Side(LAIR, f"sticky_{way}", games, stored=0)),
            at_most=1.0,
            database_at_most=database_at_most,
        )
        for way, title in WAYS.items()
        for games, database_at_most in DATABASE_AT_MOST.items()
    ),
    *(
        _Row(
            f"{way}_replicas_{affinity}",
            f"{title}, {GAMES} games at {REPLICAS} servers, {how}",
            "one server",
            pair(
                ON_POSTGRESQL(f"{affinity}_{way}", GAMES, replicas=REPLICAS),
                ON_POSTGRESQL(f"{affinity}_{way}", GAMES),
            ),
            at_most=1.15,
        )
        for way, title in WAYS.items()
        for affinity, how in (("sticky", "with affinity"), ("sprayed", "without affinity"))
    ),
    _Row(
        "full_store_postgresql",
        "a move with many sessions stored, PostgreSQL",
        "an empty store",
        stores(partial(ON_POSTGRESQL, "spread_sessions", SPREAD)),
        at_most=1.1,
    ),
    _Row(
        "replica_arrival",
        "a roll's arrival at six watchers at another server",
        "at the same server",
        pair(ON_POSTGRESQL("rolls_across", replicas=2), ON_POSTGRESQL("rolls_across")),
        of_latencies=True,
        p99_at_most=30.0,
    ),
)
