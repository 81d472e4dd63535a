"""structlog for people or for machines. Nothing secret is ever put into an event: there is nothing to filter out."""

import contextlib
import logging
import sys

import structlog

from services.runtime.settings import Settings


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
        # Tracebacks stay plain: the pretty ones show local variables, and with them tokens and seeds.
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        if text
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([] if text else [structlog.processors.format_exc_info]),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[settings.log_level.upper()]),
        logger_factory=lambda *_: _StandardError(),
        cache_logger_on_first_use=True,
    )
