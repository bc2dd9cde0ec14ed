"""A fast path for the most frequent request: GET of a game.

Clients poll it again and again, and nearly always the response is a 304 or in the cache. So this
request is handled before Flask, with the same functions for limits, tokens and headers. If they do
not lead to a cached response, Flask continues the request and reuses what was looked up.
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
"""The key in the WSGI environ under which the shortcut passes its request on to Flask."""
READ_GAME = "games.read_game"


class Lookup(NamedTuple):
    """What the shortcut has looked up for a request for a game."""

    request: Request
    page: bytes | None
    """The cached body; empty if the client has this version, None if nothing is cached."""


class Shortcut:
    """Answers GET of a game from the cache; everything else goes to Flask."""

    def __init__(self, app: Flask, state: AppState, headers_for: HeadersFor) -> None:
        self._flask = app.wsgi_app
        self._services = app.extensions
        self._state = state
        self._headers_for = headers_for
        self._log = structlog.get_logger().bind()
        (self._rule,) = app.url_map.iter_rules(READ_GAME)
        self._path = re.compile(self._rule.rule.replace("<id:game>", f"({Id.regex})"))

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        lookup = self._find(environ)
        if lookup is None:
            return self._flask(environ, start_response)
        if lookup.page is None:
            environ[REQUEST] = lookup.request
            return self._flask(environ, start_response)
        return self._answer(lookup.request, lookup.page, start_response)

    def _find(self, environ: "WSGIEnvironment") -> Lookup | None:
        """Look up the game, if this is a GET of one."""
        match = environ["REQUEST_METHOD"] == "GET" and self._path.fullmatch(environ["PATH_INFO"])
        if not match or environ.get("QUERY_STRING") or environ.get("CONTENT_LENGTH"):
            return None
        request = Request(environ)
        try:
            return Lookup(request, self._cached_page(request, match[1]))
        except Exception as refusal:  # noqa: BLE001  # Flask raises it again and handles it
            request.refusal = refusal
            return Lookup(request, None)

    def _cached_page(self, request: Request, game: str) -> bytes | None:
        """Return the cached body; empty if the client has this version, None if not cached."""
        desk = cast(Desk, self._services["nightmail"])
        request_log.set_request_id(request)
        self._state.limiter.count_request(request)
        caller = cast(Caller | None, identified(self._state, request, game))
        if caller:
            require("read", caller)
        game_tag = reading.tag_for(desk, game, caller.game_tag if caller else None)
        request.tag = quoted(game_tag.tag)
        return b"" if matches_etag(request, game_tag.tag) else reading.page(desk, game, game_tag)

    def _answer(
        self, request: Request, page: bytes, start_response: "StartResponse"
    ) -> Iterable[bytes]:
        request.url_rule = self._rule
        if page:
            status, status_line = 200, "200 OK"
            headers = [("Content-Type", "application/json"), ("Content-Length", str(len(page)))]
        else:
            status, status_line, headers = 304, "304 NOT MODIFIED", []
        start_response(status_line, [*headers, *self._headers_for(request, status, ())])
        request_log.log_request(self._log, request, status)
        self._state.metrics.count_request(request, status)
        return [page]
