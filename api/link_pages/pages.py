"""The pages behind links in emails: GET only shows a page, and a POST with a choice acts.

They work without scripts and cookies. Mail scanners that follow links, press buttons and submit
forms change nothing: no choice is preselected, and the last one does nothing.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, render_template, url_for
from werkzeug.exceptions import HTTPException

import pictures
from api.http import headers
from api.http.app_state import app_state
from api.http.auth import authenticated
from api.http.conditions import not_modified, unchanged
from api.http.desk import desk
from api.http.forms import current_form
from api.http.page_language import set_language
from api.http.problems import BY_STATUS, TABLE, Problem
from api.http.request import current_request
from api.http.theme import SYSTEM, THEMES, themed
from api.site.boards import drawn
from api.site.move_form import menu_form
from api.site.sign_in import begin_seat_session, browser_name, is_bound_to_browser
from api.site.visit import check_origin, see_other
from api.site.visitors import visitor, visitor_at
from engine import Refusal
from engine.translate import say
from service.games.inviting import invitations
from service.i18n.catalogue import sayable
from service.links import command_pages, link_actions, link_state, seat_sessions, signed_links
from service.people import addresses, opt_outs, unsubscribing
from service.views.board_marks import Marks

Page = dict[str, Any]
Payload = Mapping[str, Any]

STATUS = {
    "unchosen": 400,
    "void": 403,
    "stale": 409,
    "reserved": 409,
    "late": 410,
    "gone": 410,
    "withdrawn": 410,
}
"""The HTTP status of a link that no longer works; 200 for all others."""
LATER = "later"
"""The choice to do nothing now; always the last one."""
ZONE = "time_zone"
"""The form field that the script fills with the browser's time zone."""
FINAL = sayable("It reveals something new, so it cannot be undone.")
STYLES = [
    Path(__file__).parent.parent / "static" / "pages" / name
    for name in ("pages.css", "game.css", "documents.css")
]

blueprint = Blueprint("pages", __name__, template_folder="templates")


@blueprint.route("/pages.css")
def style() -> Response:
    """Serve the style sheet of all pages, for the theme in the query string."""
    text, tag = _style(current_request().args.get("theme", SYSTEM))
    return not_modified() if unchanged(tag) else Response(text, mimetype="text/css")


@lru_cache(len(THEMES))
def _style(theme: str) -> tuple[bytes, str]:
    light, dark = pictures.style("light"), pictures.style("dark")
    boards = f".board{{{light}}}@media (prefers-color-scheme: dark){{.board{{{dark}}}}}\n"
    style = "".join(file.read_text(encoding="utf-8") for file in STYLES)
    text = themed(style + boards, theme).encode()
    return text, sha256(text).hexdigest()[:16]


@blueprint.route("/a/<token>", methods=["GET", "POST"])
def action(token: str) -> Response:
    """Show an entry of the menu of a decision, or all of them, and play what is chosen."""
    payload, caller = _payload("action", token), authenticated()
    account = caller.account if caller else None
    choice = _choice()
    if choice is None or choice == LATER:
        page = link_actions.action_page(desk(), payload, account)
    else:
        page = link_actions.play(desk(), payload, account, menu_form(current_form()))
    if picture := page.get("picture"):
        # Without the tickets: anyone with a forwarded email sees what a spectator sees.
        page |= {"board": drawn(picture.board, picture.scene, Marks(frozenset(picture.fresh)))}
    if page.get("reveals"):
        page |= {"final": say(FINAL)}
    return _shown("action", page, choice)


@blueprint.route("/turn/<token>", methods=["GET", "POST"])
def turn(token: str) -> Response:
    """Open a session for one seat and one decision."""
    payload, choice = _payload("turn", token), _choice()
    page = _turn_page(payload)
    if page["stands"] != "open":
        return _shown("turn", page, choice)
    signed_in, table = visitor_at(page["game"]), url_for("play.show", game=page["game"])
    is_other = signed_in is not None and signed_in.account != page["account"]
    if signed_in and is_other:
        page |= {"other": signed_in.name, "is_bound": is_bound_to_browser(signed_in)}
    if choice is None or choice not in _ways_on(page):
        return _shown("turn", page, choice)
    check_origin()  # otherwise another site could make its readers act for its owner
    if signed_in and (choice == "stay" or not is_other):
        return see_other(table)
    cookie = seat_sessions.open_session(desk(), payload, browser_name(current_request()))
    if cookie is None:  # the decision was made after the page had been read
        return _shown("turn", _turn_page(payload), None)
    return begin_seat_session(see_other(table), page["game"], cookie)


def _turn_page(payload: Payload) -> Page:
    """Return the page of a turn link, and whether this browser can play without the link."""
    page = seat_sessions.turn_page(desk(), payload)
    player = visitor_at(page["game"]) if "game" in page else None
    return page | {"is_here": player is not None and player.account == page["account"]}


def _ways_on(page: Page) -> tuple[str, ...]:
    """Return the choices on the page of a turn link that lead to the game.

    A browser that is signed in as another player has to say whether it becomes this one.
    """
    if not page.get("other"):
        return ("continue",)
    return ("stay",) if page["is_bound"] else ("instead", "stay")


@blueprint.route("/letter/<token>", methods=["GET", "POST"])
def letter(token: str) -> Response:
    """Ask whether a reply that could not be verified is really from the player."""
    return _answered("letter", token, "letter", link_actions.letter_page)


@blueprint.route("/commands/<token>", methods=["GET", "POST"])
def commands(token: str) -> Response:
    """Ask whether a mail to the service that could not be verified is really from the player."""
    return _answered("commands", token, "commands", command_pages.commands_page)


@blueprint.route("/forwarded/<token>", methods=["GET", "POST"])
def forwarded(token: str) -> Response:
    """Cancel the links and reply addresses that were sent to a seat."""
    return _answered("forwarded", token, "forwarded", link_actions.forwarded_page)


@blueprint.route("/confirm/<token>", methods=["GET", "POST"])
def address(token: str) -> Response:
    """Confirm an email address, or reject it."""
    return _answered("address", token, "address", addresses.confirmation_page)


@blueprint.route("/unsubscribe/<token>", methods=["GET", "POST"])
def unsubscribe(token: str) -> Response:
    """Unsubscribe from mail, with one click in a mail program (RFC 8058) or by a choice."""
    return _answered("unsubscribe", token, "mail", unsubscribing.unsubscribe_page)


@blueprint.route("/never/<token>", methods=["GET", "POST"])
def opt_out(token: str) -> Response:
    """Opt out of mail from strangers, with one click or by a choice, and back in."""
    return _answered("opt_out", token, "opt_out", opt_outs.opt_out_page)


def _answered(purpose: str, token: str, template: str, use: Callable[..., Page]) -> Response:
    payload, choice = _payload(purpose, token), _choice()
    effective = None if choice == LATER else choice
    return _shown(template, use(desk(), payload, effective), choice)


@blueprint.route("/invitation/<token>", methods=["GET", "POST"])
def invitation(token: str) -> Response:
    """Accept or decline an invitation."""
    payload, choice = _payload("invitation", token), _choice()
    page = _invited(payload, choice)
    if page["stands"] == "seated" and (table := _opened_table(page)):
        return table
    response = _shown("invitation", page, choice)
    response.headers.update(headers.ZONED)
    return response


def _invited(payload: Payload, choice: str | None) -> Page:
    if choice in ("no", "never", unsubscribing.ONE_CLICK):
        return invitations.decline(desk(), payload, never=choice != "no")
    if choice == "new":
        check_origin()  # because accepting opens a session
        return _newcomer(payload)
    if choice is not None and choice.startswith("as "):
        check_origin()
        account = choice.removeprefix("as ")
        return invitations.accept(desk(), payload, account, current_form().text(ZONE), _colour())
    return invitations.page(desk(), payload)


def _opened_table(page: Page) -> Response | None:
    """Open the table in a session for the seat that was just taken.

    None if another account is signed in with this browser, which stays signed in.
    """
    signed_in, table = visitor(), url_for("play.show", game=page["game"])
    if signed_in:
        return see_other(table) if signed_in.account == page["account"] else None
    browser = browser_name(current_request())
    cookie = seat_sessions.open_at_table(desk(), page["game"], page["account"], browser)
    return begin_seat_session(see_other(table), page["game"], cookie) if cookie else None


def _newcomer(payload: Payload) -> Page:
    name = current_form().text("name")
    before = invitations.page(desk(), payload)
    if before["stands"] != "open":
        return before
    app_state().limiter.count_account()
    try:
        return invitations.accept_as_new(
            desk(), payload, name, current_form().text(ZONE), _colour()
        )
    except Refusal as refusal:
        if refusal.code not in ("unreadable", "name_taken"):
            raise
        return before | {"stands": "unchosen", "problem": refusal.sentence, "typed_name": name}


def _colour() -> str | None:
    """Return the colour that was chosen; None without a choice."""
    return current_form().text("colour") or None


def _payload(purpose: str, token: str) -> dict[str, Any]:
    """Read the payload of a link and use its reader's language; count a failure if invalid."""
    payload = signed_links.read(desk(), purpose, token)
    if payload is None:
        app_state().limiter.count_failure(current_request())
        raise Problem("not_found", say("This link is not valid. It may have been cut off."))
    if locale := link_state.reader_locale(desk(), payload):
        set_language(locale)
    return payload


def _choice() -> str | None:
    """Return the choice that was posted; None for a GET."""
    if current_request().method != "POST":
        return None
    form = current_form()
    if form.text("List-Unsubscribe") == "One-Click":
        return unsubscribing.ONE_CLICK
    return form.text("choice")


def _shown(template: str, page: Page, choice: str | None) -> Response:
    """Render the page; say so if a form was posted without a choice."""
    if page["stands"] == "open" and choice is not None:
        page = page | {"stands": "kept" if choice == LATER else "unchosen"}
    text = render_template(f"pages/{template}.html", page=page)
    status = STATUS.get(page["stands"], 200)
    return Response(text, status, headers=headers.PAGE, mimetype="text/html")


@blueprint.errorhandler(Refusal)
def refused(refusal: Refusal) -> Response:
    """Render the error page of a refusal."""
    problem = TABLE[refusal.code]
    page = {"heading": say(problem.title), "sentence": refusal.sentence}
    response = Response(
        render_template("pages/plain.html", page=page), problem.status, headers=headers.PAGE
    )
    if retry_after := getattr(refusal, "more", {}).get("retry_after"):
        response.headers["Retry-After"] = str(retry_after)
    return response


@blueprint.errorhandler(HTTPException)
def http_error(error: HTTPException) -> Response:
    """Render the error page of an HTTP error."""
    return refused(Problem(BY_STATUS.get(error.code or 500, "unreadable")))
