"""The rules without any session: positions in, positions out. A script of results is real dice on a table."""

import sys

from monsters.cabbages.v1 import cabbages_pb2 as cabbages

import lair

ROLLED = [6, 5]


def main(target: str) -> None:
    """Start a game from a known seed, and play with dice that were rolled on a table."""
    with lair.connect(target) as client:
        rules = client.rules(cabbages)
        description = rules.describe()
        print(f"{description.title}, for {description.min_seats} to {description.max_seats}")
        start = rules.start(seats=3, options={"cup_start": 2, "first_seat": 0}, seed=bytes(32))
        print([move.text for move in rules.moves(start.position, seat=0)], "are the moves of seat 0")
        after = rules.apply(start.position, seat=0, move="harvest", script=ROLLED, view_for=[0], spectator=True)
        assert after.views[0].cabbages[0] == sum(ROLLED)
        print(after.events, after.standing)
        refusal = rules.why_not(after.position, seat=0, move="feed")
        assert refusal is not None
        wording = {rule.id: rule.text for rule in description.rules}
        print(f"{refusal.message} {refusal.rule}: {wording[refusal.rule]}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
