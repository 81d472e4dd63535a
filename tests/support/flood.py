"""A process that wants all that it can get: `python -m tests.support.flood ADDRESS CONNECTIONS SECONDS`.

Each of its connections opens streams until none is given, lets nobody have a place that comes free, and keeps as many
calls under way as it is allowed to, cheap and dear ones; on its own seats it submits what is refused, without reading
the answers. It prints a line once all of that is under way, and at the end what it was answered, by code.
"""

import asyncio
import sys
import time
from collections import Counter
from typing import Any

import grpc
from monsters.heads.v1 import rules_service_pb2 as heads
from monsters.heads.v1 import rules_service_pb2_grpc as heads_grpc
from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1 import session_pb2_grpc

CALLS, STREAMS = 150, 300
SEATS = [wire.SeatRequest(name="flood")] * 2
ENDED = "Internal error from Core"
"""What gRPC says here of a stream to which something is written that the server has ended meanwhile."""
OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]


def bearer(created: wire.CreateSessionResponse) -> tuple[tuple[str, str], ...]:
    """The metadata of the first seat."""
    return (("authorization", f"Bearer {created.seat_tokens[0]}"),)


class Flood:
    """One connection, and all that it does."""

    def __init__(self, channel: grpc.aio.Channel, ends: float, answers: Counter[str]) -> None:
        self._sessions: Any = session_pb2_grpc.SessionServiceStub(channel)
        self._heads: Any = heads_grpc.RulesServiceStub(channel)
        self._ends = ends
        self._answers = answers

    async def run(self) -> None:
        """Flood until the time is over."""
        request = wire.CreateSessionRequest(game="cabbages", seats=SEATS, all_tokens=True, listed=True)
        created = await self._sessions.CreateSession(request)
        started = await self._heads.StartGame(heads.StartGameRequest(seats=4))
        named = wire.GetSessionRequest(name=created.session.name)
        wanted = [
            lambda: self._sessions.GetSession(named),
            lambda: self._sessions.GetView(wire.GetViewRequest(name=created.session.name)),
            lambda: self._sessions.ListSessions(wire.ListSessionsRequest(page_size=100)),
            lambda: self._sessions.CreateSession(request),
            lambda: self._sessions.SubmitMove(
                wire.SubmitMoveRequest(name=created.session.name, text="nonsense"), metadata=bearer(created)
            ),
            lambda: self._heads.EnumerateMoves(heads.EnumerateMovesRequest(position=started.position, seat=0)),
        ]
        async with asyncio.TaskGroup() as tasks:
            for number in range(CALLS):
                tasks.create_task(self._repeat(wanted[number % len(wanted)]))
            for number in range(STREAMS):
                tasks.create_task(self._repeat(lambda: self._watched(created)))
                if number % 10 == 0:
                    tasks.create_task(self._repeat(lambda: self._played(created)))

    async def _repeat(self, call: Any) -> None:
        while time.monotonic() < self._ends:
            try:
                await call()
            except grpc.aio.AioRpcError as error:
                self._answers["ENDED" if error.details() == ENDED else error.code().name] += 1
                await asyncio.sleep(0.01)
            except asyncio.InvalidStateError:
                self._answers["ENDED"] += 1
                await asyncio.sleep(0.01)
            else:
                self._answers["OK"] += 1

    async def _watched(self, created: wire.CreateSessionResponse) -> None:
        watch = wire.WatchSessionRequest(name=created.session.name, after_revision=-1)
        async for _ in self._sessions.WatchSession(watch, timeout=max(self._ends - time.monotonic(), 0.1)):
            pass

    async def _played(self, created: wire.CreateSessionResponse) -> None:
        stream = self._sessions.PlaySeat(metadata=bearer(created), timeout=max(self._ends - time.monotonic(), 0.1))
        await stream.write(wire.PlaySeatRequest(open=wire.PlaySeatOpen(name=created.session.name)))
        while time.monotonic() < self._ends:
            await stream.write(wire.PlaySeatRequest(submit=wire.PlaySeatSubmit(text="nonsense")))


async def main(address: str, connections: int, seconds: float) -> None:
    """Flood from so many connections."""
    answers: Counter[str] = Counter()
    channels = [grpc.aio.insecure_channel(address, OWN_CONNECTION) for _ in range(connections)]
    ends = time.monotonic() + seconds
    tasks = [asyncio.create_task(Flood(channel, ends, answers).run()) for channel in channels]
    await asyncio.sleep(1.0)
    say("flooding")
    await asyncio.gather(*tasks)
    say(str(dict(answers)))
    for channel in channels:
        await channel.close()


def say(line: str) -> None:
    """Tell whoever has started this."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
