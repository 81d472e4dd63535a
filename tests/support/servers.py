"""Real servers beside the tests: on one event loop in a thread of its own, each on a free port of the loopback.

All of them share that loop, because several event loops in one process disturb each other in gRPC (grpc issue 25364).
Tests call them with gRPC's blocking stubs, so a test that waits never keeps a server from answering.
"""

import asyncio
import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc
from monsters.session.v1 import session_pb2, session_pb2_grpc

from services.app import serving
from services.games import Entry, find_games
from services.rules.handler import RulesHandler
from services.runtime.admission import Admission
from services.runtime.calls import serve
from services.runtime.server import listening
from services.runtime.settings import Settings
from services.session.adapters.clock import wall_time
from services.session.adapters.fanout import LocalFanout
from services.session.adapters.rules_inprocess import InProcessRules
from services.session.adapters.sqlite.store import sqlite_store
from services.session.domain.session import NO_LIMITS
from services.session.ports import Ports
from services.session.wire.servicer import SessionServicer

PATIENCE = 60.0
"""Seconds after which a call that does not end has failed its test."""

_EVERY_CALL = json.dumps({"methodConfig": [{"name": [{}], "timeout": f"{PATIENCE:.0f}s"}]})


class Stubs:
    """What tests call a server with: gRPC as it is, with a deadline for every call."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.channel = grpc.insecure_channel(address, options=[("grpc.service_config", _EVERY_CALL)])
        self.sessions = session_pb2_grpc.SessionServiceStub(self.channel)
        self.health = health_pb2_grpc.HealthStub(self.channel)

    def rules(self, game: str = "cabbages") -> Any:
        """The typed stub of one game's rules."""
        return import_module(f"monsters.{game}.v1.rules_service_pb2_grpc").RulesServiceStub(self.channel)

    def raw(self, path: str, request: bytes) -> bytes:
        """Send bytes to a unary method, and give the bytes of the answer."""
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(path)
        return call(request)

    def serving(self, service: str = "") -> bool:
        """Whether health says so."""
        answer = self.health.Check(health_pb2.HealthCheckRequest(service=service))
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.close()


def messages_of(game: str) -> ModuleType:
    """The generated messages that are one game's own."""
    return import_module(f"monsters.{game}.v1.{game}_pb2")


def service_of(game: str) -> ModuleType:
    """The generated messages of one game's RulesService."""
    return import_module(f"monsters.{game}.v1.rules_service_pb2")


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller with this token."""
    return (("authorization", f"Bearer {token}"),)


@contextmanager
def running(
    database: Path | None = None,
    entries: Iterable[Entry] | None = None,
    wall: Callable[[], int] = wall_time,
    **settings: Any,
) -> Iterator[Stubs]:
    """Run a whole Lair, or without a database the rules alone, until the context is left. It has this wall clock."""
    chosen = {"address": "127.0.0.1:0", **({"database": database} if database else {}), **settings}
    server = serving(Settings(**chosen), entries, sessions=database is not None, wall=wall)
    with hosting(server) as address, Stubs(address) as it:
        yield it


@contextmanager
def running_apart(database: Path, **settings: Any) -> Iterator[Stubs]:
    """Run sessions that reach the rules over gRPC, and the rules as a server of their own."""
    with running() as rules:
        chosen = Settings(address="127.0.0.1:0", database=database, rules=rules.address, **settings)
        with hosting(serving(chosen, rules=False)) as address, Stubs(address) as it:
            yield it


@contextmanager
def running_with(rules: type[InProcessRules], database: Path, **settings: Any) -> Iterator[Stubs]:
    """Run sessions over rules of this kind, wired as services.app wires them."""
    chosen = Settings(address="127.0.0.1:0", database=database, **settings)
    with hosting(_serving_with(rules, chosen)) as address, Stubs(address) as it:
        yield it


@asynccontextmanager
async def _serving_with(rules: type[InProcessRules], settings: Settings) -> AsyncIterator[str]:
    handlers = {token: RulesHandler(entry) for token, entry in find_games().items()}
    fanout = LocalFanout()
    descriptor = session_pb2.DESCRIPTOR.services_by_name["SessionService"]
    async with sqlite_store(settings.database_file) as store:
        servicer = SessionServicer(
            Ports(store, rules(handlers), fanout, lambda: time.time_ns() // 1000), settings.heartbeat, NO_LIMITS
        )
        served = {descriptor.full_name: serve(descriptor, servicer, Admission.up_to(settings.max_calls))}
        async with listening(settings, served, fanout.leave, [store.ready]) as address:
            yield address


@contextmanager
def hosting(server: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """Run a server on the shared loop, and give its address."""
    stop = asyncio.Event()
    started: Future[str] = Future()

    async def host() -> None:
        async with server as address:
            started.set_result(address)
            await stop.wait()

    done = asyncio.run_coroutine_threadsafe(host(), _loop())
    futures: tuple[Future[Any], ...] = (started, done)
    wait(futures, PATIENCE, FIRST_COMPLETED)
    if done.done():
        done.result()
    try:
        yield started.result(0)
    finally:
        _loop().call_soon_threadsafe(stop.set)
        done.result(PATIENCE)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="servers", daemon=True).start()
    return loop
