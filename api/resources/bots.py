"""Operations on games between bots, and the ladder."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import desk, json_response
from api.schemas.bot_schemas import BotGames, BotGamesRequest, Ladder, LadderQuery
from api.schemas.scopes import needs, welcomes
from api.schemas.spec import Blueprint, has_pages, may_refuse, takes
from service.games.bots import bot_games, ratings

blueprint = Blueprint(
    "bots", __name__, url_prefix="/v1", description="Games between bots, and the ladder."
)


@blueprint.route("/bot-games", methods=["POST"])
@needs("play")
@blueprint.arguments(BotGamesRequest)
@blueprint.response(201, BotGames)
@may_refuse("too_many_open", "commitment_used", "commitment_unknown", "idempotency_mismatch")
@takes("Idempotency-Key")
def open_bot_games(body: dict[str, Any]) -> Response:
    """Start several games between your bot and others; they are rated by default.

    All of them start at once, with the pace `live`. Only accounts of the kind `bot` may do this,
    and opponents must accept challenges. The number of running games of a bot is limited.
    """
    lists = {name: tuple(body[name]) for name in ("variants", "opponents", "commitments")}
    request = bot_games.BotGamesRequest(**{**body, **lists})
    return json_response(
        bot_games.open_games(desk(), caller().account, request, idempotency_key()), 201
    )


@blueprint.route("/ladder")
@welcomes
@blueprint.arguments(LadderQuery, location="query")
@blueprint.response(200, Ladder)
@has_pages
def read_ladder(query: dict[str, Any]) -> Response:
    """Get the ratings of bots, strongest first.

    Ratings change when a rated game ends. House bots are listed with fixed ratings, for comparison.
    """
    limit, place = query["limit"], paging.decode_cursor(query.get("cursor"), paging.RATING_CURSOR)
    after = (int(place[0]), place[1]) if place else None
    places, entries = ratings.ladder(desk(), query.get("board"), after, limit + 1)
    response = json_response({"bots": entries[:limit]})
    if entries[limit:]:
        paging.link_next(response, cursor=paging.encode_cursor(*places[limit - 1]))
    return response
