"""Creating and joining: where tokens come from, and where the game starts."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import count

from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.rules.v1 import rules_pb2 as words
from msgspec import Struct
from msgspec.structs import replace

from services.session.domain import failures
from services.session.domain.clocks import deadline_after, due_at
from services.session.domain.names import all_told_apart, same_name, told_apart
from services.session.domain.secrets import (
    Keys,
    hash_of,
    hash_of_code,
    new_secret,
    new_session_id,
)
from services.session.domain.session import Limits, Record, Revision, Seat, Session, State, Step
from services.session.ports import Change, News, Ports, RememberedRequest
from services.session.usecases.access import Access
from services.session.usecases.requests import IdempotentRequest


class Plan(Struct, frozen=True):
    """A session as its creator wants it."""

    game: str
    seats: tuple[Seat, ...]
    options: bytes
    limits: Limits
    all_tokens: bool
    listed: bool = False


class Created(Struct, frozen=True):
    """A new session, and the keys to it."""

    session: Session
    host_token: str
    join_code: str
    seat_tokens: tuple[str, ...]


class Joined(Struct, frozen=True):
    """A seat that was taken, and its token."""

    session: Session
    seat: int
    token: str


class Lobby:
    """Opens sessions and fills their seats."""

    def __init__(self, ports: Ports, access: Access) -> None:
        self._ports = ports
        self._access = access

    async def create(self, plan: Plan, asked: IdempotentRequest) -> Created:
        """A session that waits for players, or one that is being played at once. Raises what `open` raises."""
        while True:
            if asked.request_id and (seen := await self._ports.store.find_request("", asked.request)):
                return await self._created_before(seen, asked)
            keys = asked.keys(nonce := new_secret())
            session = await self.open(plan, keys, asked.request if asked.request_id else None)
            if await self._ports.store.create(session, session.head, asked.remembered("", session.id, nonce=nonce)):
                return created(session, keys)

    async def join(self, code: str, name: str, wanted: int | None, entropy: bytes, asked: IdempotentRequest) -> Joined:
        """Take a seat by the join code. Raises Failure JOIN_CODE_NOT_FOUND, and what `take` raises."""

        async def find() -> Session:
            session = await self._ports.store.find_join(hash_of_code(code))
            if session is None:
                raise failures.join_code_not_found()
            return session

        return await self.take(find, name, wanted, entropy, asked)

    async def join_listed(
        self, session_id: str, name: str, wanted: int | None, entropy: bytes, asked: IdempotentRequest
    ) -> Joined:
        """Take a seat of a listed session. Raises Failure JOIN_CODE_REQUIRED, and what `take` raises."""

        async def find() -> Session:
            session = await self._access.load(session_id)
            if not session.listed:
                raise failures.join_code_required(session.name)
            return session

        return await self.take(find, name, wanted, entropy, asked)

    async def take(
        self,
        find: Callable[[], Awaitable[Session]],
        name: str,
        wanted: int | None,
        entropy: bytes,
        asked: IdempotentRequest,
    ) -> Joined:
        """Take a seat of the session that is found. The last one taken starts the game.

        Raises Failure REQUEST_ID_REUSED, SESSION_ABORTED, SEAT_TAKEN.
        """
        store = self._ports.store
        while True:
            session = await find()
            if asked.request_id and (seen := await store.find_request(session.id, asked.request)):
                asked.check_same(seen)
                token = asked.keys(seen.nonce).token(_label(seen.number))
                return Joined(await self._access.load(seen.session), seen.number, token)
            if session.state is State.ABORTED:
                raise failures.session_aborted(session.name)
            number = _free_seat(session, wanted, name)
            token = asked.keys(nonce := new_secret()).token(_label(number))
            taken = replace(
                session.seats[number],
                name=_name_of(session, number, name),
                token_hash=hash_of(token),
                entropy=entropy,
            )
            seats = (*session.seats[:number], taken, *session.seats[number + 1 :])
            now = session.after(self._ports.now())
            after = session.changed(now, seats=seats, touched=now)
            if after.full:
                after = await self._begin(replace(session, seats=seats))
            remember = asked.remembered(session.id, session.id, number, nonce)
            news = News(after, Revision(after, after.head) if after.head else None)
            tell = partial(self._ports.fanout.publish, session.id, news)
            if await store.save(Change(after, after.head, number, remember), tell):
                return Joined(after, number, token)

    async def open(self, plan: Plan, keys: Keys, created_by: bytes | None = None) -> Session:
        """A session as it is before anybody has heard of it. It begins at once when no seat waits for a player.

        Raises Failure GAME_NOT_FOUND, and that of the rules when they refuse its options or its number of seats: also
        for a lobby, before anybody joins.
        """
        session = self._new_session(plan, keys, created_by)
        begun = await self._begin(session)
        return begun if session.full else replace(session, options=begun.options)

    def _new_session(self, plan: Plan, keys: Keys, created_by: bytes | None) -> Session:
        now = self._ports.now()
        session = Session(
            id=new_session_id(),
            version=0,
            game=plan.game,
            state=State.LOBBY,
            seats=_new_seats(plan, keys),
            options=plan.options,
            rules_version="",
            server_seed=new_secret(),
            host_hash=hash_of(keys.token("host")),
            join_hash=None if plan.all_tokens else hash_of_code(keys.join_code()),
            created=now,
            updated=now,
            limits=plan.limits,
            touched=now,
            listed=plan.listed,
            created_by=created_by,
        )
        return replace(session, alarm=due_at(session))

    async def _begin(self, session: Session) -> Session:
        """The session with its first revision, and with its options as the rules have read them and written anew."""
        request = opaque.StartGameRequest(
            chance=words.Chance(seed=session.seed_of(0)), options=session.options, seats=len(session.seats)
        )
        started = await self._ports.rules.start(session.game, request)
        step = Step(position=started.position, standing=started.standing, events=started.events, draws=started.draws)
        now = session.after(self._ports.now())
        deadline = deadline_after(session, step, now, by_host=True)
        begun = session.with_record(Record(0, None, step, now, deadline, started.rules_version))
        return replace(begun, options=started.options, rules_version=started.rules_version)

    async def _created_before(self, seen: RememberedRequest, asked: IdempotentRequest) -> Created:
        asked.check_same(seen)
        return created(await self._access.load(seen.session), asked.keys(seen.nonce))


def created(session: Session, keys: Keys) -> Created:
    """A session with its keys: a join code, or where nobody can join it every seat's token. A bot's is empty."""
    if session.join_hash is not None:
        return Created(session, keys.token("host"), keys.join_code(), ())
    tokens = ("" if seat.bot else keys.token(_label(number)) for number, seat in enumerate(session.seats))
    return Created(session, keys.token("host"), "", tuple(tokens))


def _new_seats(plan: Plan, keys: Keys) -> tuple[Seat, ...]:
    """The seats of a new session: bots sit there from the start, and with all tokens everybody does."""
    wishes = [seat.name or default for seat, default in zip(plan.seats, _default_names(plan), strict=True)]
    return tuple(
        _new_seat(replace(seat, name=name), number, keys if plan.all_tokens else None)
        for number, (seat, name) in enumerate(zip(plan.seats, all_told_apart(wishes), strict=True))
    )


def _default_names(plan: Plan) -> Iterator[str]:
    """What seats are called without a name of their own. Bots are counted, also those that have one."""
    bots = count(1)
    for number, seat in enumerate(plan.seats):
        yield f"Bot {next(bots)}" if seat.bot else f"Seat {number}" if plan.all_tokens else ""


def _new_seat(seat: Seat, number: int, keys: Keys | None) -> Seat:
    return seat if seat.bot or keys is None else replace(seat, token_hash=hash_of(keys.token(_label(number))))


def _name_of(session: Session, number: int, name: str) -> str:
    """The name of whoever takes a seat: their own, or the seat's, told apart from all others of the session.

    A seat without a name counts as the name that it would get.
    """
    others = [seat.name or f"Seat {other}" for other, seat in enumerate(session.seats) if other != number]
    return told_apart(name or session.seats[number].name or f"Seat {number}", others)


def _free_seat(session: Session, wanted: int | None, name: str) -> int:
    """The seat that is wanted; else the first free one that has this name, or else the first free one."""
    if wanted is not None and not 0 <= wanted < len(session.seats):
        raise failures.invalid_field("seat", f"must be 0 to {len(session.seats) - 1}, is {wanted}")
    free = [number for number, seat in enumerate(session.seats) if not seat.taken and wanted in (None, number)]
    if not free:
        raise failures.seat_taken(session.name)
    kept = (number for number in free if name and same_name(session.seats[number].name, name))
    return next(kept, free[0])


def _label(seat: int) -> str:
    return f"seat {seat}"
