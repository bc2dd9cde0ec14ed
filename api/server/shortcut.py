"""The short way for what is asked most: whether a game has changed, and how it stands.

Whoever plays asks for it again and again, and nearly always it is known already. So this request is
looked at before Flask. It obeys the same functions as every other; and unless they let it through
to an answer at hand, Flask goes on with the request and with all that was learned about it.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

import structlog
from flask import Flask

from api.http import request_log
from api.http.app_state import AppState
from api.http.auth import identified, require
from api.http.conditions import matches_etag, quoted
from api.http.headers import HeadersFor
from api.http.request import Id, Request
from service.desk import Desk
from service.games import reading
from service.people.tokens import Caller

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

REQUEST = "nightmail.request"
"""Where in the environment of a request the shortcut leaves it."""
READ_GAME = "games.read_game"


class Found(NamedTuple):
    """What a glance tells about a request for a game."""

    request: Request
    page: bytes | None
    """Empty if the caller has it, None if it has to be made."""


class Shortcut:
    """Answers GET of a game if that needs no more than a glance; all else goes to Flask."""

    def __init__(self, app: Flask, frame: AppState, wear: HeadersFor) -> None:
        self._flask = app.wsgi_app
        self._services = app.extensions
        self._frame = frame
        self._wear = wear
        self._log = structlog.get_logger().bind()
        (self._rule,) = app.url_map.iter_rules(READ_GAME)
        self._path = re.compile(self._rule.rule.replace("<id:game>", f"({Id.regex})"))

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        glance = self._find(environ)
        if glance is None:
            return self._flask(environ, start_response)
        if glance.page is None:
            environ[REQUEST] = glance.request
            return self._flask(environ, start_response)
        return self._answer(glance.request, glance.page, start_response)

    def _find(self, environ: "WSGIEnvironment") -> Found | None:
        """What a glance tells, if this asks for a game."""
        match = environ["REQUEST_METHOD"] == "GET" and self._path.fullmatch(environ["PATH_INFO"])
        if not match or environ.get("QUERY_STRING") or environ.get("CONTENT_LENGTH"):
            return None
        request = Request(environ)
        try:
            return Found(request, self._glance(request, match[1]))
        except Exception as refusal:  # noqa: BLE001  # Flask raises it again, where all are told
            request.refusal = refusal
            return Found(request, None)

    def _glance(self, request: Request, game: str) -> bytes | None:
        """The page, or nothing of it if the caller has it; None if it has yet to be made."""
        desk = cast(Desk, self._services["nightmail"])
        request_log.set_request_id(request)
        self._frame.limiter.count_request(request)
        known = cast(Caller | None, identified(self._frame, request, game))
        if known:
            require("read", known)
        seen = reading.glance(desk, game, known.glance if known else None)
        request.tag = quoted(seen.tag)
        return b"" if matches_etag(request, seen.tag) else reading.page(desk, game, seen)

    def _answer(
        self, request: Request, page: bytes, start_response: "StartResponse"
    ) -> Iterable[bytes]:
        request.url_rule = self._rule
        if page:
            status, status_line = 200, "200 OK"
            worn = [("Content-Type", "application/json"), ("Content-Length", str(len(page)))]
        else:
            status, status_line, worn = 304, "304 NOT MODIFIED", []
        start_response(status_line, [*worn, *self._wear(request, status, ())])
        request_log.log_request(self._log, request, status)
        self._frame.metrics.count_request(request, status)
        return [page]
