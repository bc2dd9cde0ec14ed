"""Operations on boards; they are the same for everyone, so responses may be cached."""

from typing import Any

from flask import Response

from api.http.conditions import not_modified, unchanged
from api.schemas.board_schemas import Board, BoardList, BoardQuery
from api.schemas.fields import file_schema
from api.schemas.game_requests import PictureQuery
from api.schemas.spec import Blueprint, has_etag
from service.boards import board_documents
from service.boards.board_documents import TaggedBody

blueprint = Blueprint(
    "boards", __name__, url_prefix="/v1/boards", description="Boards and their variants."
)

CACHE_CONTROL = "public, max-age=3600"
"""Boards may be cached for an hour, then revalidated with their ETag."""


@blueprint.route("")
@blueprint.response(200, BoardList)
@has_etag
def list_boards() -> Response:
    """List all boards and their variants.

    The list is the same for everybody and may be cached for an hour.
    """
    return _cached(board_documents.board_list())


@blueprint.route("/<id:board>")
@blueprint.arguments(BoardQuery, location="query")
@blueprint.response(200, Board)
@has_etag
def read_board(query: dict[str, Any], board: str) -> Response:
    """Get a board with everything on it.

    Tickets, technologies and parameters are those of a game with the given variants.
    """
    ids = [id for value in query["variant"] if value for id in value.split(",")]
    return _cached(board_documents.board(board, ids))


@blueprint.route("/<id:board>/picture.svg")
@blueprint.arguments(PictureQuery, location="query")
@blueprint.response(200, file_schema("The picture."), content_type="image/svg+xml")
@has_etag
def draw_board(query: dict[str, Any], board: str) -> Response:
    """Get a picture of the empty board as SVG.

    It is the same for everybody and may be cached for an hour.
    """
    return _cached(board_documents.picture(board, query["theme"]), "image/svg+xml")


def _cached(page: TaggedBody, kind: str = "application/json") -> Response:
    response = not_modified() if unchanged(page.tag) else Response(page.text, mimetype=kind)
    response.headers["Cache-Control"] = CACHE_CONTROL
    return response
