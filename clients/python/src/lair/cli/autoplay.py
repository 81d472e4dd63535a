"""lair autoplay: random legal moves for every seat, through real sessions, each verified at its end."""

from dataclasses import dataclass
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from lair import Client, Outcome, Update, Verification
from lair.cli.describing import find_game
from lair.cli.failures import REFUSED
from lair.cli.opening import connected
from lair.cli.options import MOST_SEATS, ChoiceOption, GameArgument, JsonOption, ServerOption
from lair.cli.output import Output
from lair.cli.records import Record
from lair.cli.servers import default_server
from lair.cli.sitting import Sitting, counted

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay")


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played to its end."""

    session: str
    names: tuple[str, ...]
    outcome: Outcome
    verification: Verification

    def sentence(self, sitting: Sitting) -> str:
        """Who won, and whether everything agrees."""
        winners = f"winners {', '.join(sitting.who(seat) for seat in self.outcome.winners)}"
        result = winners if self.outcome.winners else f"no winners ({self.outcome.reason})"
        verified = "verified" if self.verification.ok else f"NOT VERIFIED: {self.verification}"
        return f"{self.session}: {counted(self.verification.moves, 'move')}, {result}, {verified}"

    def record(self) -> Record:
        """The same for programs."""
        return {
            "session": self.session,
            "moves": self.verification.moves,
            "draws": self.verification.draws,
            "winners": [self.names[seat] for seat in self.outcome.winners],
            "reason": self.outcome.reason,
            "verified": self.verification.ok,
            "problem": self.verification.problem.sentence if self.verification.problem else None,
        }


def autoplay(
    game: GameArgument,
    *,
    seats: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=MOST_SEATS, help="How many play. Default: the fewest.")
    ] = None,
    option: ChoiceOption = None,
    games: Annotated[int, typer.Option(metavar="G", min=1, help="How many games, one after the other.")] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Choose among the moves alike each time. The server rolls as ever.")
    ] = None,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Play whole games with random legal moves on every seat, and verify each of them."""
    output = Output(json_lines=json_lines)
    failed = 0
    with connected(server or default_server()) as client, _progress(output) as progress:
        names = seat_names(seats or find_game(client, game).min_seats)
        task = progress.add_task(game, total=games, moves=0)
        for number in range(games):
            chosen = None if seed is None else seed + number
            played = play_one(client, game, names, option or [], chosen, progress, task)
            progress.advance(task)
            output.show(played.record(), played.sentence(output.sitting(names)))
            failed += not played.verification.ok
    if failed:
        output.errors.print(f"{failed} of {games} games did not verify.")
        raise typer.Exit(REFUSED)


def play_one(
    client: Client,
    game: str,
    names: tuple[str, ...],
    options: list[str],
    seed: int | None,
    progress: Progress,
    task: TaskID,
) -> Played:
    """Play one game to its end, and verify it."""

    def count(update: Update) -> None:
        progress.update(task, moves=update.revision)

    session = client.create(game, seats=names, options=options)
    outcome = session.play_out("random", seed=seed, on_move=count)
    return Played(session.name, names, outcome, session.verify())


def seat_names(seats: int) -> tuple[str, ...]:
    """A name for each seat."""
    return tuple(NAMES[seat] if seat < len(NAMES) else f"Player {seat + 1}" for seat in range(seats))


def _progress(output: Output) -> Progress:
    """A bar where somebody looks at a terminal: below the answers, or on standard error. It is gone at the end."""
    console = output.console if output.console.is_terminal else output.errors
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, move {task.fields[moves]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=output.json_lines or not console.is_terminal,
    )
