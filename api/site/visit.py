"""Shared code of all pages: CSRF protection, language and error pages.

Forms change things, so they must come from one of our own pages: the browser's `Sec-Fetch-Site` or
`Origin` header must not name another site, and the form must carry the CSRF token of the session.
"""

import hmac
import re
import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import wraps
from hashlib import sha256
from typing import Any, ParamSpec
from urllib.parse import quote, urlsplit

from flask import Blueprint, Flask, Response, current_app, g, render_template, url_for
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from api.http import headers, problems
from api.http.desk import desk
from api.http.forms import CSRF_FIELD, current_form
from api.http.local_only import is_local_only
from api.http.page_language import set_browser_language, set_language
from api.http.problems import BY_STATUS, TABLE, Problem
from api.http.request import current_request
from api.http.slips.request_slips import page_for_people
from api.http.theme import THEMES, current_theme
from api.site.visitors import ended_sentence, game_in_url, seat_visit, visitor, visitor_at
from engine import Refusal
from engine.names import called, letter
from engine.translate import say, says
from service.boards import board_documents
from service.desk import Away
from service.i18n import catalogue, dates
from service.people import sessions

P = ParamSpec("P")

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
DEFAULT_PORTS = {"http": 80, "https": 443}
CSRF_BYTES = 16
SECRET_PAGES = ("sign_in.link", "pages.turn", "pages.invitation", "hosting.by_link")
"""Pages whose URL is a secret: they send no referrer, so their forms have no origin."""
ENTRANCES = ("front.index", "front.play")
"""Pages that nobody needs to come back to after signing in."""
SIGN_UP_FORMS = ("front.play", "sign_in.sign_up")
"""Forms that create an account."""
_LOCAL_URL = re.compile(r"/(?![/\\])[!-\[\]-~]{0,200}")
"""A local URL without a host, safe to use in a header and in a link."""
STATIC_FILES = ("front.file",)
"""Endpoints without text, which do not need the visitor's language."""
CSRF_FAILED = catalogue.sayable(
    "This form did not come from one of our pages. Reload the page and try again."
)


class Pages(Blueprint):
    """A blueprint of pages with CSRF protection and error pages."""

    def __init__(self, name: str, import_name: str) -> None:
        super().__init__(name, import_name, template_folder="../templates")
        self.before_request(_answer_programs)
        self.before_request(_use_visitor_language)
        self.before_request(_check_csrf)
        self.register_error_handler(Refusal, refused)
        self.register_error_handler(HTTPException, _http_error)
        self.register_error_handler(Exception, _unexpected_error)


def members_only(view: Callable[P, Response]) -> Callable[P, Response]:
    """Redirect visitors who are not signed in to the sign-in page, and back afterwards."""

    @wraps(view)
    def guarded(*args: P.args, **more: P.kwargs) -> Response:
        if visitor() is not None:
            return view(*args, **more)
        if seat_visit(game_in_url()) is not None:
            heading = say("Please sign in for this")
            sentence = say("You are here for one turn only. Nothing was changed.")
            return page("refused", 403, heading=heading, sentence=sentence, way_in=sign_in_url())
        return see_other(sign_in_url())

    return guarded


def players_only(view: Callable[[str], Response]) -> Callable[[str], Response]:
    """Let players of a game in, also in a session for one seat.

    If that session has ended, the page of the game says so.
    """

    @wraps(view)
    def guarded(game: str) -> Response:
        if visitor_at(game) is not None:
            return view(game)
        if seat_visit(game) is not None:
            return see_other(url_for("play.show", game=game))
        return see_other(sign_in_url())

    return guarded


def sign_in_url() -> str:
    """Return the URL of the sign-in page, which leads back to the current page."""
    return f"{url_for('sign_in.form')}?next={quote(_this_page(), safe='/')}"


def _this_page() -> str:
    """Return the URL of the current page, or the page above it after a form."""
    request = current_request()
    return request.full_path.rstrip("?") if request.method in SAFE_METHODS else _parent_page()


def _sign_in_here() -> str:
    """Return the URL of the link “Sign in”, which leads back to the current page."""
    request = current_request()
    if request.endpoint in ENTRANCES or request.blueprint == "sign_in":
        return url_for("sign_in.form")
    return sign_in_url()


def _parent_page() -> str:
    """Return the nearest parent URL that has a page, for URLs that only accept forms."""
    path, urls = (
        current_request().path,
        current_app.url_map.bind_to_environ(current_request().environ),
    )
    while path and not urls.test(path, "GET"):
        path = path.rpartition("/")[0]
    return path or "/"


def see_other(url: str) -> Response:
    """Redirect after a form (303), so that reloading the page does not send the form again."""
    return Response(status=303, headers={"Location": url, "Cache-Control": "no-store"})


def next_page(url: str) -> str:
    """Return where the visitor wanted to go if that is a local URL; otherwise their games."""
    return url if _LOCAL_URL.fullmatch(url) else url_for("tables.mine")


def page(template: str, status: int = 200, **context: Any) -> Response:
    """Render a page in the visitor's language."""
    text = render_template(f"site/{template}.html", **context)
    page_headers = headers.SITE | (
        headers.SECRET if current_request().endpoint in SECRET_PAGES else {}
    )
    return Response(text, status, headers=page_headers, mimetype="text/html")


def _answer_programs() -> Response | None:
    """Lead a program that meant the API away from a page, which takes no token and no JSON."""
    request = current_request()
    has_token = request.headers.get("Authorization", "").lower().startswith("bearer nm_")
    if _wants_page() or not (has_token or request.mimetype == "application/json"):
        return None
    path = problems.similar_path()
    if path is None:
        return None
    return problems.from_refusal(Problem("not_found", page_for_people(path)))


def _use_visitor_language() -> None:
    """Use the language of the visitor's account, whatever the browser prefers."""
    if current_request().endpoint in STATIC_FILES:
        return
    visit = seat_visit(game_in_url())  # also one that has ended: the page says so
    if signed_in := visit.visitor if visit else visitor():
        set_language(signed_in.locale)


def csrf_token() -> str:
    """Return the CSRF token of the current session, masked anew for each page.

    A compressed page therefore never repeats it, and its length gives nothing away (BREACH).
    """
    plain, mask = bytes.fromhex(_csrf_tokens(_session_id())[0]), secrets.token_bytes(CSRF_BYTES)
    return f"{mask.hex()}{_xor(plain, mask).hex()}"


def _xor(value: bytes, mask: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(value, mask, strict=True))


def _unmasked(token: str) -> str:
    """Return the CSRF token that a form has sent."""
    if not re.fullmatch(f"[0-9a-f]{{{4 * CSRF_BYTES}}}", token):
        return ""
    mask, masked = bytes.fromhex(token[: 2 * CSRF_BYTES]), bytes.fromhex(token[2 * CSRF_BYTES :])
    return _xor(masked, mask).hex()


def _session_id() -> str:
    """Return the id of the session in which a page is used; empty for strangers."""
    if signed_in := visitor():
        return signed_in.caller.token
    visit = seat_visit(game_in_url())
    return visit.session.id if visit else ""


def _csrf_tokens(session: str) -> list[str]:
    """Return the valid CSRF tokens of a session, one for each secret key, newest first."""
    text, keys = f"form|{session}".encode(), desk().settings.secret_keys
    return [hmac.new(key.encode(), text, sha256).hexdigest()[: 2 * CSRF_BYTES] for key in keys]


def _check_csrf() -> Response | None:
    """Refuse a form of another site, or without the CSRF token of this session."""
    if current_request().method in SAFE_METHODS:
        return None
    check_origin()
    token, session = _unmasked(current_form().text(CSRF_FIELD)).encode(), _session_id()
    if _is_valid(token, session):
        return None
    is_sign_up = current_request().endpoint in SIGN_UP_FORMS
    if session and is_sign_up and _is_valid(token, ""):  # pressed twice: signed in already
        return see_other(next_page(current_form().text("next")))
    if token and not session:  # the page belongs to a session that has ended
        heading, sentence = say("You are signed out"), say("Nothing was changed.")
        return page("refused", 403, heading=heading, sentence=sentence, way_in=sign_in_url())
    raise Problem("forbidden", say(CSRF_FAILED))


def _is_valid(token: bytes, session: str) -> bool:
    """Check the CSRF token of a form against a session, or that of strangers."""
    return any(hmac.compare_digest(token, valid.encode()) for valid in _csrf_tokens(session))


def check_origin() -> None:
    """Refuse a form that a page of another site has sent."""
    if not _is_same_origin():
        raise Problem("forbidden", say(CSRF_FAILED))


def _is_same_origin() -> bool:
    """Check Sec-Fetch-Site or Origin, if the browser sends either."""
    site, origin = (
        current_request().headers.get("Sec-Fetch-Site"),
        current_request().headers.get("Origin"),
    )
    if site is not None:
        return site in ("same-origin", "none")
    if origin is None or (origin == "null" and current_request().endpoint in SECRET_PAGES):
        return True
    public = desk().settings.public_url
    origins = public, f"{urlsplit(public).scheme}://{current_request().host}"
    sender = _origin(origin)
    return sender is not None and sender in map(_origin, origins)


def _origin(url: str) -> tuple[str, str, int] | None:
    """Return the origin of a URL: scheme, host and port (RFC 6454)."""
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


def refused(refusal: Refusal) -> Response:
    """Render the error page of a refusal."""
    heading, sentence, way_in = say(TABLE[refusal.code].title), refusal.sentence, None
    if (
        refusal.code == "not_found"
        and current_request().path.startswith("/games/")
        and not visitor()
    ):
        # The same whether or not there is such a game: strangers learn nothing.
        heading, sentence = say("Private table"), say("If this is your table, sign in to see it.")
        if (visit := seat_visit(game_in_url())) and not visit.is_open:
            heading, sentence = say("Your session has ended"), ended_sentence(visit)
        way_in = sign_in_url()
    response = page("refused", heading=heading, sentence=sentence, way_in=way_in)
    return with_status(response, refusal)


def with_status(response: Response, refusal: Refusal) -> Response:
    """Set the status of a refusal on a page, and Retry-After if it has one."""
    response.status_code = TABLE[refusal.code].status
    if retry_after := getattr(refusal, "more", {}).get("retry_after"):
        response.headers["Retry-After"] = str(retry_after)
    return response


def _unknown_url(error: HTTPException) -> Response | HTTPException:
    """Answer an unknown URL: with a page for browsers, with a problem for programs."""
    if not _wants_page() or headers.is_shared(current_request()):
        return problems.from_http_error(error)
    set_browser_language()
    _use_visitor_language()
    if not isinstance(error, MethodNotAllowed):
        return refused(Problem("not_found"))
    no_page = say("This address only accepts forms; there is no page here.")
    response = refused(Problem("method_not_allowed", no_page))
    response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return response


def _wants_page() -> bool:
    return "text/html" in current_request().headers.get("Accept", "")


def _http_error(error: HTTPException) -> Response:
    return refused(Problem(BY_STATUS.get(error.code or 500, "unreadable")))


def _unexpected_error(error: Exception) -> Response:
    """Log an unexpected error and render a page for it, without asking the database."""
    problem = (
        problems.database_unavailable(error)
        if isinstance(error, Away)
        else problems.internal_error(error)
    )
    if not _wants_page():
        return problem
    g.setdefault("visitor", None)
    g.setdefault("seat_visits", {}).setdefault(game_in_url(), None)
    body = problem.get_json(force=True)
    return refused(Problem(body["code"], body["detail"], retry_after=body.get("retry_after")))


def mailbox() -> bool:
    """Check whether outgoing mail can be read in the local mailbox."""
    settings = desk().settings
    return settings.smtp_url is None and is_local_only(current_request(), settings)


def moment(stored: str) -> str:
    """Format a stored time in the visitor's time zone."""
    signed_in = visitor_at(game_in_url())
    return dates.short_time(
        datetime.fromisoformat(stored), signed_in.time_zone if signed_in else "UTC"
    )


def day(stored: str) -> str:
    """Format a stored date."""
    return dates.day(date.fromisoformat(stored))


def time_left(stored: str) -> str:
    """Format the time until a stored deadline: 2 days left."""
    left = datetime.fromisoformat(stored) - datetime.fromisoformat(desk().now())
    if left <= timedelta(0):
        return say("time is up")
    return say("{time} left", time=dates.duration(left))


def time_since(stored: str) -> str:
    """Format the time since a stored moment: 2 days."""
    return dates.duration(datetime.fromisoformat(desk().now()) - datetime.fromisoformat(stored))


def set_up(app: Flask) -> None:
    """Register error pages, and the filters and functions of the templates."""
    app.register_error_handler(NotFound, _unknown_url)
    app.register_error_handler(MethodNotAllowed, _unknown_url)
    environment = app.jinja_env
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(say, says, newstyle=True)  # type: ignore[attr-defined]  # added by the extension
    environment.filters.update(moment=moment, day=day, translated=say)
    environment.filters.update(time_left=time_left, time_since=time_since)
    environment.filters.update(called=called, letter=letter)
    environment.globals.update(
        visitor=visitor, csrf_token=csrf_token, language=catalogue.current_language, mailbox=mailbox
    )
    environment.globals.update(session_days=sessions.LIFETIME.days)
    environment.globals.update(
        board_name=board_documents.board_name, variant_names=board_documents.variant_names
    )
    environment.globals.update(
        theme=current_theme, themes=THEMES, sign_in_here=_sign_in_here, this_page=_this_page
    )
    environment.globals.update(new_key=lambda: secrets.token_urlsafe(16))
