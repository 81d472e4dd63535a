"""`make bench-peers`: Lair beside boardgame.io and OpenSpiel, in the same run. loadtests/README.md says more."""

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from loadtests.measuring import edge, postgresql
from loadtests.measuring.conditions import conditions, write_json
from loadtests.measuring.contenders import Side, contending
from loadtests.measuring.rounds import Contender, in_turns
from loadtests.measuring.servers import ROOT
from loadtests.peers import core
from loadtests.peers.boardgame import FOLDER, boardgame
from loadtests.peers.figures import BY_PROCESSOR, OF_SEATS, Row, Subject, rows
from loadtests.peers.table import show, write_edge_page
from services.runtime.logs import configure
from services.runtime.settings import Settings

GAMES = (1, 8, 32, 200)
PEERS = {"": "boardgame.io, in memory", "_beside_files": "boardgame.io, in its flat files"}
"""What the names of rows end in, beside whom."""
TITLES = {"play_seat": "PlaySeat", "submit_move": "SubmitMove, both seats watching"}
STORES = {"": "", "_postgresql": ", PostgreSQL"}
"""Where Lair's sessions are: what the names and titles of rows have more. Without more it is SQLite."""
GOALS: Mapping[str, Mapping[str, float]] = {
    "play_seat_32": {"by_processor": 0.75, "p99": 1.0},
    "play_seat_200": {"by_processor": 0.75, "p99": 1.0},
    "submit_move_32": {"by_processor": 0.6},
    "submit_move_200": {"by_processor": 0.6},
    "play_seat_32_beside_files": {"by_processor": 3.0},
    "play_seat_200_beside_files": {"by_processor": 3.0},
}
WARM_MOVES, WARM_SECONDS = 3000, 10
"""Node compiles what is hot bit by bit: a warm-up by the clock would measure that on a slow machine."""


def main() -> None:
    arguments = _arguments()
    configure(Settings(log_level="warning"))
    # However it ends, the processes are stopped: their contexts are left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    load, _, _ = os.getloadavg()
    measured: list[Row] = []
    with Console(stderr=True).status("starting") as status:
        for games in arguments.games:
            status.update(f"{games} games at once")
            measured += _seats(games, arguments.seconds, arguments.rounds, through_edge=arguments.edge)
        if arguments.openspiel and not arguments.edge:
            status.update("random play")
            measured += _core(arguments.openspiel, arguments.seconds, arguments.rounds)
    if not postgresql.is_installed():
        print(postgresql.MISSING, file=sys.stderr)
    show(measured)
    size = {"seconds": arguments.seconds, "rounds": arguments.rounds, "games": arguments.games}
    whole = {**_conditions(load, arguments.openspiel), "size": size, "rows": measured}
    write_json(arguments.output, whole)
    if arguments.docs:
        write_edge_page(ROOT / "docs/performance.md", whole)
    print(f"written to {arguments.output}")


@dataclass(frozen=True, slots=True)
class Way:
    """How Lair's games are played, and where its sessions are."""

    load: str
    store: str = ""
    through_edge: bool = False

    def side(self, games: int) -> Side:
        """What is started for it."""
        return Side(
            "services",
            self.load,
            games,
            stored=0,
            driver="loadtests.peers.seats",
            on_postgresql=bool(self.store),
            through_edge=self.through_edge,
        )

    def subject(self, games: int, suffix: str, against: str) -> Subject:
        """What is said of it, beside a peer."""
        name = f"{self.load}{self.store}_{games}{'_edge' if self.through_edge else ''}{suffix}"
        title = f"{TITLES[self.load]}{STORES[self.store]}, {'1 game' if games == 1 else f'{games} games'}"
        told = f"{title}, through Envoy" if self.through_edge else title
        return Subject(name, told, against, GOALS.get(name, {}))


def _ways(*, through_edge: bool) -> Sequence[Way]:
    """Each way to move: with each store, or with an edge and without."""
    if through_edge:
        return [Way(load, through_edge=through) for load in TITLES for through in (True, False)]
    stores = [store for store in STORES if not store or postgresql.is_installed()]
    return [Way(load, store) for load in TITLES for store in stores]


def _seats(games: int, seconds: float, rounds: int, *, through_edge: bool) -> Iterator[Row]:
    """All ways beside boardgame.io, with so many games at once."""
    ways = _ways(through_edge=through_edge)
    with ExitStack() as stack:
        peers = PEERS if not through_edge else dict([*PEERS.items()][:1])
        contenders: list[Contender] = []
        contenders += (stack.enter_context(boardgame(games, in_files=bool(suffix))) for suffix in peers)
        contenders += (stack.enter_context(contending(way.side(games))) for way in ways)
        for contender in contenders:
            _warm(contender, seconds)
        taken = in_turns(contenders, seconds, rounds)
    for way, samples in zip(ways, taken[len(peers) :], strict=True):
        for (suffix, against), baseline in zip(peers.items(), taken, strict=False):
            yield from rows(way.subject(games, suffix, against), samples, baseline, OF_SEATS)


def _warm(contender: Contender, seconds: float) -> None:
    made = spent = 0.0
    while made < WARM_MOVES and spent < min(WARM_SECONDS, 5 * seconds):
        sample = contender(min(seconds, 1.0))
        made, spent = made + sample.calls, spent + sample.seconds


def _core(python: str, seconds: float, rounds: int) -> Iterator[Row]:
    """Every game's random play, beside Pig's."""
    subjects = {("cabbages_plain_dice", "cabbages, with Pig's generator"): core.plain_dice()}
    subjects |= {(token, f"{token}, as it is played here"): core.proved_dice(token) for token in core.games()}
    with core.pig(python) as pig:
        baseline, *measured = in_turns([pig, *subjects.values()], seconds, rounds)
    for (name, title), samples in zip(subjects, measured, strict=True):
        goals = {"by_processor": 1.0} if name == "cabbages" else {}
        subject = Subject(f"core_{name}", title, "OpenSpiel's Pig, from Python", goals)
        yield from rows(subject, samples, baseline, (BY_PROCESSOR,))


def _conditions(load: float, python: str | None) -> dict[str, Any]:
    """When and on what, with the versions of the peers."""
    told = conditions(load)
    lock = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    peers = {name: lock[f"node_modules/{name}"]["version"] for name in ("boardgame.io", "socket.io")}
    peers["node"] = _said("node", "--version")
    if python:
        peers["open-spiel"] = _said(
            python, "-c", "from importlib.metadata import version; print(version('open-spiel'))"
        )
    return {**told, "versions": {**told["versions"], **peers}}


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-peers", description=__doc__)
    parser.add_argument(
        "--games", type=int, nargs="*", default=GAMES, metavar="N", help="at once; none at all: no seats"
    )
    parser.add_argument("--edge", action="store_true", help="seats through Envoy, beside the same without; no Pig")
    parser.add_argument("--seconds", type=float, help="of one round, default 2, with --edge 1.5")
    parser.add_argument("--rounds", type=int, help="of each contender, default 5, with --edge 3")
    parser.add_argument("--openspiel", metavar="PYTHON", help="an interpreter that has OpenSpiel; without: no Pig")
    parser.add_argument("--docs", action="store_true", help="with --edge: write its table of docs/performance.md, too")
    parser.add_argument("--output", type=Path, help="default build/peers.json, with --edge build/peers-edge.json")
    arguments = parser.parse_args(given)
    if arguments.edge and not edge.is_installed():
        parser.error(edge.MISSING)
    if arguments.docs and not arguments.edge:
        parser.error("--docs is for what comes through the edge: it needs --edge")
    usual = (1.5, 3, "peers-edge") if arguments.edge else (2.0, 5, "peers")
    arguments.seconds = arguments.seconds or usual[0]
    arguments.rounds = arguments.rounds or usual[1]
    arguments.output = arguments.output or ROOT / f"build/{usual[2]}.json"
    return arguments


if __name__ == "__main__":
    main()
