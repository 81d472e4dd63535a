"""From arguments to a call, and from its answer to a result: pure, without a channel, once for both shells.

Every call can safely be made again: reading changes nothing, and what changes something carries a request_id, with
which the server gives its first answer again, or has nothing left to change. So the channel may retry all of them.
"""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar
from uuid import uuid4

from google.protobuf.message import Message
from monsters.session.v1 import session_pb2 as wire

from lair import _reading as reading
from lair._options import Options, read_options
from lair._translation import invalid, wrong_state
from lair.descriptions import GameFacts
from lair.games import AnyGame, module_of, pack, token_of, unpack
from lair.standings import SeatStanding
from lair.types import Bot, LegalMove, Reveal, SessionFacts, Snapshot, Step, Update

Result = TypeVar("Result")
Playable = str | Message | LegalMove[Any]
"""A move as callers give it: its text, the game's Move, or one of the legal moves."""

SERVICE = wire.DESCRIPTOR.services_by_name["SessionService"].full_name
PAGE = 100
ENTROPY_BYTES = 32
MOST_SEATS = 1000
"""More than any server takes: it says how many."""
SPECTATOR = ""
NAMED = re.compile(r"sessions/[A-Za-z0-9_-]{1,64}")
"""A name that a session may have. Others are left to the server's own words."""


@dataclass(frozen=True, slots=True)
class Call(Generic[Result]):
    """One call: where it goes, what it sends, who makes it, and how its answer is read."""

    path: str
    request: Message
    answer: type[Message]
    """The type of the response, or of each message of a stream."""
    read: Callable[[Any], Result]
    token: str = field(default=SPECTATOR, repr=False)
    session: str = ""
    """The name of the session that it is about, if it is about one."""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """How the caller is known (RFC 6750), and by what an edge chooses one of several servers."""
        known = (("authorization", f"Bearer {self.token}"),) if self.token else ()
        return (*known, ("lair-session", self.session)) if NAMED.fullmatch(self.session) else known


@dataclass(frozen=True, slots=True)
class Created:
    """A new session, and the keys to it."""

    facts: SessionFacts
    host_token: str = field(repr=False)
    join_code: str = field(repr=False)
    seat_tokens: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat that was taken, and its key."""

    facts: SessionFacts
    index: int
    token: str = field(repr=False)
    entropy: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Page(Generic[Result]):
    """A page of a list."""

    items: tuple[Result, ...]
    next_token: str


def session_name(name: str) -> str:
    """The resource name of a session, also from its id alone."""
    name = text("name", name)
    return name if "/" in name else f"sessions/{name}"


def text(name: str, value: object) -> str:
    """An argument that has to be a text. Raises InvalidRequest."""
    if not isinstance(value, str):
        raise invalid(name, f"must be a text, is {value!r}")
    return value


def several(name: str, value: object) -> Sequence[Any]:
    """An argument that has to be a list. Raises InvalidRequest."""
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        raise invalid(name, f"must be a list, is {value!r}")
    return value


def new_request_id() -> str:
    """An id for a call that must not have its effect twice (AIP-155)."""
    return str(uuid4())


def build(message_type: Callable[..., Message], **fields: Any) -> Any:
    """A message, or InvalidRequest that names the field whose value protobuf does not take."""
    try:
        return message_type(**fields)
    except (TypeError, ValueError, OverflowError) as error:
        for name, value in fields.items():
            try:
                message_type(**{name: value})
            except (TypeError, ValueError, OverflowError) as culprit:
                raise invalid(name, str(culprit)) from error
        raise


def _session_call(method: str, read: Callable[[Any], Result], token: str = SPECTATOR, **fields: Any) -> Call[Result]:
    if not (text("token", token).isascii() and token.isprintable()):
        raise invalid("token", "must be as the server gave it")
    request = build(getattr(wire, f"{method}Request"), **fields)
    session = getattr(request, "name", "")
    return Call(f"/{SERVICE}/{method}", request, getattr(wire, f"{method}Response"), read, token, session)


def create(
    game: AnyGame,
    seats: Sequence[str | Bot],
    options: Options | None,
    entropies: Sequence[bytes] | None = None,
    *,
    all_tokens: bool,
    request_id: str | None = None,
    limits: wire.TimeLimits | None = None,
    listed: bool = False,
) -> Call[Created]:
    """A session. Raises InvalidRequest and NotFound for arguments that can't be sent."""
    several("seats", seats)
    if entropies is not None and len(several("entropies", entropies)) != len(seats):
        raise invalid("entropies", f"must be one for each of {len(seats)} seats, are {len(entropies)}")
    chosen = read_options(module_of(game), options)
    return _session_call(
        "CreateSession",
        _created,
        game=token_of(game),
        seats=[
            _seat_request(seat, entropy) for seat, entropy in zip(seats, entropies or [b""] * len(seats), strict=True)
        ],
        options=None if chosen is None else pack(chosen),
        all_tokens=all_tokens,
        request_id=request_id or new_request_id(),
        limits=limits,
        listed=listed,
    )


def unnamed(seats: int | Sequence[str | Bot]) -> Sequence[str | Bot]:
    """Seats without names, when only their number is given. Raises InvalidRequest for one that no server takes."""
    if not isinstance(seats, int):
        return seats
    if not 0 <= seats <= MOST_SEATS:
        raise invalid("seats", f"must be at most {MOST_SEATS}, is {seats}")
    return [""] * seats


def _seat_request(seat: str | Bot, entropy: bytes) -> wire.SeatRequest:
    if isinstance(seat, Bot):
        return build(wire.SeatRequest, name=seat.name, kind=wire.SEAT_KIND_BOT, entropy=entropy)  # type: ignore[no-any-return]  # it is one
    return build(wire.SeatRequest, name=seat, entropy=entropy)  # type: ignore[no-any-return]  # it is one


def _created(answer: wire.CreateSessionResponse) -> Created:
    return Created(reading.facts(answer.session), answer.host_token, answer.join_code, tuple(answer.seat_tokens))


def join(code_or_session: str, name: str, seat: int | None, entropy: bytes | None) -> Call[Joined]:
    """A seat by the join code, or by the name of a listed session, in which there is always a slash.

    Without an entropy, 32 bytes from the operating system.
    """
    how = "name" if "/" in text("code_or_session", code_or_session) else "join_code"
    return _seat_call("JoinSession", entropy, display_name=name, seat=seat, **{how: code_or_session})


def get(name: str) -> Call[SessionFacts]:
    """A session's public facts."""
    return _session_call("GetSession", lambda answer: reading.facts(answer.session), name=session_name(name))


def games() -> Call[list[GameFacts]]:
    """The games that can be played."""
    return _session_call("ListGames", lambda answer: [reading.game(game) for game in answer.games])


def lobbies(game: AnyGame | None, page_token: str) -> Call[Page[SessionFacts]]:
    """A page of the listed sessions that wait for players, of one game or of all."""
    token = game if isinstance(game, str) or game is None else token_of(game)
    return _session_call("ListSessions", _lobbies, page_size=PAGE, page_token=page_token, game=token)


def _lobbies(answer: wire.ListSessionsResponse) -> Page[SessionFacts]:
    return Page(tuple(reading.facts(session) for session in answer.sessions), answer.next_page_token)


def standings(keys: Sequence[tuple[str, str]]) -> Call[tuple[SeatStanding, ...]]:
    """How things stand at seats, by their sessions and tokens. Raises InvalidRequest for what is no name or token."""
    named = [(session_name(name), text("token", token)) for name, token in keys]
    seats = [build(wire.SeatKey, name=name, token=token) for name, token in named]
    return _session_call("BatchGetStandings", partial(reading.standings, named), seats=seats)


def submit(
    name: str,
    token: str,
    seat: int | None,
    move: Playable,
    *,
    etag: str | None = None,
    request_id: str | None = None,
) -> Call[Update[Any]]:
    """A move. Raises InvalidRequest when it is no move at all."""
    fields = {"name": name, "etag": etag, "seat": seat, "request_id": request_id or new_request_id(), **action(move)}
    return _session_call("SubmitMove", lambda answer: reading.update(answer.update), token, **fields)


def action(move: Playable) -> dict[str, Any]:
    """The fields that carry a move. Raises InvalidRequest when it is no move at all."""
    if isinstance(move, str):
        return {"text": move}
    message = move.move if isinstance(move, LegalMove) else move
    if not isinstance(message, Message):
        raise invalid("move", f"must be a text, a Move or a legal move, is {move!r}")
    return {"move": pack(message)}


def look(name: str, token: str, seat: int | None, revision: int | None = None) -> Call[Snapshot[Any]]:
    """The caller's view with its legal moves, now or at an earlier revision."""
    fields = {"name": name, "revision": revision, "seat": seat}
    return _session_call("GetView", lambda answer: reading.snapshot(answer.snapshot), token, **fields)


def view(name: str, token: str, seat: int | None, revision: int | None) -> Call[Any]:
    """The caller's view alone. Reading it raises WrongState before the start, when there is none."""

    def read(answer: wire.GetViewResponse) -> Message:
        if not answer.snapshot.HasField("view"):
            raise wrong_state(f"{name} still waits for players", "SESSION_NOT_STARTED", name=name)
        return unpack(answer.snapshot.view)

    return _session_call("GetView", read, token, name=name, revision=revision, seat=seat)


def watch(
    name: str, token: str, seat: int | None, after: int | None, *, until_rematch: bool = False
) -> Call[wire.WatchSessionResponse]:
    """A stream of what happens."""
    fields = {"name": name, "after_revision": after, "seat": seat, "await_rematch": until_rematch}
    return _session_call("WatchSession", lambda message: message, token, **fields)


def play_seat(name: str, token: str, after: int | None, *, until_rematch: bool = False) -> Call[wire.PlaySeatResponse]:
    """A stream in both directions; the request is the first message that it sends."""
    opening = wire.PlaySeatOpen(name=name, after_revision=after, await_rematch=until_rematch)
    return replace(_session_call("PlaySeat", lambda message: message, token, open=opening), session=opening.name)


def history(name: str, token: str, page_token: str) -> Call[Page[Update[Any]]]:
    """A page of what has happened."""
    return _session_call("ListEvents", _history, token, name=name, page_size=PAGE, page_token=page_token)


def _history(answer: wire.ListEventsResponse) -> Page[Update[Any]]:
    return Page(tuple(reading.update(update) for update in answer.updates), answer.next_page_token)


def reveal(name: str, page_token: str) -> Call[tuple[Reveal, str]]:
    """A page of a finished game, and the token of the next."""
    return _session_call("RevealSession", _reveal, name=name, page_size=PAGE, page_token=page_token)


def _reveal(answer: wire.RevealSessionResponse) -> tuple[Reveal, str]:
    steps: tuple[Step, ...] = tuple(reading.step(step) for step in answer.steps)
    page = Reveal(reading.facts(answer.session), answer.server_seed, tuple(answer.entropies), steps)
    return page, answer.next_page_token


def leave(name: str, token: str) -> Call[SessionFacts]:
    """A seat given up."""
    fields = {"name": name, "request_id": new_request_id()}
    return _session_call("LeaveSession", lambda answer: reading.facts(answer.session), token, **fields)


def abort(name: str, token: str) -> Call[SessionFacts]:
    """The end of a session, without a result."""
    return _session_call("AbortSession", lambda answer: reading.facts(answer.session), token, name=name)


def create_rematch(name: str, token: str) -> Call[Created]:
    """The rematch of a session, for its host. It needs no request_id: a session has one rematch."""
    return _session_call(
        "CreateRematch",
        lambda answer: Created(reading.facts(answer.session), answer.host_token, answer.join_code, ()),
        token,
        name=name,
    )


def join_rematch(name: str, token: str, entropy: bytes | None) -> Call[Joined]:
    """The same seat in the rematch. Without an entropy, 32 bytes from the operating system."""
    return _seat_call("JoinRematch", entropy, token, name=name)


def _seat_call(method: str, entropy: bytes | None, token: str = SPECTATOR, **fields: Any) -> Call[Joined]:
    """A call that takes a seat."""
    entropy = os.urandom(ENTROPY_BYTES) if entropy is None else entropy
    return _session_call(
        method,
        lambda answer: Joined(reading.facts(answer.session), answer.seat, answer.seat_token, entropy),
        token,
        entropy=entropy,
        request_id=new_request_id(),
        **fields,
    )
