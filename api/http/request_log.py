"""The request log: one line for each request, as JSON or for people, without secrets."""

import json
import logging
import re
import secrets
import sys
from datetime import UTC, datetime
from time import perf_counter
from typing import TextIO, cast

import flask
import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from api.http.request import Request, current_request
from engine.text import clean
from service.settings import Settings

REQUEST_ID = re.compile(r"[\x21-\x7e]{1,64}")
TOKEN = re.compile(r"nm[cdr]?_[A-Za-z0-9_-]{8,}")
"""A token; or a code, device code or refresh token of a connected app."""


def set_request_id(request: Request) -> None:
    """Take the request id from the X-Request-Id header if it is safe to log, or make one."""
    header = request.headers.get("X-Request-Id", "")
    request.id = header if REQUEST_ID.fullmatch(header) else secrets.token_hex(8)


def log_request(log: FilteringBoundLogger, request: Request, status: int) -> None:
    """Log a request, without its query and its body."""
    log.info(
        "request",
        method=request.method,
        route=request.route,
        status=status,
        ms=round((perf_counter() - request.began) * 1000, 2),
        account=request.caller.account if request.caller else None,
        request_id=request.id,
        **request.log_fields,
    )


def set_up(settings: Settings, stream: TextIO | None = None) -> None:
    """Configure structlog and logging to write the same format to the same stream."""
    out = stream or cast(TextIO, _Stderr())
    processors: list[Processor] = [
        _add_time_and_request,
        structlog.processors.add_log_level,
        structlog.processors.format_exc_info,
        _hide_tokens,
    ]
    renderer: list[Processor] = (
        [structlog.processors.JSONRenderer(json.dumps)]  # escapes everything that is not ASCII
        if settings.log_format == "json"
        else [_readable]
    )
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[*processors, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(out),
    )
    _configure_logging(out, level, processors, renderer)


def _configure_logging(
    out: TextIO, level: int, processors: list[Processor], renderer: list[Processor]
) -> None:
    """Format the records of the standard library's logging as structlog does."""
    handler = _Handler(out)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=processors,
            processors=[ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [other for other in root.handlers if not isinstance(other, _Handler)]
    root.addHandler(handler)
    root.setLevel(level)


class _Handler(logging.StreamHandler[TextIO]):
    """Our handler of the root logger, told apart from others by its class."""


class _Stderr:
    """The current sys.stderr, which may be replaced while we run."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _hide_tokens(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Hide tokens in all fields, even in messages."""
    for name, value in line.items():
        if isinstance(value, str) and "nm_" in value:
            line[name] = TOKEN.sub("nm_…", value)
    return line


def _add_time_and_request(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Add the time, and the id of the current request."""
    line["at"] = f"{datetime.now(UTC).replace(tzinfo=None).isoformat()}Z"
    if flask.has_request_context():
        line["request_id"] = current_request().id
    return line


def _quoted(value: object) -> str:
    """Quote a value that contains spaces or an equals sign."""
    text = str(value)
    return repr(text) if " " in text or "=" in text else text


def _readable(_: WrappedLogger, __: str, line: EventDict) -> str:
    """Render a line for people, without control characters.

    Only our own tracebacks have several lines.
    """
    at, level, event = (line.pop(name, "") for name in ("at", "level", "event"))
    traceback = str(line.pop("exception", "")).splitlines()
    facts = [f"{name}={_quoted(value)}" for name, value in line.items() if value is not None]
    text = clean(f"{at} [{level}] {event}  {' '.join(facts)}".rstrip())
    return "\n".join([text, *map(clean, traceback)])
