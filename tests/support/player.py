"""One seat of many games, played in a process of its own: `python -m tests.support.player ADDRESS`.

Each line that comes in is a session and a seat's token; each line that goes out says how that game went. It asks for no
etag: a move that is still legal after what others have done meanwhile is to be played.
"""

import json
import random
import sys
import time

import lair

WAIT = 0.002
SAYINGS_IN_A_HUNDRED = 10


def play(seat: lair.Seat, whim: random.Random) -> dict[str, object]:
    """Play a game to its end: the revisions that were acknowledged, and the reasons of refusals."""
    revisions: list[int] = []
    refused: list[str] = []
    while not (now := seat.snapshot()).standing.over:
        if not now.moves:
            time.sleep(WAIT)
            continue
        deeds = [move for move in now.moves if not move.text.startswith("say")]
        talks = not deeds or whim.randrange(100) < SAYINGS_IN_A_HUNDRED
        try:
            revisions.append(seat.play(whim.choice(now.moves if talks else deeds)).revision)
        except lair.IllegalMove as refusal:
            refused.append(refusal.reason)
    return {"session": seat.session_name, "revisions": revisions, "refused": refused}


def main() -> None:
    """Play every game that is asked for, one after the other."""
    with lair.connect(sys.argv[1]) as client:
        for line in sys.stdin:
            name, token = line.split()
            print(json.dumps(play(client.seat(name, token), random.Random(token))), flush=True)  # noqa: T201  what the test reads


if __name__ == "__main__":
    main()
