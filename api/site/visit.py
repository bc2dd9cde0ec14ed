"""A visit to our pages: who comes, in which language, and what every page and form carries.

A page is shown to whoever asks. Whatever changes something is a form that was sent from a page of
ours: the browser says so, and for those who are signed in the form carries a mark that only their
own pages have.
"""

import hmac
import re
import secrets
from collections.abc import Callable
from datetime import date, datetime
from functools import wraps
from hashlib import sha256
from typing import Any, ParamSpec
from urllib.parse import quote, urlsplit

from flask import Blueprint, Flask, Response, current_app, g, render_template, url_for
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from api.http import headers, problems
from api.http.desk import desk
from api.http.edge import asked
from api.http.forms import MARK, sent
from api.http.frame import frame
from api.http.local_only import is_ourselves
from api.http.page_language import speak_as_asked, speak_to
from api.http.problems import BY_STATUS, TABLE, Problem
from engine import Refusal
from engine.tongue import say, says
from service.boards import board_documents
from service.desk import Away
from service.i18n import catalogue, dates
from service.people import sessions
from service.people.sessions import Visitor

P = ParamSpec("P")

LOOKING = ("GET", "HEAD", "OPTIONS")
PORTS = {"http": 80, "https": 443}
MARK_BYTES = 16
BY_LINK = ("sign_in.link",)
"""Pages whose address is a secret, which is told to nobody: so their forms say no origin."""
WAYS_IN = ("front.play", "sign_in.sign_up")
"""Forms with which a stranger becomes somebody."""
_ADDRESS = re.compile(r"/(?![/\\])[!-\[\]-~]{0,200}")
"""An address of ours, without a host, as it may stand in a header and in a link."""
WORDLESS = ("front.file",)
"""What says nothing, so that nobody has to be looked up for it."""
NOT_OURS = catalogue.sayable(
    "This form was not sent from one of our pages. Open the page again and try once more."
)


class Pages(Blueprint):
    """A group of pages: their forms are looked at, and refusals are pages, too."""

    def __init__(self, name: str, import_name: str) -> None:
        super().__init__(name, import_name, template_folder="../templates")
        self.before_request(_recognise)
        self.before_request(_look_at_form)
        self.register_error_handler(Refusal, refused)
        self.register_error_handler(HTTPException, _gave_up)
        self.register_error_handler(Exception, _broke)


def visitor() -> Visitor | None:
    """Whoever is signed in; looked up once."""
    if "visitor" not in g:
        cookie = asked().cookies.get(cookie_name())
        g.visitor = sessions.visitor_of(desk(), cookie) if cookie else None
        if g.visitor:
            frame().limiter.admit_token(asked(), g.visitor.caller.token)
    known: Visitor | None = g.visitor
    return known


def member() -> Visitor:
    """Whoever is signed in, on a page that is for those alone."""
    known = visitor()
    if known is None:
        raise Problem("unauthenticated")
    return known


def members_only(view: Callable[P, Response]) -> Callable[P, Response]:
    """Lead strangers to the page on which they sign in, and back from there."""

    @wraps(view)
    def led(*args: P.args, **more: P.kwargs) -> Response:
        if visitor() is not None:
            return view(*args, **more)
        return seen_other(door())

    return led


def door() -> str:
    """Where to sign in, and come back from to the page in hand, or to that of the form in hand."""
    request = asked()
    back = request.full_path.rstrip("?") if request.method in LOOKING else _page_above()
    return f"{url_for('sign_in.form')}?next={quote(back, safe='/')}"


def _page_above() -> str:
    """The nearest page above an address that only takes forms."""
    path, known = asked().path, current_app.url_map.bind_to_environ(asked().environ)
    while path and not known.test(path, "GET"):
        path = path.rpartition("/")[0]
    return path or "/"


def seen_other(where: str) -> Response:
    """After a form: the browser looks at this page, which it can load again without harm."""
    return Response(status=303, headers={"Location": where, "Cache-Control": "no-store"})


def next_page(said: str) -> str:
    """Where somebody wanted to go, if that is one of our pages."""
    return said if _ADDRESS.fullmatch(said) else url_for("tables.mine")


def page(template: str, status: int = 200, **shown: Any) -> Response:
    """A page in the visitor's language."""
    text = render_template(f"site/{template}.html", **shown)
    worn = headers.SITE | (headers.SECRET if asked().endpoint in BY_LINK else {})
    return Response(text, status, headers=worn, mimetype="text/html")


def _recognise() -> None:
    """Whoever is signed in is spoken to in their language, whatever the browser asks for."""
    if asked().endpoint not in WORDLESS and (known := visitor()):
        speak_to(known.locale)


def cookie_name() -> str:
    """The prefix lets no other host of the domain set it."""
    return "__Host-nightmail" if _is_secure() else "nightmail"


def _is_secure() -> bool:
    return desk().settings.public_url.startswith("https:")


def keep(response: Response, token: str) -> Response:
    """Let the browser keep a session."""
    age = int(sessions.LASTS.total_seconds())
    response.set_cookie(
        cookie_name(), token, age, secure=_is_secure(), httponly=True, samesite="Lax"
    )
    return response


def forget(response: Response) -> Response:
    """Let the browser forget its session."""
    response.delete_cookie(cookie_name(), secure=_is_secure(), httponly=True, samesite="Lax")
    return response


def mark() -> str:
    """What only pages of this session hold, masked: so compressed pages never repeat it."""
    plain, mask = bytes.fromhex(_marks(visitor())[0]), secrets.token_bytes(MARK_BYTES)
    return f"{mask.hex()}{_mixed(plain, mask).hex()}"


def _mixed(value: bytes, mask: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(value, mask, strict=True))


def _unmasked(sent: str) -> str:
    """The mark that a form has sent; a page that is older than the masks sends it plain."""
    if not re.fullmatch(f"[0-9a-f]{{{4 * MARK_BYTES}}}", sent):
        return sent
    mask, masked = bytes.fromhex(sent[: 2 * MARK_BYTES]), bytes.fromhex(sent[2 * MARK_BYTES :])
    return _mixed(masked, mask).hex()


def _marks(known: Visitor | None) -> list[str]:
    """The same by every key: a page may be older than the newest."""
    said = f"form|{known.caller.token if known else ''}".encode()
    keys = desk().settings.secret_keys
    return [hmac.new(key.encode(), said, sha256).hexdigest()[: 2 * MARK_BYTES] for key in keys]


def _look_at_form() -> Response | None:
    if asked().method in LOOKING:
        return None
    if not _from_here():
        raise Problem("forbidden", say(NOT_OURS))
    said, known = _unmasked(sent().text(MARK)).encode(), visitor()
    if _fits(said, known):
        return None
    if known and asked().endpoint in WAYS_IN and _fits(said, None):  # pressed twice: they are in
        return seen_other(next_page(sent().text("next")))
    if said and known is None:  # the page is one of a session that is over
        heading, sentence = say("You are signed out"), say("Nothing was changed.")
        return page("refused", 403, heading=heading, sentence=sentence, way_in=door())
    raise Problem("forbidden", say(NOT_OURS))


def _fits(said: bytes, known: Visitor | None) -> bool:
    """Whether a form's mark is one that the pages of this visitor, or of strangers, hold."""
    return any(hmac.compare_digest(said, ours.encode()) for ours in _marks(known))


def _from_here() -> bool:
    """Whether the browser says, if it says anything, that a page of ours has sent the form."""
    site, origin = asked().headers.get("Sec-Fetch-Site"), asked().headers.get("Origin")
    if site is not None:
        return site in ("same-origin", "none")
    if origin is None or (origin == "null" and asked().endpoint in BY_LINK):
        return True
    public = desk().settings.public_url
    ours = public, f"{urlsplit(public).scheme}://{asked().host}"
    sender = _origin(origin)
    return sender is not None and sender in map(_origin, ours)


def _origin(url: str) -> tuple[str, str, int] | None:
    """The scheme, host and port of an address, all of which make an origin (RFC 6454)."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


def refused(refusal: Refusal) -> Response:
    """Whatever is refused, as a page."""
    heading, sentence, way_in = say(TABLE[refusal.code].title), refusal.sentence, None
    if refusal.code == "not_found" and asked().path.startswith("/games/") and not visitor():
        # The same whether or not there is such a game: strangers learn nothing.
        heading, sentence = say("Not for everybody"), say("Sign in, if this is your table.")
        way_in = door()
    shown = page("refused", heading=heading, sentence=sentence, way_in=way_in)
    return with_status(shown, refusal)


def with_status(response: Response, refusal: Refusal) -> Response:
    """A page that says what was refused, answered as that is: with its status, and when again."""
    response.status_code = TABLE[refusal.code].status
    if retry_after := getattr(refusal, "more", {}).get("retry_after"):
        response.headers["Retry-After"] = str(retry_after)
    return response


def _lost(error: HTTPException) -> Response | HTTPException:
    """An address that nothing fits: a page for whoever wants one, and a problem for programs."""
    if not _wants_page() or headers.is_shared(asked()):
        return problems.of_http(error)
    speak_as_asked()
    _recognise()
    if not isinstance(error, MethodNotAllowed):
        return refused(Problem("not_found"))
    no_page = say("This is where a form is sent to; there is no page to look at.")
    response = refused(Problem("method_not_allowed", no_page))
    response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return response


def _wants_page() -> bool:
    return "text/html" in asked().headers.get("Accept", "")


def _gave_up(error: HTTPException) -> Response:
    return refused(Problem(BY_STATUS.get(error.code or 500, "unreadable")))


def _broke(error: Exception) -> Response:
    """An accident, which is logged as everywhere; the page about it asks the database nothing."""
    answer = problems.of_database(error) if isinstance(error, Away) else problems.of_accident(error)
    if not _wants_page():
        return answer
    g.setdefault("visitor", None)
    told = answer.get_json(force=True)
    return refused(Problem(told["code"], told["detail"], retry_after=told.get("retry_after")))


def mailbox() -> bool:
    """Whether our letters can be read on this machine, and nowhere else."""
    settings = desk().settings
    return settings.smtp_url is None and is_ourselves(asked(), settings)


def moment(said: str) -> str:
    """A stored time as the visitor's clock shows it."""
    known = visitor()
    return dates.brief(datetime.fromisoformat(said), known.time_zone if known else "UTC")


def day(said: str) -> str:
    """A stored day as people write it."""
    return dates.day(date.fromisoformat(said))


def ago(said: str) -> str:
    """How far away a stored time is: in 2 days, 3 hours ago."""
    return dates.away(datetime.fromisoformat(said) - datetime.fromisoformat(desk().now()))


def set_up(app: Flask) -> None:
    """Teach the templates what they may use."""
    app.register_error_handler(NotFound, _lost)
    app.register_error_handler(MethodNotAllowed, _lost)
    environment = app.jinja_env
    environment.add_extension("jinja2.ext.i18n")
    environment.install_gettext_callables(say, says, newstyle=True)  # type: ignore[attr-defined]  # the extension adds it
    environment.filters.update(moment=moment, day=day, ago=ago, said=say)
    environment.globals.update(
        visitor=visitor, mark=mark, language=catalogue.spoken, mailbox=mailbox
    )
    environment.globals.update(session_days=sessions.LASTS.days)
    environment.globals.update(
        board_name=board_documents.board_name, variant_names=board_documents.variant_names
    )
    environment.globals.update(fresh_key=lambda: secrets.token_urlsafe(16))
