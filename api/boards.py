"""Boards: the same for everybody, so anybody may keep them."""

from typing import Any

from flask import Response

from api.board_schemas import BoardAsked, BoardShown, BoardsListed
from api.conditions import not_modified, unchanged
from api.desk import answer
from api.spec import Blueprint, tagged
from service import boards
from service.boards import Page

blueprint = Blueprint(
    "boards", __name__, url_prefix="/v1/boards", description="Boards and their variants."
)

FRESH = "public, max-age=3600"
"""An hour without asking, then once more with the tag."""


@blueprint.route("")
@blueprint.response(200, BoardsListed)
@tagged
def list_boards() -> Response:
    """List every board, and the variants it can be played with."""
    return _kept(boards.listed())


@blueprint.route("/<id:board>")
@blueprint.arguments(BoardAsked, location="query")
@blueprint.response(200, BoardShown)
@tagged
def read_board(wanted: dict[str, Any], board: str) -> Response:
    """Show a board with everything on it.

    Without variants it is the plain board; with some, its tickets, technologies and parameters
    are those that a game with these variants has.
    """
    ids = [id for said in wanted["variant"] if said for id in said.split(",")]
    return _kept(boards.board(board, ids))


def _kept(page: Page) -> Response:
    response = not_modified() if unchanged(page.tag) else answer(page.text)
    response.headers["Cache-Control"] = FRESH
    return response
