"""Playing: what is asked, and the answer to it."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import (
    expected_versions,
    idempotency_key,
    not_modified,
    tell_tag,
    unchanged,
)
from api.http.desk import answer, desk
from api.http.edge import asked
from api.http.frame import frame
from api.http.long_polls import Wait
from api.schemas.game_requests import DecisionsAsked, MoveWanted
from api.schemas.game_schemas import DecisionAsked, DecisionsListed, MoveMade
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, tagged, takes, tells_tag
from service.games import moves, reading
from service.memory.news import of_account

blueprint = Blueprint("moves", __name__, url_prefix="/v1", description="Decisions and moves.")


@blueprint.route("/me/decisions")
@needs("read")
@blueprint.arguments(DecisionsAsked, location="query")
@blueprint.response(200, DecisionsListed)
@tagged
def list_decisions(wanted: dict[str, Any]) -> Response:
    """List every decision that awaits me, in all my games, the most urgent first.

    With `wait` the answer comes when there is news, or when the time is over. News is another list
    than the one whose `ETag` is sent as `If-None-Match`; without one, a list that is not empty. A
    game of mine that begins or ends is news as well.
    """
    account, limit = caller().account, wanted["limit"]
    wait = Wait(wanted["wait"], of_account(account))
    listed = reading.awaiting(desk(), account, paging.place(wanted.get("cursor")), limit)
    is_known = unchanged(listed.tag)
    is_news = bool(listed.decisions) if "If-None-Match" not in asked().headers else not is_known
    if not is_news and wait.first(listed.games) == listed.games:
        wait.go_on()
    if is_known:
        return not_modified()
    response = answer({"decisions": listed.decisions})
    if listed.places[limit:]:
        paging.link_next(response, cursor=paging.cursor(*listed.places[limit - 1]))
    return response


@blueprint.route("/games/<id:game>/decision")
@needs("read")
@blueprint.response(200, DecisionAsked)
@blueprint.alt_response(204, description="Nothing is asked of me now.")
def read_decision(game: str) -> Response:
    """Read what is asked of me in a game, with everything I may answer."""
    found = reading.decision(desk(), game, caller().account)
    return answer(found) if found else Response(status=204)


@blueprint.route("/games/<id:game>/moves", methods=["POST"])
@needs("play")
@blueprint.arguments(MoveWanted)
@blueprint.response(201, MoveMade)
@may_refuse("not_awaited", "game_over", "stale", "illegal", "ambiguous", "idempotency_mismatch")
@takes("If-Match", "Idempotency-Key")
@tells_tag
def make_move(wanted: dict[str, Any], game: str) -> Response:
    """Make a move, as an action or as text; a refused one changes nothing."""
    move = moves.Wanted(**wanted, versions=expected_versions(), key=idempotency_key())
    made = moves.submit(desk(), caller().account, game, move)
    tell_tag(made.pop("tag"))
    asked().notes["move"] = made["move"]
    frame().metrics.moved(move.source)
    return answer(made, 201)
