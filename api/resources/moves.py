"""Operations on decisions and moves."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.auth import caller
from api.http.conditions import (
    expected_versions,
    idempotency_key,
    not_modified,
    set_etag,
    unchanged,
)
from api.http.desk import desk, json_response
from api.http.long_polls import Wait
from api.http.request import current_request
from api.schemas.decision_schemas import Decision, DecisionList
from api.schemas.game_requests import ALL, DecisionQuery, DecisionsQuery, MoveRequest
from api.schemas.game_schemas import MoveReceipt
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, has_etag, has_pages, may_refuse, returns_etag, takes
from service.games import moves, reading
from service.games.move_requests import from_body
from service.memory.news import of_account

blueprint = Blueprint("moves", __name__, url_prefix="/v1", description="Decisions and moves.")


@blueprint.route("/me/decisions")
@needs("read")
@blueprint.arguments(DecisionsQuery, location="query")
@blueprint.response(200, DecisionList)
@may_refuse("too_many_waiting")
@has_etag
@has_pages
def list_decisions(query: dict[str, Any]) -> Response:
    """List your open decisions in all games, most urgent first.

    With `wait` the response is sent when there is news, or when the time is over. News is a list
    that differs from the one whose `ETag` you send as `If-None-Match`, or any list that is not
    empty if you send none. A game of yours that starts or ends is news as well.
    """
    account, limit = caller().account, query["limit"]
    wait = Wait(query["wait"], of_account(account))
    cursor = paging.decode_cursor(query.get("cursor"))
    all_options = query["options"] == ALL
    listed = reading.awaiting(desk(), account, cursor, limit, all_options=all_options)
    is_known = unchanged(listed.tag)
    is_conditional = "If-None-Match" in current_request().headers
    is_news = not is_known if is_conditional else bool(listed.decisions)
    if not is_news and wait.first(listed.games) == listed.games:
        wait.go_on()
    if is_known:
        return not_modified()
    response = json_response({"decisions": listed.decisions})
    if listed.places[limit:]:
        paging.link_next(response, cursor=paging.encode_cursor(*listed.places[limit - 1]))
    return response


@blueprint.route("/games/<id:game>/decision")
@needs("read")
@blueprint.arguments(DecisionQuery, location="query")
@blueprint.response(200, Decision)
@blueprint.alt_response(204, description="You have nothing to decide right now.")
def read_decision(query: dict[str, Any], game: str) -> Response:
    """Get your open decision in a game, with its menu.

    The response is 204 while the game waits for others, and 403 if you have no seat in it.
    """
    all_options = query["options"] == ALL
    decision = reading.decision(desk(), game, caller().account, all_options=all_options)
    return json_response(decision) if decision else Response(status=204)


@blueprint.route("/games/<id:game>/moves", methods=["POST"])
@needs("play")
@blueprint.arguments(MoveRequest)
@blueprint.response(201, MoveReceipt)
@may_refuse("not_awaited", "game_over", "stale", "illegal", "ambiguous", "idempotency_mismatch")
@takes("If-Match", "Idempotency-Key")
@returns_etag
def make_move(body: dict[str, Any], game: str) -> Response:
    """Make a move; a refused move changes nothing.

    A move is a choice from the menu, a complete action, or text.
    Send `If-Match` with the version of the decision, so that a move is not made in a position that
    you have not seen, and an `Idempotency-Key`, so that a repeated request makes no second move.
    The response says what the move caused, and has your next decision if it is still your turn.
    """
    move = from_body(body)._replace(versions=expected_versions(), key=idempotency_key())
    receipt = moves.submit(desk(), caller().account, game, move)
    set_etag(receipt.pop("tag"))
    current_request().log_fields["move"] = receipt["move"]
    return json_response(receipt, 201)
