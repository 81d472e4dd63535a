"""The timekeeper: looks at the sessions whose alarm has rung, side by side.

It claims no more sessions of a game than there are places for, so a game whose rules hang, fail or are slow keeps its
own sessions waiting and nobody else's. It sleeps until the next alarm that it knows of; an earlier one that is set in
this process wakes it, and for what others set it looks now and then.
"""

import asyncio

import structlog

from services.runtime.failure import Code, Failure
from services.session.domain.clocks import Due
from services.session.domain.session import LONGEST, Session
from services.session.places import Places
from services.session.ports import Ports
from services.session.usecases.access import Access
from services.session.usecases.leaving import Leaving
from services.session.usecases.submitting import Submitting
from services.session.usecases.timekeeping import Timekeeping

LOOK_EVERY = 1.0
"""In seconds: how late an alarm is heard that another process has set."""
LEASE = 30_000_000
"""In microseconds: how long a claim lasts of which nothing came. Longer than what is done for a session takes."""
SECOND = 1_000_000
EVERY_ALARM = 2**63
"""Later than any alarm."""
NO_ANSWER = (Code.UNAVAILABLE, Code.NOT_FOUND)
"""What a call to rules ends with that are not there."""

log = structlog.get_logger()


class Timekeeper:
    """Keeps the clocks of all sessions."""

    def __init__(self, ports: Ports, longest: int = LONGEST) -> None:
        access = Access(ports)
        self._ports = ports
        self._timekeeping = Timekeeping(ports, Submitting(ports, access, longest), Leaving(ports, access))
        self._places = Places()
        self._awake = asyncio.Event()
        self._next = EVERY_ALARM
        """Alarms before this wake it."""
        self._more_is_due = False
        """Whether a game may have more that is due than it had places."""

    async def run(self) -> None:
        """Keep time until cancelled. What goes wrong is logged, and tried again."""
        self._ports.store.listen(self._heard)
        async with asyncio.TaskGroup() as looks:
            while True:
                seconds = LOOK_EVERY
                try:
                    seconds = await self._claim(looks)
                except Failure as failure:
                    log.warning("clocks wait", reason=failure.reason)
                except Exception:  # the clocks go on
                    log.exception("incident", where="timekeeper")
                await self._sleep(seconds)

    async def _claim(self, looks: asyncio.TaskGroup) -> float:
        """Claim what is due and look at it, as far as there are places. Says for how many seconds nothing else is."""
        store, now = self._ports.store, self._ports.now()
        self._next, self._more_is_due = EVERY_ALARM, False  # whatever alarm is set meanwhile is heard
        for game in await store.games():
            free = self._places.free(game, now)
            claimed = await store.claim_due(game, now, LEASE, free) if free else ()
            for session in claimed:
                self._places.take(game)
                looks.create_task(self._look(session))
            self._more_is_due |= len(claimed) == free
        alarm = await store.next_alarm(now)
        latest = now + int(LOOK_EVERY * SECOND)
        self._next = latest if alarm is None else min(alarm, latest)
        return max(self._next - self._ports.now(), 0) / SECOND

    async def _sleep(self, seconds: float) -> None:
        """Wait so long, or until there is something to look at."""
        try:
            async with asyncio.timeout(seconds):
                await self._awake.wait()
        except TimeoutError:
            pass
        finally:
            self._awake.clear()

    def _heard(self, alarm: int) -> None:
        if alarm < self._next:
            self._awake.set()

    async def _look(self, session: Session) -> None:
        """Do what is due for a session that was claimed. When even that is in vain, the claim ends by itself."""
        try:
            done = await self._done(session)
            if done:
                log.info("clock", session=session.id, revision=session.revision, did=done)
        except Failure as failure:
            log.warning("clocks wait", reason=failure.reason, session=session.id)
        except Exception:  # the clocks of every other session go on
            log.exception("incident", where="timekeeper", session=session.id)
        finally:
            self._places.give_back(session.game)
            if self._more_is_due:
                self._awake.set()

    async def _done(self, session: Session) -> str:
        """What was done, in a word for the log; or "" for nothing worth one. What can't be done is tried again."""
        try:
            due = await self._timekeeping.act(session)
        except Failure as failure:
            self._places.tell(session.game, self._ports.now(), answered=failure.code not in NO_ANSWER)
            await self._timekeeping.postpone(session, failure)
            return failure.reason
        except Exception:  # a defect of one game
            log.exception("incident", where="timekeeper", session=session.id)
            await self._timekeeping.postpone(session)
            return "UNEXPECTED"
        self._places.tell(session.game, self._ports.now(), answered=True)
        return "" if due is Due.NOTHING else due.name.lower().replace("_", " ")
