"""lair view, watch and history: how things stand, what happens, and what has happened."""

from typing import Annotated, Any

import typer

from lair import Snapshot, Standing, State, Update, WatchItem
from lair.cli.changes import show_changes
from lair.cli.clocks import time_left
from lair.cli.describing import describe_game
from lair.cli.opening import Opened, opened
from lair.cli.options import JsonOption, SeatOption, ServerOption, SessionArgument
from lair.cli.output import Output
from lair.cli.records import snapshot_record, update_record
from lair.cli.rendering import draw_view, tell_event, tell_outcome

ENDED_WITHOUT_RESULT = "This session was ended without a result."


def view(
    session: SessionArgument = None,
    *,
    seat: SeatOption = None,
    revision: Annotated[int | None, typer.Option(metavar="NUMBER", min=0, help="As it was then.")] = None,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Show a session as a seat may see it, or as a spectator may."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        snapshot = game.reader(seat).snapshot(revision)
        show_snapshot(game, snapshot, output)


def watch(
    session: SessionArgument = None,
    *,
    seat: SeatOption = None,
    until_rematch: Annotated[
        bool, typer.Option("--until-rematch", help="Go on after the end, until its host plays again.")
    ] = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Follow a session live, one line for each event, for who joins and for who leaves, until the game ends."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        now, watcher = game, game.watcher(seat)
        for news in watcher.watch(until_rematch=until_rematch):
            now = show_changes(now, watcher.known_facts, output)
            show_news(now, news, output)


def history(
    session: SessionArgument = None,
    *,
    seat: SeatOption = None,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """List what has happened so far, one line for each event."""
    output = Output(json_lines=json_lines)
    with opened(session, server, output) as game:
        for update in game.watcher(seat).history():
            show_update(game, update, output)
        if not output.json_lines:
            output.say(standing_line(game, game.facts.standing, game.facts.state))


def show_news(game: Opened, news: WatchItem[Any], output: Output) -> None:
    """Show what a watch has brought. Who has joined or left is told already."""
    if isinstance(news, Snapshot):
        show_snapshot(game, news, output)
    elif isinstance(news, Update):
        show_update(game, news, output)
        if news.standing.over and not output.json_lines:
            output.say(standing_line(game, news.standing))
        elif left := time_left(news):
            output.say(f"      {standing_line(game, news.standing, left=left)}")
    elif news.aborted:
        output.say(ENDED_WITHOUT_RESULT)


def show_snapshot(game: Opened, snapshot: Snapshot[Any], output: Output) -> None:
    """Show how things stand for one reader."""
    reader = "a spectator" if snapshot.seat is None else game.sitting.who(snapshot.seat)
    output.show(
        snapshot_record(game.facts.name, snapshot),
        f"{game.facts.name}: {game.facts.game} at revision {snapshot.revision}, as {reader} sees it",
    )
    if output.json_lines:
        return
    if snapshot.view is not None and snapshot.standing is not None:
        output.say(draw_view(snapshot.view, snapshot.standing, game.sitting))
    left = time_left(snapshot) if snapshot.revision >= game.facts.revision else ""  # no clock runs for what is past
    output.say(standing_line(game, snapshot.standing, snapshot.state, left))


def show_update(game: Opened, update: Update[Any], output: Output) -> None:
    """Show a revision, one line for each event."""
    lines = (f"{update.revision:>4}  {tell_event(event, game.sitting)}" for event in update.events)
    output.show(update_record(game.facts.name, update), *lines)


def standing_line(game: Opened, standing: Standing | None, state: State = State.PLAYING, left: str = "") -> str:
    """Whom a game waits for, with the time that is left, or how it ended, in a sentence."""
    if state is State.ABORTED:
        return ENDED_WITHOUT_RESULT
    if standing is None:
        free = sum(not seat.taken for seat in game.facts.seats)
        return f"The game has not started: {free} of {len(game.facts.seats)} seats are free."
    if standing.outcome is None:
        return f"{game.sitting.everyone(standing.awaited)} to move{left and f', {left}'}."
    ends = {end.reason: end.text for end in describe_game(game.client, game.facts.game).ends}
    return tell_outcome(standing.outcome, game.sitting, ends)
