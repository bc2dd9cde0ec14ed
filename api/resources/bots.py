"""Bots among themselves: games in bulk, and the ladder."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import idempotency_key
from api.http.desk import answer, desk
from api.schemas.bot_schemas import BotGamesBegun, BotGamesWanted, Ladder, LadderAsked
from api.schemas.scopes import needs, welcomes
from api.schemas.spec import Blueprint, may_refuse, takes
from service.games import bot_games, ratings

blueprint = Blueprint("bots", __name__, url_prefix="/v1", description="Bots among themselves.")


@blueprint.route("/bot-games", methods=["POST"])
@needs("play")
@blueprint.arguments(BotGamesWanted)
@blueprint.response(201, BotGamesBegun)
@may_refuse("too_many_open", "commitment_used", "commitment_unknown", "idempotency_mismatch")
@takes("Idempotency-Key")
def open_bot_games(wanted: dict[str, Any]) -> Response:
    """Begin games of my bot against others, all at once; they are rated unless I say not."""
    lists = {name: tuple(wanted[name]) for name in ("variants", "opponents", "commitments")}
    asked = bot_games.BotGamesRequest(**{**wanted, **lists})
    return answer(bot_games.open_games(desk(), caller().account, asked, idempotency_key()), 201)


@blueprint.route("/ladder")
@welcomes
@blueprint.arguments(LadderAsked, location="query")
@blueprint.response(200, Ladder)
def read_ladder(asked: dict[str, Any]) -> Response:
    """Read how strong bots are, the strongest first."""
    limit, place = asked["limit"], paging.place(asked.get("cursor"), paging.RUNG)
    after = (int(place[0]), place[1]) if place else None
    places, found = ratings.ladder(desk(), asked["board"], after, limit + 1)
    response = answer({"bots": found[:limit]})
    if found[limit:]:
        paging.link_next(response, cursor=paging.cursor(*places[limit - 1]))
    return response
