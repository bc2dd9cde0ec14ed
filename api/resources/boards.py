"""Boards: the same for everybody, so anybody may keep them."""

from typing import Any

from flask import Response

from api.http.conditions import not_modified, unchanged
from api.schemas.board_schemas import BoardAsked, BoardShown, BoardsListed
from api.schemas.game_requests import PictureAsked
from api.schemas.spec import Blueprint, tagged
from service.boards import board_documents
from service.boards.board_documents import TaggedBody

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
    return _kept(board_documents.board_list())


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
    return _kept(board_documents.board(board, ids))


@blueprint.route("/<id:board>/picture.svg")
@blueprint.arguments(PictureAsked, location="query")
@blueprint.response(200, {"type": "string"}, content_type="image/svg+xml")
@tagged
def draw_board(asked: dict[str, Any], board: str) -> Response:
    """Draw a board with nothing on it, as SVG."""
    return _kept(board_documents.picture(board, asked["theme"]), "image/svg+xml")


def _kept(page: TaggedBody, kind: str = "application/json") -> Response:
    response = not_modified() if unchanged(page.tag) else Response(page.text, mimetype=kind)
    response.headers["Cache-Control"] = FRESH
    return response
