"""Health that tells the truth: SERVING for as long as everything is there that the server needs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import structlog
from grpc_health.v1 import health_pb2
from grpc_health.v1._async import HealthServicer

Probe = Callable[[], Awaitable[bool]]
"""Says whether something that the server needs is there."""

PROBE_EVERY = 0.5
PROBE_PATIENCE = 5.0
SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING

log = structlog.get_logger()


class Health:
    """What the probes say, all of them together, told under each of these names."""

    def __init__(self, servicer: HealthServicer, names: Sequence[str], probes: Sequence[Probe]) -> None:
        self._servicer = servicer
        self._names = names
        self._probes = probes
        self._answers: list[bool | None] = [None] * len(probes)
        """The last one of each probe. None: it has not answered yet."""
        self._said: bool | None = None
        self._telling = asyncio.Lock()

    async def keep(self) -> None:
        """Ask until cancelled. Each probe is asked by itself: a slow one hides nothing that another knows."""
        await self._tell()
        await asyncio.gather(*(self._keep_asking(number, probe) for number, probe in enumerate(self._probes)))

    async def _keep_asking(self, number: int, probe: Probe) -> None:
        while True:
            self._answers[number] = await _answer_of(probe)
            await self._tell()
            await asyncio.sleep(PROBE_EVERY)

    async def _tell(self) -> None:
        """Say it when it is another than was said, and is known: one no is enough for a no."""
        async with self._telling:
            there = all(self._answers)
            known = False in self._answers or None not in self._answers
            if there == self._said or not known:
                return
            self._said = there
            log.info("health", serving=there)
            for name in self._names:
                await self._servicer.set(name, SERVING if there else NOT_SERVING)


async def _answer_of(probe: Probe) -> bool:
    """Whether a probe says yes, in time."""
    try:
        async with asyncio.timeout(PROBE_PATIENCE):
            return await probe()
    except TimeoutError:
        return False
    except Exception:  # whatever it is, health goes on being told
        log.exception("incident", where="a probe of health")
        return False
