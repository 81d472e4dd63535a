"""`make bench`: every row measured against its baseline in the same run. loadtests/README.md says what it means."""

import argparse
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from loadtests.bench import edge_rows
from loadtests.bench.edge_page import EDGE_PARTS, write_edge_page
from loadtests.bench.edge_rows import EDGE_ROWS
from loadtests.bench.page import PARTS, show, write_page
from loadtests.bench.report import Result, report, results
from loadtests.bench.row import Size
from loadtests.bench.rows import ROWS
from loadtests.measuring import edge
from loadtests.measuring.conditions import write_json
from loadtests.measuring.servers import ROOT
from services.runtime.logs import configure
from services.runtime.settings import Settings

USUAL = Size(seconds=1.0, rounds=9, stored=100_000, moves=1000)
EDGED = replace(USUAL, rounds=5, moves=500)
QUICK = Size(seconds=0.3, rounds=2, stored=1000, moves=100)
FULL_STORE = 1_000_000


def main() -> None:
    arguments = _arguments()
    size = QUICK if arguments.quick else EDGED if arguments.edge else USUAL
    if arguments.full:
        size = replace(size, stored=FULL_STORE)
    size = replace(size, seconds=arguments.seconds or size.seconds, rounds=arguments.rounds or size.rounds)
    configure(Settings(log_level="warning"))
    # However it ends, the servers are stopped: their contexts are left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    load, _, _ = os.getloadavg()
    measured: list[Result] = []
    console = Console(stderr=True)
    chosen = [row for row in (EDGE_ROWS if arguments.edge else ROWS) if row.name in arguments.rows]
    with console.status("starting") as status:
        for row in chosen:
            if row.needs():
                status.update(f"measuring {row.title}")
                measured += edge_rows.results(row, size) if arguments.edge else results(row, row.measure(size))
    for missing in dict.fromkeys(row.missing for row in chosen if not row.needs()):
        console.print(missing)
    show(measured, EDGE_PARTS if arguments.edge else PARTS)
    whole = report(measured, size, load)
    write_json(arguments.output, whole)
    if arguments.docs:
        (write_edge_page if arguments.edge else write_page)(ROOT / "docs/performance.md", whole)
    print(f"written to {arguments.output}")


def _arguments() -> argparse.Namespace:
    names, edged = ([row.name for row in rows] for rows in (ROWS, EDGE_ROWS))
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--edge", action="store_true", help="the rows through Envoy, beside the same without, and JSON")
    parser.add_argument("--rows", nargs="+", metavar="NAME", help=f"{', '.join(names)}; with --edge {', '.join(edged)}")
    parser.add_argument("--seconds", type=float, help="of one round")
    parser.add_argument("--rounds", type=int, help="that count, of the row and of its baseline each")
    parser.add_argument("--quick", action="store_true", help="see that everything works: a few seconds a row")
    parser.add_argument("--full", action="store_true", help=f"{FULL_STORE:,} sessions in the full store")
    parser.add_argument("--docs", action="store_true", help="write the tables of docs/performance.md, too")
    parser.add_argument("--output", type=Path, help="default build/bench.json, with --edge build/bench-edge.json")
    arguments = parser.parse_args()
    known = edged if arguments.edge else names
    arguments.rows = arguments.rows or known
    if unknown := [name for name in arguments.rows if name not in known]:
        parser.error(f"there is no row {', '.join(unknown)} among {', '.join(known)}")
    if arguments.docs and arguments.rows != known:
        parser.error("--docs needs every row: a page of several runs would compare what can't be compared")
    if arguments.edge and not edge.is_installed():
        parser.error(edge.MISSING)
    arguments.output = arguments.output or ROOT / f"build/{'bench-edge' if arguments.edge else 'bench'}.json"
    return arguments


if __name__ == "__main__":
    main()
