"""What is done when a session's alarm has rung: time-outs, stand-ins' moves, the end of what nobody touches, deletion.

Deadlines lie in the store, so they survive whoever was to keep them. Everything that is done is a compare-and-swap like
any move: however many do it, and whatever players do meanwhile, each thing is done once.
"""

from monsters.rules.v1 import opaque_pb2 as opaque
from msgspec.structs import replace

from services.runtime.failure import Code, Failure
from services.session.domain.callers import HOST, Caller
from services.session.domain.clocks import Due, clock_due_at, due_at, what_is_due
from services.session.domain.session import Session
from services.session.ports import Change, Ports
from services.session.usecases.leaving import Leaving
from services.session.usecases.submitting import Action, Submitting

RETRY_AFTER = 1_000_000
"""In microseconds: when to try again what could not be done."""
TIMEOUT = Action("", b"", "timeout")


class Timekeeping:
    """Does for a session what is due."""

    def __init__(self, ports: Ports, submitting: Submitting, leaving: Leaving) -> None:
        self._ports = ports
        self._submitting = submitting
        self._leaving = leaving

    async def act(self, session: Session) -> Due:
        """Do what is due, and say what it was. Nothing may be: alarms ring early rather than late.

        Raises the Failure of the rules or of the store.
        """
        due = what_is_due(session, self._ports.now())
        match due:
            case Due.NOTHING:
                await self._set_alarm(session, due_at(session))
            case Due.DELETION:
                if await self._ports.store.delete(session):
                    self._ports.fanout.publish_deletion(session.id, session.version + 1)
            case Due.END:
                await self._leaving.end(session)
            case Due.STAND_IN:
                return await self._stand_in(session)
            case Due.TIME_OUT:
                await self._submitting.play(session, HOST, TIMEOUT, by_player=False)
        return due

    async def postpone(self, session: Session, failure: Failure | None = None) -> None:
        """Look at it again in a while, as what was due could not be done. Raises Failure STORE_UNAVAILABLE.

        A move that the rules refuse is not tried again: a game may know no time-out where it stands.
        """
        refused = failure is not None and failure.code is Code.FAILED_PRECONDITION
        later = session.touched + session.limits.idle if refused else self._ports.now() + RETRY_AFTER
        await self._set_alarm(session, later)

    async def _stand_in(self, session: Session) -> Due:
        """Play the first seat that has a move. When all of them wait for others, the turn's clock goes on."""
        for seat in session.unattended:
            if action := await self._suggestion(session, seat):
                await self._submitting.play(session, Caller(seat), action, by_player=False)
                return Due.STAND_IN
        if clock_due_at(session) > self._ports.now():
            await self._set_alarm(session, clock_due_at(session))
            return Due.NOTHING
        await self._submitting.play(session, HOST, TIMEOUT, by_player=False)
        return Due.TIME_OUT

    async def _suggestion(self, session: Session, seat: int) -> Action | None:
        """What a stand-in would play; None when it waits for the others."""
        position = session.head.step.position if session.head else b""
        request = opaque.SuggestMoveRequest(position=position, seat=seat)
        answer = await self._ports.rules.suggest(session.game, session.rules_version, request)
        if not answer.HasField("suggestion"):
            return None
        return Action(f"monsters.{session.game}.v1.Move", answer.suggestion.move, "")

    async def _set_alarm(self, session: Session, alarm: int) -> None:
        """Look again at that time. That is nothing to tell of."""
        after = replace(session, version=session.version + 1, alarm=alarm)
        await self._ports.store.save(Change(after), _nobody)


def _nobody() -> None:
    """Nobody has to hear of an alarm."""
