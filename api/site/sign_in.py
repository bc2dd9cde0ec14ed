"""Signing up, signing in by a link that comes by mail, and signing out."""

from typing import Any

from flask import Response, url_for

from api.http.desk import desk
from api.http.edge import Request, asked
from api.http.forms import sent
from api.http.frame import frame
from api.http.page_language import speak_to
from api.http.problems import Problem
from api.http.rate_limits import source
from api.site.trouble import trouble
from api.site.visit import (
    Pages,
    forget,
    keep,
    member,
    members_only,
    next_page,
    page,
    seen_other,
    visitor,
    with_status,
)
from engine import Refusal
from engine.translate import say
from service.clocks import time_zones
from service.i18n.catalogue import current_language
from service.links import link_state, signed_links
from service.people import accounts, profile, sessions, tokens
from service.people.sessions import NewSession
from service.people.tokens import Caller

LATER = "later"
"""The choice to do nothing now; the last on the page."""
STATUS = {"unchosen": 400, "done": 410, "late": 410, "gone": 410}
BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari")
"""How browsers call themselves; several claim to be those further back."""
NAMES = {"Edg": "Edge", "OPR": "Opera"}
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")

blueprint = Pages("sign_in", __name__)


@blueprint.route("/sign-in")
def form() -> Response:
    """Where somebody asks for a link, or chooses a name."""
    wanted = asked().args.get("next", "")
    if visitor():
        return seen_other(next_page(wanted))
    return _form(wanted)


def _form(wanted: str, part: str = "", refusal: Refusal | None = None) -> Response:
    wrong = trouble(part, refusal, sent()) if refusal else None
    shown = page("sign_in", next=wanted, trouble=wrong)
    return with_status(shown, refusal) if refusal else shown


@blueprint.route("/sign-in", methods=["POST"])
def ask() -> Response:
    """Send the letter with the link."""
    said, wanted = sent().text("email"), sent().text("next")
    try:
        email = profile.checked_email(said)
        frame().limiter.admit_sign_in()
        sessions.request_link(desk(), email, next_page(wanted), source())
    except Refusal as refusal:
        return _form(wanted, "back", refusal)
    return page("sign_in_sent", email=email)


@blueprint.route("/sign-up", methods=["POST"])
def sign_up() -> Response:
    """A new account, which can play at once; an address, if one is given, is confirmed by mail."""
    wanted = sent().text("next")
    try:
        entered = newcomer()
    except Refusal as refusal:
        return _form(wanted, "new", refusal)
    return keep(seen_other(next_page(wanted)), entered.token)


def newcomer() -> NewSession:
    """Make the account that the form in hand asks for, with a session in this browser."""
    form = sent()
    wanted = {"name": form.text("name"), "locale": current_language()}
    if time_zone := time_zones.zone_of_browser(form.text("time_zone")):
        wanted["time_zone"] = time_zone
    if form.text("email"):
        wanted["email"] = profile.checked_email(form.text("email"))
    frame().limiter.admit_account()
    return sessions.sign_up(desk(), wanted, _browser(asked()), _before(), source(), form.key())


@blueprint.route("/sign-in/<token>", methods=["GET", "POST"])
def link(token: str) -> Response:
    """What the letter's link leads to: looking at it does nothing."""
    said = signed_links.read(desk(), "sign_in", token)
    if said is None:
        frame().limiter.fail(asked())
        raise Problem("not_found", say("This link is not one of ours, or it has lost a part."))
    if locale := link_state.reader_locale(desk(), said):
        speak_to(locale)
    if asked().method != "POST":
        return _link(sessions.sign_in_page(desk(), said))
    choice = sent().text("choice")
    if choice == LATER:
        return _link(sessions.sign_in_page(desk(), said) | {"stands": "kept"})
    shown, session = sessions.sign_in(desk(), said, choice, _browser(asked()), _before())
    if session is None:
        return _link(shown)
    accounts.learn_time_zone(desk(), choice, sent().text("time_zone"))
    return keep(seen_other(next_page(said["next"])), session)


def _before() -> Caller | None:
    """Whoever this browser is signed in as, which it is not any more with another session."""
    known = visitor()
    return known.caller if known else None


def _link(shown: dict[str, Any]) -> Response:
    return page("sign_in_link", STATUS.get(shown["stands"], 200), page=shown)


@blueprint.route("/sign-out", methods=["POST"])
@members_only
def sign_out() -> Response:
    """End this browser's session; without an address that is for good, so it is asked first."""
    known = member()
    if known.email is None and sent().text("sure") != "yes":
        return page("sign_out")
    tokens.sign_out(desk(), known.caller)
    return forget(seen_other(url_for("front.index")))


def _browser(request: Request) -> str:
    """What to call the browser in a list of them."""
    said = request.headers.get("User-Agent", "")
    name = next((one for one in BROWSERS if one in said), "Browser")
    system = next((one for one in SYSTEMS if one in said), "")
    return f"{NAMES.get(name, name)}, {system}" if system else NAMES.get(name, name)
