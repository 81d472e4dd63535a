"""Several session servers over one store, and what each of them was asked."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import grpc
from monsters.session.v1 import session_pb2

from services.games import find_games
from services.rules.handler import RulesHandler
from services.runtime.admission import Admission
from services.runtime.calls import serve
from services.runtime.server import listening
from services.runtime.settings import Settings
from services.session.adapters.clock import keeping_time, wall_time
from services.session.adapters.fanout import LocalFanout
from services.session.adapters.memory import MemoryStore
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.domain.session import NO_LIMITS
from services.session.ports import Ports
from services.session.wire.servicer import SessionServicer
from tests.support.servers import hosting

HEADER = "lair-session"
SERVICE = session_pb2.DESCRIPTOR.services_by_name["SessionService"]


@dataclass
class Replica:
    """One of the servers."""

    address: str = ""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    """The method of each call and stream so far, and the session that its metadata names."""
    stack: ExitStack = field(default_factory=ExitStack)

    def end(self) -> None:
        """Stop it without a drain: what is under way on it fails."""
        self.stack.close()

    @property
    def sessions(self) -> set[str]:
        """Those that the metadata of its calls named."""
        return {session for _, session in self.asked if session is not None}


class _Heard(grpc.GenericRpcHandler):
    """Passes on every call, and keeps what it was about."""

    def __init__(self, handler: grpc.GenericRpcHandler, replica: Replica) -> None:
        self._handler = handler
        self._replica = replica

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        """Passes it on."""
        if f"/{SERVICE.full_name}/" in details.method:
            metadata = dict(details.invocation_metadata)
            self._replica.asked.append((details.method.rpartition("/")[2], metadata.get(HEADER)))
        return self._handler.service(details)


@contextmanager
def replicas(number: int) -> Iterator[list[Replica]]:
    """So many servers over one store in memory. Those that are still there end with the context."""
    store = MemoryStore()
    made = [Replica() for _ in range(number)]
    with ExitStack() as stack:
        for replica in made:
            replica.address = replica.stack.enter_context(hosting(_serving(store, replica)))
            stack.callback(replica.end)
        yield made


@asynccontextmanager
async def _serving(store: MemoryStore, replica: Replica) -> AsyncIterator[str]:
    settings = Settings(address="127.0.0.1:0", grace=0)
    rules = InProcessRules({token: RulesHandler(entry) for token, entry in find_games().items()})
    fanout = LocalFanout()
    async with keeping_time(store, wall_time) as clock:
        servicer = SessionServicer(Ports(store, rules, fanout, clock.now), settings.heartbeat, NO_LIMITS)
        handler = serve(SERVICE, servicer, Admission.up_to(settings.max_calls))
        served = {SERVICE.full_name: _Heard(handler, replica)}
        async with listening(settings, served, fanout.leave, [store.ready]) as address:
            yield address
