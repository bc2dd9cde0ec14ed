"""Boards and rules, for everybody to read."""

from flask import Response
from markupsafe import Markup

from api.http.edge import asked
from api.http.problems import Problem
from api.site.visit import Pages, page
from engine import Board
from engine.translate import say
from pictures import EMPTY, Scene, svg
from service.boards import atlas, board_documents
from service.views.game_page import Marks

blueprint = Pages("board_pages", __name__)


@blueprint.route("/boards")
def listed() -> Response:
    """Every board there is."""
    return page("boards", boards=board_documents.summaries())


@blueprint.route("/boards/<id:board>")
def show(board: str) -> Response:
    """One board: its picture, its numbers, its tickets and its variants."""
    if board not in atlas.board_ids():
        raise Problem("not_found", say("There is no such board."))
    found = board_documents.board_data(board, asked().args.getlist("variant"))
    return page("board", board=found, picture=drawn(atlas.board(board), EMPTY, Marks()))


def drawn(board: Board, scene: Scene, marks: Marks) -> Markup:
    """The picture of a board, to stand in a page; its colours follow the page's."""
    text = svg(board, scene, theme="page", last=marks.last, tickets=marks.goals, interactive=True)
    return Markup(text)  # noqa: S704  # drawn by us, with every name escaped


@blueprint.route("/rules")
def rules() -> Response:
    """How to play, in our own words."""
    return page("rules", boards=board_documents.summaries())
