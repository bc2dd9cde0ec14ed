"""Operations on standing orders."""

from typing import Any

from flask import Response

from api.http.auth import caller
from api.http.desk import desk, json_response
from api.schemas.order_schemas import Orders, OrdersRequest
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse
from service.games.ordering import giving

blueprint = Blueprint(
    "orders", __name__, url_prefix="/v1", description="Moves that are played for you later."
)


@blueprint.route("/games/<id:game>/orders")
@needs("read")
@blueprint.response(200, Orders)
@blueprint.alt_response(204, description="You have no orders in this game.")
def read_orders(game: str) -> Response:
    """Get your standing orders in a game, with what was done so far.

    Only you can see them. The response is 403 if you have no seat in the game.
    """
    shown = giving.shown(desk(), caller().account, game)
    return json_response(shown) if shown else Response(status=204)


@blueprint.route("/games/<id:game>/orders", methods=["PUT"])
@needs("play")
@blueprint.arguments(OrdersRequest)
@blueprint.response(200, Orders)
@may_refuse("not_awaited", "game_over", "illegal", "ambiguous")
def give_orders(body: dict[str, Any], game: str) -> Response:
    """Say what is to be played for you on your next turns; replaces earlier orders.

    Orders are carried out in place of asking you, until they are used up or no longer fit: then
    they stop and you are asked, and nothing else is ever played. If a decision is open for you,
    they begin at once; later turns are played after a random delay, so that nobody can tell. A
    refusal names the step in `place`.
    """
    text, at_once = body["text"], body["at_once"]
    return json_response(giving.give(desk(), caller().account, game, text, at_once=at_once))


@blueprint.route("/games/<id:game>/orders", methods=["DELETE"])
@needs("play")
@blueprint.response(204)
def delete_orders(game: str) -> Response:
    """Take back your standing orders.

    You are asked again from now on, also about a decision that was left to them.
    """
    giving.take_back(desk(), caller().account, game)
    return Response(status=204)
