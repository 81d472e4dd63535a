"""How a watch over HTTP ends: with its last event saying why, or, where nobody is left who could say it, broken off."""

import asyncio
import contextlib
from collections.abc import Iterator
from http.client import IncompleteRead
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from monsters.session.v1 import session_pb2 as wire

from services.session.adapters.rules_grpc import GrpcRules
from services.session.usecases.watching import _Reader
from tests.support.edge import Web, edge, needs_envoy
from tests.support.processes import Server
from tests.support.refusals import RULES, SESSION, Refused, read_status, refusal_of
from tests.support.servers import Stubs, bearer, running
from tests.support.sessions import Created, create, endless, feed_on, submit, watch
from tests.support.transcoded import Transcoded

pytestmark = needs_envoy
LONG, VIEWED = 40, 20


def path_of(created: Created, query: str = "") -> str:
    return f"/v1/{created.session.name}:watch{query}"


def last(events: Iterator[Any]) -> wire.Closing:
    """The last event, when it is one that says why."""
    *_, told = events
    return json_format.ParseDict(told, wire.WatchSessionResponse()).closing


def failed(closing: wire.Closing) -> Refused:
    """The error of a stream that has failed."""
    assert closing.reason == wire.CLOSING_REASON_FAILED
    return read_status(closing.error)


def test_whoever_gives_its_seat_up_is_told_so_on_its_stream(server: Stubs, web: Web) -> None:
    """And with the same words when it comes again."""
    created = create(server)
    submit(server, created, 0)
    with web.stream(path_of(created), created.seat_tokens[0]) as events:
        assert next(events)["session"]["revision"] == next(events)["snapshot"]["revision"] == "1"
        leaving = wire.LeaveSessionRequest(name=created.session.name)
        server.sessions.LeaveSession(leaving, metadata=bearer(created.seat_tokens[0]))
        closing = last(events)
    assert closing.revision == 1
    assert failed(closing).kind == ("UNAUTHENTICATED", SESSION, "BAD_TOKEN")
    with Transcoded(web.address) as stubs:
        assert refusal_of(lambda: watch(stubs, created, 0)) == failed(closing)


def test_rules_that_go_in_the_middle_are_named_with_the_place_to_come_back_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The history of a long game needs a view of each revision, and they are there for the first ones alone."""
    with Server(tmp_path / "rules.db") as rules:
        look, looks = GrpcRules.view, count()

        async def looked(self: GrpcRules, *what: Any) -> Any:
            if next(looks) == VIEWED:
                await asyncio.to_thread(rules.kill)
            return await look(self, *what)

        settings: dict[str, Any] = {"rules": rules.address, "rules_timeout": 0.5}
        with running(tmp_path / "lair.db", **settings) as server, edge(server.address) as web:
            created = create(server, **endless(LONG))
            feed_on(server, created)
            monkeypatch.setattr(GrpcRules, "view", looked)
            with web.stream(path_of(created, "?afterRevision=-1"), created.seat_tokens[0]) as events:
                assert "session" in next(events)
                *updates, told = events
    assert [int(each["update"]["revision"]) for each in updates] == list(range(len(updates)))
    closing = json_format.ParseDict(told, wire.WatchSessionResponse()).closing
    assert closing.revision == len(updates) - 1 == VIEWED - 1
    assert failed(closing).kind == ("UNAVAILABLE", SESSION, "RULES_UNAVAILABLE")
    assert failed(closing).retry_after is not None


def test_a_defect_of_ours_is_told_as_an_incident_and_nothing_of_it(
    server: Stubs, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(*_: object) -> None:
        raise KeyError("what nobody may hear")

    created = create(server)
    with web.stream(path_of(created)) as events:
        assert "session" in next(events)
        assert "snapshot" in next(events)
        monkeypatch.setattr(_Reader, "_tell", defect)
        submit(server, created, 0)
        closing = last(events)
    refused = failed(closing)
    assert refused.kind == ("INTERNAL", RULES, "UNEXPECTED")
    assert refused.metadata["incident"] in refused.message
    assert "nobody may hear" not in str(closing)


def test_what_is_wrong_from_the_start_is_an_http_status_and_no_event(server: Stubs, web: Web) -> None:
    created = create(server)
    answer = web.ask("GET", path_of(created, "?afterRevision=7"))
    assert answer.reason == (404, 5, SESSION, "REVISION_NOT_FOUND")


def test_grpc_is_told_the_same_twice(server: Stubs, web: Web) -> None:
    """In the last message and by the status, also through the edge."""
    for stubs in (server, Stubs(web.address)):
        created = create(stubs)
        seen = []
        stream = watch(stubs, created, 0)
        assert next(stream).HasField("snapshot")
        leaving = wire.LeaveSessionRequest(name=created.session.name)
        stubs.sessions.LeaveSession(leaving, metadata=bearer(created.seat_tokens[0]))
        refused = refusal_of(lambda: map(seen.append, stream))  # noqa: B023  called here
        assert failed(seen[-1].closing) == refused


def test_a_server_that_is_killed_breaks_the_stream_off(tmp_path: Path) -> None:
    """HTTP shows that: nobody takes what has come so far for a whole."""
    with Server(tmp_path / "lair.db") as process, edge(process.address) as web:
        with Stubs(process.address) as stubs:
            created = create(stubs)
        connection, response = web.send("GET", path_of(created))
        with contextlib.closing(connection):
            assert b"session" in response.readline()
            process.kill()
            with pytest.raises(IncompleteRead):
                response.read()
