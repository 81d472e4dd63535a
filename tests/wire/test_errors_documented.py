"""The protos write down every error; what is written there is what is sent, and all of it is tested."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from monsters.replicas.v1 import replicas_pb2
from monsters.rules.v1 import rules_pb2
from monsters.session.v1 import session_pb2

from services.games import find_games
from services.runtime.admission import Admission
from services.runtime.calls import serve
from services.runtime.server import listening
from services.runtime.settings import Settings
from tests.support.refusals import RULES, SESSION, documented, refusal_of
from tests.support.servers import Stubs, hosting, messages_of

GRAMMAR = re.compile(r"[A-Z][A-Z0-9_]+[A-Z0-9]")
SECRET = "the secret of the broken part"


REPLICAS = "monsters.replicas.v1"
SERVICES: Mapping[str, Any] = {RULES: rules_pb2, SESSION: session_pb2, REPLICAS: replicas_pb2}


def reasons_of(domain: str) -> set[str]:
    """All reasons in the enum of a domain, without their prefix."""
    if domain in SERVICES:
        enum, prefix = SERVICES[domain].ErrorReason, "ERROR_REASON_"
    else:
        enum, prefix = messages_of(domain.split(".")[1]).RefusalReason, "REFUSAL_REASON_"
    return {name.removeprefix(prefix) for name in enum.DESCRIPTOR.values_by_name} - {"UNSPECIFIED"}


DOMAINS = [*SERVICES, *(f"monsters.{game}.v1" for game in find_games())]


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_reason_is_documented_with_an_example(domain: str) -> None:
    assert {reason for known, reason in documented() if known == domain} == reasons_of(domain)


@pytest.mark.parametrize("domain", DOMAINS)
def test_reasons_keep_to_the_grammar_of_error_info(domain: str) -> None:
    for reason in reasons_of(domain):
        assert GRAMMAR.fullmatch(reason)
        assert len(reason) <= 63


@pytest.mark.parametrize("domain", [RULES, SESSION])
def test_every_reason_of_the_services_is_tested_here(domain: str) -> None:
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_errors_*.py"))
    assert {reason for reason in reasons_of(domain) if f'"{reason}"' not in tests} == set()


class Broken:
    """A servicer with a defect in every method."""

    def __getattr__(self, _: str) -> object:
        async def fail(*_: object) -> Message:
            raise RuntimeError(SECRET)

        return fail


def test_a_defect_of_ours_is_told_as_an_incident_and_nothing_of_it() -> None:
    descriptor = session_pb2.DESCRIPTOR.services_by_name["SessionService"]
    handlers = {descriptor.full_name: serve(descriptor, Broken(), Admission.up_to(10))}
    server = listening(Settings(address="127.0.0.1:0"), handlers, leave=lambda: None)
    with hosting(server) as address, Stubs(address) as stubs:
        name = "sessions/7f3k"
        for call in (
            lambda: stubs.sessions.GetSession(session_pb2.GetSessionRequest(name=name)),
            lambda: stubs.sessions.WatchSession(session_pb2.WatchSessionRequest(name=name)),
            lambda: stubs.sessions.PlaySeat(iter(())),
        ):
            refused = refusal_of(call)
            assert refused.kind == ("INTERNAL", RULES, "UNEXPECTED")
            assert refused.metadata["incident"] in refused.message
            assert SECRET not in f"{refused}"
        assert stubs.serving(), "the server goes on"
