"""Two players who meet in a lobby: each joins by the code, brings a share of the chance, and sees their own view."""

import sys

from monsters.cabbages.v1 import cabbages_pb2 as cabbages

import lair

SAFE = 1
"""So many dice in the cup can't show three of a kind, also after one more has come in."""


def careful(snapshot: lair.Snapshot[cabbages.View]) -> lair.LegalMove:
    """Feed the monster before it has dice enough for three of a kind, else harvest."""
    assert snapshot.view is not None
    wanted = "feed" if snapshot.view.cup_dice > SAFE else "harvest"
    return next((move for move in snapshot.moves if move.text == wanted), snapshot.moves[0])


def main(target: str) -> None:
    """Open a lobby, let two players join, and let each play with a policy of its own."""
    with lair.connect(target) as host, lair.connect(target) as anns, lair.connect(target) as bens:
        table = host.open(cabbages, seats=2, options=["max_turns=60"])
        print("the host says: join with", table.join_code)
        ann = anns.join(table.join_code, name="Ann")
        ben = bens.join(table.join_code, name="Ben", entropy=b"Ben's lucky number is 17")
        while (standing := table.snapshot().standing) is not None and not standing.over:
            seat = ann if ann.index in standing.may_act else ben
            update = seat.play(careful(seat.snapshot()))
            print(*(lair.named(event.text, (ann.name, ben.name)) for event in update.events))
        print("the cabbages are", list(table.view().cabbages))
        assert table.verify().ok


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
