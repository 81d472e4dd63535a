"""The disk's thread: one piece of work after the other, each with its own result, and all of them before it stops."""

import asyncio
import threading
from functools import partial

import pytest

from services.session.adapters.sqlite.disk import DiskThread


@pytest.fixture
async def disk() -> DiskThread:
    return DiskThread("disk")


async def test_work_is_done_in_order_and_in_one_other_thread(disk: DiskThread) -> None:
    def number(wanted: int) -> tuple[int, str]:
        return wanted, threading.current_thread().name

    handed = [disk.do(partial(number, wanted)) for wanted in range(5)]
    assert await asyncio.gather(*handed) == [(wanted, "disk") for wanted in range(5)]
    disk.close()


async def test_what_work_raises_is_raised_where_it_is_waited_for_and_the_thread_goes_on(disk: DiskThread) -> None:
    def fail() -> None:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        await disk.do(fail)
    assert await disk.do(lambda: 7) == 7
    disk.close()


async def test_who_has_gone_breaks_nothing(disk: DiskThread) -> None:
    go_on = threading.Event()
    gone, failing = disk.do(go_on.wait), disk.do(lambda: 1 / 0)
    gone.cancel()
    failing.cancel()
    go_on.set()
    assert await disk.do(lambda: 7) == 7
    disk.close()


async def test_closing_waits_for_what_was_handed_in(disk: DiskThread) -> None:
    done: list[int] = []
    handed = [disk.do(partial(done.append, number)) for number in range(20)]
    disk.close()
    assert done == list(range(20))
    await asyncio.gather(*handed)


def test_a_loop_that_is_closed_is_no_harm() -> None:
    go_on, done = threading.Event(), threading.Event()

    async def hand_in() -> DiskThread:
        disk = DiskThread("disk")
        disk.do(go_on.wait)
        disk.do(done.set)
        return disk

    disk = asyncio.run(hand_in())
    go_on.set()
    disk.close()
    assert done.is_set()
