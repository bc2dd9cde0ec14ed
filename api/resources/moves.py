"""Operations on decisions and moves."""

from typing import Any

from flask import Response

from api.http import paging
from api.http.app_state import app_state
from api.http.auth import caller
from api.http.conditions import expected_versions, idempotency_key, set_etag
from api.http.desk import desk, json_response, who
from api.http.request import current_request
from api.schemas.game_requests import DecisionsQuery, MoveRequest
from api.schemas.game_schemas import Decision, DecisionList, MoveReceipt
from api.schemas.scopes import needs
from api.schemas.spec import Blueprint, may_refuse, returns_etag, takes
from service.games import moves, reading

blueprint = Blueprint("moves", __name__, url_prefix="/v1", description="Decisions and moves.")


@blueprint.route("/me/decisions")
@needs("read")
@blueprint.arguments(DecisionsQuery, location="query")
@blueprint.response(200, DecisionList)
def list_decisions(query: dict[str, Any]) -> Response:
    """List your open decisions in all games, most urgent first."""
    account, limit = caller().account, query["limit"]
    after = paging.decode_cursor(query.get("cursor"))

    places: list[tuple[str, str]] = []
    decisions: list[dict[str, Any]] = []

    def look() -> bool:
        places[:], decisions[:] = reading.awaiting(desk(), account, after, limit)
        return bool(decisions)

    if query["wait"]:
        with desk().bell.place(*who()):
            desk().bell.wait(account, look, query["wait"])
    else:
        look()
    response = json_response({"decisions": decisions})
    if places[limit:]:
        paging.link_next(response, cursor=paging.encode_cursor(*places[limit - 1]))
    return response


@blueprint.route("/games/<id:game>/decision")
@needs("read")
@blueprint.response(200, Decision)
@blueprint.alt_response(204, description="You have nothing to decide right now.")
def read_decision(game: str) -> Response:
    """Get your open decision in a game, with all its options."""
    decision = reading.decision(desk(), game, caller().account)
    return json_response(decision) if decision else Response(status=204)


@blueprint.route("/games/<id:game>/moves", methods=["POST"])
@needs("play")
@blueprint.arguments(MoveRequest)
@blueprint.response(201, MoveReceipt)
@may_refuse("not_awaited", "game_over", "stale", "illegal", "ambiguous", "idempotency_mismatch")
@takes("If-Match", "Idempotency-Key")
@returns_etag
def make_move(body: dict[str, Any], game: str) -> Response:
    """Make a move, as an action or as text; a refused move changes nothing."""
    move = moves.Wanted(**body, versions=expected_versions(), key=idempotency_key())
    made = moves.submit(desk(), caller().account, game, move)
    set_etag(made.pop("tag"))
    current_request().log_fields["move"] = made["move"]
    app_state().metrics.count_move(move.source)
    return json_response(made, 201)
