"""The front page, and the files that all pages share."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Response

from api.conditions import not_modified, unchanged
from api.desk import desk
from api.problems import Problem
from api.site.visit import Pages, page, visitor
from service import boards, game_lists

STATIC = Path(__file__).parent.parent / "static" / "site"
FILES = {"site.js": "text/javascript", "icon.svg": "image/svg+xml"}
SOME = 5

blueprint = Pages("front", __name__)


@blueprint.route("/")
def index() -> Response:
    """What this is, and where to begin."""
    known = visitor()
    found = game_lists.open_to(desk(), known.account if known else None, SOME)
    return page("front", games=found, boards=boards.summaries())


@blueprint.route("/site/<name>")
def file(name: str) -> Response:
    """A file that pages load."""
    if name not in FILES:
        raise Problem("not_found")
    text, tag = _kept(name)
    return not_modified() if unchanged(tag) else Response(text, mimetype=FILES[name])


@cache
def _kept(name: str) -> tuple[bytes, str]:
    text = (STATIC / name).read_bytes()
    return text, sha256(text).hexdigest()[:16]
