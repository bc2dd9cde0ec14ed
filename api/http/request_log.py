"""One line for every request: JSON that always parses, and nothing in it that is secret."""

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

from api.http.edge import Request, asked
from engine.text import clean
from service.settings import Settings

REQUEST_ID = re.compile(r"[\x21-\x7e]{1,64}")
TOKEN = re.compile(r"nm_[A-Za-z0-9_-]{8,}")


def name(request: Request) -> None:
    """Name the request: by the caller's own id, if it is one that can stand in a log."""
    said = request.headers.get("X-Request-Id", "")
    request.id = said if REQUEST_ID.fullmatch(said) else secrets.token_hex(8)


def finish(log: FilteringBoundLogger, request: Request, status: int) -> None:
    """Write the request's line. The query is left out, and so is all that was sent."""
    log.info(
        "request",
        method=request.method,
        route=request.route,
        status=status,
        ms=round((perf_counter() - request.began) * 1000, 2),
        account=request.caller.account if request.caller else None,
        request_id=request.id,
        **request.notes,
    )


def note(**facts: object) -> None:
    """Let these facts stand in the line of the request in hand."""
    asked().notes.update(facts)


def set_up(settings: Settings, stream: TextIO | None = None) -> None:
    """Send all that this process logs, by structlog or by logging, the same way."""
    out = stream or cast(TextIO, _Stderr())
    before: list[Processor] = [
        _placed,
        structlog.processors.add_log_level,
        structlog.processors.format_exc_info,
        _veiled,
    ]
    written: list[Processor] = (
        [structlog.processors.JSONRenderer(json.dumps)]  # which escapes whatever is not ASCII
        if settings.log_format == "json"
        else [_readable]
    )
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    structlog.configure(
        processors=[*before, *written],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(out),
    )
    _catch_foreign(out, level, before, written)


def _catch_foreign(
    out: TextIO, level: int, before: list[Processor], written: list[Processor]
) -> None:
    handler = _Handler(out)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[ProcessorFormatter.remove_processors_meta, *written],
        )
    )
    root = logging.getLogger()
    root.handlers = [other for other in root.handlers if not isinstance(other, _Handler)]
    root.addHandler(handler)
    root.setLevel(level)


class _Handler(logging.StreamHandler[TextIO]):
    """Ours among the handlers of the root logger."""


class _Stderr:
    """Standard error as it is when a line is written; it may be replaced meanwhile."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _veiled(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """No token, even where somebody has put one into a message."""
    for name, value in line.items():
        if isinstance(value, str) and "nm_" in value:
            line[name] = TOKEN.sub("nm_…", value)
    return line


def _placed(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """When it was said, and while which request was in hand."""
    line["at"] = f"{datetime.now(UTC).replace(tzinfo=None).isoformat()}Z"
    if flask.has_request_context():
        line["request_id"] = asked().id
    return line


def _quoted(value: object) -> str:
    """Told from what stands beside it, also where it has blanks."""
    text = str(value)
    return repr(text) if " " in text or "=" in text else text


def _readable(_: WrappedLogger, __: str, line: EventDict) -> str:
    """A line for people, in which nothing ends it or moves a cursor.

    Only our own tracebacks have several lines.
    """
    at, level, event = (line.pop(name, "") for name in ("at", "level", "event"))
    traceback = str(line.pop("exception", "")).splitlines()
    facts = [f"{name}={_quoted(value)}" for name, value in line.items() if value is not None]
    said = clean(f"{at} [{level}] {event}  {' '.join(facts)}".rstrip())
    return "\n".join([said, *map(clean, traceback)])
