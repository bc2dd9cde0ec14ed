"""The front page with its quick start, and the static files of all pages."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Response, url_for

from api.http import headers
from api.http.conditions import not_modified, unchanged
from api.http.desk import desk
from api.http.forms import current_form
from api.http.problems import Problem
from api.http.theme import set_theme
from api.site.form_errors import form_error
from api.site.session_cookies import set_session_cookie
from api.site.sign_in import newcomer
from api.site.visit import Pages, next_page, page, see_other, with_status
from api.site.visitors import visitor
from engine import Refusal
from service.boards import board_documents
from service.games import lobby
from service.games.lobby import STRENGTHS, NewGame
from service.views import game_lists

STATIC = Path(__file__).parent.parent / "static" / "site"
WORKER = "news.js"
SCRIPTS = (
    *(WORKER, "zone.js", "choosing.js", "board.js", "cards.js", "events.js", "notice.js"),
    *("notebook.js", "copy.js", "replay.js", "unsent.js", "site.js", "push.js"),
)
ICONS = ("icon.svg", "icon-turn.svg")
INSTALLED_ICONS = ("icon-192.png", "icon-512.png", "icon-maskable-512.png")
"""Made by `python -m tools.icons`, for browsers that install the pages as an app."""
OFFLINE = "offline.js"
"""The service worker, which may act for all pages."""
FILES = {
    **dict.fromkeys(ICONS, "image/svg+xml"),
    **dict.fromkeys(INSTALLED_ICONS, "image/png"),
    **dict.fromkeys((*SCRIPTS, OFFLINE), "text/javascript"),
    "manifest.webmanifest": "application/manifest+json",
}
MOST = 5
"""Open games on the front page."""
AGAINST_A_BOT = NewGame("usa", (), 2, pace="none", visibility="unlisted", bots={STRENGTHS[0]: 1})
"""A newcomer's first game."""

blueprint = Pages("front", __name__)


@blueprint.route("/")
def index() -> Response:
    """Show the front page."""
    return _front()


def _front(refusal: Refusal | None = None) -> Response:
    signed_in = visitor()
    games = game_lists.open_to(desk(), signed_in.account if signed_in else None, MOST)
    error = form_error("new", refusal, current_form()) if refusal else None
    response = page(
        "front",
        games=games,
        boards=board_documents.summaries(),
        strengths=STRENGTHS,
        service_address=desk().settings.service_address,
        form_error=error,
    )
    return with_status(response, refusal) if refusal else response


@blueprint.route("/play", methods=["POST"])
def play() -> Response:
    """Create an account and start a game against a bot; sent twice it is still one game."""
    try:
        session = newcomer()
        game = lobby.open_game(
            desk(), session.account, AGAINST_A_BOT, current_form().idempotency_key()
        )
    except Refusal as refusal:
        return _front(refusal)
    return set_session_cookie(see_other(url_for("play.show", game=game["id"])), session.token)


@blueprint.route("/theme", methods=["POST"])
def choose_theme() -> Response:
    """Choose light or dark colours for this browser, or those of the system."""
    form, secure = current_form(), desk().settings.public_url.startswith("https:")
    return set_theme(see_other(next_page(form.text("next"))), form.text("theme"), secure=secure)


@blueprint.route("/offline")
def offline() -> Response:
    """Show the page that a browser keeps for times without a network; it names nobody."""
    return page("offline")


@blueprint.route("/site/<name>")
def file(name: str) -> Response:
    """Serve a static file."""
    if name not in FILES:
        raise Problem("not_found")
    text, tag = _file(name)
    response = not_modified() if unchanged(tag) else Response(text, mimetype=FILES[name])
    if name in (WORKER, OFFLINE):
        response.headers.extend(headers.WORKER)
    if name == OFFLINE:
        response.headers["Service-Worker-Allowed"] = "/"
    return response


@cache
def _file(name: str) -> tuple[bytes, str]:
    text = (STATIC / name).read_bytes()
    return text, sha256(text).hexdigest()[:16]
