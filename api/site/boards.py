"""Pages about boards and rules."""

from flask import Response
from markupsafe import Markup

from api.http.problems import Problem
from api.http.request import current_request
from api.site.visit import Pages, page
from engine import Board
from engine.translate import say
from pictures import Overlay, Scene, page_svg
from service.boards import atlas, board_documents
from service.views.board_marks import Marks

blueprint = Pages("board_pages", __name__)


@blueprint.route("/boards")
def listed() -> Response:
    """List all boards."""
    return page("boards", boards=board_documents.summaries())


@blueprint.route("/boards/<id:board>")
def show(board: str) -> Response:
    """Show a board: its picture, its numbers, its tickets and its variants."""
    if board not in atlas.board_ids():
        raise Problem("not_found", say("There is no such board."))
    document = board_documents.board_data(board, current_request().args.getlist("variant"))
    scene = board_documents.scene_at_start(board)
    return page("board", board=document, picture=drawn(atlas.board(board), scene, Marks()))


def drawn(board: Board, scene: Scene, marks: Marks) -> Markup:
    """Draw a board for use inside a page; its colours follow the page's theme."""
    overlay = Overlay(scene, marks.last, marks.goals, marks.letters, marks.can, marks.sketch)
    text = page_svg(board, overlay)
    return Markup(text)  # noqa: S704  # drawn by us, with all names escaped


@blueprint.route("/rules")
def rules() -> Response:
    """Explain how to play, in our own words."""
    return page("rules", boards=board_documents.summaries())
