"""Whoever wants the same at the same time shares one call, and nobody's departure takes it from the others."""

import asyncio

import pytest

from services.runtime.single_flight import SingleFlight


class Asked:
    """Something that is asked, counts how often, and answers once it may."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.times = 0
        self.may_answer = asyncio.Event()
        self.failure = failure

    async def __call__(self) -> int:
        self.times += 1
        number = self.times
        await self.may_answer.wait()
        if self.failure:
            raise self.failure
        return number


async def test_calls_of_one_key_are_one_and_those_of_others_are_not() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    asked = Asked()
    waiting = [asyncio.create_task(flights.call(key, asked)) for key in ("a", "a", "b", "a")]
    await asyncio.sleep(0)
    asked.may_answer.set()
    assert await asyncio.gather(*waiting) == [1, 1, 2, 1]
    assert await flights.call("a", asked) == 3, "an answer that has come is not kept"


async def test_a_failure_is_everybodys_and_not_kept() -> None:
    flights: SingleFlight[str, int] = SingleFlight(kept_for=60)
    asked = Asked(ValueError("no"))
    waiting = [asyncio.create_task(flights.call("a", asked)) for _ in range(3)]
    await asyncio.sleep(0)
    asked.may_answer.set()
    failures = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(failure) for failure in failures] == [ValueError] * 3
    assert asked.times == 1
    with pytest.raises(ValueError, match="no"):
        await flights.call("a", asked)
    assert asked.times == 2


async def test_whoever_goes_takes_the_call_from_nobody() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    asked = Asked()
    first, second = (asyncio.create_task(flights.call("a", asked)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    asked.may_answer.set()
    assert await second == 1


async def test_an_answer_may_be_kept_for_a_while() -> None:
    flights: SingleFlight[str, int] = SingleFlight(kept_for=0.05)
    asked = Asked()
    asked.may_answer.set()
    assert [await flights.call("a", asked) for _ in range(3)] == [1, 1, 1]
    async with asyncio.timeout(60):
        while await flights.call("a", asked) == 1:  # noqa: ASYNC110  it is time that ends it
            await asyncio.sleep(0.01)
