"""Deliberate leaks in the servers, each to be switched on by itself around a whole evening of canaries.

Leaks that the rules alone can show, too, are in game_mutants.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from monsters.session.v1.session_pb2 import Update as UpdateMessage
from msgspec.structs import replace

from services.runtime import calls
from services.runtime.failure import Failure
from services.session.domain.callers import Caller
from services.session.usecases.access import Access
from services.session.usecases.reading import Reading
from services.session.usecases.submitting import Submission, Submitting
from services.session.wire import messages as wire
from services.session.wire import servicer
from services.session.wire.servicer import SessionServicer
from services.session.wire.updates import Updates

Mutant = Callable[[], AbstractContextManager[None]]


@contextmanager
def snapshots_are_made_with_another_seats_view() -> Iterator[None]:
    """Who asks for a view gets the next seat's."""
    view = Reading.view

    async def leaky(self: Reading, session: Any, record: Any, viewer: int | None) -> Any:
        return await view(self, session, record, 0 if viewer is None else (viewer + 1) % len(session.seats))

    with patch.object(Reading, "view", leaky):
        yield


@contextmanager
def earlier_revisions_are_seen_with_later_eyes() -> Iterator[None]:
    """A view of the past is made from the present."""

    async def leaky(_: Access, session: Any, revision: int) -> Any:
        return replace(session.head, revision=revision)

    with patch.object(Access, "record", leaky):
        yield


@contextmanager
def the_history_is_not_filtered() -> Iterator[None]:
    """ListEvents shows every event, and streams do not."""
    with _telling_every_event(lambda _updates, view: view is None):
        yield


@contextmanager
def a_finished_game_is_told_without_a_filter() -> Iterator[None]:
    """Once it is over, every update shows every event."""
    with _telling_every_event(lambda updates, _view: updates.session.state.ended):
        yield


@contextmanager
def _telling_every_event(when: Callable[[Updates, Any], bool]) -> Iterator[None]:
    write = Updates.write

    def leaky(self: Updates, caller: Any, view: Any = None) -> bytes:
        update = UpdateMessage.FromString(write(self, caller, view))
        if when(self, view):
            del update.events[:]
            update.events.extend(wire.write_step(self.session, self.record).events)
        return update.SerializeToString()

    with patch.object(Updates, "write", leaky):
        yield


@contextmanager
def news_carries_the_movers_view_to_everybody() -> Iterator[None]:
    """A stream takes whatever view comes with the news."""

    def leaky(self: Updates, caller: Any) -> bytes | None:
        return self.write(caller, next(iter(self.views.values()))) if self.views else None

    with patch.object(Updates, "of", leaky):
        yield


@contextmanager
def the_host_knows_everything() -> Iterator[None]:
    """The host's token opens every audience."""
    may_know = Caller.may_know
    with patch.object(Caller, "may_know", lambda self, audience: self.host or may_know(self, audience)):
        yield


@contextmanager
def a_retry_is_answered_whoever_asks() -> Iterator[None]:
    """Whoever knows a request id gets the first caller's answer."""
    submit = Submitting.submit

    def body_of(self: Submission, _: Caller) -> bytes:
        return self.action.move or self.action.text.encode()

    async def leaky(*arguments: Any) -> Any:
        done = await submit(*arguments)
        return replace(done, caller=Caller(done.revision.record.seat))

    with patch.object(Submission, "body_of", body_of), patch.object(Submitting, "submit", leaky):
        yield


@contextmanager
def everything_is_revealed_before_the_end() -> Iterator[None]:
    """RevealSession does not ask whether the game is over."""
    with patch.object(Reading, "reveal", Reading.history):
        yield


@contextmanager
def the_log_has_positions() -> Iterator[None]:
    """A fact of the call's event is the position."""
    load = SessionServicer._load

    async def leaky(self: SessionServicer, name: str, call: Any) -> Any:
        session = await load(self, name, call)
        call.facts["position"] = session.head and session.head.step.position
        return session

    with patch.object(SessionServicer, "_load", leaky):
        yield


@contextmanager
def the_log_has_tokens() -> Iterator[None]:
    """A fact of the call's event is the token."""
    tell = calls._tell

    def leaky(path: str, call: Any, *others: Any) -> None:
        call.facts["token"] = call.token
        tell(path, call, *others)

    with patch.object(calls, "_tell", leaky):
        yield


@contextmanager
def the_log_has_seeds() -> Iterator[None]:
    """A move's seed is logged with it."""
    request = Submitting._request

    def leaky(self: Submitting, *arguments: Any) -> Any:
        made = request(self, *arguments)
        calls.log.debug("rolling", seed=made.chance.seed.hex())
        return made

    with patch.object(Submitting, "_request", leaky):
        yield


@contextmanager
def errors_have_positions_in_their_details() -> Iterator[None]:
    """An illegal move is answered with the position that forbids it."""
    apply = Submitting._apply

    async def leaky(self: Submitting, session: Any, request: Any) -> Any:
        try:
            return await apply(self, session, request)
        except Failure as failure:
            failure.metadata = {**(failure.metadata or {}), "position": repr(request.position)}
            raise

    with patch.object(Submitting, "_apply", leaky):
        yield


@contextmanager
def the_session_shows_its_seed() -> Iterator[None]:
    """The commitment is the seed itself."""
    with patch.object(wire, "commitment_of", lambda seed: seed):
        yield


@contextmanager
def the_session_shows_entropies() -> Iterator[None]:
    """A seat's share in the seeds stands beside its name."""
    write_session = wire.write_session

    def leaky(session: Any, *more: Any) -> Any:
        message = write_session(session, *more)
        for seat, entropy in zip(message.seats, session.entropies, strict=True):
            seat.display_name += entropy.hex()
        return message

    with patch.object(servicer, "write_session", leaky):
        yield


@contextmanager
def the_lobby_shows_tokens() -> Iterator[None]:
    """The hashes of the seats' tokens are public facts."""
    write_session = wire.write_session

    def leaky(session: Any, *more: Any) -> Any:
        message = write_session(session, *more)
        for seat, stored in zip(message.seats, session.seats, strict=True):
            seat.display_name += (stored.token_hash or b"").hex()
        return message

    with patch.object(servicer, "write_session", leaky):
        yield


MUTANTS: tuple[Mutant, ...] = (
    snapshots_are_made_with_another_seats_view,
    earlier_revisions_are_seen_with_later_eyes,
    the_history_is_not_filtered,
    a_finished_game_is_told_without_a_filter,
    news_carries_the_movers_view_to_everybody,
    the_host_knows_everything,
    a_retry_is_answered_whoever_asks,
    everything_is_revealed_before_the_end,
    the_log_has_positions,
    the_log_has_tokens,
    the_log_has_seeds,
    errors_have_positions_in_their_details,
    the_session_shows_its_seed,
    the_session_shows_entropies,
    the_lobby_shows_tokens,
)
