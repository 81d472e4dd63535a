"""What can go wrong, and what to do about it: illegal, stale and malformed are three different things."""

import sys
from uuid import uuid4

import lair


def main(target: str) -> None:
    """Make each mistake once."""
    with lair.connect(target) as client:
        game = client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0})
        ann, ben = game.seats

        try:
            ben.play("harvest")
        except lair.NotYourTurn as refusal:
            print(f"illegal: {refusal} [{refusal.reason}]")
        try:
            ann.play("feed")
        except lair.IllegalMove as refusal:
            print(f"illegal: {refusal} [{refusal.reason}]")

        seen = ann.snapshot()
        ann.play("harvest", etag=seen.etag)
        try:
            ben.play("harvest", etag=seen.etag)
        except lair.StaleSession as stale:
            print(f"stale: {stale}; look again, then decide again")
            ben.play("harvest", etag=stale.current_etag)

        try:
            client.create("cabbages", seats=["Ann", "Ben"], options={"cup_strat": 3})
        except lair.InvalidRequest as wrong:
            print("malformed:", *(f"{violation.field}: {violation.description}" for violation in wrong.violations))

        # Whoever crashes between sending and hearing sends the same again: it is played once.
        request_id = str(uuid4())
        first = ann.play("harvest", request_id=request_id)
        assert ann.play("harvest", request_id=request_id) == first

    with lair.connect("127.0.0.1:1", timeout=1.0) as nobody:
        try:
            nobody.games()
        except lair.Unavailable as away:
            print(f"away: {away}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
