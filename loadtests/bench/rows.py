"""The rows of the table."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from loadtests.bench import core, crosscheck, time_outs
from loadtests.bench.pairs import EMPTY, FLOOR, LAIR, RULES, SPREAD, pair, served, stores
from loadtests.bench.postgresql_rows import POSTGRESQL_ROWS
from loadtests.bench.row import Contenders, Row, Size
from loadtests.generator import hops
from loadtests.generator.loads import LANES
from loadtests.measuring.contenders import Side, contending
from loadtests.measuring.rounds import Contender

YOUNG_EACH_SECOND = 8 * LANES
"""Young sessions: more than a second can use up."""

EMPTY_METHOD = "an empty method"
EMPTY_STREAM = "an empty stream"


@contextmanager
def _core(_: Size) -> Iterator[tuple[Contender, Contender]]:
    yield core.contender(core.random_games), core.contender(partial(core.dice_alone, core.drawn()))


@contextmanager
def _hop(method: str, _: Size) -> Iterator[tuple[Contender, Contender]]:
    with contending(Side(RULES, hops.row_of(method), arguments=("--game", "cabbages"))) as over_grpc:
        yield over_grpc, hops.in_process(method)


def _crosscheck(side: Side) -> Contenders:
    return lambda _: crosscheck.both(side)


def _ages(size: Size) -> tuple[Side, Side]:
    young = math.ceil(size.seconds) * YOUNG_EACH_SECOND
    return Side(LAIR, "old_sessions", size.moves, stored=0), Side(LAIR, "young_sessions", young, stored=0)


ROWS: Sequence[Row] = (
    Row(
        "apply_move",
        "ApplyMove, one process",
        EMPTY_METHOD,
        pair(Side(LAIR, "apply_move", stored=0), Side(EMPTY, "empty")),
        at_least=0.80,
    ),
    Row(
        "stream_moves",
        "ApplyMoves, 64 moves a message",
        "ApplyMove",
        pair(Side(LAIR, "stream_moves", stored=0), Side(LAIR, "apply_move", stored=0)),
        at_least=5.0,
    ),
    Row(
        "submit_move",
        "SubmitMove, durable, SQLite, embedded, both seats watching",
        EMPTY_METHOD,
        pair(Side(LAIR, "submit_move", stored=0), Side(EMPTY, "empty")),
        at_least=0.45,
    ),
    Row(
        "play_seat",
        "PlaySeat, durable, SQLite, two seats a game",
        EMPTY_STREAM,
        pair(Side(LAIR, "play_seat", stored=0), Side(EMPTY, "echo")),
        at_least=0.35,
    ),
    Row(
        "play_seat_floor",
        "a durable move that two streams hear of, without a game and without checks",
        EMPTY_STREAM,
        pair(Side(FLOOR, "floor", stored=0), Side(EMPTY, "echo")),
    ),
    Row(
        "play_seat_over_floor",
        "PlaySeat, durable, SQLite, two seats a game",
        "a durable move without a game and without checks",
        pair(Side(LAIR, "play_seat", stored=0), Side(FLOOR, "floor", stored=0)),
        at_least=0.55,
    ),
    Row(
        "old_session",
        "a move in a session with many moves",
        "the first moves",
        partial(served, _ages),
        at_most=1.1,
    ),
    Row(
        "full_store",
        "a move with many sessions stored",
        "an empty store",
        stores(partial(Side, LAIR, "spread_sessions", SPREAD)),
        at_most=1.1,
    ),
    Row(
        "time_outs", "time-outs of sessions that are all due, in process", "durable changes alone", time_outs.contenders
    ),
    Row("core", "random play of cabbages, in process, one core", "the same dice without the rules", _core),
    Row(
        "roll_arrival",
        "a roll's arrival at six watchers",
        "an empty stream's",
        pair(Side(LAIR, "rolls", stored=0), Side(EMPTY, "published")),
        of_latencies=True,
    ),
    Row(
        "chassis_method",
        EMPTY_METHOD,
        "plain grpc.aio",
        pair(Side(EMPTY, "empty"), Side(EMPTY, "empty", arguments=("--bare",))),
    ),
    Row(
        "chassis_stream",
        EMPTY_STREAM,
        "plain grpc.aio",
        pair(Side(EMPTY, "echo"), Side(EMPTY, "echo", arguments=("--bare",))),
    ),
    *POSTGRESQL_ROWS,
    Row(
        "submit_move_hop",
        "SubmitMove, the rules in a server of their own",
        "the rules in process",
        pair(Side("services.session", "submit_move", stored=0, rules_apart=True), Side(LAIR, "submit_move", stored=0)),
        table="hops",
        as_time=True,
    ),
    *(
        Row(
            hops.row_of(method),
            f"{method} over gRPC",
            "in process",
            partial(_hop, method),
            table="hops",
            as_time=True,
        )
        for method in hops.REQUESTS
    ),
    *(
        Row(
            f"h2load_{load}",
            f"{title}, seen by h2load",
            "by our load generator",
            _crosscheck(side),
            table="crosscheck",
            needs=crosscheck.is_installed,
            missing=crosscheck.MISSING,
        )
        for load, title, side in (
            ("empty", EMPTY_METHOD, Side(EMPTY, "empty")),
            ("apply_move", "the same ApplyMove again and again", Side(RULES, "hop_apply_move")),
        )
    ),
)
