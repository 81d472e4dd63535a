"""The session that a command speaks of: found in the notebook, opened on its server, with the seats held here."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

import grpc

from lair import Client, InvalidRequest, Seat, Session, SessionFacts, Standing, connect
from lair._endpoint import Finding, look
from lair._proxies import proxy_of
from lair._targets import read_target
from lair.cli.failures import MISUSED, Failure
from lair.cli.notebook import Notebook, SessionNote, full_name
from lair.cli.output import Output
from lair.cli.servers import Server, default_server, read_server
from lair.cli.sitting import Sitting

__all__ = ["Opened", "awaited_among", "connected", "names_of", "opened"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A session with everything that a command needs of it."""

    client: Client
    session: Session
    facts: SessionFacts
    note: SessionNote | None
    """What the notebook has of it."""
    sitting: Sitting
    server: str
    """Where it is."""

    @property
    def held(self) -> list[int]:
        """The seats that can be played from here."""
        return [seat.index for seat in self.note.seats] if self.note else []

    def with_facts(self, facts: SessionFacts) -> "Opened":
        """The same with what is known by now: in a lobby, names come with those who join."""
        return replace(self, facts=facts, sitting=replace(self.sitting, names=names_of(facts)))

    def take(self, index: int) -> Seat:
        """A seat that is held here. Raises BadToken when the server doesn't take the token any more."""
        tokens = {seat.index: seat.token for seat in self.note.seats} if self.note else {}
        return self.client.seat(self.facts.name, tokens[index])

    def player(self, wanted: str | None) -> Seat:
        """The seat held here that is wanted by name or number, else the one that the game waits for.

        Raises Failure when there is none, or more than one.
        """
        if wanted is not None:
            return self._wanted(wanted)
        if not self.held:
            raise Failure(f"No seat of {self.facts.name} is held here: join it, or play from where it was created.")
        return self._only(awaited_among(self.held, self.facts.standing), "Several seats may act")

    def leaver(self, wanted: str | None) -> Seat:
        """The seat held here that is wanted by name or number, else the only one: nobody leaves by mistake.

        Raises Failure when there is none, or more than one.
        """
        if wanted is not None:
            return self._wanted(wanted)
        if not self.held:
            raise Failure(f"No seat of {self.facts.name} is held here, so there is none to leave.")
        return self._only(self.held, "Several seats are held here")

    def reader(self, wanted: str | None) -> Session | Seat:
        """Whoever looks: the seat that is wanted, else the one that would act, else a spectator."""
        if wanted is not None:
            return self._wanted(wanted)
        candidates = awaited_among(self.held, self.facts.standing)
        return self.take(candidates[0]) if len(candidates) == 1 else self.session

    def watcher(self, wanted: str | None) -> Session | Seat:
        """Whoever looks on: the seat that is wanted, else the only one held here, else a spectator."""
        if wanted is not None:
            return self._wanted(wanted)
        return self.take(self.held[0]) if len(self.held) == 1 else self.session

    def _only(self, candidates: list[int], otherwise: str) -> Seat:
        if len(candidates) > 1:
            names = " or ".join(f"--seat {quote(self.sitting.who(index))}" for index in candidates)
            raise Failure(f"{otherwise}: say {names}.", MISUSED)
        return self.take(candidates[0])

    def _wanted(self, wanted: str) -> Seat:
        for index in self.held:
            if wanted == str(index) or wanted.casefold() == self.sitting.who(index).casefold():
                return self.take(index)
        held = self.sitting.everyone(self.held) or "none"
        raise Failure(f'No seat "{wanted}" of {self.facts.name} is held here. Held here: {held}.', MISUSED)


def awaited_among(seats: list[int], standing: Standing | None) -> list[int]:
    """Those of these seats that the game waits for; else those that may act; else all, but one once it is over."""
    if standing is None:
        return seats
    if standing.over:
        return seats[:1]
    awaited = [seat for seat in seats if seat in standing.awaited]
    return awaited or [seat for seat in seats if seat in standing.may_act] or seats


@contextmanager
def connected(server: str) -> Iterator[Client]:
    """A client of this server. Raises Failure when nobody listens there, at once: the client would try for a while."""
    where = read_server(server)
    try:
        client = connect(where.address, credentials=_credentials(where))
    except InvalidRequest as problem:
        raise Failure(f'Name the server as HOST:PORT, not as "{where.address}".', MISUSED) from problem
    with client:
        target = read_target(where.address)
        if target.host and not proxy_of(target) and look(target) is Finding.NOBODY:
            raise Failure(
                f"Nobody answers at {where.address}. "
                "Start a server with `make run`, or name another with --server HOST:PORT."
            )
        yield client


def _credentials(server: Server) -> grpc.ChannelCredentials | None:
    if not server.tls:
        return None
    try:
        trusted = Path(server.ca).read_bytes() if server.ca else None
    except OSError as problem:
        raise Failure(f"The certificates in {server.ca} can't be read: {problem.strerror}.", MISUSED) from problem
    return grpc.ssl_channel_credentials(trusted)


@contextmanager
def opened(name: str | None, server: str | None, output: Output) -> Iterator[Opened]:
    """The session of this name, or the latest of the notebook.

    Raises Failure when none is named and the notebook has none, and LairError when the server refuses.
    """
    notebook = Notebook()
    note = notebook.latest(server) if name is None else notebook.find(name, server)
    if note is None and name is None:
        where = f" on {server}" if server else ""
        raise Failure(f"The notebook has no session{where} yet: start one with `lair new`, or name one.", MISUSED)
    session_name = note.name if note else full_name(name or "")
    address = server or (note.server if note else default_server())
    with connected(address) as client:
        session = client.session(session_name, host_token=note.host_token if note else None)
        facts = session.known_facts
        yield Opened(client, session, facts, note, output.sitting(names_of(facts)), address)


def names_of(facts: SessionFacts) -> tuple[str, ...]:
    """The names by seat. Empty where nobody sits yet."""
    return tuple(seat.name for seat in facts.seats)
