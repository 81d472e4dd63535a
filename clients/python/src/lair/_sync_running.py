"""Playing a seat by a function, blocking."""

import time
from contextlib import closing

from lair._calls import Call, Result
from lair._connection import Connection
from lair._known import KnownFacts
from lair._running import Insistence, Run
from lair._sync_streams import follow
from lair.errors import LairError, StaleSession
from lair.turns import Answer, Strategy, Turn
from lair.types import Outcome, View
from lair.watching import Watch


def run(connection: Connection, known: KnownFacts, token: str, seat: int, strategy: Strategy[View]) -> Outcome:
    """Play a seat until its session has ended. Raises LairError, and what the strategy raises."""
    playing: Run[View] = Run(known, token, seat)
    with closing(follow(connection, Watch(known, token, seat, None))) as items:
        for item in items:
            turn = playing.take(item)
            while turn is not None:
                turn = _play(connection, playing, turn, strategy(turn))
    return playing.outcome()


def _play(connection: Connection, playing: Run[View], turn: Turn[View], answer: Answer) -> Turn[View] | None:
    """Play what was answered, and give the turn that follows at once."""
    call = playing.submit(turn, answer)
    if call is None:
        return None
    try:
        update = _insist(connection, call)
    except StaleSession:  # what the stream brings next may be old as well: the strategy was slow
        snapshot = _insist(connection, playing.look())
        return playing.take(snapshot)
    return playing.take(update)


def _insist(connection: Connection, call: Call[Result]) -> Result:
    insistence = Insistence()
    while True:
        try:
            return connection.run(call)
        except LairError as error:
            time.sleep(insistence.failed(error))
