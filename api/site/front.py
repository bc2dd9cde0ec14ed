"""The front page, with the shortest way into a game, and the files that all pages share."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Response, url_for

from api.http import headers
from api.http.conditions import not_modified, unchanged
from api.http.desk import desk
from api.http.forms import sent
from api.http.problems import Problem
from api.site.sign_in import newcomer
from api.site.trouble import trouble
from api.site.visit import Pages, keep, page, seen_other, visitor, with_status
from engine import Refusal
from service.boards import board_documents
from service.games import lobby
from service.games.lobby import STRENGTHS, NewGame
from service.views import game_lists

STATIC = Path(__file__).parent.parent / "static" / "site"
WORKER = "news.js"
SCRIPTS = (WORKER, "site.js", "zone.js")
FILES = {"icon.svg": "image/svg+xml"} | dict.fromkeys(SCRIPTS, "text/javascript")
SOME = 5
AGAINST_A_BOT = NewGame("usa", (), 2, pace="none", visibility="unlisted", bots={STRENGTHS[0]: 1})
"""The first game of a newcomer."""

blueprint = Pages("front", __name__)


@blueprint.route("/")
def index() -> Response:
    """What this is, and where to begin."""
    return _front()


def _front(refusal: Refusal | None = None) -> Response:
    known = visitor()
    found = game_lists.open_to(desk(), known.account if known else None, SOME)
    wrong = trouble("new", refusal, sent()) if refusal else None
    shown = page(
        "front", games=found, boards=board_documents.summaries(), strengths=STRENGTHS, trouble=wrong
    )
    return with_status(shown, refusal) if refusal else shown


@blueprint.route("/play", methods=["POST"])
def play() -> Response:
    """Begin a game against a bot under a name that was just chosen; sent twice it is one game."""
    try:
        entered = newcomer()
        made = lobby.open_game(desk(), entered.account, AGAINST_A_BOT, sent().key())
    except Refusal as refusal:
        return _front(refusal)
    return keep(seen_other(url_for("play.show", game=made["id"])), entered.token)


@blueprint.route("/site/<name>")
def file(name: str) -> Response:
    """A file that pages load."""
    if name not in FILES:
        raise Problem("not_found")
    text, tag = _kept(name)
    response = not_modified() if unchanged(tag) else Response(text, mimetype=FILES[name])
    if name == WORKER:
        response.headers.extend(headers.WORKER)
    return response


@cache
def _kept(name: str) -> tuple[bytes, str]:
    text = (STATIC / name).read_bytes()
    return text, sha256(text).hexdigest()[:16]
