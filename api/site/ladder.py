"""The ladder: how strong bots are."""

from flask import Response

from api.http.desk import desk
from api.http.edge import asked
from api.site.visit import Pages, page
from service.boards import atlas, board_documents
from service.games import ratings

MOST = 100

blueprint = Pages("ladder", __name__)


@blueprint.route("/ladder")
def show() -> Response:
    """Bots, the strongest first, over all boards or on one."""
    said = asked().args.get("board")
    board = said if said in atlas.board_ids() else None
    _, found = ratings.ladder(desk(), board, None, MOST)
    return page("ladder", bots=found, board=board, boards=board_documents.summaries())
