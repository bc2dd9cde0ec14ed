"""Operations on notebooks: private notes and a sketch of routes in a game."""

from typing import Any

from flask import Response

from api.http.auth import caller
from api.http.conditions import expected_versions, not_modified, set_etag, unchanged
from api.http.desk import desk, json_response
from api.schemas.notebook_schemas import Notebook, NotebookUpdate
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, has_etag, may_refuse, returns_etag, takes
from service.games import notebooks

blueprint = Blueprint(
    "notebooks",
    __name__,
    url_prefix="/v1/games",
    description="Your private notes in a game, and a sketch of the routes you mean to claim.",
)


@blueprint.route("/<id:game>/notebook")
@needs("read")
@blueprint.response(200, Notebook)
@has_etag
def read_notebook(game: str) -> Response:
    """Get your notebook in a game: your notes, and your sketch judged in the present position.

    Only you can see it, and it is not part of the log. You keep it when the game is over, and after
    you have resigned. The `ETag` changes with the notebook and with the game.
    """
    own = notebooks.read(desk(), caller().account, game)
    return not_modified() if unchanged(own.tag) else json_response(notebooks.document(own))


@blueprint.route("/<id:game>/notebook", methods=["PUT"])
@needs("play")
@blueprint.arguments(NotebookUpdate)
@blueprint.response(200, Notebook)
@may_refuse("stale")
@takes("If-Match")
@returns_etag
def replace_notebook(body: dict[str, Any], game: str) -> Response:
    """Replace your notes and your sketch.

    Send `If-Match` with the `ETag` or the `version` you have, so that nothing is lost that you
    have written elsewhere in the meantime. Moves of the game do not matter for that. Routes that
    you cannot claim any more may stay in the sketch.
    """
    own = notebooks.replace(desk(), caller().account, game, body, expected_versions())
    set_etag(own.tag)
    return json_response(notebooks.document(own))


@blueprint.route("/<id:game>/notebook", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
@may_refuse("stale")
@takes("If-Match")
def empty_notebook(game: str) -> Response:
    """Remove your notes and your sketch.

    Deleting your account removes them from all games.
    """
    notebooks.empty(desk(), caller().account, game, expected_versions())
    return Response(status=204)
