"""`make price`: a hunt for the dearest request of each method; writes build/price.json."""

import argparse
import os
import random
import signal
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from loadtests.measuring.conditions import conditions, write_json
from loadtests.measuring.servers import ROOT
from loadtests.price.course import run
from loadtests.price.table import show, whole_of, write_page
from services.runtime.logs import configure
from services.runtime.settings import Settings


def main() -> None:
    """Read the command line, hunt, and say what was found."""
    parser = argparse.ArgumentParser(prog="make price", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--inputs", type=int, help="how many requests")
    length.add_argument("--seconds", type=float, help="or how long; default 60")
    parser.add_argument("--seed", type=int, help="of everything that is drawn; default another one each time")
    parser.add_argument("--docs", action="store_true", help="write the table of docs/performance.md, too")
    parser.add_argument("--output", type=Path, default=ROOT / "build/price.json", help="default build/price.json")
    arguments = parser.parse_args()
    configure(Settings(log_level="warning"))
    # However it ends, the servers are stopped: their contexts are left.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    load, _, _ = os.getloadavg()
    seed = random.randrange(2**32) if arguments.seed is None else arguments.seed
    seconds = 60.0 if arguments.inputs is None and arguments.seconds is None else arguments.seconds
    console = Console(stderr=True)
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder, console.status(f"seed {seed}") as status:
        tell = status.update if console.is_terminal else console.print
        course = run(Path(folder), seed, inputs=arguments.inputs, seconds=seconds, tell=tell)
    whole = {**conditions(load), **whole_of(course, seed)}
    show(whole)
    write_json(arguments.output, whole)
    if arguments.docs:
        write_page(ROOT / "docs/performance.md", whole)
    print(f"written to {arguments.output}")
    if course.findings.bad or not course.alive:
        sys.exit(f"{len(course.findings.bad)} requests ended as none may; they are in {arguments.output}")


if __name__ == "__main__":
    main()
