"""Games: listing, opening, reading, sitting down and leaving."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import idempotency_key, not_modified, tell_tag, unchanged
from api.http.desk import answer, desk, reader
from api.http.problems import Problem
from api.schemas.game_requests import GamePictureAsked, GamesAsked, GameWanted, SeatWanted
from api.schemas.game_schemas import GameJoined, GameSeen, GamesListed
from api.schemas.scopes import needs, welcomes
from api.schemas.spec import Blueprint, may_refuse, tagged, takes, tells_tag
from service.games import lobby, reading
from service.views import board_picture

blueprint = Blueprint(
    "games", __name__, url_prefix="/v1/games", description="Games and their tables."
)


@blueprint.route("")
@welcomes
@blueprint.arguments(GamesAsked, location="query")
@blueprint.response(200, GamesListed)
def list_games(asked: dict[str, Any]) -> Response:
    """List games, the newest first: public ones, and those at whose table I sit."""
    account, limit = reader(), asked["limit"]
    if asked["mine"] and account is None:
        raise Problem("unauthenticated")
    found = reading.listed(
        desk(),
        reading.GameFilter(
            account,
            asked["mine"],
            asked["status"],
            asked["board"],
            paging.place(asked.get("cursor")),
            limit + 1,
        ),
    )
    response = answer({"games": found[:limit]})
    if found[limit:]:
        last = found[limit - 1]
        paging.link_next(response, cursor=paging.cursor(last["created"], last["id"]))
    return response


@blueprint.route("", methods=["POST"])
@needs("play")
@blueprint.arguments(GameWanted)
@blueprint.response(201, GameJoined)
@may_refuse(
    "too_many_open", "commitment_used", "commitment_unknown", "gone", "idempotency_mismatch"
)
@takes("Idempotency-Key")
@tells_tag
def open_game(wanted: dict[str, Any]) -> Response:
    """Open a game and sit down at its table; it begins when the last seat is taken."""
    opened = lobby.NewGame(**{**wanted, "variants": tuple(wanted["variants"])})
    made = lobby.open_game(desk(), caller().account, opened, idempotency_key())
    tell_tag(made.pop("tag"))
    response = answer(made, 201)
    response.headers["Location"] = f"/v1/games/{made['id']}"
    return response


@blueprint.route("/<id:game>")
@welcomes
@blueprint.response(200, GameSeen)
@tagged
def read_game(game: str) -> Response:
    """Read a game as I may see it: its table, the position, who is awaited, the result."""
    tag, page = reading.game(desk(), game, reader())
    return not_modified() if unchanged(tag) else answer(page)


@blueprint.route("/<id:game>/board.svg")
@welcomes
@blueprint.arguments(GamePictureAsked, location="query")
@blueprint.response(200, {"type": "string"}, content_type="image/svg+xml")
@tagged
def draw_game(asked: dict[str, Any], game: str) -> Response:
    """Draw the board with everything that stands on it, as SVG.

    The last move is lit. What is hidden from me is not on it; my own tickets are, if I ask.
    """
    shown = board_picture.game(desk(), game, reader(), tickets=asked["tickets"])
    if unchanged(shown.tag):
        return not_modified()
    return Response(shown.svg(asked["theme"]), mimetype="image/svg+xml")


@blueprint.route("/<id:game>/board.png")
@welcomes
@blueprint.arguments(GamePictureAsked, location="query")
@blueprint.response(200, {"type": "string", "format": "binary"}, content_type="image/png")
@tagged
def draw_game_in_pixels(asked: dict[str, Any], game: str) -> Response:
    """Draw the same as PNG, 1400 pixels wide."""
    shown = board_picture.game(desk(), game, reader(), tickets=asked["tickets"])
    if unchanged(shown.tag):
        return not_modified()
    return Response(shown.png(asked["theme"]), mimetype="image/png")


@blueprint.route("/<id:game>/seats", methods=["POST"])
@needs("play")
@blueprint.arguments(SeatWanted, required=False)
@blueprint.response(201, GameJoined)
@may_refuse("seat_taken", "already_started", "too_many_open", "gone", "idempotency_mismatch")
@takes("Idempotency-Key")
@tells_tag
def take_seat(wanted: dict[str, Any] | None, game: str) -> Response:
    """Sit down at a table; with the last seat the game begins."""
    nonce = (wanted or {}).get("nonce", "")
    made = lobby.join(desk(), caller().account, game, nonce, idempotency_key())
    tell_tag(made.pop("tag"))
    return answer(made, 201)


@blueprint.route("/<id:game>/seats/mine", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
@may_refuse("game_over")
def leave_seat(game: str) -> Response:
    """Leave the table before the game begins; after that, resign: the house plays on."""
    lobby.leave(desk(), caller().account, game)
    return Response(status=204)


@blueprint.route("/<id:game>/log")
@welcomes
@blueprint.response(200, {"type": "string"}, content_type="application/jsonl")
@may_refuse("not_over")
def read_log(game: str) -> Response:
    """Read the whole log of a game that is over, with its seed: what `nightmail verify` checks.

    A game that everybody has left is over, too, though it has no result.
    """
    lines = reading.log(desk(), game, reader())
    return Response("\n".join(lines) + "\n", mimetype="application/jsonl")
