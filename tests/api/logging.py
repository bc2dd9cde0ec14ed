"""Helpers to read the log of an application."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import structlog


@contextmanager
def logged_to(stream: StringIO) -> Iterator[StringIO]:
    """Restore the logging configuration of the process afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    config = structlog.get_config() if structlog.is_configured() else None
    try:
        yield stream
    finally:
        structlog.reset_defaults()
        if config:
            structlog.configure(**config)
        root.handlers[:] = handlers
        root.setLevel(level)
