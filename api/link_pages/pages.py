"""Small pages behind the links in mails: GET shows, and only a choice that is POSTed acts.

They work without scripts and cookies. Programs that follow links, press buttons and send forms
as they find them change nothing: no choice is made beforehand, and the last one does nothing.
"""

from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, render_template
from werkzeug.exceptions import HTTPException

import pictures
from api.http import headers
from api.http.auth import authenticated
from api.http.conditions import not_modified, unchanged
from api.http.desk import desk
from api.http.edge import asked
from api.http.forms import sent
from api.http.frame import frame
from api.http.page_language import speak_to
from api.http.problems import BY_STATUS, TABLE, Problem
from api.site.boards import drawn
from engine import Refusal
from engine.translate import say
from service.games import invitations
from service.i18n.catalogue import sayable
from service.links import link_actions, link_state, signed_links
from service.people import addresses, opt_outs, unsubscribing
from service.views.game_page import Marks

Page = dict[str, Any]
Said = Mapping[str, Any]

STATUS = {
    "unchosen": 400,
    "void": 403,
    "stale": 409,
    "late": 410,
    "gone": 410,
    "withdrawn": 410,
}
"""How a link that is not good any more is answered; everything else is fine."""
LATER = "later"
"""The choice to do nothing now; the last on every page."""
ZONE = "time_zone"
"""The field in which our script notes where the browser is."""
FINAL = sayable("It shows something new, so it cannot be taken back.")
STYLE = Path(__file__).parent.parent / "static" / "pages" / "pages.css"

blueprint = Blueprint("pages", __name__, template_folder="templates")


@blueprint.route("/pages.css")
def style() -> Response:
    """How the pages look."""
    text, tag = _style()
    return not_modified() if unchanged(tag) else Response(text, mimetype="text/css")


@cache
def _style() -> tuple[bytes, str]:
    day, night = pictures.style("light"), pictures.style("dark")
    drawn = f".board{{{day}}}@media(prefers-color-scheme:dark){{.board{{{night}}}}}\n"
    text = STYLE.read_bytes() + drawn.encode()
    return text, sha256(text).hexdigest()[:16]


@blueprint.route("/a/<token>", methods=["GET", "POST"])
def action(token: str) -> Response:
    """One group of the options of one decision."""
    said, caller = _said("action", token), authenticated()
    account = caller.account if caller else None
    choice = _choice()
    if choice is None or choice == LATER:
        page = link_actions.action_page(desk(), said, account)
    else:
        page = link_actions.play(desk(), said, account, choice)
    if page["stands"] == "played":
        frame().metrics.moved("link")
    if "options" in page:
        story = page["story"]
        # Without the goals: whoever finds a forwarded letter sees what a spectator sees.
        board = drawn(story.board, story.scene, Marks(frozenset(story.fresh)))
        page |= {**_explained(page["options"]), "board": board}
    return _shown("action", page, choice)


def _explained(options: list[Page]) -> Page:
    """The options with what each does beyond its label; what all of them do is said once."""
    final = all(option["reveals"] for option in options)
    notes = [
        [say("It costs {price}.", price=option["price"])] * bool(option["price"])
        + [say(FINAL)] * bool(option["reveals"] and not final)
        for option in options
    ]
    explained = [one | {"notes": said} for one, said in zip(options, notes, strict=True)]
    return {"options": explained, "final": say(FINAL) if final else None}


@blueprint.route("/letter/<token>", methods=["GET", "POST"])
def letter(token: str) -> Response:
    """A reply that may not have come from its sender."""
    return _answered("letter", token, "letter", link_actions.letter_page)


@blueprint.route("/forwarded/<token>", methods=["GET", "POST"])
def forwarded(token: str) -> Response:
    """Making void what was sent to a seat."""
    return _answered("forwarded", token, "forwarded", link_actions.forwarded_page)


@blueprint.route("/confirm/<token>", methods=["GET", "POST"])
def address(token: str) -> Response:
    """Saying whether an address is one's own."""
    return _answered("address", token, "address", addresses.confirmation_page)


@blueprint.route("/unsubscribe/<token>", methods=["GET", "POST"])
def unsubscribe(token: str) -> Response:
    """Stopping mail, in one step for mail programs (RFC 8058), or by a choice."""
    return _answered("unsubscribe", token, "mail", unsubscribing.unsubscribe_page)


@blueprint.route("/never/<token>", methods=["GET", "POST"])
def opt_out(token: str) -> Response:
    """Opting out of letters from strangers, in one step or by a choice, and in again."""
    return _answered("opt_out", token, "opt_out", opt_outs.opt_out_page)


def _answered(purpose: str, token: str, template: str, use: Callable[..., Page]) -> Response:
    said, choice = _said(purpose, token), _choice()
    acts = None if choice == LATER else choice
    return _shown(template, use(desk(), said, acts), choice)


@blueprint.route("/invitation/<token>", methods=["GET", "POST"])
def invitation(token: str) -> Response:
    """Accepting or declining an invitation."""
    said, choice = _said("invitation", token), _choice()
    response = _shown("invitation", _invited(said, choice), choice)
    response.headers.update(headers.ZONED)
    return response


def _invited(said: Said, choice: str | None) -> Page:
    if choice in ("no", "never", unsubscribing.ONE_CLICK):
        return invitations.decline(desk(), said, never=choice != "no")
    if choice == "new":
        return _newcomer(said)
    if choice is not None and choice.startswith("as "):
        account = choice.removeprefix("as ")
        return invitations.accept(desk(), said, account, sent().text(ZONE))
    return invitations.page(desk(), said)


def _newcomer(said: Said) -> Page:
    name = sent().text("name")
    before = invitations.page(desk(), said)
    if before["stands"] != "open":
        return before
    frame().limiter.admit_account()
    try:
        return invitations.accept_as_new(desk(), said, name, sent().text(ZONE))
    except Refusal as refusal:
        if refusal.code not in ("unreadable", "name_taken"):
            raise
        return before | {"stands": "unchosen", "problem": refusal.sentence, "said": name}


def _said(purpose: str, token: str) -> dict[str, Any]:
    """What a link says, in the language of whom it was made for; a wrong one counts as a guess."""
    said = signed_links.read(desk(), purpose, token)
    if said is None:
        frame().limiter.fail(asked())
        raise Problem("not_found", say("This link is not one of ours, or it has lost a part."))
    if locale := link_state.reader_locale(desk(), said):
        speak_to(locale)
    return said


def _choice() -> str | None:
    """What was chosen; None if the page is only looked at."""
    if asked().method != "POST":
        return None
    form = sent()
    if form.text("List-Unsubscribe") == "One-Click":
        return unsubscribing.ONE_CLICK
    return form.text("choice")


def _shown(template: str, page: Page, choice: str | None) -> Response:
    """The page; what was POSTed without a choice is said to be so, where there was one to make."""
    if page["stands"] == "open" and choice is not None:
        page = page | {"stands": "kept" if choice == LATER else "unchosen"}
    text = render_template(f"pages/{template}.html", page=page)
    status = STATUS.get(page["stands"], 200)
    return Response(text, status, headers=headers.PAGE, mimetype="text/html")


@blueprint.errorhandler(Refusal)
def refused(refusal: Refusal) -> Response:
    """Whatever is refused, as a page."""
    row = TABLE[refusal.code]
    page = {"heading": say(row.title), "sentence": refusal.sentence}
    response = Response(
        render_template("pages/plain.html", page=page), row.status, headers=headers.PAGE
    )
    if retry_after := getattr(refusal, "more", {}).get("retry_after"):
        response.headers["Retry-After"] = str(retry_after)
    return response


@blueprint.errorhandler(HTTPException)
def gave_up(error: HTTPException) -> Response:
    """What Flask or Werkzeug has refused, as a page."""
    return refused(Problem(BY_STATUS.get(error.code or 500, "unreadable")))
