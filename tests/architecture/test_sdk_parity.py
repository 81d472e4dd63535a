"""Both flavours of the SDK have the same names, the same arguments and the same words."""

import inspect
import re
from typing import Any

import pytest

import lair
from lair._aio_line import AsyncLine
from lair._connection import AsyncConnection, Connection

PAIRS = [
    (lair.Client, lair.AsyncClient),
    (lair.Session, lair.AsyncSession),
    (lair.Seat, lair.AsyncSeat),
    (lair.Rules, lair.AsyncRules),
    (lair.Line, AsyncLine),
    (lair.Simulation, lair.AsyncSimulation),
    (Connection, AsyncConnection),
]
SPECIAL = {
    "__enter__": "__aenter__",
    "__exit__": "__aexit__",
    "__iter__": "__aiter__",
    "__next__": "__anext__",
}
NOT_AWAITED = {
    *("rules", "watch", "stream", "simulate", "exchange", "history", "lobbies", "attempts"),
    *("__init__", "__repr__", "__aiter__"),
}


def methods(thing: type) -> dict[str, Any]:
    """What a user can call, under the blocking flavour's names."""
    names = {asyncio: blocking for blocking, asyncio in SPECIAL.items()}
    return {
        names.get(name, name): function
        for name, function in inspect.getmembers(thing, inspect.isfunction)
        if not name.startswith("_") or name in names or name in SPECIAL or name == "__init__"
    }


def arguments(function: Any) -> list[tuple[str, Any, Any]]:
    return [
        (parameter.name, parameter.kind, parameter.default)
        for parameter in inspect.signature(function).parameters.values()
    ]


def plain(text: str) -> str:
    """A docstring or an annotation without what must differ."""
    text = re.sub(r"Async(?=[A-Z])", "", text).replace("`aconnect`", "`connect`").replace("an `async with`", "a `with`")
    return " ".join(text.split())


@pytest.mark.parametrize(("blocking", "asyncio"), PAIRS)
def test_both_flavours_have_the_same_methods_with_the_same_arguments(blocking: type, asyncio: type) -> None:
    ours, theirs = methods(blocking), methods(asyncio)
    assert set(ours) == set(theirs)
    for name, function in ours.items():
        assert arguments(function) == arguments(theirs[name]), name


@pytest.mark.parametrize(("blocking", "asyncio"), PAIRS)
def test_both_flavours_are_described_in_the_same_words(blocking: type, asyncio: type) -> None:
    ours, theirs = methods(blocking), methods(asyncio)
    for name, function in ours.items():
        assert plain(function.__doc__ or "") == plain(theirs[name].__doc__ or ""), name


@pytest.mark.parametrize(("blocking", "asyncio"), PAIRS)
def test_both_flavours_return_the_same_types(blocking: type, asyncio: type) -> None:
    def returned(function: Any) -> str:
        text = plain(str(inspect.signature(function).return_annotation))
        text = re.sub(r"\b(lair|collections)\.[a-z_.]*", "", text)
        return re.sub(r", None(, None)?\]$", "]", text) if "Generator" in text else text

    ours, theirs = methods(blocking), methods(asyncio)
    for name, function in ours.items():
        assert returned(function) == returned(theirs[name]), name


@pytest.mark.parametrize(("blocking", "asyncio"), PAIRS)
def test_everything_that_asks_the_server_is_awaited(blocking: type, asyncio: type) -> None:
    for name, function in inspect.getmembers(asyncio, inspect.isfunction):
        if not name.startswith("_") and name not in NOT_AWAITED:
            assert inspect.iscoroutinefunction(function), name
    assert not [name for name, function in methods(blocking).items() if inspect.iscoroutinefunction(function)]


def test_both_ways_to_connect_take_the_same_arguments() -> None:
    assert arguments(lair.connect) == arguments(lair.aconnect)
