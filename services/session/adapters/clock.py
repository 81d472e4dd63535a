"""The service's time: wall time at the start, and from then on what has really passed.

A wall clock is set by people and by programs, forth and back, by seconds or by years. Turns must last as long as they
should whatever it does, and nothing may be ended or deleted because of it. So it is read at the start; afterwards its
jumps are told in the log, and nothing else is made of them until the next start. What holds across restarts, the store
keeps: the last time that was seen.

Servers that share a store share its clock as well: a turn that one of them begins is ended by any of them, so their own
clocks must not count. It is read at the start like a wall clock, and now and then: where time has passed a little
slower or faster here, that is made up for in small steps.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count

import structlog

from services.runtime.failure import Failure
from services.session.domain.clocks import standstill
from services.session.ports import SessionStore

SECOND = 1_000_000
"""In microseconds."""
LOOK_EVERY = 1.0
"""In seconds: how often the wall clock is looked at."""
NOTE_EVERY = 60
"""Looks after which the store is told the time."""
JUMP = SECOND
"""In microseconds: by how much the wall clock has to be off to be told of. Clocks that run a little apart are not."""
MOST_STEP = 30_000
"""In microseconds: how much is made up for at each note of the time. Clocks of machines are seldom so far off in it."""

LOOKS = 5
"""At the clock that servers share, at a start."""

log = structlog.get_logger()

Source = Callable[[], int]
"""Microseconds by some clock."""
STEADY: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""The system's clock that never jumps; where there is one, one that goes on while the machine sleeps: Linux has it."""


def wall_time() -> int:
    """Microseconds since 1970 by the wall clock."""
    return time.time_ns() // 1000


def passed_time() -> int:
    """Microseconds by a clock that never jumps."""
    return time.clock_gettime_ns(STEADY) // 1000


class Clock:
    """Time that begins at the later of the wall clock's and the last that was seen, and never jumps or goes back."""

    def __init__(self, seen: int | None, wall: Source = wall_time, passed: Source = passed_time) -> None:
        self._wall = wall
        self._passed = passed
        now, already = wall(), passed()
        self.standstill = standstill(now, seen)
        """How much later the clocks of all sessions have to be, in microseconds."""
        self._start = max(now, seen or 0) - already
        self._wall_start = now - already
        self._latest = 0

    def now(self) -> int:
        """Microseconds since 1970."""
        self._latest = max(self._latest, self._start + self._passed())
        return self._latest

    def approach(self, ahead: int) -> None:
        """Make up for a part of that by which the clock that servers share is ahead of this one, or behind it.

        While time is set back it stands still, and so never goes back.
        """
        self._start += max(-MOST_STEP, min(ahead, MOST_STEP))

    def look_at_wall(self) -> None:
        """Tell the log, once each time, when the wall clock has jumped."""
        wall_start = self._wall() - self._passed()
        jumped = wall_start - self._wall_start
        if abs(jumped) > JUMP:
            self._wall_start = wall_start
            log.warning("the wall clock has jumped", seconds=jumped / SECOND, ignored="until the next start")


@asynccontextmanager
async def keeping_time(
    store: SessionStore, wall: Source = wall_time, passed: Source = passed_time
) -> AsyncIterator[Clock]:
    """The clock of a service over this store, which is told the time now and then and at the end.

    Raises OSError when the clocks of sessions have stood still, and that can't be stored.
    """
    shared, ahead = wall, await _ahead(store, wall, LOOKS)
    if ahead is not None:
        shared = lambda: wall() + ahead  # noqa: E731  a source like any other
        if abs(ahead) > JUMP:
            log.warning("this machine's clock is not the database's", seconds=ahead / SECOND, counts="the database's")
    clock = Clock(await store.last_time(), shared, passed)
    if clock.standstill:
        log.warning(
            "the wall clock is far ahead of the last time seen",
            seconds=clock.standstill / SECOND,
            therefore="the clocks of all sessions have stood still",
        )
    try:
        await store.note_time(clock.now(), clock.standstill)
    except Failure as failure:
        if clock.standstill:
            raise OSError(
                "the clocks of the sessions can't be set: the file of LAIR_DATABASE can't be written; make room for it"
            ) from failure
        log.warning("the time was not noted", reason=failure.reason)
    noting = asyncio.create_task(_note(store, clock))
    try:
        yield clock
    finally:
        noting.cancel()
        with suppress(asyncio.CancelledError):
            await noting
        with suppress(Failure):  # the next start knows an earlier time
            await store.note_time(clock.now())


async def _note(store: SessionStore, clock: Clock) -> None:
    for look in count(1):
        await asyncio.sleep(LOOK_EVERY)
        clock.look_at_wall()
        if look % NOTE_EVERY == 0:
            try:
                await store.note_time(clock.now())
                clock.approach(await _ahead(store, clock.now, most_wrong=MOST_STEP) or 0)
            except Failure as failure:
                log.warning("the time was not noted", reason=failure.reason)


async def _ahead(store: SessionStore, clock: Source, looks: int = 1, most_wrong: int | None = None) -> int | None:
    """By how much the clock that the servers of this store share is ahead of another one, in microseconds.

    Of several looks the quickest counts, as the least can be wrong with it (RFC 5905, section 10). None where there is
    no such clock, or where the answer took so long that more than this may be wrong.
    """
    best: tuple[int, int] | None = None
    for _ in range(looks):
        before = clock()
        shared = await store.shared_time()
        wrong = (clock() - before) // 2
        if shared is None:
            return None
        best = min(best or (wrong, shared - before - wrong), (wrong, shared - before - wrong))
    return best[1] if best and (most_wrong is None or best[0] <= most_wrong) else None
