"""What the types forbid: mypy has to find an error on each line that expects one, or that line is one."""

from lair_http import cabbages, games, session


def wrong(update: session.Update, event: cabbages.Event, view: games.View) -> None:
    """Use what isn't there."""
    print(update.revison)  # type: ignore[attr-defined]
    revision: int = update.revision  # type: ignore[assignment]
    seat: int = update.seat  # type: ignore[assignment]
    print(event.root.harvested.dice)  # type: ignore[union-attr]
    print(view.root.cabbages)  # type: ignore[union-attr]
    session.SubmitMoveRequestText(requestId=f"{seat} {revision}")  # type: ignore[call-arg]
    session.SeatRequest(kind="BOT")  # type: ignore[arg-type]
