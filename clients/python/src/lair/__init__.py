"""Play on a Lair server: rules-as-a-service for monster tabletop games.

    import lair

    with lair.connect("localhost:50051") as client:
        game = client.create("cabbages", seats=["Ann", "Ben"], options={"first_seat": 0})
        ann, ben = game.seats
        ann.play("harvest")                      # by text, checked by the server
        for move in ben.moves():                 # only legal ones, each with its text
            print(move.text)
        try:
            ann.play("feed")
        except lair.IllegalMove as refusal:
            print(refusal.reason, refusal.rule)  # NOT_YOUR_TURN C-R4
        print(ben.view().cabbages)               # the typed view of this game
        print(game.play_out(policy="random").winners)
        assert game.verify().ok                  # every die, recomputed from the revealed seed

`aconnect` gives the asyncio twin: the same names, with `async` and `await`. `Client.rules` gives a game's rules without
any session, and `Rules.simulate` plays many moves at once. Games are given by their token, or by their generated
module, with which a type checker knows what a view has in it: `from monsters.cabbages.v1 import cabbages_pb2`.
Every event has a `text`, one sentence in which players are seats; `named` puts their names in.

A call that finds nobody is tried again for some seconds, and every move carries a request_id: a broken connection never
plays it twice. What goes wrong is a LairError; lair.errors draws the tree. lair.testing starts a server for tests.
"""

from types import FunctionType as _FunctionType

from lair._aio import AsyncSeat, AsyncSession
from lair._aio_client import AsyncClient, aconnect
from lair._aio_line import AsyncLine
from lair._aio_rules import AsyncRules
from lair._aio_simulation import AsyncSimulation
from lair._naming import named
from lair._sync import Seat, Session
from lair._sync_client import Client, connect
from lair._sync_line import Line
from lair._sync_rules import Rules
from lair._sync_simulation import Simulation
from lair.changes import FactsChanged, WatchItem
from lair.descriptions import EndDescription, GameDescription, GameFacts, OptionDescription, Rule, RulePart, Source
from lair.errors import (
    BadToken,
    GameOver,
    IllegalMove,
    ImpossiblePosition,
    InvalidRequest,
    LairError,
    NotFound,
    NotPlayed,
    NotServed,
    NotYourTurn,
    PermissionDenied,
    RequestIdReused,
    ResourceExhausted,
    SeatTaken,
    ServerError,
    StaleSession,
    TooMany,
    Unavailable,
    Violation,
    WrongGame,
    WrongState,
)
from lair.games import Game
from lair.playing import Policy
from lair.standings import SeatStanding
from lair.turns import Answer, AsyncStrategy, Strategy, Turn
from lair.types import (
    Applied,
    Audience,
    Bot,
    Draw,
    LegalMove,
    NextMove,
    Outcome,
    Refusal,
    Reveal,
    SeatFacts,
    SeatKind,
    SessionFacts,
    Simulated,
    Snapshot,
    Standing,
    Started,
    State,
    Step,
    TimeLimits,
    Update,
)
from lair.verification import Problem, Verification

__all__ = [
    "Answer",
    "Applied",
    "AsyncClient",
    "AsyncLine",
    "AsyncRules",
    "AsyncSeat",
    "AsyncSession",
    "AsyncSimulation",
    "AsyncStrategy",
    "Audience",
    "BadToken",
    "Bot",
    "Client",
    "Draw",
    "EndDescription",
    "FactsChanged",
    "Game",
    "GameDescription",
    "GameFacts",
    "GameOver",
    "IllegalMove",
    "ImpossiblePosition",
    "InvalidRequest",
    "LairError",
    "LegalMove",
    "Line",
    "NextMove",
    "NotFound",
    "NotPlayed",
    "NotServed",
    "NotYourTurn",
    "OptionDescription",
    "Outcome",
    "PermissionDenied",
    "Policy",
    "Problem",
    "Refusal",
    "RequestIdReused",
    "ResourceExhausted",
    "Reveal",
    "Rule",
    "RulePart",
    "Rules",
    "Seat",
    "SeatFacts",
    "SeatKind",
    "SeatStanding",
    "SeatTaken",
    "ServerError",
    "Session",
    "SessionFacts",
    "Simulated",
    "Simulation",
    "Snapshot",
    "Source",
    "StaleSession",
    "Standing",
    "Started",
    "State",
    "Step",
    "Strategy",
    "TimeLimits",
    "TooMany",
    "Turn",
    "Unavailable",
    "Update",
    "Verification",
    "Violation",
    "WatchItem",
    "WrongGame",
    "WrongState",
    "aconnect",
    "connect",
    "named",
]

for _name in __all__:  # tracebacks and help() show them by the names that users import
    if isinstance(_thing := globals()[_name], type | _FunctionType):
        _thing.__module__ = __name__
