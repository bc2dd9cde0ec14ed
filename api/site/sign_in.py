"""Pages to sign up, to sign in with a link sent by mail, and to sign out."""

from typing import Any

from flask import Response, url_for

from api.http.app_state import app_state
from api.http.desk import desk
from api.http.forms import current_form
from api.http.page_language import set_language
from api.http.problems import Problem
from api.http.rate_limits import client_network
from api.http.request import Request, current_request
from api.site.form_errors import form_error
from api.site.session_cookies import clear_session_cookie, set_seat_cookie, set_session_cookie
from api.site.visit import Pages, members_only, next_page, page, see_other, with_status
from api.site.visitors import member, seat_visit, visitor
from engine import Refusal
from engine.translate import say
from service.clocks import time_zones
from service.i18n.catalogue import current_language
from service.links import link_state, seat_sessions, signed_links
from service.people import accounts, profile, sessions, tokens
from service.people.sessions import NewSession, Visitor
from service.people.tokens import Caller

LATER = "later"
"""The choice to do nothing now; always the last one."""
STATUS = {"unchosen": 400, "done": 410, "late": 410, "gone": 410}
BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari")
"""Names of browsers in the User-Agent header; several browsers also send names after theirs."""
NAMES = {"Edg": "Edge", "OPR": "Opera"}
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")

blueprint = Pages("sign_in", __name__)


@blueprint.route("/sign-in")
def form() -> Response:
    """Show the sign-in page."""
    next_url = current_request().args.get("next", "")
    if visitor():
        return see_other(next_page(next_url))
    return _form(next_url)


def _form(next_url: str, part: str = "", refusal: Refusal | None = None) -> Response:
    error = form_error(part, refusal, current_form()) if refusal else None
    response = page("account/sign_in", next=next_url, form_error=error)
    return with_status(response, refusal) if refusal else response


@blueprint.route("/sign-in", methods=["POST"])
def ask() -> Response:
    """Send a sign-in link."""
    address, next_url = current_form().text("email"), current_form().text("next")
    try:
        email = profile.checked_email(address)
        app_state().limiter.count_sign_in()
        sessions.request_link(desk(), email, next_page(next_url), client_network())
    except Refusal as refusal:
        return _form(next_url, "back", refusal)
    return page("account/sign_in_sent", email=email)


@blueprint.route("/sign-up", methods=["POST"])
def sign_up() -> Response:
    """Create an account that can play at once; an email address is confirmed by mail."""
    next_url = current_form().text("next")
    try:
        session = newcomer()
    except Refusal as refusal:
        return _form(next_url, "new", refusal)
    return set_session_cookie(see_other(next_page(next_url)), session.token)


def newcomer() -> NewSession:
    """Create an account from the current form, with a session in this browser."""
    form = current_form()
    body = {"name": form.text("name"), "locale": current_language()}
    if time_zone := time_zones.zone_of_browser(form.text("time_zone")):
        body["time_zone"] = time_zone
    if form.text("email"):
        body["email"] = profile.checked_email(form.text("email"))
    app_state().limiter.count_account()
    return sessions.sign_up(
        desk(),
        body,
        browser_name(current_request()),
        _previous_caller(),
        client_network(),
        form.idempotency_key(),
    )


@blueprint.route("/sign-in/<token>", methods=["GET", "POST"])
def link(token: str) -> Response:
    """Show the page of a sign-in link, which changes nothing; a choice on it signs in."""
    payload = signed_links.read(desk(), "sign_in", token)
    if payload is None:
        app_state().limiter.count_failure(current_request())
        raise Problem("not_found", say("This link is not valid. It may have been cut off."))
    if locale := link_state.reader_locale(desk(), payload):
        set_language(locale)
    if current_request().method != "POST":
        return _link(sessions.sign_in_page(desk(), payload))
    choice = current_form().text("choice")
    if choice == LATER:
        return _link(sessions.sign_in_page(desk(), payload) | {"stands": "kept"})
    shown, session = sessions.sign_in(
        desk(), payload, choice, browser_name(current_request()), _previous_caller()
    )
    if session is None:
        return _link(shown)
    accounts.learn_time_zone(desk(), choice, current_form().text("time_zone"))
    return set_session_cookie(see_other(next_page(payload["next"])), session)


def _previous_caller() -> Caller | None:
    """Return who was signed in with this browser; that session ends with a new one."""
    signed_in = visitor()
    return signed_in.caller if signed_in else None


def _link(shown: dict[str, Any]) -> Response:
    return page("account/sign_in_link", STATUS.get(shown["stands"], 200), page=shown)


@blueprint.route("/sign-out", methods=["POST"])
@members_only
def sign_out() -> Response:
    """Sign out; an account without an email address would be lost, so ask first."""
    signed_in = member()
    if signed_in.email is None and current_form().text("sure") != "yes":
        return page("account/sign_out")
    tokens.sign_out(desk(), signed_in.caller)
    return clear_session_cookie(see_other(url_for("front.index")))


def begin_seat_session(response: Response, game: str, cookie: str) -> Response:
    """Give this browser a session for one seat of a game; its previous session ends."""
    if signed_in := visitor():
        tokens.sign_out(desk(), signed_in.caller)
        clear_session_cookie(response)
    elif visit := seat_visit(game):
        seat_sessions.end(desk(), visit.session)
    return set_seat_cookie(response, game, cookie)


def is_bound_to_browser(signed_in: Visitor) -> bool:
    """Check whether a signed-in visitor has no email address, and so could not sign in again."""
    return visitor() is signed_in and signed_in.email is None


def browser_name(request: Request) -> str:
    """Name a browser for the list of sessions."""
    user_agent = request.headers.get("User-Agent", "")
    name = next((name for name in BROWSERS if name in user_agent), "Browser")
    system = next((system for system in SYSTEMS if system in user_agent), "")
    return f"{NAMES.get(name, name)}, {system}" if system else NAMES.get(name, name)
