"""Lines for a standard error that nobody reads, that is broken or closed: nobody waits, and what is lost is told."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import IO

import pytest

from services.runtime import standard_error
from services.runtime.standard_error import MOST_WAITING, StandardError

PATIENCE = 30.0
LINE = "x" * 99


def have(monkeypatch: pytest.MonkeyPatch, stderr: object) -> None:
    """Have this standard error. That of the process is pytest's, who changes it between fixture and test."""
    monkeypatch.setattr(standard_error, "sys", SimpleNamespace(stderr=stderr))


class Pipe:
    """A standard error, and who may read it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        reading, writing = os.pipe()
        self.reader: IO[str] = os.fdopen(reading)
        self.writer = os.fdopen(writing, "w")
        have(monkeypatch, self.writer)

    def lines(self, number: int) -> list[str]:
        """So many lines, as soon as they are there."""
        return [self.reader.readline().removesuffix("\n") for _ in range(number)]

    def close(self) -> None:
        self.writer.close()
        self.reader.close()


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipe]:
    opened = Pipe(monkeypatch)
    yield opened
    opened.close()


@pytest.fixture
def out(pipe: Pipe) -> Iterator[StandardError]:
    """Made after the pipe, and ended before it."""
    opened = StandardError()
    yield opened
    opened.close(PATIENCE)


def test_lines_come_in_order_whoever_is_urgent(out: StandardError, pipe: Pipe) -> None:
    for number in range(1000):
        out.put(str(number), urgent=number % 7 == 0)
    assert pipe.lines(1000) == [str(number) for number in range(1000)]


def test_nobody_waits_for_who_does_not_read_and_what_was_dropped_is_told(out: StandardError, pipe: Pipe) -> None:
    """A quarter of this fits into the queue, and about as much may be under way."""
    number = 4 * MOST_WAITING // len(LINE)
    for _ in range(number):
        out.put(LINE)
    kept, told = 0, 0
    while kept + told < number:
        (line,) = pipe.lines(1)
        if line == LINE:
            kept += 1
        else:
            told += int(line.removesuffix(" lines dropped"))
    assert kept + told == number
    assert MOST_WAITING // len(LINE) <= kept <= 2.5 * MOST_WAITING // len(LINE)
    out.put("afterwards")
    assert pipe.lines(1) == ["afterwards"]


def test_what_can_not_be_written_is_told_once_writing_works_again(
    out: StandardError, pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe.reader.close()
    for number in range(3):
        out.put(str(number), urgent=True)
        until_taken(out)
    again = Pipe(monkeypatch)
    out.put("again")
    assert again.lines(2) == ["again", "3 lines dropped"]
    again.close()


def test_a_line_that_was_cut_off_does_not_spoil_the_next(
    out: StandardError, pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "y" * 1_000_000
    out.put(long)
    assert pipe.reader.read(70_000)
    pipe.reader.close()
    until_taken(out)
    again = Pipe(monkeypatch)
    out.put("again")
    assert again.lines(3) == ["", "again", "1 lines dropped"]
    again.close()


def test_a_pipe_that_somebody_has_made_non_blocking_gets_whole_lines(out: StandardError, pipe: Pipe) -> None:
    os.set_blocking(pipe.writer.fileno(), False)
    for number in range(5000):
        out.put(f"{number} {LINE}")
    assert pipe.lines(5000) == [f"{number} {LINE}" for number in range(5000)]


def test_the_end_waits_for_no_reader_for_long(pipe: Pipe) -> None:
    out = StandardError()
    for _ in range(2000):
        out.put(LINE)
    out.close(0.1)
    assert pipe.lines(2000) == [LINE] * 2000, "and who reads after all has everything"


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("stderr", [None, "closed"])
def test_without_a_standard_error_nothing_is_harmed(monkeypatch: pytest.MonkeyPatch, stderr: str | None) -> None:
    closed = Path(os.devnull).open("w")  # noqa: SIM115  closed in the next line
    closed.close()
    have(monkeypatch, stderr and closed)
    out = StandardError()
    out.put("lost")
    out.close(PATIENCE)
    assert not out._thread.is_alive()


def until_taken(out: StandardError) -> None:
    """Wait until what was put has failed to be written."""
    while out._lines or not out._failing:
        threading.Event().wait(0.01)
