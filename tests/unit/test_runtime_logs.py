"""What the log looks like, and what it never does: fail a call, or show what a function was told."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import structlog
from services.runtime.logs import configure
from services.runtime.settings import Settings

configure(Settings(log_format="{format}", log_level="{level}"))
log = structlog.get_logger()

def join(token):
    try:
        dict()[token]
    except KeyError as error:
        raise RuntimeError("broken: " + token) from error

log.debug("quiet")
log.info("call", method="/x", seat=None)
try:
    join("a" + "-secret-" + "token")
except RuntimeError:
    log.exception("incident", incident="c0ffee")
"""


def logged(log_format: str, level: str = "info") -> str:
    """Standard error of a process that logs a call and an incident."""
    program = PROGRAM.format(format=log_format, level=level)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=30, check=True
    )
    assert not done.stdout
    return done.stderr


def test_machines_get_one_line_of_json_an_event() -> None:
    call, incident = (json.loads(line) for line in logged("auto").splitlines())
    assert (call["event"], call["level"], call["method"], call["seat"]) == ("call", "info", "/x", None)
    assert call["timestamp"].endswith("Z")
    assert re.search(r"in join\n(.|\n)*KeyError\nwhich led to\n(.|\n)*RuntimeError$", incident["exception"])


def test_people_get_text() -> None:
    text = logged("text")
    assert "call" in text
    assert "in join" in text
    assert "RuntimeError" in text
    assert not text.startswith("{")


def test_no_traceback_shows_what_a_function_was_told_or_what_an_exception_says() -> None:
    for log_format in ("text", "json"):
        assert "a-secret-token" not in logged(log_format)


def test_the_level_is_a_setting() -> None:
    assert "quiet" in logged("json", "debug")
    assert "call" not in logged("json", "error").replace("recent call", "")


def test_a_log_that_nobody_can_write_fails_nothing() -> None:
    program = PROGRAM.format(format="json", level="info") + "print('went on')"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=full, timeout=30, check=False
        )
    assert done.stdout == b"went on\n"


def test_without_a_standard_error_it_goes_on() -> None:
    program = PROGRAM.format(format="auto", level="info") + "print('went on')"
    command = ["sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, program]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (0, b"went on\n")


LIBRARIES = """
import asyncio, gc, logging
from services.runtime.logs import configure, take_in
from services.runtime.settings import Settings

configure(Settings(log_format="json"))

async def fail(token):
    raise KeyError(token)

async def main():
    take_in(asyncio.get_running_loop())
    task = asyncio.create_task(fail("a" + "-secret-" + "token"))
    await asyncio.sleep(0)
    del task
    gc.collect()
    try:
        await fail("a" + "-secret-" + "token")
    except KeyError as error:
        logging.getLogger("grpc").exception("Unexpected [%s]", error)

asyncio.run(main())
"""


def test_what_libraries_say_comes_as_events_and_shows_nothing_either() -> None:
    command = [sys.executable, "-c", LIBRARIES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=True)
    failed, said = (json.loads(line) for line in done.stderr.splitlines())
    assert (failed["event"], failed["where"]) == ("incident", "Task exception was never retrieved")
    assert (said["event"], said["name"], said["said"]) == ("library", "grpc", "Unexpected [%s]")
    assert all("in fail" in line["exception"] and "KeyError" in line["exception"] for line in (failed, said))
    assert "a-secret-token" not in done.stderr
