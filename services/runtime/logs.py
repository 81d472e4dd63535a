"""structlog for people or for machines. Nothing secret is ever put into an event: there is nothing to filter out."""

import asyncio
import io
import logging
import sys
import traceback
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from services.runtime.settings import Settings
from services.runtime.standard_error import StandardError, standard_error

MOST_CAUSES = 8
"""Exceptions that led to one another, of which a log tells."""
MOST_SAID = 200
"""Characters of what a library says."""


class _Lines:
    """Where structlog's lines go. What tells of trouble is written at once, if anybody reads."""

    def __init__(self, out: "StandardError | _Memory") -> None:
        self.debug = self.info = self.msg = out.put
        self.warning = self.error = self.critical = self.exception = partial(out.put, urgent=True)


class _Memory:
    """A standard error that is no file, such as a notebook's or that of a test: nobody waits for it."""

    @staticmethod
    def put(line: str, *, urgent: bool = False) -> None:  # noqa: ARG004  all of it is written at once
        """Write a line."""
        sys.stderr.write(f"{line}\n")


class _Libraries(logging.Handler):
    """What libraries say by Python's own logging, as events.

    What they put into their sentences is left out, as exceptions' messages are: it may be what they choked on.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Tell of it."""
        error = record.exc_info[1] if record.exc_info else None
        told = {"exc_info": error} if error else {}
        structlog.get_logger().log(
            record.levelno, "library", name=record.name, said=str(record.msg)[:MOST_SAID], **told
        )


def configure(settings: Settings) -> None:
    """Write events to standard error: coloured lines on a terminal, JSON lines elsewhere. Nobody waits for them."""
    terminal = sys.stderr is not None and sys.stderr.isatty()
    renderer = (
        structlog.dev.ConsoleRenderer(colors=terminal)
        if settings.log_format == "text" or (settings.log_format == "auto" and terminal)
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    processors: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _tell_where,
        renderer,
    ]
    if _in_memory():
        lines = _Lines(_Memory())
    else:
        standard_error().dropped = partial(_dropped, processors)
        lines = _Lines(standard_error())
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[settings.log_level.upper()]),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )


def _in_memory() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.fileno() < 0
    except io.UnsupportedOperation:
        return True
    except ValueError:  # it is closed
        return False


def take_in(loop: asyncio.AbstractEventLoop) -> None:
    """Tell as events, too, what Python and its libraries would write to standard error by themselves and wait for."""
    logging.basicConfig(handlers=[_Libraries()], level=logging.WARNING, force=True)
    loop.set_exception_handler(_tell_of_failure)


def _tell_of_failure(_: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """What failed while nobody waited for it."""
    error = context.get("exception")
    structlog.get_logger().error("incident", where=context["message"], **({"exc_info": error} if error else {}))


def _dropped(processors: Sequence[Processor], lines: int) -> str:
    """The line that says how many others are missing."""
    event: Any = {"event": "log lines dropped", "lines": lines}
    for processor in processors:
        event = processor(None, "warning", event)
    return str(event)


def _tell_where(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Say where an exception came from and of which type it is, and nothing that it says.

    Its message may name what it choked on: KeyError does, and that may be a hidden card or a token.
    """
    if raised := event.pop("exc_info", None):
        parts, error = list[str](), raised if isinstance(raised, BaseException) else sys.exc_info()[1]
        while error is not None and len(parts) < MOST_CAUSES:
            frames = "".join(traceback.format_tb(error.__traceback__))
            parts.append(f"{frames}{type(error).__module__}.{type(error).__qualname__}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        event["exception"] = "\nwhich led to\n".join(reversed(parts))
    return event
