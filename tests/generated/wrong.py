"""What the types forbid: mypy has to find an error on each line that expects one, or that line is one."""

from lair_http import cabbages, games, session


def wrong(update: session.Update, event: cabbages.Event, view: games.View) -> None:
    """Use what isn't there."""
    update.revison  # type: ignore[attr-defined]
    _: int = update.revision  # type: ignore[assignment]
    seat: int = update.seat  # type: ignore[assignment]
    event.root.harvested.dice  # type: ignore[union-attr]
    view.root.cabbages  # type: ignore[union-attr]
    session.SubmitMoveRequestText(requestId=str(seat))  # type: ignore[call-arg]
    session.SeatRequest(kind="BOT")  # type: ignore[arg-type]
