"""Bytes from outside become a message with every required field, or are refused with the fields' names."""

import pytest
from google.protobuf.message import Message
from monsters.rules.v1 import opaque_pb2 as opaque
from monsters.session.v1 import session_pb2 as wire

from services.runtime.failure import Failure
from services.runtime.requests import parse, required

SEATS = [wire.SeatRequest()]


def refused(request_type: type[Message], raw: bytes) -> list[str]:
    """The fields that a MALFORMED_REQUEST names."""
    with pytest.raises(Failure) as caught:
        parse(request_type, raw)
    assert caught.value.reason == "MALFORMED_REQUEST"
    return [flaw.field for flaw in caught.value.flaws]


def test_the_proto_says_what_is_required() -> None:
    assert required(wire.CreateSessionRequest.DESCRIPTOR) == ("game", "seats")
    assert required(opaque.ApplyMoveRequest.DESCRIPTOR) == ("position",)
    assert required(wire.ListSessionsRequest.DESCRIPTOR) == ()


def test_what_has_everything_comes_through() -> None:
    request = wire.CreateSessionRequest(game="cabbages", seats=SEATS)
    assert parse(wire.CreateSessionRequest, request.SerializeToString()) == request
    assert parse(wire.ListSessionsRequest, b"") == wire.ListSessionsRequest()


def test_every_field_that_is_missing_is_named() -> None:
    assert refused(wire.CreateSessionRequest, b"") == ["game", "seats"]
    assert refused(wire.CreateSessionRequest, wire.CreateSessionRequest(game="cabbages").SerializeToString()) == [
        "seats"
    ]
    assert refused(wire.CreateSessionRequest, wire.CreateSessionRequest(seats=SEATS).SerializeToString()) == ["game"]


def test_a_field_that_is_there_and_empty_is_missing() -> None:
    """proto3 can't tell them apart: neither is on the wire."""
    assert refused(wire.GetSessionRequest, b"\x0a\x00") == ["name"]


def test_bytes_that_are_no_message_are_refused() -> None:
    for raw in (b"\xff", b"\x0a\x05ab", b"\x0a\x01\xff", b"\x0b" * 200):
        assert refused(wire.GetSessionRequest, raw) == [""]


def test_fields_of_a_later_version_are_no_flaw() -> None:
    assert parse(wire.GetSessionRequest, b"\x0a\x01a\xfa\x3e\x03new").name == "a"
