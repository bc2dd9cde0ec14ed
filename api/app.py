"""The application: the frame around every request, and the blueprints inside it."""

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
from api.http import edge, headers, page_language, request_log
from api.http.edge import Request, asked
from api.http.frame import CallerOf, Frame, Ready
from api.http.json_body import MOST_BYTES
from api.http.metrics import Metrics
from api.http.places import Places
from api.http.rate_limits import Limiter
from api.http.waiting import Outcome
from api.link_pages import pages
from api.resources import (
    account_stream,
    accounts,
    boards,
    bots,
    calendar,
    commitments,
    docs,
    events,
    games,
    health,
    hooks,
    inbound,
    invitations,
    mailbox,
    moves,
)
from api.schemas.spec import Api, Blueprint
from api.server import shortcut
from api.server.shortcut import Shortcut
from api.site import visit
from service.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

BLUEPRINTS: tuple[Blueprint, ...] = (
    accounts.blueprint,
    boards.blueprint,
    commitments.blueprint,
    games.blueprint,
    moves.blueprint,
    events.blueprint,
    account_stream.blueprint,
    bots.blueprint,
    invitations.blueprint,
    hooks.blueprint,
    calendar.blueprint,
    inbound.blueprint,
    health.blueprint,
)
"""Every resource of the interface; a new one is added here."""


class Json(JSONProvider):
    """JSON by orjson: quick, compact, and times in UTC end in Z."""

    def dumps(self, obj: Any, **_: Any) -> str:
        return orjson.dumps(obj, option=orjson.OPT_UTC_Z).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        body = self._prepare_response_obj(args, kwargs)
        text = orjson.dumps(body, option=orjson.OPT_UTC_Z)
        return Response(text, mimetype="application/json")


class App(Flask):
    """Flask with our request, our answers and our JSON."""

    request_class = Request
    response_class = headers.Dressed
    json_provider_class = Json

    def request_context(self, environ: "WSGIEnvironment") -> RequestContext:
        """With the request that the shortcut has made already, if it came through there."""
        return RequestContext(self, environ, environ.get(shortcut.REQUEST))

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Nothing here is a coroutine, and Flask would ask each function with every request."""
        return func


def create_app(
    settings: Settings,
    services: object,
    *,
    caller_of: CallerOf,
    ready: Ready,
    blueprints: tuple[Blueprint, ...] = BLUEPRINTS,
) -> Flask:
    """The WSGI application; `services` is what its views find as `extensions["nightmail"]`."""
    if not structlog.is_configured():
        request_log.set_up(
            settings
        )  # as it comes, structlog would write local variables into the log
    app = App("nightmail", static_folder=None)
    # Werkzeug cuts off a body of unknown length without a word; the byte more is what tells us.
    app.config.update(MAX_CONTENT_LENGTH=MOST_BYTES + 1, PUBLIC_URL=settings.public_url)
    app.url_map.merge_slashes = False  # an address with too many slashes is not found
    app.url_map.converters["id"] = edge.Id
    app.extensions["nightmail"] = services
    app.extensions["nightmail.frame"] = frame = Frame(
        settings, caller_of, ready, Limiter(settings), Metrics(settings), Places(settings)
    )
    api = Api(app)
    for blueprint in blueprints:
        api.register_blueprint(blueprint)
    spoken = pages.blueprint, mailbox.blueprint, *site.BLUEPRINTS
    for pages_of in (docs.blueprint, *spoken):
        app.register_blueprint(pages_of)
    visit.set_up(app)
    page_language.set_up(app, spoken)
    _surround(app, frame)
    if hops := settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops)  # type: ignore[method-assign]  # Flask's own way to wrap it
    return app


def _surround(app: Flask, frame: Frame) -> None:
    """Hang the frame around every request: what comes before it, and what comes after."""
    log = structlog.get_logger().bind()
    wear = headers.wardrobe(frame.settings)
    queryless = _queryless(app)
    app.wsgi_app = Shortcut(app, frame, wear)  # type: ignore[method-assign]  # Flask's own way to wrap it

    @app.before_request
    def before() -> ResponseReturnValue | None:
        request = asked()
        if request.refusal:
            raise request.refusal
        if request.id:
            return None  # it was looked at on the shortcut
        if (hold := request.hold) and hold.is_again:
            request.resume(hold)
        else:
            request_log.name(request)
        frame.limiter.admit(request, _counted_as(request))
        edge.look_at(request, queryless)
        return headers.preflight(request)

    @app.after_request
    def after(response: Response) -> Response:
        request, status, has = asked(), response.status_code, {name for name, _ in response.headers}
        if (hold := request.hold) and headers.holds_secrets(request):
            hold.is_secret = True
        if hold and hold.outcome is not Outcome.ANSWER:
            request.pause(hold)
        if hold and (hold.outcome is Outcome.WAIT or hold.is_stream):
            return response  # one request is logged and counted once
        cast(headers.Dressed, response).worn = wear(request, status, has)
        request_log.finish(log, request, status)
        frame.metrics.answered(request, status)
        return response


def _counted_as(request: Request) -> str:
    """The kind of a request, of which each has a rate limit of its own."""
    if request.endpoint in health.WATCHED:
        return "watch"
    return "preflight" if headers.is_preflight(request) else "address"


def _queryless(app: Flask) -> frozenset[str]:
    """The endpoints of those documented operations that take nothing from the query."""
    return frozenset(
        endpoint
        for endpoint, view in app.view_functions.items()
        if (known := getattr(view, "_apidoc", None))
        and all(part["in"] != "query" for part in known.get("arguments", {}).get("parameters", ()))
    )
