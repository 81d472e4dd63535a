"""One racer of tests/e2e/test_race.py, a process of its own: touches cards at given moments, and tells what came of it.

Reads lines "moment session token card" from standard input; writes a line for each: "claimed" or the refusal's reason.
"""

import sys
import time

import lair


def tell(word: str) -> None:
    """Write a line that the test reads."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main() -> None:
    """Race."""
    with lair.connect(sys.argv[1]) as client:
        races = [line.split() for line in sys.stdin]
        seats = [client.seat(name, token) for _, name, token, _ in races]
        tell("ready")
        for (moment, _, _, card), seat in zip(races, seats, strict=True):
            time.sleep(max(0.0, float(moment) - time.time()))
            try:
                seat.play(f"pick {card}")
            except lair.IllegalMove as refusal:
                tell(refusal.reason)
            else:
                tell("claimed")


if __name__ == "__main__":
    main()
