"""The ladder: how strong bots are."""

from flask import Response

from api.desk import desk
from api.edge import asked
from api.site.visit import Pages, page
from service import atlas, boards, ratings

MOST = 100

blueprint = Pages("ladder", __name__)


@blueprint.route("/ladder")
def show() -> Response:
    """Bots, the strongest first, over all boards or on one."""
    said = asked().args.get("board")
    board = said if said in atlas.board_ids() else None
    _, found = ratings.ladder(desk(), board, None, MOST)
    return page("ladder", bots=found, board=board, boards=boards.summaries())
