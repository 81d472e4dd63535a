"""A spectator and a player at the same time: the watch goes on over broken connections, and ends with the session."""

import sys
import threading

import lair


def main(target: str) -> None:
    """Watch a game that a thread plays, and play another over one stream."""
    with lair.connect(target) as client:
        game = client.create("cabbages", seats=["Ann", "Ben"], options={"max_turns": 30})
        player = threading.Thread(target=game.play_out)
        last = -1
        for now in game.watch():
            if isinstance(now, lair.FactsChanged):  # somebody has left, or the host has ended it
                continue
            assert now.revision == last + 1
            last = now.revision
            if isinstance(now, lair.Snapshot):
                player.start()
            else:
                print(now.revision, *(lair.named(event.text, ("Ann", "Ben")) for event in now.events))
        player.join()
        missed = game.watch(after=last - 1)
        print("missed afterwards:", [now.revision for now in missed if isinstance(now, lair.Update)])

        # One stream for both directions: for those who play fast.
        solo = client.create("cabbages", seats=["Ann", "Ben"], options={"max_turns": 30})
        ann, ben = solo.seats
        with ann.stream() as line:
            for now in line:
                if isinstance(now, lair.FactsChanged):
                    continue
                if now.moves:
                    line.play(now.moves[0])
                elif now.standing is not None and not now.standing.over:
                    ben.play("harvest")
        print("over:", solo.facts().standing)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
