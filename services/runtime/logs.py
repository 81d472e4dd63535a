"""structlog for people or for machines. Nothing secret is ever put into an event: there is nothing to filter out."""

import contextlib
import logging
import sys
import traceback

import structlog
from structlog.typing import EventDict, WrappedLogger

from services.runtime.settings import Settings

MOST_CAUSES = 8
"""Exceptions that led to one another, of which a log tells."""


class _StandardError:
    """Where lines go. One that can't be written is lost: it must not fail the call that it tells of."""

    def msg(self, line: str) -> None:
        """Write a line."""
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{line}\n")

    debug = info = warning = error = critical = exception = msg


def configure(settings: Settings) -> None:
    """Write events to standard error: coloured lines on a terminal, JSON lines elsewhere."""
    text = settings.log_format == "text" or (settings.log_format == "auto" and sys.stderr.isatty())
    renderer = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        if text
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _tell_where,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[settings.log_level.upper()]),
        logger_factory=lambda *_: _StandardError(),
        cache_logger_on_first_use=True,
    )


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
