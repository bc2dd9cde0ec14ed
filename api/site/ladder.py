"""The ladder of bots."""

from flask import Response

from api.http.desk import desk
from api.http.request import current_request
from api.site.visit import Pages, page
from service.boards import atlas, board_documents
from service.games.bots import ratings

MOST = 100
"""Bots on the page."""

blueprint = Pages("ladder", __name__)


@blueprint.route("/ladder")
def show() -> Response:
    """Show the ratings of bots, strongest first, on all boards or on one."""
    chosen = current_request().args.get("board")
    board = chosen if chosen in atlas.board_ids() else None
    _, entries = ratings.ladder(desk(), board, None, MOST)
    return page("ladder", bots=entries, board=board, boards=board_documents.summaries())
