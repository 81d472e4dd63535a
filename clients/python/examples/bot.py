"""A bot: it sits down at a table, plays a seat until the game is over, and knows no more than its player may."""

import sys

from monsters.cabbages.v1 import cabbages_pb2 as cabbages

import lair


def choose(turn: lair.Turn[cabbages.View]) -> str:
    """Feed the Monster from what was harvested, when that is legal."""
    legal = [move.text for move in turn.moves]
    mine = turn.view.cabbages[turn.seat]
    print(f"revision {turn.revision}: {mine} cabbages, {' or '.join(legal)}")
    return "feed" if "feed" in legal else legal[0]


def main(target: str) -> None:
    """Open a table with a bot of the server, and play it."""
    with lair.connect(target) as client:
        table = client.open(cabbages, seats=["", lair.Bot()], options={"max_turns": 12}, turn_limit=60)
        seat = client.join(table.join_code, name="Beep")
        print("winners:", seat.run(choose).winners)


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["localhost:50051"])
