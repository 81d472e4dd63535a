"""What a process says is heard line by line, however long a line is."""

import asyncio
import sys

import pytest

from services.edge.process import MOST_LINE, begin, lines_of

HALF = MOST_LINE // 2


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([b"one\ntwo\n"], [b"one", b"two"]),
        ([b"on", b"e\ntw", b"o"], [b"one", b"two"]),
        ([b"one\n", b"\ntwo\n"], [b"one", b"", b"two"]),
        ([b"a" * MOST_LINE, b"\nb\n"], [b"a" * MOST_LINE, b"b"]),
        ([b"a" * MOST_LINE, b"a" * 3 * MOST_LINE, b"a\nb"], [b"a" * MOST_LINE, b"b"]),
        ([b"c" * HALF + b"\n" + b"a" * HALF, b"a" * MOST_LINE + b"\nb\n"], [b"c" * HALF, b"a" * MOST_LINE, b"b"]),
        ([], []),
    ],
)
async def test_a_line_is_cut_where_it_is_too_long(chunks: list[bytes], lines: list[bytes]) -> None:
    stream = asyncio.StreamReader()
    for chunk in chunks:
        stream.feed_data(chunk)
    stream.feed_eof()
    assert [line async for line in lines_of(stream)] == lines


async def test_a_process_is_heard_after_a_line_that_is_too_long() -> None:
    heard: list[str] = []
    program = "import sys; sys.stderr.write('a' * 1_000_000 + '\\nthe end\\n'); sys.exit(3)"
    run = await begin([sys.executable, "-c", program], heard.append)
    assert await run.ended == 3
    assert heard == ["a" * MOST_LINE, "the end"]
    assert run.said == "the end"
