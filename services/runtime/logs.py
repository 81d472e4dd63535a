"""structlog for people or for machines. Nothing secret is ever put into an event: there is nothing to filter out."""

import logging
import sys

import structlog

from services.runtime.settings import Settings


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
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
