"""lair sessions: what is going on where seats are held here, the most urgent first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from lair import LairError, SeatFacts, SeatKind, SeatStanding, SessionFacts, State
from lair.cli.clocks import in_words
from lair.cli.failures import REFUSED, Failure
from lair.cli.hints import short, sit_line
from lair.cli.notebook import Notebook, SessionNote
from lair.cli.opening import connected
from lair.cli.options import JsonOption, ServerOption
from lair.cli.output import Output
from lair.cli.records import Record, facts_record
from lair.cli.reporting import report
from lair.cli.sitting import counted, in_a_row, plain


@dataclass(frozen=True, slots=True)
class Entry:
    """A session of the notebook, and how things stand at its seats that are held here."""

    note: SessionNote
    standings: Sequence[SeatStanding]
    """The most urgent one first."""

    @property
    def urgency(self) -> object:
        """That of its most urgent seat."""
        return self.standings[0].urgency

    @property
    def facts(self) -> SessionFacts | None:
        """What everybody may know. None when nothing is said of any of its seats."""
        return self.standings[0].facts

    @property
    def goes_on(self) -> bool:
        """Whether anything can happen in it."""
        return self.facts is not None and self.facts.state in (State.LOBBY, State.PLAYING)


def sessions(
    *,
    every: Annotated[bool, typer.Option("--all", help="Also those that have ended, or are gone.")] = False,
    server: ServerOption = None,
    json_lines: JsonOption = False,
) -> None:
    """List my games on every server of the notebook: whose turn it is, who else plays, the most urgent first."""
    output = Output(json_lines=json_lines)
    notes = [note for note in Notebook().notes() if server in (None, note.server) and _tokens(note)]
    found, silent = list[Entry](), 0
    by_server = attrgetter("server")
    for address, its in groupby(sorted(notes, key=by_server), key=by_server):
        try:
            found += _ask(address, list(its))
        except (Failure, LairError) as problem:  # what the other servers say is worth knowing all the same
            silent += 1
            report(problem, output)
    found.sort(key=attrgetter("urgency"))
    shown = [entry for entry in found if every or entry.goes_on]
    for entry in shown if output.json_lines else ():
        output.show(_record(entry))
    if shown:
        output.say(_overview(shown, servers=len({note.server for note in notes}) > 1))
        output.say(*_next(shown))
    elif not silent:
        # On standard error: a list without items is an empty standard output.
        output.errors.print("None of your sessions goes on. Start one:  lair new GAME NAME...", soft_wrap=True)
    if ended := len(found) - len(shown):
        output.say(f"{counted(ended, 'session')} that ended or went:  lair sessions --all")
    if silent:
        raise typer.Exit(REFUSED)


def _ask(server: str, notes: Sequence[SessionNote]) -> Iterator[Entry]:
    """How things stand in sessions of one server. Raises Failure and LairError when it doesn't say."""
    keys = [(note.name, token) for note in notes for token in _tokens(note)]
    with connected(server) as client:
        standings = client.standings(keys)
    for note in notes:
        yield Entry(note, [standing for standing in standings if standing.session_name == note.name])


def _tokens(note: SessionNote) -> list[str]:
    """Those of the seats that are held here, else the host's: none where every seat was left."""
    return [seat.token for seat in note.seats] or ([note.host_token] if note.host_token else [])


def _overview(entries: Sequence[Entry], *, servers: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    clocks = any(_left(entry) for entry in entries)
    table.add_column("session", no_wrap=True)
    table.add_column("game", no_wrap=True)
    table.add_column("now", no_wrap=True)
    for column in (*(["time left"] if clocks else []), "with", *(["server"] if servers else [])):
        table.add_column(column)
    for entry in entries:
        cells = (
            short(entry.note.name),
            plain(entry.note.game),
            _now(entry),
            *([_left(entry)] if clocks else []),
            in_a_row([_who(seat) for seat in _others(entry)]),
            *([entry.note.server] if servers else []),
        )
        table.add_row(*map(Text, cells))
    return table


def _left(entry: Entry) -> str:
    left = entry.standings[0].time_left
    return in_words(left) if left is not None and entry.goes_on else ""


def _now(entry: Entry) -> str:
    """Whose turn it is, or how it ended, in a few words."""
    facts, note = entry.facts, entry.note
    if facts is None:
        problem = entry.standings[0].error
        return "you have left" if problem is not None and problem.reason == "BAD_TOKEN" else "is gone"
    match facts.state:
        case State.LOBBY:
            free = sum(not seat.taken for seat in facts.seats)
            return f"{counted(free, 'seat')} free" + (f": {note.join_code}" if note.join_code else "")
        case State.PLAYING:
            return _turn(entry, facts)
        case State.OVER:
            return _end(entry, facts)
    return "ended without a result"


def _turn(entry: Entry, facts: SessionFacts) -> str:
    able = [standing for standing in entry.standings if standing.may_act]
    awaited = [standing for standing in able if standing.awaited]
    if awaited or able:
        what = "your turn" if awaited else "you may act"
        alone = len(entry.note.seats) == 1
        return what if alone else f"{what}: {in_a_row([_name(facts, it.seat) for it in awaited or able])}"
    standing = facts.standing
    return f"turn of {in_a_row([_name(facts, seat) for seat in standing.awaited])}" if standing else ""


def _end(entry: Entry, facts: SessionFacts) -> str:
    outcome = facts.standing.outcome if facts.standing else None
    winners = outcome.winners if outcome else ()
    held = {standing.seat for standing in entry.standings}
    if not winners:
        return "everybody lost"
    if len(held) == 1 and held <= set(winners):
        return "you won" if len(winners) == 1 else "you won with others"
    return f"won by {in_a_row([_name(facts, seat) for seat in winners])}"


def _others(entry: Entry) -> list[SeatFacts]:
    held = {standing.seat for standing in entry.standings}
    return [seat for seat in entry.facts.seats if seat.index not in held and seat.taken] if entry.facts else []


def _name(facts: SessionFacts, seat: int | None) -> str:
    return "the host" if seat is None else plain(facts.seats[seat].name) or f"seat {seat}"


def _who(seat: SeatFacts) -> str:
    return plain(seat.name) or ("a bot" if seat.kind is SeatKind.BOT else f"seat {seat.index}")


def _next(entries: Sequence[Entry]) -> list[str]:
    first = entries[0]
    return [f"Next:  {sit_line(first.note)}"] if first.standings[0].may_act else []


def _record(entry: Entry) -> Record:
    """A session for programs, without secrets."""
    first, facts = entry.standings[0], entry.facts
    return {
        **({"session": entry.note.name, "game": entry.note.game} if facts is None else facts_record(facts)),
        "server": entry.note.server,
        "held": [
            {
                "seat": standing.seat,
                "awaited": standing.awaited,
                "mayAct": standing.may_act,
                "error": standing.error.reason if standing.error else None,
            }
            for standing in entry.standings
        ],
        "secondsLeft": None if first.time_left is None else first.time_left.total_seconds(),
    }
