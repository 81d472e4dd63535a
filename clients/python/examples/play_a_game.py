"""A whole game: created, played by text and at random, verified die by die."""

import sys

import lair


def main(target: str) -> None:
    """Play a game of cabbages for two on the server at `target`."""
    with lair.connect(target) as client:
        game = client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0})
        ann, ben = game.seats
        update = ann.play("harvest")
        print(f"Ann rolls {update.draws[0].results} and has {ann.view().cabbages[0]} cabbages")
        print("Ben can", " or ".join(move.text for move in ben.moves()))
        outcome = game.play_out(policy="random")
        winners = [game.seats[seat].name for seat in outcome.winners]
        print(f"it ends with {outcome.reason}; {' and '.join(winners) or 'nobody'} wins")
        verification = game.verify()
        print(verification)
        assert verification.ok


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
