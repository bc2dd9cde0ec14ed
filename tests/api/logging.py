"""Reading what an application logs."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO

import structlog


@contextmanager
def logged_to(stream: StringIO) -> Iterator[StringIO]:
    """Undo afterwards what is set up meanwhile for the whole process."""
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
