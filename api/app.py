"""The Flask application: its blueprints, and what happens before and after every request."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import orjson
import structlog
from flask import Flask, Response
from flask.ctx import RequestContext
from flask.json.provider import JSONProvider
from flask.typing import ResponseReturnValue
from werkzeug.middleware.proxy_fix import ProxyFix

from api import site
from api.http import deprecations, headers, page_language, request_log
from api.http.app_state import AppState, CallerOf, Ready, Refusing
from api.http.json_body import MOST_BYTES
from api.http.metrics import Metrics
from api.http.places import Places
from api.http.problems import register_error_handlers
from api.http.rate_limits import Limiter
from api.http.request import Id, Request, check_request, current_request
from api.http.waiting import Outcome
from api.link_pages import pages
from api.oauth import apps, consent, device, endpoints
from api.resources import (
    account_stream,
    accounts,
    boards,
    bots,
    calendar,
    commitments,
    destinations,
    docs,
    events,
    games,
    health,
    held_mail,
    hooks,
    inbound,
    invitations,
    mailbox,
    moves,
    notebooks,
    orders,
)
from api.schemas.spec import Blueprint
from api.server import shortcut
from api.server.shortcut import Shortcut
from api.site import visit
from api.site.documentation import llms
from service import idempotency
from service.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

BLUEPRINTS: tuple[Blueprint, ...] = (
    accounts.blueprint,
    boards.blueprint,
    commitments.blueprint,
    games.blueprint,
    moves.blueprint,
    orders.blueprint,
    notebooks.blueprint,
    events.blueprint,
    account_stream.blueprint,
    bots.blueprint,
    invitations.blueprint,
    hooks.blueprint,
    destinations.blueprint,
    calendar.blueprint,
    inbound.blueprint,
    held_mail.blueprint,
    health.blueprint,
)
"""Every resource of the REST API; add new ones here."""


class Json(JSONProvider):
    """JSON by orjson: fast and compact, with UTC times that end in Z."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return orjson.dumps(obj, option=orjson.OPT_UTC_Z).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        body = self._prepare_response_obj(args, kwargs)
        text = orjson.dumps(body, option=orjson.OPT_UTC_Z)
        return Response(text, mimetype="application/json")


class App(Flask):
    """Flask with our request, response and JSON classes."""

    request_class = Request
    response_class = headers.AppResponse
    json_provider_class = Json

    def request_context(self, environ: "WSGIEnvironment") -> RequestContext:
        """Use the request object of the shortcut, if the request came through there."""
        return RequestContext(self, environ, environ.get(shortcut.REQUEST))

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Skip Flask's check for coroutines on every request; there are none."""
        return func


def create_app(
    settings: Settings,
    services: object,
    *,
    caller_of: CallerOf,
    ready: Ready,
    refusing: Refusing = list,
    blueprints: tuple[Blueprint, ...] = BLUEPRINTS,
) -> Flask:
    """Create the WSGI application; views find `services` as `extensions["nightmail"]`."""
    if not structlog.is_configured():
        request_log.set_up(settings)  # by default structlog logs local variables
    app = App("nightmail", static_folder=None)
    # Werkzeug silently truncates a body of unknown length; the extra byte shows that it did.
    app.config.update(MAX_CONTENT_LENGTH=MOST_BYTES + 1, PUBLIC_URL=settings.public_url)
    app.url_map.merge_slashes = False  # a path with extra slashes is not found
    app.url_map.converters["id"] = Id
    app.extensions["nightmail"] = services
    app.extensions["nightmail.state"] = state = AppState(
        settings, caller_of, ready, refusing, Limiter(settings), Metrics(settings), Places(settings)
    )
    register_error_handlers(app)
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    app_pages = consent.blueprint, device.blueprint, apps.blueprint
    translated = pages.blueprint, mailbox.blueprint, *site.BLUEPRINTS, *app_pages
    for page_blueprint in (docs.blueprint, llms.blueprint, endpoints.blueprint, *translated):
        app.register_blueprint(page_blueprint)
    visit.set_up(app)
    page_language.set_up(app, translated)
    _add_hooks(app, state)
    if hops := settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops)  # type: ignore[method-assign]  # as Flask documents it
    return app


def _add_hooks(app: Flask, state: AppState) -> None:
    """Register the functions that run before and after every request."""
    log = structlog.get_logger().bind()
    deprecated = deprecations.headers_by_endpoint(app)
    headers_for = headers.common_headers(state.settings, deprecated)
    queryless = _queryless(app)
    app.wsgi_app = Shortcut(app, state, headers_for)  # type: ignore[method-assign]  # as Flask documents it

    @app.before_request
    def before() -> ResponseReturnValue | None:
        request = current_request()
        idempotency.forget_replay()
        if request.refusal:
            raise request.refusal
        if request.id:
            return None  # the shortcut has checked it already
        if (hold := request.hold) and hold.is_again:
            request.resume(hold)
        else:
            request_log.set_request_id(request)
        state.limiter.count_request(request, _kind(request))
        check_request(request, queryless)
        return headers.preflight(request)

    @app.after_request
    def after(response: Response) -> Response:
        request, status = current_request(), response.status_code
        _mark_replay(request, response)
        present = {name for name, _ in response.headers}
        if (hold := request.hold) and headers.holds_secrets(request):
            hold.is_secret = True
        if hold and hold.outcome is not Outcome.ANSWER:
            request.pause(hold)
        if hold and (hold.outcome is Outcome.WAIT or hold.is_stream):
            return response  # one request is logged and counted once
        cast(headers.AppResponse, response).common_headers = headers_for(request, status, present)
        request_log.log_request(log, request, status)
        state.metrics.count_request(request, status)
        return response


def _mark_replay(request: Request, response: Response) -> None:
    """Say if the response of an operation is that of an earlier request with the same key."""
    if idempotency.is_replay() and headers.is_shared(request) and response.status_code < 400:
        response.headers["Idempotent-Replayed"] = "true"


def _kind(request: Request) -> str:
    """Return the kind of a request; each kind has a rate limit of its own."""
    if request.endpoint in health.MONITORING:
        return "watch"
    return "preflight" if headers.is_preflight(request) else "address"


def _queryless(app: Flask) -> frozenset[str]:
    """Return the endpoints of documented operations that take no query parameters."""
    return frozenset(
        endpoint
        for endpoint, view in app.view_functions.items()
        if (apidoc := getattr(view, "_apidoc", None))
        and all(part["in"] != "query" for part in apidoc.get("arguments", {}).get("parameters", ()))
    )
