"""The timekeeper: plays time-outs and stand-ins, ends what nobody touches, deletes what has been kept long enough.

Deadlines lie in the store, so they survive whoever was to keep them. Everything that it does is a compare-and-swap like
any move: however many timekeepers run, and whatever players do meanwhile, each thing is done once.
"""

import asyncio
from dataclasses import replace

import structlog
from monsters.rules.v1 import opaque_pb2 as opaque

from services.runtime.failure import Code, Failure
from services.session.domain.callers import HOST, Caller
from services.session.domain.session import Session, clock_due_at, due_at
from services.session.ports import Change, Ports
from services.session.usecases.leaving import Leaving
from services.session.usecases.submitting import Action, Submitting

BATCH = 100
LONGEST_SLEEP = 0.05
"""In seconds: how late somebody else's new alarm may be heard."""
POSTPONED = 1_000_000
"""In microseconds: when to try again what could not be done."""
TIMEOUT = Action("", b"", "timeout")

log = structlog.get_logger()


class Timekeeper:
    """Looks at the sessions whose alarm has rung."""

    def __init__(self, ports: Ports, submitting: Submitting, leaving: Leaving) -> None:
        self._ports = ports
        self._submitting = submitting
        self._leaving = leaving

    async def run(self) -> None:
        """Keep time until cancelled. What goes wrong is logged, and tried again."""
        while True:
            try:
                await self._round()
            except Failure as failure:
                log.warning("clocks wait", reason=failure.reason)
                await asyncio.sleep(POSTPONED / 1_000_000)
            except Exception:  # the clocks go on
                log.exception("incident", where="timekeeper")
                await asyncio.sleep(POSTPONED / 1_000_000)

    async def _round(self) -> None:
        store = self._ports.store
        due = await store.due(self._ports.now(), BATCH)
        for session_id in due:
            if session := await store.load(session_id):
                await self._look(session)
        if not due:
            alarm = await store.next_alarm()
            left = LONGEST_SLEEP if alarm is None else (alarm - self._ports.now()) / 1_000_000
            await asyncio.sleep(min(max(left, 0.0), LONGEST_SLEEP))

    async def _look(self, session: Session) -> None:
        """Do what is due, or set the alarm anew."""
        try:
            done = await self._act(session)
        except Failure as failure:
            refused = failure.code is Code.FAILED_PRECONDITION  # a game may know no time-out here
            again = session.touched + session.limits.idle if refused else self._ports.now() + POSTPONED
            await self._set_alarm(session, again)
            done = failure.reason
        except Exception:  # a defect of one game: the clocks of every other go on
            log.exception("incident", where="timekeeper", session=session.id)
            done = "UNEXPECTED"
            await self._set_alarm(session, self._ports.now() + POSTPONED)
        if done:
            log.info("clock", session=session.id, revision=session.revision, did=done)

    async def _act(self, session: Session) -> str:
        """Do what is due, and say what it was. Nothing may be: alarms ring early rather than late."""
        now = self._ports.now()
        if due_at(session) > now:
            return await self._set_alarm(session, due_at(session))
        if session.state.ended:
            await self._ports.store.delete(session)
            return "delete"
        if session.touched + session.limits.idle <= now:
            await self._leaving.end(session)
            return "end"
        for seat in session.vacant:
            if action := await self._suggestion(session, seat):
                await self._submitting.play(session, Caller(seat), action)
                return "stand in"
        if clock_due_at(session) > now:  # also when every stand-in waits for the others
            return await self._set_alarm(session, clock_due_at(session))
        await self._submitting.play(session, HOST, TIMEOUT)
        return "time-out"

    async def _suggestion(self, session: Session, seat: int) -> Action | None:
        """What a stand-in would play; None when it waits for the others."""
        position = session.head.step.position if session.head else b""
        request = opaque.SuggestMoveRequest(position=position, seat=seat)
        answer = await self._ports.rules.suggest(session.game, session.rules_version, request)
        if not answer.HasField("suggestion"):
            return None
        return Action(f"monsters.{session.game}.v1.Move", answer.suggestion.move, "")

    async def _set_alarm(self, session: Session, alarm: int) -> str:
        """Look again at that time. That is nothing to tell of."""
        after = replace(session, version=session.version + 1, alarm=alarm)
        await self._ports.store.save(Change(after), _nobody)
        return ""


def _nobody() -> None:
    """Nobody has to hear of an alarm."""
