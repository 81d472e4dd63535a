"""Plays a whole game of Cabbages over HTTP: all types come from the document, and nothing is asserted of them."""

import json
import sys
from collections.abc import Iterator
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import lair_http as errors
from lair_http import cabbages, games, session
from pydantic import BaseModel

Answer = TypeVar("Answer", bound=BaseModel)
BASE = sys.argv[1]
SECONDS = 30


class Refused(Exception):
    """An error of the server."""

    def __init__(self, status: errors.Status) -> None:
        super().__init__(status.message)
        self.status = status

    @property
    def reason(self) -> str:
        """Its domain and reason."""
        found = (detail.root for detail in self.status.details)
        return next(f"{one.domain} {one.reason}" for one in found if isinstance(one, errors.ErrorInfo))

    @property
    def rule(self) -> str | None:
        """The rule that was broken."""
        found = (detail.root for detail in self.status.details)
        failures = (one for one in found if isinstance(one, errors.PreconditionFailure))
        return next((one.violations[0].subject for one in failures), None)


def call(answer: type[Answer], path: str, body: BaseModel | None = None, token: str = "") -> Answer:
    """Call a method. Raises Refused."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    sent = None if body is None else body.model_dump_json(by_alias=True, exclude_none=True).encode()
    try:
        with urlopen(Request(f"{BASE}{path}", sent, headers), timeout=SECONDS) as found:
            return answer.model_validate_json(found.read())
    except HTTPError as error:
        raise Refused(errors.Status.model_validate_json(error.read())) from None


def submit(
    name: str, token: str, sent: session.SubmitMoveRequestMove | session.SubmitMoveRequestText
) -> session.Update:
    """Play a move."""
    return call(session.SubmitMoveResponse, f"/v1/{name}:submitMove", sent, token).update


def refusal(name: str, token: str) -> Refused:
    """Why a harvest is refused."""
    try:
        submit(name, token, session.SubmitMoveRequestText(text="harvest"))
    except Refused as refused:
        return refused
    raise AssertionError("it was not refused")


def table(view: games.View) -> str:
    """The cabbages and feedings of everybody."""
    if not isinstance(view.root, cabbages.TypedView):
        raise TypeError(view.root.field_type)
    return f"{view.root.cabbages} / {view.root.feedings}, {view.root.cupDice} in the cup"


def rolled(event: games.Event) -> int:
    """How many dice an event rolled."""
    if not isinstance(event.root, cabbages.TypedEvent):
        return 0
    match event.root.root:
        case cabbages.TypedEventHarvested(harvested=harvested):
            return len(harvested.dice)
        case cabbages.TypedEventMonsterRoll(monsterRoll=roll):
            return len(roll.dice)
        case _:
            return 0


def watch(name: str) -> Iterator[session.WatchSessionResponse]:
    """Every message of a watch, up to the last."""
    with urlopen(f"{BASE}/v1/{name}:watch?afterRevision=-1", timeout=SECONDS) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield session.WatchSessionResponse.model_validate_json(line.removeprefix(b"data: "))


def main() -> None:
    """Create, play, watch."""
    options = cabbages.TypedOptions(
        field_type="type.googleapis.com/monsters.cabbages.v1.Options",
        firstSeat=0,
        maxTurns=60,
        cupMove=cabbages.CupMove.CUP_MOVE_STAY,
    )
    asked = session.CreateSessionRequest(
        game="cabbages",
        seats=[session.SeatRequest(name="Ann"), session.SeatRequest(name="Ben")],
        options=games.Options(root=options),
        allTokens=True,
    )
    created = call(session.CreateSessionResponse, "/v1/sessions", asked)
    name = created.session.name
    hasty = refusal(name, created.seatTokens[1])
    print("refused:", hasty.reason, hasty.rule)
    standing = created.session.standing
    moves = dice = 0
    while standing is not None and standing.outcome is None:
        token = created.seatTokens[standing.awaited[0]]
        now = call(session.GetViewResponse, f"/v1/{name}/view", token=token).snapshot
        legal = now.moves[moves % len(now.moves)]
        sent = session.SubmitMoveRequestMove(move=legal.move, requestId=str(uuid4()), etag=now.etag)
        update = submit(name, token, sent)
        dice += sum(map(rolled, update.events))
        if update.view is not None:
            print(update.revision, legal.text, "->", table(update.view))
        standing = update.standing
        moves += 1
    if standing is not None and standing.outcome is not None:
        print("over:", standing.outcome.reason, *standing.outcome.winners)
    print("refused:", refusal(name, created.seatTokens[0]).reason)
    updates = 0
    for message in watch(name):
        match message.root:
            case session.WatchSessionResponseUpdate():
                updates += 1
            case session.WatchSessionResponseClosing(closing=closing):
                print("closed:", closing.reason.value)
    steps = call(session.RevealSessionResponse, f"/v1/{name}:reveal?pageSize=1000").steps
    print("played:", moves, updates - 1, len(steps) - 1, json.dumps(dice > 0))


if __name__ == "__main__":
    main()
