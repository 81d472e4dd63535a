"""What changes at a table besides moves: who joins, who leaves, that there is a rematch."""

from lair import FactsChanged, SessionFacts
from lair.cli.hints import short, typed
from lair.cli.opening import Opened
from lair.cli.output import Output
from lair.cli.records import facts_record
from lair.cli.sitting import Sitting


def show_changes(game: Opened, facts: SessionFacts, output: Output) -> Opened:
    """Tell what has changed since the facts that the game has. Gives the game with these facts."""
    news = game.with_facts(facts)
    change = FactsChanged(game.facts, facts)
    lines = tell_changes(change, news.sitting, news.server)
    if lines or change.aborted:
        output.show(facts_record(facts), *lines)
    return news


def tell_changes(change: FactsChanged, sitting: Sitting, server: str) -> list[str]:
    """A sentence for each change, on this server. That a session was aborted is told at its end."""
    lines = []
    for seat in change.left:
        what = "a stand-in plays on" if change.facts.seats[seat.index].left else "the seat is free again"
        lines.append(f"{sitting.named(seat.name, seat.index)} has left: {what}.")
    lines += [f"{sitting.who(seat.index)} has joined." for seat in change.joined]
    if change.rematch:
        lines.append(f"The host plays again:  {typed(f'rematch {short(change.facts.name)}', server)}")
    return lines
