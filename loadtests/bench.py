"""`make bench`: every row measured against its baseline in the same run. loadtests/README.md says what it means."""

import argparse
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from loadtests import crosscheck
from loadtests.page import show, write_page
from loadtests.report import Result, report, results, write_json
from loadtests.rows import ROWS, Size
from loadtests.servers import ROOT
from services.runtime.logs import configure
from services.runtime.settings import Settings

USUAL = Size(seconds=1.0, rounds=9, stored=100_000, moves=1000)
QUICK = Size(seconds=0.3, rounds=2, stored=1000, moves=100)
FULL_STORE = 1_000_000


def main() -> None:
    arguments = _arguments()
    size = QUICK if arguments.quick else USUAL
    if arguments.full:
        size = replace(size, stored=FULL_STORE)
    size = replace(size, seconds=arguments.seconds or size.seconds, rounds=arguments.rounds or size.rounds)
    configure(Settings(log_level="warning"))
    # However it ends, the servers are stopped: their contexts are left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    load, _, _ = os.getloadavg()
    measured: list[Result] = []
    console = Console(stderr=True)
    with console.status("starting") as status:
        for row in ROWS:
            if row.name in arguments.rows and row.needs():
                status.update(f"measuring {row.title}")
                measured += results(row, row.measure(size))
    if not all(row.needs() for row in ROWS if row.name in arguments.rows):
        console.print(crosscheck.MISSING)
    show(measured)
    whole = report(measured, size, load)
    write_json(arguments.output, whole)
    if arguments.docs:
        write_page(ROOT / "docs/performance.md", whole)
    print(f"written to {arguments.output}")


def _arguments() -> argparse.Namespace:
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rows", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--seconds", type=float, help="of one round")
    parser.add_argument("--rounds", type=int, help="that count, of the row and of its baseline each")
    parser.add_argument("--quick", action="store_true", help="see that everything works: a few seconds a row")
    parser.add_argument("--full", action="store_true", help=f"{FULL_STORE:,} sessions in the full store")
    parser.add_argument("--docs", action="store_true", help="write the tables of docs/performance.md, too")
    parser.add_argument("--output", type=Path, default=ROOT / "build/bench.json", help="default build/bench.json")
    arguments = parser.parse_args()
    if arguments.docs and arguments.rows != names:
        parser.error("--docs needs every row: a page of several runs would compare what can't be compared")
    return arguments


if __name__ == "__main__":
    main()
