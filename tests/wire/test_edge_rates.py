"""How often one caller may create, join and open streams: beyond that it is told when to come again. Others are not."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from monsters.session.v1 import session_pb2 as wire

from services.edge.limits import CREATIONS, JOINS, SESSIONS, TOGETHER, Rates
from services.edge.protos import read_protos
from services.runtime.settings import Settings
from tests.support.edge import Answer, Web, edge, needs_envoy
from tests.support.refusals import RULES, Refused, refusal_of
from tests.support.servers import Stubs, running
from tests.support.sessions import Created, create

pytestmark = needs_envoy
FEW = 4
SLOWLY = Rates(creations=FEW, joins=FEW, streams=FEW)
"""In a minute: none comes back while a test runs, or hardly any."""
FREE = dict.fromkeys(("max_creations", "max_joins", "max_caller_creations", "max_caller_joins"), 0)
NEW = {"game": "cabbages", "seats": [{}, {}]}
LIMITED = (429, 8, RULES, "RATE_LIMITED")
ADDRESSES = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stubs]:
    """One without rates of its own, for which all of these are a single caller: this machine."""
    with running(tmp_path_factory.mktemp("rates") / "lair.db", **FREE) as stubs:
        yield stubs


@pytest.fixture(scope="module")
def limited(server: Stubs) -> Iterator[Web]:
    with edge(server.address, rates=SLOWLY, proxies=1) as web:
        yield web


@pytest.fixture(scope="module")
def created(server: Stubs) -> Created:
    return create(server)


def somebody() -> str:
    """An address that has not called before."""
    return f"192.0.2.{next(ADDRESSES)}"


@dataclass(frozen=True)
class Costly:
    """What may not be done too often."""

    verb: str
    path: str
    expected: int


COSTLY = {
    "creating": Costly("POST", "/v1/sessions", 400),
    "creating a rematch": Costly("POST", "/v1/sessions/7f3k:createRematch", 404),
    "joining": Costly("POST", "/v1/sessions:join", 400),
    "joining a rematch": Costly("POST", "/v1/sessions/7f3k:joinRematch", 404),
    "watching": Costly("GET", "/v1/sessions/7f3k:watch", 404),
}


def ask(web: Web, costly: Costly, address: str) -> Answer:
    return web.ask(costly.verb, costly.path, {} if costly.verb == "POST" else None, x_forwarded_for=address)


@pytest.mark.parametrize("what", COSTLY)
def test_one_caller_has_its_share_and_takes_nobody_elses(limited: Web, what: str) -> None:
    costly, here = COSTLY[what], somebody()
    answers = [ask(limited, costly, here) for _ in range(FEW + 3)]
    assert [answer.status for answer in answers[:FEW]] == [costly.expected] * FEW
    refused = answers[-1]
    assert refused.reason == LIMITED
    assert refused.json["details"][0]["metadata"] == {"limit": str(FEW)}
    assert float(refused.json["details"][1]["retryDelay"].removesuffix("s")) >= 1
    assert int(refused.headers["retry-after"]) >= 1
    assert str(FEW) in refused.json["message"]
    assert ask(limited, costly, somebody()).status == costly.expected


def test_what_costs_little_has_no_share(limited: Web, created: Created) -> None:
    here = somebody()
    for _ in range(3 * FEW):
        for path in ("/v1/sessions", f"/v1/{created.session.name}", f"/v1/{created.session.name}/view", "/docs"):
            assert limited.ask("GET", path, x_forwarded_for=here).status == 200


def test_callers_by_grpc_are_told_the_same(limited: Web) -> None:
    """Also on a stream in both directions."""
    with Stubs(limited.address) as stubs:
        metadata = (("x-forwarded-for", somebody()),)

        def creating() -> object:
            return stubs.sessions.CreateSession(wire.CreateSessionRequest(), metadata=metadata)

        def playing() -> object:
            return list(stubs.sessions.PlaySeat(iter(()), metadata=metadata))

        for calling in (creating, playing):
            refused = beyond_its_share(calling)
            assert refused.kind == ("RESOURCE_EXHAUSTED", RULES, "RATE_LIMITED")
            assert refused.metadata == {"limit": str(FEW)}
            assert refused.retry_after is not None
            assert refused.message == f"more than {FEW} of these in a minute"


def beyond_its_share(calling: Callable[[], object]) -> Refused:
    for _ in range(FEW):
        with pytest.raises(grpc.RpcError):
            calling()
    return refusal_of(calling)


def test_a_caller_has_a_network_of_ipv6_and_counts_once(limited: Web) -> None:
    costly = COSTLY["joining"]
    statuses = [ask(limited, costly, f"2001:db8:0:7::{number:x}").status for number in range(1, FEW + 2)]
    assert statuses == [costly.expected] * FEW + [429]
    assert ask(limited, costly, "2001:db8:0:8::1").status == costly.expected


def test_nobody_gets_another_share_by_a_header(server: Stubs) -> None:
    """Without a proxy that is known, what x-forwarded-for says is anybody's word."""
    with edge(server.address, rates=SLOWLY) as web:
        costly = COSTLY["joining"]
        statuses = [ask(web, costly, somebody()).status for _ in range(FEW + 1)]
        assert statuses == [costly.expected] * FEW + [429]


def test_servers_are_told_whose_a_call_is(tmp_path: Path) -> None:
    """Behind whatever has come with it, so that nobody is another. Programs of this machine are the operator's own."""
    few = {"max_creations": 0, "max_caller_creations": FEW}
    with running(tmp_path / "lair.db", **few) as stubs, edge(stubs.address) as web:
        for _ in range(2 * FEW):
            assert web.ask("POST", "/v1/sessions", NEW, x_forwarded_for="192.0.2.1").status == 200
    with running(tmp_path / "other.db", proxies=1, **few) as stubs, edge(stubs.address, proxies=1) as web:
        for address in (somebody(), somebody()):
            forwarded = f"10.0.0.1, {address}"
            answers = [web.ask("POST", "/v1/sessions", NEW, x_forwarded_for=forwarded) for _ in range(FEW + 1)]
            assert [answer.status for answer in answers] == [200] * FEW + [429]


def test_a_share_comes_back(server: Stubs) -> None:
    """Evenly, and not a minute's worth at once."""
    with edge(server.address, rates=Rates(joins=120)) as web:
        costly = COSTLY["joining"]
        asked = 0
        while (answer := ask(web, costly, "192.0.2.1")).status != 429:
            asked += 1
            assert asked < 5_000
        assert asked >= 120
        while ask(web, costly, "192.0.2.1").status == 429:
            asked += 1
            assert asked < 50_000
        assert answer.reason == LIMITED


def test_all_callers_together_have_a_share(server: Stubs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.edge.limits.TOGETHER", 2)
    with edge(server.address, rates=Rates(joins=1), proxies=1) as web:
        statuses = [ask(web, COSTLY["joining"], somebody()).status for _ in range(4)]
    assert statuses == [400, 400, 429, 429]


def test_the_methods_that_cost_are_those_of_the_contract() -> None:
    methods = {method.name for method in read_protos().methods if method.service == SESSIONS}
    assert methods >= CREATIONS | JOINS
    assert {name for name in methods if re.match("(Create|Join)", name)} == CREATIONS | JOINS


def test_the_shares_of_the_settings_leave_room() -> None:
    settings = Settings()
    assert min(settings.edge_creations, settings.edge_joins, settings.edge_streams) >= 30
    assert TOGETHER >= 10
